#include "lower/store_lowering.hpp"

#include <algorithm>

#include "lower/indexed_access.hpp"
#include "lower/layout_conversion.hpp"
#include "lower/memory_access.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

/// `masks` are those of the layout; `all`: nothing is left out but what fills no register.
void emit_store(LoweringState& state, const Access& to, const Regs& regs, Shape shape, Layout layout,
                const Regs& masks, bool all) {
  const unsigned width = shape.width, per = shape.per_register(), parts = layout.parts(width),
                 stride = layout.stride(width);
  const auto n = static_cast<unsigned>(regs.size());
  const auto one = [&](ValueId reg, int64_t first, ValueId mask, const std::string& dist) {
    state.writer.store(Lowering::to_store, {reg, to.base, build_offset(state, to, first), mask},
                       {{"dist", dist}});
  };
  if (layout.slots == 1) {
    for (unsigned i = 0; i < n; ++i)
      one(regs[i], i, state.writer.all_lanes(width), dist_name("1PT_B", width));
    return;
  }
  if (layout.slots != 0 && (layout.slots * width % kBlockBytes != 0 || stride != 1))
    return state.refuse("slots of groups that fill no blocks");
  const unsigned lanes_each = layout.slots != 0 ? layout.slots : per / stride;
  if (parts == 1 && shape.lanes == 1)
    return one(regs[0], 0, all ? state.writer.all_lanes(width) : masks[0],
               all ? dist_name("1PT_B", width) : dist_name("NORM_B", width));
  if (parts == 1) {
    const std::string dist = stride == 1   ? dist_name("NORM_B", width)
                             : stride == 4 ? std::string("PK4_B32")
                                           : dist_name("PK_B", 2 * width);
    for (unsigned i = 0; i < n; ++i)
      one(regs[i], i * lanes_each, state.writer.mask_cast(masks[i], width * stride), dist);
    return;
  }
  if (layout.blocks) {
    const unsigned per_part = n / parts, block = kBlockBytes / width;
    for (unsigned i = 0; i < per_part; ++i) {
      const unsigned left = std::min(kBlocks, shape.bytes() / kBlockBytes / parts - i * kBlocks);
      const ValueId mask = state.writer.mask_cast(state.writer.first_lanes(kWordBytes, left), width);
      for (unsigned part = 0; part < parts; ++part)
        state.writer.store(
            Lowering::to_store_blocks,
            {regs[part * per_part + i], build_pointer(state, to, int64_t{parts} * i * per + part * block),
             state.writer.constant(Elem::i16, parts), state.writer.constant(Elem::i16, 0), mask});
    }
    return;
  }
  Regs two = regs;
  for (Layout from = layout; from.parts(width) > 2; from.streams /= 2)
    two = halve_streams(state, two, shape, from);
  for (unsigned i = 0; i < n / 2; ++i)
    state.writer.store(Lowering::to_store_pair,
                       {two[i], two[n / 2 + i], to.base, build_offset(state, to, int64_t{2} * i * per),
                        state.writer.all_lanes(width)},
                       {{"dist", dist_name("INTLV_B", width)}});
}

/// A layout that a store takes as it is, or memory order.
Layout select_store_layout(LoweringState& state, ValueId value, bool all, bool aligned) {
  const Logical& of = state.info(value);
  const Shape shape = of.shape();
  const Layout order = memory_order(of.width);
  if (of.uniform) return order;
  const Layout layout = state.assigned_layout(value);
  if (!aligned && shape.lanes <= kMaxScalarLanes && layout.slots != 1)
    return of.width == 1 ? Layout{.streams = 2} : order;
  const unsigned parts = layout.parts(of.width);
  if (parts > 1 && !(all && (layout.blocks || shape.bytes() % (parts * kRegisterBytes) == 0))) return order;
  return layout;
}

