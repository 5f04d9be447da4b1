// Tiles that have several names.
#pragma once

#include <vector>

#include "pto/program.hpp"

namespace pto::isa {

/// Per value the tile that it is a part of, or another name for: through subviews, renamings and reshapes.
/// The value itself where it is neither.
std::vector<ValueId> viewed_tiles(const Program& program);

}  // namespace pto::isa
