// Tiles from before a loop that could as well be made in it.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

/// The definitions of tiles that only the loop accesses and that every iteration fills first.
std::vector<uint32_t> privatisable_tiles(const Program& program, const Storage& storage, uint32_t loop);

}  // namespace pto::planner
