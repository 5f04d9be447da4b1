// Reports of several devices as one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/ranks.hpp"
#include "pto/report.hpp"

namespace pto::report {

/// The statistics or the JSON report of one rank.
struct RankJson {
  uint32_t rank = 0;
  RankTraffic traffic;
  std::string json;
};
/// Fields that the reports of all ranks share.
struct RanksHead {
  std::string target, topology;
  std::vector<std::string> settings;
  std::string program;
  uint64_t total_cycles = 0;
  const Diagnostics& findings;
  std::span<const WhatIfAnswer> answers = {};
};
/// One object whose list `ranks` has those of the ranks in their order.
std::string json_of_ranks(const RanksHead& head, std::span<const RankJson> ranks);

/// The page of one rank, with a summary of the others.
struct RankPage {
  uint32_t rank = 0;
  uint64_t cycles = 0;
  RankTraffic traffic;
  std::string bound, page;
};
/// `shown` is the one that is open at first.
std::string page_of_ranks(std::span<const RankPage> ranks, uint32_t shown);

/// Lines of JSON objects, each with the number of the rank.
std::string events_of_rank(uint32_t rank, std::string_view lines);

}  // namespace pto::report
