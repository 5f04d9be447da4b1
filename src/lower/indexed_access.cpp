// Lanes from and to UB by the number of their element: each goes where it wants, under its own mask.
#include <algorithm>
#include <bit>

#include "ir/regions.hpp"
#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }
/// Numbers of elements are as wide as the lanes, but those of bytes, which stand in lanes of 2.
unsigned number_width(unsigned width) { return std::max(width, 2U); }

}  // namespace

/// Bytes that are no integers are loaded and stored as if they were.
ValueId VectorLowering::indexable(ValueId base) {
  const Elem elem = writer_.elem_of(base);
  if (byte_width(elem) != 1 || is_integer(elem)) return base;
  Type type = to_.type_of(base);
  type.elem = Elem::ui8;
  const std::array types = {to_.types.intern(type)};
  return writer_.emit(isa::id_of(OpcodeClass::cast_ptr), std::array{base}, types)[0];
}

/// The registers of by_index(shape.width); inactive lanes are 0.
Regs VectorLowering::read_by_index(ValueId base, const Regs& index, const Regs& masks, Shape shape,
                                   Elem elem) {
  base = indexable(base);
  const Elem memory = writer_.elem_of(base);
  const Elem read = shape.width > 1 ? memory : is_unsigned(memory) ? Elem::ui16 : Elem::si16;
  Regs built;
  for (unsigned i = 0; i < index.size(); ++i)
    built.push_back(
        writer_.bits_as(writer_.emit(Lowering::to_gather, 1,
                                     {base, index[i], writer_.mask_cast(masks[i], number_width(shape.width))},
                                     writer_.vector_type(read)),
                        elem));
  return built;
}
void VectorLowering::written_by_index(ValueId base, const Regs& index, const Regs& masks, const Regs& regs,
                                      Shape shape) {
  base = indexable(base);
  const Elem memory = writer_.elem_of(base);
  for (unsigned i = 0; i < regs.size(); ++i) {
    const Elem own = writer_.elem_of(regs[i]);
    writer_.store(Lowering::to_scatter,
                  {writer_.bits_as(regs[i], signless(memory) == signless(own) ? own : memory), base, index[i],
                   writer_.mask_cast(masks[i], number_width(shape.width))});
  }
}

/// Lane i has element i * stride (kNoValue: i).
Regs VectorLowering::indices(unsigned n, unsigned width, ValueId stride) {
  const unsigned wide = number_width(width), per = kRegisterBytes / wide;
  const Elem number = unsigned_of(wide), scalar_type = signless(number);
  const TypeId type = writer_.vector_type(number);
  Regs built;
  for (unsigned i = 0; i < n; ++i) {
    ValueId index = writer_.emit(Lowering::to_count, 1, {writer_.constant(scalar_type, i * per)}, type);
    if (stride != kNoValue)
      index = writer_.emit(Lowering::to_multiply_scalar, 1,
                           {index, writer_.cast(stride, scalar_type), writer_.all_lanes(wide)}, type);
    built.push_back(index);
  }
  return built;
}

Regs VectorLowering::loaded_by_index(const Access& from, Shape shape, Elem elem, ValueId stride) {
  const Regs masks = valid(by_index(shape.width), shape);
  const ValueId base = from.old_offset == kNoValue ? from.base : pointer(from, 0);
  return read_by_index(base, indices(static_cast<unsigned>(masks.size()), shape.width, stride), masks, shape,
                       elem);
}
void VectorLowering::stored_by_index(const Access& to, const Regs& regs, Shape shape, ValueId stride,
                                     const Regs& masks) {
  written_by_index(pointer(to, 0), indices(static_cast<unsigned>(regs.size()), shape.width, stride), masks,
                   regs, shape);
}

// ---- blocks of 32 bytes

