// Compression and expansion: the destination of a lane depends on the number of active lanes before it.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

void lower_active_below(LoweringState& state, const OpView& op);
/// The active lanes of a register together; of several registers, lane i of the result comes from the
/// register with active lane i.
void lower_compress(LoweringState& state, const OpView& op);
/// Active lane i is element i of memory.
void lower_load_expanded(LoweringState& state, const OpView& op);

}  // namespace pto::lower
