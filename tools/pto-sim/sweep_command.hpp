// pto-sim sweep: many runs of a program, one row for every point.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>

#include "pto-sim/run_options.hpp"

namespace pto::tools {

struct SweepTool {
  RunOptions run;
  std::string file, out, shard, report = "text";
  unsigned jobs = 0;
  bool merge = false;
};

CLI::App* add_sweep_command(CLI::App& app);
void add_sweep_options(CLI::App& command, SweepTool& options);
/// 0 once every point has its row, whatever became of it; 1 when none of a whole sweep is ok.
int run_sweep(const CLI::App& command, const SweepTool& options, const std::atomic<bool>& stop);

}  // namespace pto::tools
