// pto-sim profile: every kernel of files and folders, without arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "pto-sim/run_options.hpp"

namespace pto::tools {

struct ProfileTool {
  RunOptions run;
  std::vector<std::string> paths, fills;
  std::string out, cases;
  uint64_t max_buffer_mib = 4096;
  unsigned jobs = 0;
  bool arguments = false;
};

CLI::App* add_profile_command(CLI::App& app);
void add_profile_options(CLI::App& command, ProfileTool& options);
/// The exit code: the worst of all kernels.
int run_profile(const ProfileTool& options, const std::atomic<bool>& stop);

}  // namespace pto::tools
