// pto-sim diff: two runs compared, from their statistics or by running two programs.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "pto-sim/run_options.hpp"

namespace pto::tools {

struct DiffTool {
  RunOptions run;
  std::string a, b, report = "text", html;
  size_t rows = 12;
};

CLI::App* add_diff_command(CLI::App& app);
void add_diff_options(CLI::App& command, DiffTool& options);
/// 0 whatever the difference is; what keeps a program from running is an error.
int run_diff(const DiffTool& options, const std::atomic<bool>& stop);

}  // namespace pto::tools
