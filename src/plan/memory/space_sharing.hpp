// Chooses the tiles that share an address range if not all tiles fit side by side. This is
// interference colouring with a reuse cost: tiles with disjoint live ranges can share, and the cost
// counts the waits that an overlay adds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/memory/placement.hpp"
#include "plan/memory/reuse_cost.hpp"

namespace pto::planner {

struct PlacedTile {
  RootId root = 0;
  uint64_t bytes = 0;
  LiveRange live;
};

/// Sets of tiles, by their index, each in the order of first use, as few as fit `bytes` side by side: those
/// share first whose pipes wait for one another anyway. Nothing when they do not fit, or are too many.
std::vector<std::vector<size_t>> share_space(std::span<const PlacedTile> tiles, uint64_t bytes,
                                             const ReuseCost& traffic);

}  // namespace pto::planner
