# What `./tools/test` runs, as CTest tests. Labels: a `quick` test is also one of `gate`, and every test is one of `full`.
#
# pto_test(NAME LABEL quick|gate|full COMMAND ... [REQUIRES PATH] [INPUTS PATH..] [PROCESSORS N] [COST N] [TIMEOUT S]
#          [ENVIRONMENT NAME=VALUE..] [AFTER TEST])
#   REQUIRES  a folder or file outside of the project; without it the test is skipped by name
#   INPUTS    paths that the test is about; `gate` leaves it out, by name, while they are what they were when it last passed in a
#             full run (tools/scripts/run_tests.py)
#   COST      those that take longest begin first
# Commands run in the root of the project.
function(pto_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LABEL;REQUIRES;PROCESSORS;COST;TIMEOUT;AFTER" "COMMAND;INPUTS;ENVIRONMENT")
  if(test_REQUIRES AND NOT EXISTS ${test_REQUIRES})
    set(test_COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no ${test_REQUIRES}")
  endif()
  add_test(NAME ${name} COMMAND ${test_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set(labels full)
  if(test_LABEL STREQUAL "quick")
    list(APPEND labels gate quick)
  elseif(test_LABEL STREQUAL "gate")
    list(APPEND labels gate)
  endif()
  list(TRANSFORM test_INPUTS PREPEND "input:")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 1200)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels};${test_INPUTS}" SKIP_REGULAR_EXPRESSION "^skipped: " TIMEOUT ${test_TIMEOUT})
  foreach(property PROCESSORS COST ENVIRONMENT)
    if(test_${property})
      set_tests_properties(${name} PROPERTIES ${property} "${test_${property}}")
    endif()
  endforeach()
  if(test_AFTER)
    set_tests_properties(${test_AFTER} PROPERTIES FIXTURES_SETUP ${test_AFTER})
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${test_AFTER})
  endif()
endfunction()

set(bin ${CMAKE_BINARY_DIR}/bin)
set(shared ${CMAKE_SOURCE_DIR}/../shared)
set(python /usr/bin/python3)

# ---- with sanitizers: a report is a crash to everything that runs the programs
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
  set(strict ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1)
  pto_test("proofs (sanitizers)" LABEL full COST 400 COMMAND tools/scripts/unit_tests.py ${bin}/pto-tests "[prove]" ENVIRONMENT ${strict})
  pto_test("unit tests (sanitizers)" LABEL gate COST 300 COMMAND tools/scripts/unit_tests.py ${bin}/pto-tests "~[prove]" ENVIRONMENT ${strict})
  pto_test("golden tests (sanitizers)" LABEL gate COST 250 PROCESSORS 2 COMMAND tools/golden --bin ${bin} --sanitized ENVIRONMENT ${strict})
  pto_test("fuzz targets (sanitizers)" LABEL gate COST 350 COMMAND ${bin}/pto-fuzz-run --rounds 250 ENVIRONMENT ${strict})
  pto_test("fuzz targets, 1,000 rounds (sanitizers)" LABEL full COST 350 COMMAND ${bin}/pto-fuzz-run --rounds 1000 ENVIRONMENT ${strict})
  pto_test("language server (sanitizers)" LABEL gate COMMAND asm-tests/lsp/test_lsp.py --bin ${bin} ENVIRONMENT ${strict})
  pto_test("conformance (sanitizers)" LABEL full REQUIRES ${shared}/conformance/run.py PROCESSORS 2
           COMMAND tools/scripts/conformance/conformance.py ${shared}/conformance ${bin}/pto-sim ENVIRONMENT ${strict})
  return()
endif()

# ---- code
pto_test("unit tests" LABEL quick COST 100 COMMAND tools/scripts/unit_tests.py ${bin}/pto-tests "~[prove]")
pto_test("proofs" LABEL quick COST 100 COMMAND tools/scripts/unit_tests.py ${bin}/pto-tests "[prove]")
pto_test("golden tests" LABEL quick COST 90 PROCESSORS 2 COMMAND tools/golden --bin ${bin})
pto_test("fuzz targets, fixed run" LABEL quick COST 80 COMMAND ${bin}/pto-fuzz-run)
pto_test("language server" LABEL quick COMMAND asm-tests/lsp/test_lsp.py --bin ${bin})
pto_test("Python package" LABEL quick COMMAND tools/scripts/checks python_package)
pto_test("ranks over MPI" LABEL gate COMMAND tools/scripts/conformance/check-ranks)
pto_test("stress tests" LABEL gate PROCESSORS 2 COMMAND tools/scripts/stress.py ${bin})
pto_test("seeded faults" LABEL gate COST 90 PROCESSORS 2 COMMAND tools/scripts/fault_injection/seed-faults --sample 300 --seed 1)

# ---- models and public facts
pto_test("accuracy tables" LABEL quick COMMAND tools/bench/accuracy/accuracy --check)
pto_test("values of those kernels" LABEL quick COMMAND tools/bench/kernels/kernels.py check)
pto_test("calibration" LABEL gate COMMAND tools/bench/accuracy/check-calibration)
pto_test("legal matrix" LABEL quick REQUIRES ${shared}/isa/legal_matrix.csv
         COMMAND tools/scripts/lint/legal_matrix.py ${shared}/isa/legal_matrix.csv ${bin}/pto-as)
set(facts ${shared}/isa/2026-08/verifier-rules-2026-08.csv)
if(EXISTS ${facts})
  pto_test("lists of public rules" LABEL quick COMMAND tools/scripts/lint/coverage.py --facts ${facts})
else()
  pto_test("lists of public rules" LABEL quick COMMAND tools/scripts/lint/coverage.py)
endif()
if(DEFINED ENV{PTO_CORPUS2})
  set(corpus $ENV{PTO_CORPUS2})
else()
  set(corpus ${CMAKE_SOURCE_DIR}/../corpus/PTOAS2)
endif()
if(NOT EXISTS ${corpus}/test)
  set(corpus "")
endif()
pto_test("lowered shapes" LABEL gate COMMAND tools/scripts/conformance/lowered_shapes.py ${bin}/pto-as asm-tests/lower ${corpus})
pto_test("conformance tile" LABEL gate REQUIRES ${shared}/conformance/run.py COST 60 PROCESSORS 2
         COMMAND tools/scripts/conformance/conformance.py ${shared}/conformance ${bin}/pto-sim)
pto_test("errors of conformance cases" LABEL gate REQUIRES ${shared}/conformance/run.py COST 60 PROCESSORS 2
         COMMAND tools/scripts/conformance/conformance.py ${shared}/conformance ${bin}/pto-sim --findings)
if(corpus)
  pto_test("conformance vmi" LABEL gate COMMAND tools/scripts/conformance/conformance.py ${shared}/conformance ${bin}/pto-sim --suite vmi
           ENVIRONMENT PTO_CORPUS2=${corpus})
else()
  pto_test("conformance vmi" LABEL gate REQUIRES ${CMAKE_SOURCE_DIR}/../corpus/PTOAS2/test COMMAND false)
endif()

# ---- sources, pages, tables
pto_test("instruction reference" LABEL quick COMMAND tools/scripts/checks instruction_reference)
pto_test("row coverage" LABEL quick COMMAND tools/scripts/unit_tests.py ${bin}/pto-tests "[row-coverage]")
pto_test("rules and their tests" LABEL quick COMMAND tools/scripts/lint/rules.py)
pto_test("layers" LABEL quick COMMAND tools/scripts/lint/layers.py)
pto_test("libraries" LABEL gate COST 60 COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target pto-link-check)
set_tests_properties("libraries" PROPERTIES RESOURCE_LOCK installation)
pto_test("clang-format" LABEL quick COMMAND tools/scripts/checks formatted)
pto_test("width of the rows" LABEL quick COMMAND tools/scripts/checks rows_fit)
pto_test("repeated rows" LABEL quick COMMAND tools/scripts/lint/rows.py)
pto_test("names outside the rows" LABEL quick COMMAND tools/scripts/lint/mnemonics.py)
pto_test("findings are data" LABEL quick COMMAND tools/scripts/lint/findings.py)
pto_test("sizes of the files" LABEL quick COMMAND tools/scripts/lint/sizes.py)
pto_test("names within a file" LABEL quick COMMAND tools/scripts/lint/file_local_names.py)
pto_test("sizes of the classes" LABEL gate COMMAND tools/scripts/lint/classes.py)
pto_test("statements" LABEL gate COMMAND tools/scripts/lint/statements.py)
pto_test("pages and programs" LABEL quick COMMAND tools/scripts/lint/docs.py)
pto_test("table of mistakes" LABEL quick COMMAND asm-tests/mistakes/make_table.py --check)
pto_test("page of findings" LABEL quick COMMAND tools/scripts/findings_page.py --check)
pto_test("mutations apply" LABEL quick COMMAND tools/scripts/mutate --check)
pto_test("grammar for editors" LABEL quick COMMAND tools/vscode/make_grammar.py --check)

# ---- what is installed
pto_test("installed library" LABEL gate COMMAND tools/scripts/checks installed_library)
set_tests_properties("installed library" PROPERTIES RESOURCE_LOCK installation)
pto_test("hardened programs" LABEL quick COMMAND tools/scripts/checks hardened)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(user EQUAL 0)
  pto_test("packages" LABEL gate COST 200 COMMAND tools/packaging/check-packages
           INPUTS tools/packaging tools/package tools/python cmake CMakeLists.txt tools/setup.sh)
else()
  pto_test("packages" LABEL gate COMMAND ${CMAKE_COMMAND} -E echo "skipped: a bare system to install into needs root")
endif()
set_tests_properties("packages" PROPERTIES RESOURCE_LOCK installation)

# ---- browsers and editors: tools/test --web installs what they need
option(PTO_WEB_TESTS "Test pages, editors, the extension and the playground" OFF)
if(PTO_WEB_TESTS)
  set(playground tools/playground tools/web cmake CMakeLists.txt include)
  pto_test("page is built" LABEL gate COMMAND tools/scripts/checks page_is_built INPUTS tools/web)
  pto_test("pages in Chromium" LABEL gate COMMAND node tools/web/test.mjs ${bin} build/web)
  pto_test("extension" LABEL gate COMMAND tools/scripts/checks extension INPUTS tools/vscode)
  pto_test("Neovim and Emacs" LABEL gate COMMAND asm-tests/lsp/test_editors.py INPUTS asm-tests/lsp src/lsp docs/user/editors.md)
  # Its last step, the link, optimises the whole program on one processor.
  pto_test("playground is made" LABEL gate COST 300 COMMAND tools/playground/make INPUTS ${playground})
  pto_test("playground" LABEL gate AFTER "playground is made" INPUTS ${playground}
           COMMAND node tools/playground/test.mjs ${bin} build/wasm/bin/pto.wasm build/playground.html build/web/playground)
endif()

pto_test("root of the project" LABEL quick COMMAND tools/scripts/checks root_is_tidy)
