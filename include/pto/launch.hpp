// A run as pto-sim makes it: a case file, program text or an object, and what a command line adds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/prepare.hpp"

namespace pto {

/// What the caller says about a run; empty fields leave it to the case, then to the program.
struct LaunchOptions {
  std::string target, entry;
  std::optional<Level> level;
  SyncBy sync = SyncBy::by_program;
  unsigned buffers = 0;  ///< as PrepareOptions::buffers
  Vectors vectors = Vectors::lowered;
  uint32_t blocks = 0;
  uint32_t ranks = 0;  ///< as Case::ranks
  std::string topology;
  std::vector<std::string> args, outputs;       ///< as behind --arg and --out
  bool of_several = false;                      ///< arguments may be those of other kernels of the program
  std::vector<std::string> settings;            ///< KEY=VALUE over the configuration of the target
  std::vector<std::string> defines;             ///< NAME=VALUE for ${NAME}, and constants with a name
  std::vector<std::string> case_settings = {};  ///< KEY=VALUE over the case file, as in it
  FilePolicy files;
  Diagnostics diagnostics = Diagnostics();                  ///< whose limit and policy hold
  std::optional<Diagnostics> fold_warnings = std::nullopt;  ///< as PrepareOptions::fold_warnings
};

struct Launch {
  Case the_case;  ///< its arguments are in the order of the kernel's parameters
  Prepared prepared;
  FileGuard guard = {};  ///< of the files that the run writes
};

/// What --entry all means: every launch of the program.
inline constexpr std::string_view kEveryEntry = "all";
/// The names of a program's launches, in its order, when `entry` is kEveryEntry and no function is called so;
/// else `entry` alone.
std::vector<std::string> entries(const Program& program, const std::string& entry);

/// `file` is a case.toml, a .pto or a .bin; "-" is standard input. What is wrong with the program is in
/// Launch::prepared; the error is about everything else.
Result<Launch> prepare_launch(const std::string& file, const LaunchOptions& options = {});

/// Runs it: target, entry and blocks are the launch's.
Result<SimResult> simulate(const Launch& launch, std::vector<Argument>& arguments, SimOptions options = {},
                           std::span<Observer* const> observers = {});

/// Adds a finding (MISMATCH) per expectation that does not hold, and gives those that do. A second run finds
/// which instruction wrote the first differing element.
Result<std::vector<Agreement>> judge(const Launch& launch, const SimOptions& options,
                                     const std::vector<Argument>& arguments, SimResult& result);

/// Findings of a run as they are shown: of the warnings of one rule in one function the first, and one of
/// those about operations that the planner made of one statement, with a count and lines. They are added to
/// `shown`, whose limit and policy hold.
Diagnostics folded(const Prepared& prepared, Diagnostics findings, Diagnostics shown);

}  // namespace pto
