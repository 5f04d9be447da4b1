// Reductions: of blocks of 32 bytes where a group is one block of every part, else of whole registers.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// No vector instruction reduces bf16: it goes by f32, which has its numbers, and is rounded once in the end.
void lower_reduction(LoweringState& state, const OpView& op);
/// Each half of the bins is an instruction for every register of the source.
void lower_histogram(LoweringState& state, const OpView& op);

}  // namespace pto::lower
