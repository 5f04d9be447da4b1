// The tools as one program: the first argument says which, as the name of a program does.
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/exit_codes.hpp"

int pto_as_main(int argc, char** argv);
int pto_dis_main(int argc, char** argv);
int pto_sim_main(int argc, char** argv);
int pto_lsp_main(int argc, char** argv);

// WASI has none: no other one locks a file.
extern "C" int flock(int, int) { return 0; }

namespace {

/// The value of `option`, which follows it, behind "=", or, for one letter, directly.
std::string_view value_of(std::string_view option, int at, int argc, char** argv) {
  std::string_view word = argv[at];
  if (word == option) return at + 1 < argc ? argv[at + 1] : "";
  if (!word.starts_with(option)) return "";
  word.remove_prefix(option.size());
  if (word.starts_with('=')) return word.substr(1);
  return option.size() == 2 ? word : "";
}

/// What asks for several threads, of which there is one.
std::string refused(int argc, char** argv) {
  for (int at = 1; at < argc; ++at) {
    for (const std::string_view option : {"--threads", "--jobs", "-j"}) {
      const std::string_view value = value_of(option, at, argc, argv);
      if (!value.empty() && value != "0" && value != "1")
        return std::string(option) + " " + std::string(value) + ": there is one thread here";
    }
  }
  return "";
}

int run(int argc, char** argv) {
  struct Tool {
    std::string_view name;
    int (*main)(int, char**);
  };
  constexpr Tool kTools[] = {{"pto-as", pto_as_main},
                             {"pto-dis", pto_dis_main},
                             {"pto-sim", pto_sim_main},
                             {"pto-lsp", pto_lsp_main}};
  std::string_view wanted = argc > 0 ? argv[0] : "";
  wanted = wanted.substr(wanted.rfind('/') + 1);
  for (const Tool& tool : kTools) {
    if (tool.name != wanted) continue;
    const std::string why = refused(argc, argv);
    if (why.empty()) return tool.main(argc, argv);
    std::fprintf(stderr, "%s: error: %s\n", argv[0], why.c_str());
    return pto::tools::kUnsupported;
  }
  std::fputs("the first argument is pto-as, pto-dis, pto-sim or pto-lsp\n", stderr);
  return pto::tools::kUsage;
}

}  // namespace

int run_tool(char* const* arguments) {
  int count = 0;
  while (arguments[count] != nullptr) ++count;
  return run(count, const_cast<char**>(arguments));
}

int main(int argc, char** argv) { return run(argc, argv); }
