// What signals between cores may have meant whose sets and waits do not go together, or that leave accesses
// of two cores in no order.
#pragma once

#include <vector>

#include "repair/edits.hpp"

namespace pto::sim {

/// The likeliest first: a signal or wait written otherwise, one that is missing, one that stands elsewhere,
/// one that is too much, and a pair of them where there is none. `kernel`: what was run.
std::vector<Repair> signal_candidates(const Program& program, const Kernel& kernel,
                                      const Diagnostics& findings);

}  // namespace pto::sim
