// A launch on several devices, as pto-sim makes it: every rank with its own arguments, one report of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pto/launch.hpp"
#include "pto/ranks.hpp"
#include "pto/what_if.hpp"

namespace pto {

/// Which reports are wanted: of all ranks in one file each, or of one rank.
struct RanksReports {
  std::string trace, stats, events;  ///< files: all ranks
  std::string watch_out;             ///< folder for what is watched; empty: it is printed
  bool json = false;                 ///< the JSON report of all ranks, in place of the text
  std::string html;                  ///< file: the page of one rank
  bool text = false;                 ///< its report
  bool timeline = false, advice = false;
  size_t critical_path = 0;      ///< parts of it, with the advice
  std::optional<uint32_t> rank;  ///< which one; none: the one that ends last
  std::span<const WhatIf> questions = {};
  [[nodiscard]] bool of_one() const { return !html.empty() || text || timeline || advice; }
  [[nodiscard]] bool any() const {
    return of_one() || !trace.empty() || !stats.empty() || !events.empty() || json;
  }
};

/// What a run of several devices came to. The same whatever processes took part.
struct RanksRun {
  Diagnostics findings;  ///< of all ranks; what several ranks have alike is told once
  std::string prints;    ///< of the program and of what is watched, in the order of time
  std::string text;      ///< the report
  std::string json;      ///< the same for programs, where it is wanted
  bool ended = true, interrupted = false;
  /// A file that belongs to the run.
  struct File {
    std::string name, contents;
  };
  std::vector<File> files;  ///< reports; outputs when every rank has ended
  FileGuard guard;          ///< where they may lie
  /// Puts the files in place, all or none.
  Result<bool> write() const;
};

/// Loads the arguments of the ranks that are this process's, runs, and judges what came out.
Result<RanksRun> run_ranks(const Launch& launch, SimOptions options, RankTransport& transport,
                           const RanksReports& reports = {});

}  // namespace pto
