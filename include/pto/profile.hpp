// Runs kernels without given arguments: the library infers arguments and buffer sizes, and reports
// them.
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
  LaunchOptions launch;  ///< args and outputs apply to kernels with parameters of these names
  SimOptions sim;
  std::vector<std::string> fills;           ///< NAME=zeros|iota|random:SEED|range:A:B|NUMBER
  uint64_t max_buffer = uint64_t{4} << 30;  ///< largest size in bytes of a buffer of inferred size
  std::filesystem::path out;                ///< folder for the reports of each kernel; empty: none
  std::filesystem::path cases;              ///< folder for the cases of the runs; empty: none
  std::vector<NamedFile> inputs = {};       ///< all profiled files; none is overwritten
};

/// A file to profile, and its path within its folder, without extension.
struct ProfileInput {
  std::string file, name;
  std::string folder = {};  ///< the folder that was searched; empty: the file was given
};
/// The given files, and all programs in and below the given folders (.pto, and objects without a
/// text beside them), sorted by name.
Result<std::vector<ProfileInput>> find_programs(const std::vector<std::string>& paths);

/// The result of one kernel.
struct KernelProfile {
  std::string file, kernel;
  enum class Outcome : uint8_t {
    ok,
    finding,      ///< an error in the program, or of its run
    unsupported,  ///< a feature that this version does not implement
    unusable,     ///< an error in files, arguments or configurations
  } outcome = Outcome::ok;
  uint64_t cycles = 0;
  double microseconds = 0;
  std::string bound;                        ///< "MTE2 (86 %)", "waiting (MTE2 40 %)"
  std::string problem;                      ///< one line, if the kernel did not run
  FindingId first_error = FindingId::none;  ///< the one that `problem` speaks of
  size_t errors = 0, warnings = 0;
  std::vector<std::string> arguments;  ///< "arg4 = i32:4 (loop bound)"
  std::string printed;                 ///< its output in the order of time; at most 1 MiB
  Diagnostics diagnostics;             ///< of the text and of the run
  std::string source_name, source;     ///< for format_text()
};
/// Profiles all kernels of one file. Thread safe.
std::vector<KernelProfile> profile(const ProfileInput& input, const ProfileOptions& options);

}  // namespace pto
