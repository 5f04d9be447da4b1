# Statically linked tools: loading and relocating shared libraries would take longer than assembling a kernel.
#
# pto_link_static(TARGET) links TARGET with the library and everything that it uses. Debian ships {fmt}, toml++ and Highway as shared
# libraries only; their few compiled functions are compiled from their headers (static_libraries.cpp) or written here
# (static_highway.cpp).
function(pto_link_static target)
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:pto> pto_static_libraries)
  add_dependencies(${target} pto)
  # Not -static: there the first exception sorts all unwind tables, which takes longer than a kernel. The relocations of a
  # position-independent program are packed, so that they cost 0.1 ms.
  target_link_options(${target} PRIVATE -static-pie -Wl,-z,pack-relative-relocs -Wl,--gc-sections)
endfunction()

# pto_static_headers: the headers of the libraries whose compiled parts are made here.
add_library(pto_static_headers INTERFACE)
foreach(library fmt::fmt tomlplusplus::tomlplusplus hwy::hwy)
  target_include_directories(pto_static_headers SYSTEM INTERFACE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(pto_static_headers INTERFACE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_OPTIONS>)
endforeach()
if(PTO_STATIC)
  add_library(pto_static_libraries OBJECT ${CMAKE_SOURCE_DIR}/cmake/static_libraries.cpp ${CMAKE_SOURCE_DIR}/cmake/static_highway.cpp)
  target_link_libraries(pto_static_libraries PRIVATE pto_static_headers)
endif()
