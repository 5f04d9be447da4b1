# The Python module. The library's objects are those of position-independent programs; here they go into a shared object, which
# works as long as nothing in them takes the address of another library's data. So those libraries are linked in, the
# two places that do are compiled again, and only the entry of the module is seen from outside.
find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 REQUIRED)
add_library(_pto MODULE tools/python/module.cpp tools/python/libc_data.cpp src/support/output_files.cpp cmake/static_libraries.cpp cmake/static_highway.cpp)
target_include_directories(_pto PRIVATE include src)
target_link_libraries(_pto PRIVATE pybind11::module pto_static_headers ${CMAKE_BINARY_DIR}/libpto.a Threads::Threads)
add_dependencies(_pto pto)
target_compile_options(_pto PRIVATE -fPIC -fvisibility=hidden -ffp-contract=off)
target_link_options(_pto PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections
                    -Wl,--version-script=${CMAKE_SOURCE_DIR}/tools/python/module.map)
set_target_properties(_pto PROPERTIES PREFIX "" SUFFIX ".abi.so" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/pto)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
                OUTPUT_VARIABLE suffix OUTPUT_STRIP_TRAILING_WHITESPACE)
set_target_properties(_pto PROPERTIES SUFFIX ${suffix})
pto_release_program(_pto)
# The package beside its module, so that it can be used from the build folder.
file(GLOB PTO_PYTHON CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/python/pto/*)
foreach(file ${PTO_PYTHON})
  get_filename_component(name ${file} NAME)
  configure_file(${file} ${CMAKE_BINARY_DIR}/python/pto/${name} COPYONLY)
endforeach()
