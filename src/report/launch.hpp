// From a file on disk to a program that can run: read or assemble, verify, plan, bind arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "report/files.hpp"

namespace pto::report {

/// What the command line says about a run; empty fields leave it to the case, then to the program.
struct LaunchOptions {
  std::string target, entry, level, sync;
  uint32_t blocks = 0;
  std::vector<std::string> args, outputs;  ///< --arg and --out
  std::vector<std::string> defines;        ///< -D NAME=VALUE
  FilePolicy files;
};

struct Launch {
  Case the_case;
  Program program;
  std::string source;  ///< text, when known
  std::string target;  ///< name or path of the configuration
  bool ready = false;  ///< false: the program has errors, see the diagnostics
};

/// The target of a name; none for the path of a configuration.
std::optional<Target> target_named(std::string_view name);

/// `file` is a case.toml, a .pto or a .bin. Diagnostics are about the program's text, the error about everything else.
Result<Launch> prepare(const std::string& file, const LaunchOptions& options, Diagnostics& diagnostics);

/// Adds a finding per expectation that does not hold. A second run finds which instruction wrote the first differing
/// element.
Result<bool> judge(const Launch& launch, const SimOptions& options, const std::vector<Argument>& arguments,
                   SimResult& result);

}  // namespace pto::report
