# pto_program(TARGET MAIN SOURCE..): a program of tools/; with PTO_MULTI_CALL a part of the one program pto-all.
option(PTO_MULTI_CALL "One program, pto-all, to which pto-as, pto-sim, .. are links: sanitizer builds link once" OFF)

function(pto_program target main)
  if(NOT PTO_MULTI_CALL)
    add_executable(${target} ${main} ${ARGN})
    return()
  endif()
  add_library(${target} OBJECT ${main} ${ARGN})
  string(MAKE_C_IDENTIFIER ${target} name)
  set_source_files_properties(${main} PROPERTIES COMPILE_DEFINITIONS main=${name}_main)
  set_property(GLOBAL APPEND PROPERTY PTO_PROGRAMS ${target})
endfunction()

# pto_multi_call(OBJECT..): pto-all of the programs so far and the objects of the tests.
function(pto_multi_call)
  get_property(programs GLOBAL PROPERTY PTO_PROGRAMS)
  add_executable(pto-all tools/multi_call/main.cpp ${ARGN})
  target_link_libraries(pto-all PRIVATE ${programs} pto_fuzz pto_cli pto pto_warnings fmt::fmt nlohmann_json::nlohmann_json
                                        tomlplusplus::tomlplusplus spdlog::spdlog Catch2::Catch2)
  foreach(name ${programs} pto-tests)
    add_custom_command(TARGET pto-all POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink pto-all ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  endforeach()
endfunction()
