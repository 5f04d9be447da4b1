// The comparison of two runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pto/result.hpp"

namespace pto {

struct DiffOptions {
  std::string name_a = "A", name_b = "B";  ///< for messages
  size_t rows = 12;                        ///< of each table of the text
  std::string_view page_a, page_b;         ///< Reports::page_data: the page shows both timelines
};

/// The comparison in three forms.
struct RunDiff {
  std::string text, json, html;
  int64_t change = 0;    ///< cycles of the second run minus cycles of the first
  double explained = 0;  ///< share of all changes along the critical paths that the rows of the text have
};

/// Compares the statistics of two runs (Reports::stats, or a file of --stats). With critical paths
/// (statistics of runs with advice) the difference is given by line, otherwise by pipe.
Result<RunDiff> diff_runs(std::string_view stats_a, std::string_view stats_b,
                          const DiffOptions& options = {});

}  // namespace pto
