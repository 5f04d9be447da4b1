// Puts addresses and synchronisation into the operation stream.
#pragma once

#include <vector>

#include "plan/memory/storage_analysis.hpp"
#include "plan/sync/sync_insertion.hpp"
#include "pto/program.hpp"

namespace pto::planner {

/// Gives every planned alloc_tile an `addr` operand (a constant before it) and inserts the synchronisation
/// operations.
void rewrite(Program& program, const Storage& storage, std::vector<Insertion> insertions);

}  // namespace pto::planner
