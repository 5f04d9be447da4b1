# Puts the files of asm-tests/examples into the library: a program that uses them needs no files. The assembler reads them
# (.incbin), so they are bytes as they are; the paths do not get into the object.
file(GLOB PTO_EXAMPLES CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/asm-tests/examples ${CMAKE_SOURCE_DIR}/asm-tests/examples/*/*)
set(symbols "")
set(rows "")
set(number 0)
set(paths "")
foreach(file ${PTO_EXAMPLES})
  set(path ${CMAKE_SOURCE_DIR}/asm-tests/examples/${file})
  list(APPEND paths ${path})
  get_filename_component(example ${file} DIRECTORY)
  get_filename_component(name ${file} NAME)
  string(APPEND symbols "asm(\".pushsection .rodata\\n.globl pto_example_${number}\\n.hidden pto_example_${number}\\npto_example_${number}:\\n.incbin \\\"${path}\\\"\\n\"\n"
                        "    \".globl pto_example_${number}_end\\n.hidden pto_example_${number}_end\\npto_example_${number}_end:\\n.popsection\");\n"
                        "extern \"C\" const char pto_example_${number}[], pto_example_${number}_end[];\n")
  string(APPEND rows "      {\"${example}\", \"${name}\", {pto_example_${number}, pto_example_${number}_end}},\n")
  math(EXPR number "${number} + 1")
endforeach()
set(embedded "// Generated from asm-tests/examples.\n#include \"reference/examples.hpp\"\n\n${symbols}\nnamespace pto::reference {\n\nstd::span<const EmbeddedFile> embedded_files() {\n  static const EmbeddedFile files[] = {\n${rows}  };\n  return files;\n}\n\n}  // namespace pto::reference\n")
set(generated ${CMAKE_BINARY_DIR}/embedded_examples.cpp)
file(CONFIGURE OUTPUT ${generated} CONTENT "${embedded}" @ONLY)
set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${paths}")
target_sources(pto PRIVATE ${generated})
