// Tiles from before a loop that could as well be made in it.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

/// The operations that make tiles which nobody but the loop looks at and which every turn begins by filling.
std::vector<uint32_t> privatisable_tiles(const Program& program, const Storage& storage, uint32_t loop);

}  // namespace pto::planner
