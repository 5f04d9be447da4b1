// Stores of logical vectors to UB. The distribution of a store collects lanes from streams, where there is
// one; lanes that fill no register are stored under a mask.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

void lower_store(LoweringState& state, const OpView& op);
void lower_store_groups(LoweringState& state, const OpView& op);
/// Two vectors by turns, without a mask.
void lower_store_pairs(LoweringState& state, const OpView& op);
/// The active lanes one behind the other: squeezed, and appended to a stream.
void lower_store_compressed(LoweringState& state, const OpView& op);

}  // namespace pto::lower
