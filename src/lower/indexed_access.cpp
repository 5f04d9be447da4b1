#include "lower/indexed_access.hpp"

#include <algorithm>
#include <bit>

#include "lower/lane_wise.hpp"
#include "lower/layout_conversion.hpp"
#include "lower/memory_access.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

/// Numbers of elements are as wide as the lanes, but those of bytes, which stand in lanes of 2.
unsigned number_width(unsigned width) { return std::max(width, 2U); }

/// Bytes that are no integers are loaded and stored as if they were.
ValueId cast_to_indexable(LoweringState& state, ValueId base) {
  const Elem elem = state.writer.elem_of(base);
  if (byte_width(elem) != 1 || is_integer(elem)) return base;
  Type type = state.output.type_of(base);
  type.elem = Elem::ui8;
  const std::array types = {state.output.types.intern(type)};
  return state.writer.emit(isa::id_of(OpcodeClass::cast_ptr), std::array{base}, types)[0];
}

void emit_scatter(LoweringState& state, ValueId base, const Regs& index, const Regs& masks, const Regs& regs,
                  Shape shape) {
  base = cast_to_indexable(state, base);
  const Elem memory = state.writer.elem_of(base);
  for (unsigned i = 0; i < regs.size(); ++i) {
    const Elem own = state.writer.elem_of(regs[i]);
    state.writer.store(Lowering::to_scatter,
                       {state.writer.bits_as(regs[i], signless(memory) == signless(own) ? own : memory), base,
                        index[i], state.writer.mask_cast(masks[i], number_width(shape.width))});
  }
}

/// Lane i has element i * stride (kNoValue: i).
Regs build_element_indices(LoweringState& state, unsigned n, unsigned width, ValueId stride) {
  const unsigned wide = number_width(width), per = kRegisterBytes / wide;
  const Elem number = unsigned_elem(wide), scalar_type = signless(number);
  const TypeId type = state.writer.vector_type(number);
  Regs built;
  for (unsigned i = 0; i < n; ++i) {
    ValueId index =
        state.writer.emit(Lowering::to_count, 1, {state.writer.constant(scalar_type, i * per)}, type);
    if (stride != kNoValue)
      index = state.writer.emit(Lowering::to_multiply_scalar, 1,
                                {index, state.writer.cast(stride, scalar_type), state.writer.all_lanes(wide)},
                                type);
    built.push_back(index);
  }
  return built;
}

/// Of lanes in blocks that start `block` blocks apart, `repeat` (kNoValue: 0) blocks behind the address.
Regs build_block_indices(LoweringState& state, unsigned n, unsigned width, ValueId block, ValueId repeat) {
  const unsigned wide = number_width(width), each = kBlockBytes / width;
  const Elem number = unsigned_elem(wide), scalar_type = signless(number);
  const TypeId type = state.writer.vector_type(number);
  const ValueId all = state.writer.all_lanes(wide);
  const auto elements = [&](ValueId blocks) {
    if (const Number known = state.values.constants().value_of(blocks))
      return state.writer.constant(scalar_type, *known * each);
    const ValueId wanted = state.writer.cast(state.scalar(blocks), Elem::index);
    return state.writer.cast(state.writer.arithmetic(OpcodeClass::mul, wanted, state.writer.index(each)),
                             scalar_type);
  };
  const ValueId apart = elements(block);
  const bool behind = repeat != kNoValue && state.values.constants().value_of(repeat) != 0;
  const ValueId first = behind ? elements(repeat) : kNoValue;
  Regs built;
  for (const ValueId lane : build_element_indices(state, n, width, kNoValue)) {
    const ValueId which =
        state.writer.emit(Lowering::to_shift_right_scalar, 1,
                          {lane, state.writer.constant(Elem::i16, std::bit_width(each) - 1), all}, type);
    const ValueId within = state.writer.emit(Lowering::to_and_scalar, 1,
                                             {lane, state.writer.constant(scalar_type, each - 1), all}, type);
    ValueId index = state.writer.emit(Lowering::to_multiply_scalar, 1, {which, apart, all}, type);
    index = state.writer.emit(Lowering::to_add, 1, {index, within, all}, type);
    if (behind) index = state.writer.emit(Lowering::to_add_scalar, 1, {index, first, all}, type);
    built.push_back(index);
  }
  return built;
}

