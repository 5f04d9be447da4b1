// Lowering of each operation on logical vectors: one table from its class to the function of its family.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

void lower_operation(LoweringState& state, const OpView& op);

}  // namespace pto::lower
