// Observes one of several ranks: collects its part of the reports, and its prints.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cluster/rank_report.hpp"
#include "pto/rank_launch.hpp"
#include "pto/report.hpp"

namespace pto::driver {

class RankWatch {
 public:
  RankWatch(const Launch& launch, const RanksReports& wanted, RankJob& job);
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// Adds the observed data to the report.
  void finish(const SimResult& result, std::vector<Agreement> agreements, RankReport& report);
  /// The page and text reports of a single rank.
  void show(const SimResult& result, RankReport& report) const;

 private:
  void printed(const Printed& what);

  const Launch& launch_;
  const RanksReports& wanted_;
  uint32_t rank_;
  RankReport seen_;
  std::map<std::string, size_t> watched_;
  std::unique_ptr<Reports> reports_;
};

}  // namespace pto::driver
