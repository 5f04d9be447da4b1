// What flags may have meant whose sets and waits do not go together.
#pragma once

#include <vector>

#include "repair/edits.hpp"

namespace pto::sim {

/// The likeliest first: where a flag has as many sets as waits, a pair of them written otherwise, else one of
/// them. Only flags between pipes that the findings are about.
std::vector<Repair> flag_candidates(const Program& program, const Diagnostics& findings, int event_ids);

}  // namespace pto::sim
