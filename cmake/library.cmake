# A library per folder of src/. What a library may use is stated once, in the CMakeLists.txt of its folder: CMake links by it, and
# tools/scripts/lint/layers.py keeps the includes to it.
#
#   pto_library(NAME [DEPENDS LIBRARY..] [PUBLIC HEADER..] [TESTS_DEPEND LIBRARY..] [ALONE SOURCE..])
#
# pto_NAME: the sources of this folder and its subfolders. It uses the libraries of DEPENDS and those below them. PUBLIC: the headers of
# include/pto that belong to it. Its unit tests are the files *_test.cpp among them; they use the libraries of TESTS_DEPEND as well, none of
# which uses this one. The tests of all folders are one program, pto-tests; pto-tests-NAME has those of this folder, and whatever the
# library leaves undefined that no library below it has is an error of its linker (target pto-link-check).

# What every source is compiled with.
add_library(pto_compile INTERFACE)
target_include_directories(pto_compile INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
# Results are defined to the bit: no contraction of a*b+c behind our back.
target_compile_options(pto_compile INTERFACE -ffp-contract=off)
target_link_libraries(pto_compile INTERFACE pto_warnings fmt::fmt Boost::boost nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus hwy::hwy
                                            Threads::Threads)

# Headers that are compiled once for all libraries, and once for all tests.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/empty.cpp CONTENT "")
add_library(pto_precompiled OBJECT ${CMAKE_BINARY_DIR}/empty.cpp)
target_link_libraries(pto_precompiled PRIVATE pto_compile)
pto_precompile(pto_precompiled)
if(PTO_BUILD_TESTS)
  add_custom_target(pto-link-check)
  add_library(pto_tests_precompiled OBJECT ${CMAKE_BINARY_DIR}/empty.cpp)
  target_link_libraries(pto_tests_precompiled PRIVATE pto_compile Catch2::Catch2)
  # What tests call is optimised; they themselves are built faster so.
  target_compile_options(pto_tests_precompiled PRIVATE $<$<CONFIG:Release>:-O1>)
  pto_precompile(pto_tests_precompiled ${CMAKE_SOURCE_DIR}/src/testing/catch_main.hpp)
endif()

# Sources of one folder are compiled eight at a time: half of the time of a single one goes into its headers. Whoever changes single
# sources often compiles faster with -DPTO_UNITY=OFF, which also shows that each source includes what it uses.
option(PTO_UNITY "Compile the sources of a folder together" ON)

# pto_unity(TARGET SOURCES ALONE): ALONE are patterns of sources that are compiled by themselves.
function(pto_unity target sources alone)
  if(NOT PTO_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Wno-shadow)  # of a name in another file; g++ does not take that for shadowing
  endif()
  foreach(pattern ${alone})
    list(FILTER sources EXCLUDE REGEX "/${pattern}$")
  endforeach()
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / 8")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()

function(pto_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PUBLIC;TESTS_DEPEND;ALONE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM arg_DEPENDS PREPEND pto_)
  if(sources)
    add_library(pto_${name} STATIC ${sources})
    target_link_libraries(pto_${name} PUBLIC ${arg_DEPENDS} PRIVATE pto_compile)
    pto_reuse_precompiled(pto_${name} pto_precompiled)
    set_property(GLOBAL APPEND PROPERTY PTO_LIBRARIES pto_${name})
    pto_unity(pto_${name} "${sources}" "${arg_ALONE}")
  else()
    add_library(pto_${name} INTERFACE)
    target_link_libraries(pto_${name} INTERFACE ${arg_DEPENDS})
  endif()
  if(PTO_BUILD_TESTS)
    pto_tests(${name} "${tests}" ${arg_TESTS_DEPEND})
    if(tests)
      pto_unity(pto_${name}_tests "${tests}" "${arg_ALONE}")
    endif()
  endif()
endfunction()

# pto_tests(NAME SOURCES [LIBRARY..]): unit tests of the library NAME, which use LIBRARY.. too; without a library of that name, theirs.
function(pto_tests name sources)
  list(TRANSFORM ARGN PREPEND pto_ OUTPUT_VARIABLE libraries)
  if(sources)
    add_library(pto_${name}_tests OBJECT ${sources})
    target_link_libraries(pto_${name}_tests PRIVATE pto_compile Catch2::Catch2)
    target_compile_options(pto_${name}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
    pto_reuse_precompiled(pto_${name}_tests pto_tests_precompiled)
    # Only those that read files: the others are the same objects wherever the checkout is.
    foreach(source ${sources})
      file(STRINGS ${source} reads REGEX "PTO_SOURCE_DIR" LIMIT_COUNT 1)
      if(reads)
        set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "PTO_SOURCE_DIR=\"${CMAKE_SOURCE_DIR}\"")
      endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY PTO_TESTS pto_${name}_tests)
    set(objects $<TARGET_OBJECTS:pto_${name}_tests>)
  else()
    set(objects ${CMAKE_BINARY_DIR}/empty.cpp)
  endif()
  add_executable(pto-tests-${name} EXCLUDE_FROM_ALL ${objects})
  set_target_properties(pto-tests-${name} PROPERTIES LINKER_LANGUAGE CXX)
  get_property(compiled GLOBAL PROPERTY PTO_LIBRARIES)
  if(pto_${name} IN_LIST compiled)
    target_link_libraries(pto-tests-${name} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,pto_${name}>)
  elseif(TARGET pto_${name})
    target_link_libraries(pto-tests-${name} PRIVATE pto_${name})
  endif()
  target_link_libraries(pto-tests-${name} PRIVATE ${libraries} pto_compile Catch2::Catch2WithMain)
  add_dependencies(pto-link-check pto-tests-${name})
endfunction()
