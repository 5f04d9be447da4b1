// Parts of the JSON reports that other reports take over as they are.
#pragma once

#include <nlohmann/json.hpp>

#include "report/advice.hpp"
#include "report/report.hpp"

namespace pto::report {

using Json = nlohmann::ordered_json;

/// Outcome, verdict, cycles, cores with their pipes, findings, cost basis.
Json summary_json(const Run& run);
/// `flags`, `event_ids`, `advice` and `limits`.
Json advice_json(const Run& run, const Advice& advice);

}  // namespace pto::report
