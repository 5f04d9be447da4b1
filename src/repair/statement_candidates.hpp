// Statements that are another one or not there: a product that adds to what nobody has put there, an entry of
// a tile queue that is sent, taken or given back twice, a load through a window that nobody uses.
#pragma once

#include <vector>

#include "repair/edits.hpp"

namespace pto::sim {

std::vector<Repair> statement_candidates(const Program& program, const Diagnostics& findings);

}  // namespace pto::sim
