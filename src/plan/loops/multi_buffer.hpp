// Several turns of a loop one behind the other, each with tiles of its own: a pipe that is done with its part
// of one turn goes on with the next one.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

/// A loop whose turns may be put side by side.
struct LoopShape {
  uint32_t op = 0;
  Number lower, upper, step;    ///< where they are known
  std::vector<uint32_t> tiles;  ///< operations before it that make tiles which every turn fills anew
};

/// Whether copies can be made of what is in the loop, and whether two queues or more work in it.
bool can_unroll(const Program& program, uint32_t loop);
/// Whether it is a loop that other bounds can be given.
bool can_be_bounded(const OpView& loop);
/// How often it runs, where that is known.
Number trips_of(const Program& program, const Constants& constants, uint32_t loop);
LoopShape shape_of(const Program& program, const Storage& storage, const Constants& constants, uint32_t loop);

/// Values by those that are copies of them.
using Copies = std::map<ValueId, ValueId>;
/// Rewrites the loop: `copies` turns at a time, and what is left over behind it. Operations before it keep
/// their numbers, so several loops of a program are rewritten last one first. Adds the values that are copies
/// to `built`.
void unroll(Program& program, const LoopShape& loop, unsigned copies, Copies& built);

}  // namespace pto::planner
