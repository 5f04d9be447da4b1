// Parts of the JSON reports that other reports take over as they are.
#pragma once

#include <span>

#include "report/bottleneck/advice.hpp"
#include "report/run_report.hpp"
#include "support/json.hpp"

namespace pto::report {

using Json = nlohmann::ordered_json;

/// Outcome, verdict, cycles, cores with their pipes, findings, cost basis.
Json summary_json(const Run& run);
/// Whether there are errors, and how many of each.
Json outcome_json(const Diagnostics& findings);
Json findings_json(const Diagnostics& findings);
/// `what_if`, where something was asked.
void add_answers(std::span<const WhatIfAnswer> answers, Json& json);
/// `flags`, `event_ids`, `advice` and `limits`.
Json advice_json(const Run& run, const Advice& advice);

}  // namespace pto::report
