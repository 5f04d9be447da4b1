// The launch of a run by pto-sim: a case file, program text or object, with the options of a
// command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/prepare.hpp"

namespace pto {

/// Options of a run. Empty fields are taken from the case, then from the program.
struct LaunchOptions {
  std::string target, entry;
  std::optional<Level> level;
  SyncBy sync = SyncBy::by_program;
  unsigned buffers = 0;  ///< as PrepareOptions::buffers
  Vectors vectors = Vectors::lowered;
  uint32_t blocks = 0;
  uint32_t ranks = 0;  ///< as Case::ranks
  std::string topology;
  std::vector<std::string> args, outputs;       ///< arguments of --arg and --out
  bool of_several = false;                      ///< arguments may belong to other kernels of the program
  std::vector<std::string> settings;            ///< KEY=VALUE that override the configuration of the target
  std::vector<std::string> defines;             ///< NAME=VALUE for ${NAME}, and constants with a name
  std::vector<std::string> case_settings = {};  ///< KEY=VALUE that override the case file
  FilePolicy files;
  Diagnostics diagnostics = Diagnostics();                  ///< its limit and policy apply
  std::optional<Diagnostics> fold_warnings = std::nullopt;  ///< as PrepareOptions::fold_warnings
};

struct Launch {
  Case the_case;  ///< its arguments are in the order of the kernel's parameters
  Prepared prepared;
  FileGuard guard = {};  ///< of the files that the run writes
};

/// The value of --entry that selects every launch of the program.
inline constexpr std::string_view kEveryEntry = "all";
/// The names of the program's launches in its order, if `entry` is kEveryEntry and no function has
/// this name; else only `entry`.
std::vector<std::string> entries(const Program& program, const std::string& entry);

/// Prepares a case.toml, a .pto or a .bin; "-" is standard input. Errors of the program are in
/// Launch::prepared. Returns an error for everything else: files, case, configuration, arguments.
Result<Launch> prepare_launch(const std::string& file, const LaunchOptions& options = {});

/// Runs the launch with its target, entry and block count.
Result<SimResult> simulate(const Launch& launch, std::vector<Argument>& arguments, SimOptions options = {},
                           std::span<Observer* const> observers = {});

/// Compares the outputs with the expected values. Adds a finding (MISMATCH) for each buffer that
/// differs, and returns those that agree. A second run finds the instruction that wrote the first
/// differing element.
Result<std::vector<Agreement>> judge(const Launch& launch, const SimOptions& options,
                                     const std::vector<Argument>& arguments, SimResult& result);

/// Findings of a run in the form in which they are printed. Warnings of one rule in one function
/// are folded into the first. Findings about operations that the planner made from one statement
/// are folded into one, with a count and lines. The result is `shown` with these findings; its
/// limit and policy apply.
Diagnostics folded(const Prepared& prepared, Diagnostics findings, Diagnostics shown);

}  // namespace pto
