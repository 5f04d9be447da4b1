// Scratch tiles that are too small for the bytes that an instruction writes to them.
#pragma once

#include "pto/program.hpp"

namespace pto::planner {

/// On A2/A3 trem writes two rows of its scratch tile (the page of trem; W0441 for tiles of one): such an
/// operation gets a scratch tile of its own, which the planner places.
void widen_scratch(Program& program);

}  // namespace pto::planner
