// Gathers and scatters: each lane from or to UB by the index of its element, under its own mask.
#pragma once

#include "lower/memory_access.hpp"

namespace pto::lower {

/// Elements of `base` by index, in the layout by_index(shape.width); inactive lanes are 0.
Regs emit_gather(LoweringState& state, ValueId base, const Regs& index, const Regs& masks, Shape shape,
                 Elem elem);
/// Element i * stride (kNoValue: i) from or to lane i.
Regs emit_indexed_load(LoweringState& state, const Access& from, Shape shape, Elem elem, ValueId stride);
void emit_indexed_store(LoweringState& state, const Access& to, const Regs& regs, Shape shape, ValueId stride,
                        const Regs& masks);
/// Blocks with a stride: one register without a mask at once, else every lane by index.
void lower_load_blocks(LoweringState& state, const OpView& op);
/// value, destination, offset, block_stride (, repeat_stride) (, mask)
void lower_store_blocks(LoweringState& state, const OpView& op);
/// Stores the low bits of each lane, to elements that are narrower than lanes.
void lower_store_narrowed(LoweringState& state, const OpView& op, const Access& to);
void lower_gather(LoweringState& state, const OpView& op);
void lower_scatter(LoweringState& state, const OpView& op);

}  // namespace pto::lower
