// Operations lane by lane: each register by the instruction whose cost the operation has.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

void lower_lane_wise(LoweringState& state, const OpView& op);
void lower_logic(LoweringState& state, const OpView& op);
void lower_compare(LoweringState& state, const OpView& op);
void lower_constant(LoweringState& state, const OpView& op);
void lower_broadcast(LoweringState& state, const OpView& op);
void lower_counted(LoweringState& state, const OpView& op);
/// Lanes of `regs` where the mask holds, else of the value `otherwise`.
Regs blend_inactive(LoweringState& state, const Regs& regs, ValueId otherwise, ValueId given, Layout layout,
                    const Logical& of);

}  // namespace pto::lower