/// Contiguous lanes, under a mask where there is one.
void emit_lane_store(LoweringState& state, const OpView& op, ValueId value, ValueId given) {
  const Shape shape = state.info(value).shape();
  const bool all = given == kNoValue || state.info(given).full, aligned = is_block_aligned(state, op, 1, 2);
  const Layout layout = select_store_layout(state, value, all, aligned);
  order_access(state, op, true, 1, 2);
  const Regs regs = materialize_vector(state, value, layout);
  const bool few = !aligned && shape.lanes <= kMaxScalarLanes && shape.lanes > 1;
  const bool plain = all && layout.parts(shape.width) > 1;
  const Regs masks = plain ? Regs()
                     : all ? build_valid_mask(state, layout, shape)
                           : materialize_mask(state, given, layout, shape.width, true);
  state.writer.note = layout.text(shape);
  const Access to = make_access(state, op, 1, 2);
  if (few && layout.slots != 1)
    emit_indexed_store(state, to, regs, shape, kNoValue, masks);
  else
    emit_store(state, to, regs, shape, layout, masks, all);
  state.writer.note.clear();
}

}  // namespace

void lower_store(LoweringState& state, const OpView& op) {
  const bool masked = isa::schema(op.op().row).operands.size() > 3;
  emit_lane_store(state, op, op.operand(0), masked ? op.operand(3) : kNoValue);
}

void lower_store_groups(LoweringState& state, const OpView& op) {
  const ValueId value = op.operand(0), stride = op.operand(3);
  const Logical& of = state.info(value);
  const Shape shape = of.shape();
  const int spec = isa::schema(op.op().row).attr_index("group");
  const auto groups = static_cast<unsigned>(op.attr_int(spec >= 0 ? "group" : "num_groups"));
  const unsigned size = shape.lanes / groups, width = shape.width;
  const Number known = state.values.constants().value_of(stride);
  const Access to = make_access(state, op, 1, 2);
  if (to.element != width) {
    if (size != 1) return state.refuse("rows of narrower elements");
    if (known != 1 || width != kWordBytes || !is_block_aligned(state, op, 1, 2))
      return lower_store_narrowed(state, op, to);
    const Layout order = memory_order(width);
    const Regs regs = materialize_vector(state, value, order), masks = build_valid_mask(state, order, shape);
    order_access(state, op, true, 1, 2);
    for (unsigned i = 0; i < regs.size(); ++i)
      state.writer.store(Lowering::to_store,
                         {regs[i], to.base, build_offset(state, to, i * shape.per_register()), masks[i]},
                         {{"dist", to.element == 1 ? "PK4_B32" : "PK_B32"}});
    return;
  }
  if (known && (*known == size || groups == 1)) return emit_lane_store(state, op, value, kNoValue);
  order_access(state, op, true, 1, 2);
  if (size == 1) {
    const Layout placed = of.uniform ? memory_order(width) : state.assigned_layout(value);
    if (placed.slots == 1) {
      const Regs regs = materialize_vector(state, value, placed);
      state.writer.note = placed.text(shape);
      for (unsigned row = 0; row < groups; ++row)
        state.writer.store(
            Lowering::to_store,
            {regs[row], to.base, build_row_offset(state, to, stride, row, 0), state.writer.all_lanes(width)},
            {{"dist", dist_name("1PT_B", width)}});
    } else {
      const Layout order = width == 1 ? Layout{.streams = 2} : memory_order(width);
      const Regs regs = materialize_vector(state, value, order),
                 masks = build_valid_mask(state, order, shape);
      state.writer.note = order.text(shape);
      emit_indexed_store(state, to, regs, shape, state.scalar(stride), masks);
    }
    return state.writer.note.clear();
  }
  // Rows of one block of every part.
  const unsigned block = kBlockBytes / width;
  const Layout placed = of.uniform || size == block ? memory_order(width) : state.assigned_layout(value);
  const unsigned parts = placed.parts(width);
  if (placed.slots == 0 && size == parts * block &&
      (parts == 1 ? placed.is_memory_order(width) : placed.blocks)) {
    const Regs regs = materialize_vector(state, value, placed);
    const ValueId apart = build_block_stride(state, stride, width);
    const unsigned per_part = static_cast<unsigned>(regs.size()) / parts;
    state.writer.note = placed.text(shape);
    for (unsigned i = 0; i < per_part; ++i) {
      const ValueId mask = state.writer.mask_cast(
          state.writer.first_lanes(kWordBytes, std::min(kBlocks, groups - i * kBlocks)), width);
      for (unsigned part = 0; part < parts; ++part)
        state.writer.store(
            Lowering::to_store_blocks,
            {regs[part * per_part + i], build_row_pointer(state, to, stride, i * kBlocks, part * block),
             apart, state.writer.constant(Elem::i16, 0), mask});
    }
    return state.writer.note.clear();
  }
  const Layout order = memory_order(width);
  const unsigned bytes = size * width;
  if (bytes % kRegisterBytes != 0 && (bytes % kBlockBytes != 0 || kRegisterBytes % bytes != 0))
    return state.refuse("rows that fill no blocks");
  const Regs regs = materialize_vector(state, value, order);
  state.writer.note = order.text(shape);
  for (unsigned row = 0; row < groups; ++row) {
    if (bytes % kRegisterBytes == 0) {
      const unsigned each = bytes / kRegisterBytes;
      for (unsigned i = 0; i < each; ++i)
        state.writer.store(Lowering::to_store,
                           {regs[row * each + i], to.base,
                            build_row_offset(state, to, stride, row, i * shape.per_register()),
                            state.writer.all_lanes(width)},
                           {{"dist", dist_name("NORM_B", width)}});
      continue;
    }
    const unsigned per_row = bytes / kBlockBytes, rows_each = kBlocks / per_row,
                   first = row % rows_each * per_row;
    const ValueId mask =
        state.writer.mask_cast(state.writer.lanes_between(kWordBytes, first, first + per_row), width);
    state.writer.store(Lowering::to_store_blocks,
                       {regs[row / rows_each],
                        build_row_pointer(state, to, stride, row, -static_cast<int64_t>(first * block)),
                        state.writer.constant(Elem::i16, 1), state.writer.constant(Elem::i16, 0), mask});
  }
  state.writer.note.clear();
}

