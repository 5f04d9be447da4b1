// Loads of logical vectors from UB. The distribution of a load deals lanes out to streams, where there is
// one.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// The even lanes, and the odd ones.
void lower_load_pairs(LoweringState& state, const OpView& op);
void lower_load(LoweringState& state, const OpView& op);
void lower_load_groups(LoweringState& state, const OpView& op);
/// Inactive lanes are those of another value.
void lower_load_masked(LoweringState& state, const OpView& op);

}  // namespace pto::lower
