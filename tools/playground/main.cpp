// The tools as one program: the first argument says which, as the name of a program does.
#include <cstddef>
#include <cstdio>
#include <string_view>

int pto_as_main(int argc, char** argv);
int pto_dis_main(int argc, char** argv);
int pto_sim_main(int argc, char** argv);
int pto_lsp_main(int argc, char** argv);

// WASI has none of these: memory that is not needed stays where it is, and nobody else locks a file.
extern "C" int madvise(void*, size_t, int) { return 0; }
extern "C" int flock(int, int) { return 0; }

int main(int argc, char** argv) {
  struct Tool {
    std::string_view name;
    int (*main)(int, char**);
  };
  constexpr Tool kTools[] = {{"pto-as", pto_as_main},
                             {"pto-dis", pto_dis_main},
                             {"pto-sim", pto_sim_main},
                             {"pto-lsp", pto_lsp_main}};
  const std::string_view wanted = argc > 0 ? argv[0] : "";
  for (const Tool& tool : kTools) {
    if (tool.name == wanted) return tool.main(argc, argv);
  }
  std::fputs("the first argument is pto-as, pto-dis, pto-sim or pto-lsp\n", stderr);
  return 2;
}
