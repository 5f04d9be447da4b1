// The rows of a sweep: one JSON object on a line for every point, the table made from them, best and Pareto
// front.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/finding_id.hpp"
#include "pto/result.hpp"
#include "sweep/sweep_spec.hpp"

namespace pto::driver {

/// The result of one point.
struct SweepRun {
  std::string_view state = "ok";        ///< ok, finding, unsupported, unusable
  std::string message;                  ///< the first error
  FindingId finding = FindingId::none;  ///< the id that `message` speaks of
  /// As kSweepMetrics; nothing when the run did not come to its end.
  std::optional<std::array<double, std::size(kSweepMetrics)>> measured;
};

/// The row of point `point` of the plan, without the end of its line.
std::string sweep_row(const SweepPlan& plan, uint64_t point, const SweepRun& run, std::string_view sweep);

/// The fields of a row that identify it.
struct SweepRowHead {
  uint64_t point = 0;
  std::string sweep;
};
/// Nothing: this is no row.
std::optional<SweepRowHead> sweep_row_head(std::string_view line);

/// The same rows as CSV (RFC 4180), with a head.
std::string sweep_csv(const SweepPlan& plan, const std::vector<std::string>& rows);

struct SweepSummary {
  uint64_t ok = 0;
  std::string text, json;
};
SweepSummary sweep_summary(const SweepPlan& plan, const std::vector<std::string>& rows);

}  // namespace pto::driver
