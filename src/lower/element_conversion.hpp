// The same lanes under another element type: conversions, bit casts, and registers as a type in the text
// lists them.
#pragma once

#include <functional>

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// Element e of a word of the result comes from element e * ratio + x of the source's (the other way round
/// where lanes become narrower): x is the part of the instruction. Several that end in one register are
/// joined.
Regs convert_widths(LoweringState& state, const Regs& regs, Layout layout, Shape from, Shape to, bool uniform,
                    const std::function<ValueId(ValueId, unsigned)>& one, Elem elem);
void lower_conversion(LoweringState& state, const OpView& op);
/// e^(x - max), which widens f16.
void lower_exp_difference(LoweringState& state, const OpView& op);
/// The same bits, however they are divided into lanes.
void lower_bitcast(LoweringState& state, const OpView& op);
/// A layout in the text is a hint: the assigned layout stays.
void lower_layout_hint(LoweringState& state, const OpView& op);
/// Registers of a value in the layout of its type, for operations on registers; and back.
void lower_unpack(LoweringState& state, const OpView& op);
void lower_pack(LoweringState& state, const OpView& op);

}  // namespace pto::lower
