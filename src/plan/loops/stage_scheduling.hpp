// Operations of a block in the order in which pipes hand on to each other: what every pipe can do first, then
// what comes of it in the next pipe, and so on. A queue is worked off in order, so that a load that waits for
// a store would hold up all loads behind it in the text.
#pragma once

#include <span>

#include "pto/program.hpp"

namespace pto::planner {

/// Reorders the blocks of functions, by their operations. Two accesses to one storage, of which one writes,
/// stay in order, and so do writes to GM; nothing passes what synchronises, changes registers, or is not a
/// tile's.
void order_by_stages(Program& program, std::span<const uint32_t> functions);

}  // namespace pto::planner
