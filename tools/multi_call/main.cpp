// All programs in one, which runs as the one it is called as: bin/pto-as, bin/pto-sim, .. are links to it.
// Sanitizer builds have it (PTO_MULTI_CALL), as linking each of them by itself takes longer than a test.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdio>
#include <string_view>

int pto_as_main(int argc, char** argv);
int pto_dis_main(int argc, char** argv);
int pto_sim_main(int argc, char** argv);
int pto_lsp_main(int argc, char** argv);
int pto_fuzz_run_main(int argc, char** argv);

int main(int argc, char** argv) {
  const std::string_view path = argv[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name == "pto-as") return pto_as_main(argc, argv);
  if (name == "pto-dis") return pto_dis_main(argc, argv);
  if (name == "pto-sim") return pto_sim_main(argc, argv);
  if (name == "pto-lsp") return pto_lsp_main(argc, argv);
  if (name == "pto-fuzz-run") return pto_fuzz_run_main(argc, argv);
  if (name == "pto-tests") return Catch::Session().run(argc, argv);
  std::fprintf(stderr, "error: '%s' is none of pto-as, pto-dis, pto-sim, pto-lsp, pto-fuzz-run, pto-tests\n",
               argv[0]);
  return 2;
}
