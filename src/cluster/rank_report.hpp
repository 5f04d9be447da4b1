// The report of one rank, and its transfer between processes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/rank_launch.hpp"

namespace pto::driver {

struct RankReport {
  uint32_t rank = 0;
  bool ended = true, interrupted = false;
  uint64_t cycles = 0;
  RankTraffic traffic;
  std::string bound, agreements;
  std::vector<Diagnostic> findings;
  std::vector<RanksRun::File> outputs, watched;
  std::string trace, stats, json, events, page;          ///< its part
  std::string details;                                   ///< of the rank that is shown
  std::vector<std::pair<uint64_t, std::string>> prints;  ///< with their cycles
};

std::string packed(const std::vector<RankReport>& reports);
std::vector<RankReport> unpacked(std::string_view text);

}  // namespace pto::driver