/// Elements that begin at any byte: of the two words there, what is above it in one and below it in the
/// other.
ValueId gather_at_bytes(LoweringState& state, ValueId base, ValueId offset, ValueId active, unsigned width) {
  const Elem bits = unsigned_elem(width), number = signless(bits);
  const TypeId type = state.writer.vector_type(bits);
  const ValueId all = state.writer.all_lanes(width);
  const unsigned bits_of = 8 * width;
  const auto by_scalar = [&](Lowering how, ValueId of, int64_t with) {
    return state.writer.emit(
        how, 1,
        {of, state.writer.constant(how == Lowering::to_shift_right_scalar ? Elem::i16 : number, with), all},
        type);
  };
  const auto is = [&](ValueId of, std::string_view how, unsigned n) {
    return state.writer.emit(Lowering::to_compare_scalar, 1, {of, state.writer.constant(number, n), active},
                             state.writer.mask_type(width), {{"cmp_mode", how}});
  };
  const auto read = [&](ValueId word, ValueId mask) {
    return state.writer.bits_as(state.writer.emit(Lowering::to_gather, 1, {base, word, mask},
                                                  state.writer.vector_type(state.writer.elem_of(base))),
                                bits);
  };
  offset = state.writer.bits_as(offset, bits);
  const ValueId word = by_scalar(Lowering::to_shift_right_scalar, offset, std::bit_width(width) - 1);
  const ValueId beyond = by_scalar(Lowering::to_and_scalar, offset, width - 1);
  const ValueId low = read(word, active);
  const ValueId high = read(by_scalar(Lowering::to_add_scalar, word, 1), is(beyond, "ne", 0));
  ValueId built = low;
  for (unsigned byte = 1; byte < width; ++byte) {
    const ValueId above = by_scalar(Lowering::to_shift_right_scalar, low, 8 * byte);
    const ValueId below = by_scalar(Lowering::to_multiply_scalar, high, int64_t{1} << (bits_of - 8 * byte));
    const ValueId both = state.writer.emit(Lowering::to_or, 1, {above, below, all}, type);
    built = state.writer.emit(Lowering::to_choose, 1, {both, built, is(beyond, "eq", byte)}, type);
  }
  return built;
}

}  // namespace

Regs emit_gather(LoweringState& state, ValueId base, const Regs& index, const Regs& masks, Shape shape,
                 Elem elem) {
  base = cast_to_indexable(state, base);
  const Elem memory = state.writer.elem_of(base);
  const Elem read = shape.width > 1 ? memory : is_unsigned(memory) ? Elem::ui16 : Elem::si16;
  Regs built;
  for (unsigned i = 0; i < index.size(); ++i)
    built.push_back(state.writer.bits_as(
        state.writer.emit(Lowering::to_gather, 1,
                          {base, index[i], state.writer.mask_cast(masks[i], number_width(shape.width))},
                          state.writer.vector_type(read)),
        elem));
  return built;
}

Regs emit_indexed_load(LoweringState& state, const Access& from, Shape shape, Elem elem, ValueId stride) {
  const Regs masks = build_valid_mask(state, by_index(shape.width), shape);
  const ValueId base = from.old_offset == kNoValue ? from.base : build_pointer(state, from, 0);
  return emit_gather(state, base,
                     build_element_indices(state, static_cast<unsigned>(masks.size()), shape.width, stride),
                     masks, shape, elem);
}

void emit_indexed_store(LoweringState& state, const Access& to, const Regs& regs, Shape shape, ValueId stride,
                        const Regs& masks) {
  // Statements of their own: the order in which arguments are evaluated is the compiler's.
  const Regs index = build_element_indices(state, static_cast<unsigned>(regs.size()), shape.width, stride);
  const ValueId base = build_pointer(state, to, 0);
  emit_scatter(state, base, index, masks, regs, shape);
}

void lower_load_blocks(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Shape shape = of.shape();
  const bool masked = isa::schema(op.op().row).operands.size() > 4,
             all = !masked || state.info(op.operand(4)).full;
  order_access(state, op, false, 0, 1);
  const ValueId base = build_pointer(state, make_access(state, op, 0, 1), 0);
  if (all && shape.bytes() <= kRegisterBytes && shape.bytes() % kBlockBytes == 0) {
    const Layout order = memory_order(shape.width);
    state.writer.note = order.text(shape);
    const ValueId mask = state.writer.mask_cast(
        state.writer.first_lanes(kWordBytes, shape.bytes() / kBlockBytes), shape.width);
    const ValueId reg = state.writer.emit(
        Lowering::to_load_blocks, 1, {base, state.scalar(op.operand(2)), state.scalar(op.operand(3)), mask},
        state.writer.vector_type(of.elem));
    define_vector(state, result, order, {reg});
  } else {
    const Layout layout = by_index(shape.width);
    state.writer.note = layout.text(shape);
    const Regs masks = all ? build_valid_mask(state, layout, shape)
                           : materialize_mask(state, op.operand(4), layout, shape.width, true);
    const Regs index = build_block_indices(state, static_cast<unsigned>(masks.size()), shape.width,
                                           op.operand(2), op.operand(3));
    define_vector(state, result, layout, emit_gather(state, base, index, masks, shape, of.elem));
  }
  state.writer.note.clear();
}