/// Of lanes in blocks that start `block` blocks apart, `repeat` (kNoValue: 0) blocks behind the address.
Regs VectorLowering::block_indices(unsigned n, unsigned width, ValueId block, ValueId repeat) {
  const unsigned wide = number_width(width), each = kBlockBytes / width;
  const Elem number = unsigned_of(wide), scalar_type = signless(number);
  const TypeId type = writer_.vector_type(number);
  const ValueId all = writer_.all_lanes(wide);
  const auto elements = [&](ValueId blocks) {
    if (const Number known = values_.constants().value_of(blocks))
      return writer_.constant(scalar_type, *known * each);
    const ValueId wanted = writer_.cast(scalar(blocks), Elem::index);
    return writer_.cast(writer_.arithmetic(OpcodeClass::mul, wanted, writer_.index(each)), scalar_type);
  };
  const ValueId apart = elements(block);
  const bool behind = repeat != kNoValue && values_.constants().value_of(repeat) != 0;
  const ValueId first = behind ? elements(repeat) : kNoValue;
  Regs built;
  for (const ValueId lane : indices(n, width, kNoValue)) {
    const ValueId which =
        writer_.emit(Lowering::to_shift_right_scalar, 1,
                     {lane, writer_.constant(Elem::i16, std::bit_width(each) - 1), all}, type);
    const ValueId within =
        writer_.emit(Lowering::to_and_scalar, 1, {lane, writer_.constant(scalar_type, each - 1), all}, type);
    ValueId index = writer_.emit(Lowering::to_multiply_scalar, 1, {which, apart, all}, type);
    index = writer_.emit(Lowering::to_add, 1, {index, within, all}, type);
    if (behind) index = writer_.emit(Lowering::to_add_scalar, 1, {index, first, all}, type);
    built.push_back(index);
  }
  return built;
}

/// Blocks with a stride: one register without a mask at once, else every lane by index.
void VectorLowering::load_blocks(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const Shape shape = of.shape();
  const bool masked = isa::schema(op.op().row).operands.size() > 4, all = !masked || info(op.operand(4)).full;
  order_accesses(op, false, 0, 1);
  const ValueId base = pointer(access(op, 0, 1), 0);
  if (all && shape.bytes() <= kRegisterBytes && shape.bytes() % kBlockBytes == 0) {
    const Layout order = memory_order(shape.width);
    writer_.note = order.text(shape);
    const ValueId mask =
        writer_.mask_cast(writer_.first_lanes(kWordBytes, shape.bytes() / kBlockBytes), shape.width);
    const ValueId reg =
        writer_.emit(Lowering::to_load_blocks, 1, {base, scalar(op.operand(2)), scalar(op.operand(3)), mask},
                     writer_.vector_type(of.elem));
    define(result, order, {reg});
  } else {
    const Layout layout = by_index(shape.width);
    writer_.note = layout.text(shape);
    const Regs masks = all ? valid(layout, shape) : mask(op.operand(4), layout, shape.width, true);
    const Regs index =
        block_indices(static_cast<unsigned>(masks.size()), shape.width, op.operand(2), op.operand(3));
    define(result, layout, read_by_index(base, index, masks, shape, of.elem));
  }
  writer_.note.clear();
}

/// value, destination, offset, block_stride (, repeat_stride) (, mask)
void VectorLowering::store_blocks(const OpView& op) {
  const ValueId value = op.operand(0);
  const Shape shape = info(value).shape();
  const isa::Schema& schema = isa::schema(op.op().row);
  const auto slot = [&](std::string_view name) {
    const int found = schema.operand_slot(name);
    return found < 0 ? kNoValue : op.operand(static_cast<unsigned>(found));
  };
  const ValueId repeat = slot("repeat_stride"), given = slot("mask");
  const bool all = given == kNoValue || info(given).full;
  order_accesses(op, true, 1, 2);
  if (all && shape.bytes() <= kRegisterBytes && shape.bytes() % kBlockBytes == 0) {
    const Layout order = memory_order(shape.width);
    const Regs regs = vector(value, order);
    writer_.note = order.text(shape);
    const ValueId mask =
        writer_.mask_cast(writer_.first_lanes(kWordBytes, shape.bytes() / kBlockBytes), shape.width);
    writer_.store(Lowering::to_store_blocks,
                  {regs[0], pointer(access(op, 1, 2), 0), scalar(op.operand(3)),
                   repeat == kNoValue ? writer_.constant(Elem::i16, 0) : scalar(repeat), mask});
  } else {
    const Layout layout = by_index(shape.width);
    const Regs regs = vector(value, layout);
    const Regs masks = all ? valid(layout, shape) : mask(given, layout, shape.width, true);
    writer_.note = layout.text(shape);
    const Regs index = block_indices(static_cast<unsigned>(regs.size()), shape.width, op.operand(3), repeat);
    written_by_index(pointer(access(op, 1, 2), 0), index, masks, regs, shape);
  }
  writer_.note.clear();
}

/// Lanes of groups that memory has narrower: their low bits, one element for each.
void VectorLowering::store_narrowed(const OpView& op, const Access& to) {
  const ValueId value = op.operand(0), stride = op.operand(3);
  const Logical& of = info(value);
  const Shape shape{of.lanes, to.element};
  order_accesses(op, true, 1, 2);
  Regs regs = vector(value, memory_order(of.width));
  if (of.width == kWordBytes)  // seen as halves there is a gap between lanes
    regs = moved(writer_.bits_as(regs, Elem::ui16), {of.lanes, 2}, Layout{}, memory_order(2));
  const Layout layout = by_index(to.element);
  writer_.note = layout.text(shape);
  stored_by_index(to, writer_.bits_as(regs, unsigned_of(to.element)), shape,
                  values_.constants().value_of(stride) == 1 ? kNoValue : scalar(stride),
                  valid(layout, shape));
  writer_.note.clear();
}

