// Two runs compared: what changed, and where.
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

/// What became of two runs, in three forms.
struct RunDiff {
  std::string text, json, html;
  int64_t change = 0;    ///< cycles that the second takes more
  double explained = 0;  ///< share of all changes along the critical paths that the rows of the text have
};

/// Of the statistics of two runs (Reports::stats, or a file of --stats). With critical paths (statistics of
/// runs with advice) the difference is told by places of the text, else by the busiest pipe.
Result<RunDiff> diff_runs(std::string_view stats_a, std::string_view stats_b,
                          const DiffOptions& options = {});

}  // namespace pto