void lower_store_blocks(LoweringState& state, const OpView& op) {
  const ValueId value = op.operand(0);
  const Shape shape = state.info(value).shape();
  const isa::Schema& schema = isa::schema(op.op().row);
  const auto slot = [&](std::string_view name) {
    const int found = schema.operand_slot(name);
    return found < 0 ? kNoValue : op.operand(static_cast<unsigned>(found));
  };
  const ValueId repeat = slot("repeat_stride"), given = slot("mask");
  const bool all = given == kNoValue || state.info(given).full;
  order_access(state, op, true, 1, 2);
  if (all && shape.bytes() <= kRegisterBytes && shape.bytes() % kBlockBytes == 0) {
    const Layout order = memory_order(shape.width);
    const Regs regs = materialize_vector(state, value, order);
    state.writer.note = order.text(shape);
    const ValueId mask = state.writer.mask_cast(
        state.writer.first_lanes(kWordBytes, shape.bytes() / kBlockBytes), shape.width);
    state.writer.store(
        Lowering::to_store_blocks,
        {regs[0], build_pointer(state, make_access(state, op, 1, 2), 0), state.scalar(op.operand(3)),
         repeat == kNoValue ? state.writer.constant(Elem::i16, 0) : state.scalar(repeat), mask});
  } else {
    const Layout layout = by_index(shape.width);
    const Regs regs = materialize_vector(state, value, layout);
    const Regs masks = all ? build_valid_mask(state, layout, shape)
                           : materialize_mask(state, given, layout, shape.width, true);
    state.writer.note = layout.text(shape);
    const Regs index =
        build_block_indices(state, static_cast<unsigned>(regs.size()), shape.width, op.operand(3), repeat);
    emit_scatter(state, build_pointer(state, make_access(state, op, 1, 2), 0), index, masks, regs, shape);
  }
  state.writer.note.clear();
}

void lower_store_narrowed(LoweringState& state, const OpView& op, const Access& to) {
  const ValueId value = op.operand(0), stride = op.operand(3);
  const Logical& of = state.info(value);
  const Shape shape{of.lanes, to.element};
  order_access(state, op, true, 1, 2);
  Regs regs = materialize_vector(state, value, memory_order(of.width));
  if (of.width == kWordBytes)  // seen as halves there is a gap between lanes
    regs = convert_layout(state, state.writer.bits_as(regs, Elem::ui16), {of.lanes, 2}, Layout{},
                          memory_order(2));
  const Layout layout = by_index(to.element);
  state.writer.note = layout.text(shape);
  const Regs masks = build_valid_mask(state, layout, shape);
  const Regs bits = state.writer.bits_as(regs, unsigned_elem(to.element));
  const bool adjacent = state.values.constants().value_of(stride) == 1;
  emit_indexed_store(state, to, bits, shape, adjacent ? kNoValue : state.scalar(stride), masks);
  state.writer.note.clear();
}

void lower_gather(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0), offsets = op.operand(1);
  const Logical &of = state.info(result), &by = state.info(offsets);
  const Layout layout = of.width == 1 ? by_index(1) : state.assigned_layout(result);
  const bool in_bytes = isa::schema(op.op().row).operand_slot("byte_offsets") >= 0 && of.width > 1;
  if (of.width != by.width && !(of.width == 1 && by.width == 2))
    return state.refuse("offsets of another width than the lanes");
  order_access(state, op, false, 0, -1);
  state.writer.note = layout.text(of.shape());
  const Access from = make_access(state, op, 0, -1);
  const Regs index = materialize_vector(state, offsets, layout),
             active = materialize_mask(state, op.operand(2), layout, by.width, true);
  Regs built;
  if (in_bytes) {
    for (unsigned i = 0; i < index.size(); ++i)
      built.push_back(
          state.writer.bits_as(gather_at_bytes(state, from.base, index[i], active[i], of.width), of.elem));
  } else {
    built = emit_gather(state, from.base, index, active, of.shape(), of.elem);
  }
  state.writer.note.clear();
  const bool rest = isa::schema(op.op().row).operands.size() > 3;
  if (rest) built = blend_inactive(state, built, op.operand(3), op.operand(2), layout, of);
  define_vector(state, result, layout, built);
}

void lower_scatter(LoweringState& state, const OpView& op) {
  const ValueId value = op.operand(0), offsets = op.operand(2);
  const Logical &of = state.info(value), &by = state.info(offsets);
  if (of.width != by.width && !(of.width == 1 && by.width == 2))
    return state.refuse("offsets of another width than the lanes");
  const Layout layout = of.width == 1 ? by_index(1)
                        : of.uniform  ? (by.uniform ? memory_order(of.width) : state.assigned_layout(offsets))
                                      : state.assigned_layout(value);
  order_access(state, op, true, 1, -1);
  const Access to = make_access(state, op, 1, -1);
  const Regs regs = materialize_vector(state, value, layout),
             index = materialize_vector(state, offsets, layout),
             active = materialize_mask(state, op.operand(3), layout, by.width, true);
  state.writer.note = layout.text(of.shape());
  emit_scatter(state, to.base, index, active, regs, of.shape());
  state.writer.note.clear();
}

}  // namespace pto::lower