void lower_store_pairs(LoweringState& state, const OpView& op) {
  const Shape shape = state.info(op.operand(0)).shape();
  if (shape.bytes() % kRegisterBytes != 0) return state.refuse("lanes that fill no registers");
  order_access(state, op, true, 2, 3);
  const Layout order = memory_order(shape.width), apart{.streams = 2 * order.streams};
  Regs regs = materialize_vector(state, op.operand(0), order);
  const Regs high = materialize_vector(state, op.operand(1), order);
  regs.insert(regs.end(), high.begin(), high.end());
  state.writer.note = apart.text({2 * shape.lanes, shape.width});
  emit_store(state, make_access(state, op, 2, 3), regs, {2 * shape.lanes, shape.width}, apart, {}, true);
  state.writer.note.clear();
}

void lower_store_compressed(LoweringState& state, const OpView& op) {
  const ValueId value = op.operand(0);
  const Shape shape = state.info(value).shape();
  const Layout order = memory_order(shape.width);
  order_access(state, op, true, 1, 2);
  const Regs regs = materialize_vector(state, value, order),
             active = materialize_mask(state, op.operand(3), order, shape.width, true);
  state.writer.note = order.text(shape);
  const ValueId base = build_pointer(state, make_access(state, op, 1, 2), 0);
  Type align;
  align.kind = TypeKind::align;
  const TypeId type = state.output.types.intern(align);
  const std::string note = std::exchange(state.writer.note, {});
  state.writer.store(Lowering::to_clear_stream, {}, {{"spr", "AR"}});
  ValueId stream = state.writer.emit(Lowering::to_begin_stream, 1, {}, type);
  state.writer.note = note;
  for (unsigned i = 0; i < regs.size(); ++i) {
    const ValueId packed =
        state.writer.emit(Lowering::to_squeeze, 1, {regs[i], active[i]}, state.output.values[regs[i]].type);
    stream =
        state.writer.emit(Lowering::to_stream, 1, {stream, packed, base}, type, {{"mode", "POST_UPDATE"}});
  }
  state.writer.store(Lowering::to_end_stream, {stream, base});
  state.writer.note.clear();
}

}  // namespace pto::lower
