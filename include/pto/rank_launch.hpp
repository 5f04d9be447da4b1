// A launch on several devices by pto-sim: every rank has its own arguments, and there is one report
// for all.
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

/// Requested reports: in one file for all ranks, or for one rank.
struct RanksReports {
  std::string trace, stats, events;  ///< files: all ranks
  std::string watch_out;             ///< folder for watched values; empty: they are printed
  bool json = false;                 ///< the JSON report of all ranks instead of the text
  std::string html;                  ///< file: the page of one rank
  bool text = false;                 ///< its report
  bool timeline = false, advice = false;
  size_t critical_path = 0;      ///< segments to list, with the advice
  std::optional<uint32_t> rank;  ///< the rank of text and page; none: the one that ends last
  std::span<const WhatIf> questions = {};
  [[nodiscard]] bool of_one() const { return !html.empty() || text || timeline || advice; }
  [[nodiscard]] bool any() const {
    return of_one() || !trace.empty() || !stats.empty() || !events.empty() || json;
  }
};

/// The result of a run on several devices. It does not depend on the number of processes.
struct RanksRun {
  Diagnostics findings;  ///< of all ranks; equal findings of several ranks are reported once
  std::string prints;    ///< prints of the program and watched values, in the order of time
  std::string text;      ///< the report
  std::string json;      ///< the JSON report, if it is requested
  bool ended = true, interrupted = false;
  /// A file that belongs to the run.
  struct File {
    std::string name, contents;
  };
  std::vector<File> files;  ///< reports, and outputs if every rank has ended
  FileGuard guard;          ///< restrictions for the files
  /// Writes all files, or none.
  Result<bool> write() const;
};

/// Loads the arguments of the ranks of this process, runs them, and compares the outputs with the
/// expected values.
Result<RanksRun> run_ranks(const Launch& launch, SimOptions options, RankTransport& transport,
                           const RanksReports& reports = {});

}  // namespace pto
