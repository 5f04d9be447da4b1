// Several iterations of a loop one behind the other, each with tiles of its own: a pipe that is done with its
// part of one iteration goes on with the next one.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

/// A loop whose iterations can be overlapped.
struct LoopShape {
  uint32_t op = 0;
  Number lower, upper, step;    ///< where they are known
  std::vector<uint32_t> tiles;  ///< operations before it that make tiles which every iteration fills anew
};

/// Whether the body of the loop can be copied, and uses at least two queues.
bool can_unroll(const Program& program, uint32_t loop);
/// Whether it is a loop that other bounds can be given.
bool can_be_bounded(const OpView& loop);
/// How often it runs, where that is known.
Number trips_of(const Program& program, const Constants& constants, uint32_t loop);
LoopShape shape_of(const Program& program, const Storage& storage, const Constants& constants, uint32_t loop);

/// Values by those that are copies of them.
using Copies = std::map<ValueId, ValueId>;
/// Unrolls the loop by `copies`, with a remainder after it. Operations before it keep their
/// indices, so several loops of a program are rewritten from the last to the first. Adds the copied
/// values to `built`.
void unroll(Program& program, const LoopShape& loop, unsigned copies, Copies& built);

}  // namespace pto::planner
