// Registers of logical values: in the layout that is assigned to a value, and in the layouts that its
// uses request.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// Registers of a value in a layout, which are built where the scope has none yet.
Regs materialize_vector(LoweringState& state, ValueId value, Layout layout);
/// The same for a mask of lanes of `width` bytes; `exact`: lanes beyond the value are off, too.
Regs materialize_mask(LoweringState& state, ValueId value, Layout layout, unsigned width, bool exact = false);
/// The mask of an instruction on registers of a shape: a value, or all lanes (kNoValue).
Regs materialize_governing_mask(LoweringState& state, ValueId given, Layout layout, Shape shape);
/// All lanes of a value; padding is off.
Regs build_valid_mask(LoweringState& state, Layout layout, Shape shape);
/// The registers of a value were built: records them, names them, and converts them to the assigned layout.
void define_uniform(LoweringState& state, ValueId value, ValueId reg);
void define_vector(LoweringState& state, ValueId value, Layout layout, const Regs& regs);
void define_mask(LoweringState& state, ValueId value, Layout layout, unsigned width, const Regs& regs);
/// Builds the forms of a value that its scope requests.
void materialize_requested(LoweringState& state, ValueId value);

}  // namespace pto::lower
