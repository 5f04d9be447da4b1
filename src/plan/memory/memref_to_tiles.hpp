// Memrefs on chip, as June's programs have them, are tiles.
#pragma once

#include "pto/program.hpp"

namespace pto::planner {

/// Gives the buffers of a program that are on chip the tile types they mean, where all that is done to them
/// is done to tiles; leaves the program as it is where something else is.
void memrefs_to_tiles(Program& program);

}  // namespace pto::planner
