// pto-sim prove: checks kernels for all inputs and timings.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "pto-sim/run_options.hpp"

namespace pto::tools {

struct ProveTool {
  RunOptions run;
  std::vector<std::string> files;
  uint64_t max_runs = 100000, max_seconds = 60;
};

CLI::App* add_prove_command(CLI::App& app);
void add_prove_options(CLI::App& command, ProveTool& options);
/// The exit code: the worst of all kernels. What is not decided is a warning.
int run_prove(const ProveTool& options, const std::atomic<bool>& stop);

}  // namespace pto::tools
