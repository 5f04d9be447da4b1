// What the cycles of a run consist of, and what would make them fewer, each with its cycles: computed from
// the steps of the run, which are timed again under the change.
#pragma once

#include <string>

#include "report/report.hpp"

namespace pto::report {

/// The critical path, `parts` of it one by one, and what would help.
std::string advice_text(const Run& run, size_t parts);

}  // namespace pto::report
