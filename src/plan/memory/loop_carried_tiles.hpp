// Tiles that a loop makes and hands to its next iteration.
#pragma once

#include "plan/memory/storage_analysis.hpp"
#include "pto/diagnostic.hpp"

namespace pto::planner {

/// One address serves the tile of this iteration and that of the one before. E0602 where that is not right.
void check_loop_carried(const Program& program, const Storage& storage, const Storage::LoopCarried& carried,
                        Diagnostics& diagnostics);

}  // namespace pto::planner
