// Conversion between layouts: the same lanes, with the same element type, in other registers.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// Interleaves two registers, or deinterleaves them (`apart`). The inverse of an earlier pair gives its
/// operands.
RegPair interleave_pair(LoweringState& state, bool apart, ValueId a, ValueId b);
/// The layout with half the streams.
Regs halve_streams(LoweringState& state, const Regs& regs, Shape shape, Layout from);
Regs convert_layout(LoweringState& state, const Regs& regs, Shape shape, Layout from, Layout to);
Regs convert_mask_layout(LoweringState& state, Regs masks, unsigned lanes, Form from, Form to);

}  // namespace pto::lower
