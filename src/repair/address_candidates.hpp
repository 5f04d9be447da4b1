// Tiles at one address that were meant to lie apart.
#pragma once

#include <vector>

#include "pto/machine.hpp"
#include "repair/edits.hpp"

namespace pto::sim {

/// Of two tiles that share bytes and whose accesses nothing orders, one where nobody is. Flags between the
/// two would cure the order; whether they leave other values tells what was meant.
std::vector<Repair> address_candidates(const Program& program, const Diagnostics& findings,
                                       const Machine& machine);

}  // namespace pto::sim
