// A launch on several devices, as pto-sim makes it: every rank with its own arguments, one report of all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pto/launch.hpp"
#include "pto/ranks.hpp"

namespace pto {

/// What a run of several devices came to. The same whatever processes took part.
struct RanksRun {
  Diagnostics findings;  ///< of all ranks; what several ranks have alike is told once
  std::string text;      ///< the report
  bool ended = true, interrupted = false;
  /// A file that belongs to the run.
  struct File {
    std::string name, contents;
  };
  std::vector<File> files;
  /// Puts the files in place, all or none.
  Result<bool> write() const;
};

/// Loads the arguments of the ranks that are this process's, runs, and judges what came out.
Result<RanksRun> run_ranks(const Launch& launch, SimOptions options, RankTransport& transport);

}  // namespace pto
