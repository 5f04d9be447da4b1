// Orders the operations of a block by pipeline stage: first those that each pipe can do first, then
// those that depend on them in the next pipe, and so on. Queues are in order, so a load that waits
// for a store would delay all loads after it in the text.
#pragma once

#include <span>

#include "pto/program.hpp"

namespace pto::planner {

/// Reorders the blocks of functions, given by their operations. Two accesses to one storage with a
/// write stay in order, and so do writes to GM. No operation passes one that synchronises, changes
/// registers, or does not work on tiles.
void order_by_stages(Program& program, std::span<const uint32_t> functions);

}  // namespace pto::planner