// ---- by offsets

/// Elements that begin at any byte: of the two words there, what is above it in one and below it in the
/// other.
ValueId VectorLowering::at_any_byte(ValueId base, ValueId offset, ValueId active, unsigned width) {
  const Elem bits = unsigned_of(width), number = signless(bits);
  const TypeId type = writer_.vector_type(bits);
  const ValueId all = writer_.all_lanes(width);
  const unsigned bits_of = 8 * width;
  const auto by_scalar = [&](Lowering how, ValueId of, int64_t with) {
    return writer_.emit(
        how, 1,
        {of, writer_.constant(how == Lowering::to_shift_right_scalar ? Elem::i16 : number, with), all}, type);
  };
  const auto is = [&](ValueId of, std::string_view how, unsigned n) {
    return writer_.emit(Lowering::to_compare_scalar, 1, {of, writer_.constant(number, n), active},
                        writer_.mask_type(width), {{"cmp_mode", how}});
  };
  const auto read = [&](ValueId word, ValueId mask) {
    return writer_.bits_as(
        writer_.emit(Lowering::to_gather, 1, {base, word, mask}, writer_.vector_type(writer_.elem_of(base))),
        bits);
  };
  offset = writer_.bits_as(offset, bits);
  const ValueId word = by_scalar(Lowering::to_shift_right_scalar, offset, std::bit_width(width) - 1);
  const ValueId beyond = by_scalar(Lowering::to_and_scalar, offset, width - 1);
  const ValueId low = read(word, active);
  const ValueId high = read(by_scalar(Lowering::to_add_scalar, word, 1), is(beyond, "ne", 0));
  ValueId built = low;
  for (unsigned byte = 1; byte < width; ++byte) {
    const ValueId above = by_scalar(Lowering::to_shift_right_scalar, low, 8 * byte);
    const ValueId below = by_scalar(Lowering::to_multiply_scalar, high, int64_t{1} << (bits_of - 8 * byte));
    const ValueId both = writer_.emit(Lowering::to_or, 1, {above, below, all}, type);
    built = writer_.emit(Lowering::to_choose, 1, {both, built, is(beyond, "eq", byte)}, type);
  }
  return built;
}

void VectorLowering::gather(const OpView& op) {
  const ValueId result = op.result(0), offsets = op.operand(1);
  const Logical &of = info(result), &by = info(offsets);
  const Layout layout = of.width == 1 ? by_index(1) : assigned_layout(result);
  const bool in_bytes = isa::schema(op.op().row).operand_slot("byte_offsets") >= 0 && of.width > 1;
  if (of.width != by.width && !(of.width == 1 && by.width == 2))
    return refuse("offsets of another width than the lanes");
  order_accesses(op, false, 0, -1);
  writer_.note = layout.text(of.shape());
  const Access from = access(op, 0, -1);
  const Regs index = vector(offsets, layout), active = mask(op.operand(2), layout, by.width, true);
  Regs built;
  if (in_bytes) {
    for (unsigned i = 0; i < index.size(); ++i)
      built.push_back(writer_.bits_as(at_any_byte(from.base, index[i], active[i], of.width), of.elem));
  } else {
    built = read_by_index(from.base, index, active, of.shape(), of.elem);
  }
  writer_.note.clear();
  const bool rest = isa::schema(op.op().row).operands.size() > 3;
  if (rest) built = chosen(built, op.operand(3), op.operand(2), layout, of);
  define(result, layout, built);
}

void VectorLowering::scatter(const OpView& op) {
  const ValueId value = op.operand(0), offsets = op.operand(2);
  const Logical &of = info(value), &by = info(offsets);
  if (of.width != by.width && !(of.width == 1 && by.width == 2))
    return refuse("offsets of another width than the lanes");
  const Layout layout = of.width == 1 ? by_index(1)
                        : of.uniform  ? (by.uniform ? memory_order(of.width) : assigned_layout(offsets))
                                      : assigned_layout(value);
  order_accesses(op, true, 1, -1);
  const Access to = access(op, 1, -1);
  const Regs regs = vector(value, layout), index = vector(offsets, layout),
             active = mask(op.operand(3), layout, by.width, true);
  writer_.note = layout.text(of.shape());
  written_by_index(to.base, index, active, regs, of.shape());
  writer_.note.clear();
}

}  // namespace pto::lower
