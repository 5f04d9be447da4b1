# What is installed beside the programs, and the Debian package of it (tools/package). Included behind all targets.

# Manual pages and completion, as the programs print them.
set(share ${CMAKE_BINARY_DIR}/share)
set(manuals "")
foreach(tool pto-as pto-dis pto-sim pto-lsp)
  add_custom_command(OUTPUT ${share}/${tool}.1.gz ${share}/${tool} ${share}/_${tool} ${share}/${tool}.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${share}
    COMMAND $<TARGET_FILE:${tool}> --man | gzip -9n > ${share}/${tool}.1.gz
    COMMAND $<TARGET_FILE:${tool}> --completion bash > ${share}/${tool}
    COMMAND $<TARGET_FILE:${tool}> --completion zsh > ${share}/_${tool}
    COMMAND $<TARGET_FILE:${tool}> --completion fish > ${share}/${tool}.fish
    DEPENDS ${tool} VERBATIM)
  list(APPEND manuals ${share}/${tool}.1.gz)
  install(FILES ${share}/${tool}.1.gz DESTINATION share/man/man1 COMPONENT programs)
  install(FILES ${share}/${tool} DESTINATION share/bash-completion/completions COMPONENT programs)
  install(FILES ${share}/_${tool} DESTINATION share/zsh/vendor-completions COMPONENT programs)
  install(FILES ${share}/${tool}.fish DESTINATION share/fish/vendor_completions.d COMPONENT programs)
endforeach()
add_custom_target(pto-manuals ALL DEPENDS ${manuals})

if(PTO_BUILD_PYTHON)
  install(TARGETS _pto LIBRARY DESTINATION lib/python3/dist-packages/pto COMPONENT python)
  install(FILES ${PTO_PYTHON} DESTINATION lib/python3/dist-packages/pto COMPONENT python)
endif()

# tools/package makes the files in PTO_DEBIAN, and gives the version.
set(PTO_DEBIAN "" CACHE PATH "Folder with copyright, changelog.gz and lintian-overrides of the Debian package")
set(PTO_VERSION "${PROJECT_VERSION}" CACHE STRING "Version of the packages")
if(PTO_DEBIAN)
  install(FILES ${PTO_DEBIAN}/copyright ${PTO_DEBIAN}/changelog.gz DESTINATION share/doc/pto COMPONENT programs)
  install(FILES ${PTO_DEBIAN}/lintian-overrides DESTINATION share/lintian/overrides RENAME pto COMPONENT programs)
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL programs python)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_NAME pto)
set(CPACK_PACKAGE_VERSION ${PTO_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of the PTO tool set <pto@localhost.localdomain>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "assembler, disassembler and simulator for the PTO instruction set")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "PTO is the tile instruction set of Ascend NPUs. pto-as checks and assembles
a program, pto-sim runs it without hardware: values, cycles, and a finding for
every hang, race and access out of bounds; pto-dis prints it back. The Python
package pto runs kernels on numpy arrays.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-numpy")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/cpack)
include(CPack)
