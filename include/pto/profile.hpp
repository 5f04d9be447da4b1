// Runs kernels that nobody gave arguments: the library chooses them, sizes the buffers, and tells what it
// chose.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/launch.hpp"
#include "pto/report.hpp"
#include "pto/result.hpp"

namespace pto {

struct ProfileOptions {
  LaunchOptions launch;  ///< args and outputs are those of kernels that have parameters of these names
  SimOptions sim;
  std::vector<std::string> fills;           ///< NAME=zeros|iota|random:SEED|range:A:B|NUMBER
  uint64_t max_buffer = uint64_t{4} << 30;  ///< bytes that one buffer of a chosen size may reach
  std::filesystem::path out;                ///< folder for the reports of each kernel; empty: none
  std::filesystem::path cases;              ///< folder for the cases that were run; empty: none
  std::vector<NamedFile> inputs = {};       ///< all that is profiled: none of it is overwritten
};

/// A file to profile, and its name within the folder it was found in, without extension.
struct ProfileInput {
  std::string file, name;
  std::string folder = {};  ///< the one it was found in; empty: it was named itself
};
/// Files as they are; of folders all programs in and below them (.pto, and objects without a text beside
/// them), in the order of their names.
Result<std::vector<ProfileInput>> find_programs(const std::vector<std::string>& paths);

/// What became of one kernel.
struct KernelProfile {
  std::string file, kernel;
  enum class Outcome : uint8_t {
    ok,
    finding,      ///< an error in the program, or of its run
    unsupported,  ///< what this version does not implement
    unusable,     ///< files, arguments, configurations
  } outcome = Outcome::ok;
  uint64_t cycles = 0;
  double microseconds = 0;
  std::string bound;                        ///< "MTE2 (86 %)", "waiting (MTE2 40 %)"
  std::string problem;                      ///< one line, when the kernel did not run
  FindingId first_error = FindingId::none;  ///< the one that `problem` speaks of
  size_t errors = 0, warnings = 0;
  std::vector<std::string> arguments;  ///< "arg4 = i32:4 (loop bound)"
  std::string printed;                 ///< what it printed, in the order of time; the first MiB of it
  Diagnostics diagnostics;             ///< of the text and of the run
  std::string source_name, source;     ///< for format_text()
};
/// All kernels of one file. Several calls may run at the same time.
std::vector<KernelProfile> profile(const ProfileInput& input, const ProfileOptions& options);

}  // namespace pto
