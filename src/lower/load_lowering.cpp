// Logical vectors from UB. The distribution of a load deals lanes out to streams, where there is one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxScalarLanes = 8;  ///< such accesses need no alignment
constexpr int64_t kAnyMultiple = int64_t{1} << 20;
enum Distribution : int64_t { kContinuous, kUnpack, kDeinterleave, kBroadcast };

/// The greatest power of two that divides a number, up to kAnyMultiple.
int64_t power_in(int64_t number) {
  return int64_t{1} << std::min(std::countr_zero(static_cast<uint64_t>(number)),
                                std::countr_zero<uint64_t>(kAnyMultiple));
}

std::string sized(std::string_view name, unsigned width) { return fmt::format("{}{}", name, 8 * width); }
Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }
Elem scalar_of(unsigned width) { return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32; }

}  // namespace

// ---- addresses
VectorLowering::Access VectorLowering::access(const OpView& op, unsigned base, int offset) {
  Access built;
  built.base = scalar(op.operand(base));
  built.element = byte_width(from_.type_of(op.operand(base)).elem);
  built.pointer = from_.type_of(op.operand(base)).kind == TypeKind::ptr;
  if (offset >= 0) built.old_offset = op.operand(static_cast<unsigned>(offset));
  return built;
}
/// The offset of the access, so many elements on.
ValueId VectorLowering::at(const Access& to, int64_t elements) {
  if (to.offset == kNoValue) {
    if (to.old_offset == kNoValue) return writer_.index(elements);
    if (const Number known = values_.constants().value_of(to.old_offset))
      return writer_.index(*known + elements);
  }
  const ValueId offset = to.offset != kNoValue ? to.offset : scalar(to.old_offset);
  return elements == 0 ? offset : writer_.arithmetic(OpcodeClass::add, offset, writer_.index(elements));
}
ValueId VectorLowering::pointer(const Access& to, int64_t elements) {
  if (!to.pointer) {
    refuse("of a memref, lanes that fill no register");
    return to.base;
  }
  const ValueId offset = at(to, elements);
  const std::array operands = {to.base, offset};
  const std::array types = {to_.values[to.base].type};
  const std::string kept = std::exchange(writer_.note, {});
  const ValueId built = writer_.emit(isa::id_of(OpcodeClass::add_ptr), operands, types)[0];
  writer_.note = kept;
  return built;
}

/// A power of two that divides it, as far as the text says. It divides the number that is left when a wider
/// one wraps, too.
int64_t VectorLowering::multiple_of(ValueId value, unsigned depth) const {
  constexpr unsigned kMaxDepth = 16;
  if (depth > kMaxDepth) return 1;
  if (const Number known = values_.constants().value_of(value)) return power_in(*known);
  const auto of = [&](ValueId operand) { return multiple_of(operand, depth + 1); };
  const uint32_t defining_op = values_.constants().defining_op(value);
  if (defining_op == kNoOp) {
    const Type& type = from_.type_of(value);
    if (type.kind == TypeKind::ptr || type.kind == TypeKind::memref) return kBlockBytes;
    const uint32_t owner = values_.owner(value);
    if (owner == kNoOp || isa::opcode_class(OpView(from_, owner)) != OpcodeClass::loop) return 1;
    const OpView loop(from_, owner);
    if (body_of(loop).first_arg != value) return 1;
    return std::gcd(of(loop.operand(0)), of(loop.operand(2)));
  }
  const OpView op(from_, defining_op);
  switch (isa::opcode_class(op)) {
    case OpcodeClass::add:
    case OpcodeClass::sub:
      return std::min(of(op.operand(0)), of(op.operand(1)));
    case OpcodeClass::mul:
      return std::min(kAnyMultiple, of(op.operand(0)) * of(op.operand(1)));
    case OpcodeClass::shift_left: {
      const Number by = values_.constants().value_of(op.operand(1));
      const auto most = static_cast<int64_t>(std::countr_zero<uint64_t>(kAnyMultiple));
      return !by || *by < 0 ? 1 : std::min(kAnyMultiple, of(op.operand(0)) << std::min(*by, most));
    }
    case OpcodeClass::bit_and:
      return std::max(of(op.operand(0)), of(op.operand(1)));
    case OpcodeClass::select:
      return std::min(of(op.operand(1)), of(op.operand(2)));
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
    case OpcodeClass::cast_ptr:
      return of(op.operand(0));
    case OpcodeClass::add_ptr:
      return std::gcd(of(op.operand(0)),
                      of(op.operand(1)) * static_cast<int64_t>(byte_width(op.type(0).elem)));
    default:
      return from_.type_of(value).kind == TypeKind::memref ? kBlockBytes : 1;
  }
}
bool VectorLowering::block_aligned(const OpView& op, unsigned base, int offset) const {
  const int64_t address = multiple_of(op.operand(base));
  const auto element = static_cast<int64_t>(byte_width(from_.type_of(op.operand(base)).elem));
  const int64_t behind =
      offset < 0 ? kAnyMultiple : multiple_of(op.operand(static_cast<unsigned>(offset))) * element;
  return std::gcd(address, behind) % kBlockBytes == 0;
}

// ---- loads
Regs VectorLowering::loaded(const Access& from, Shape shape, Layout layout, Elem elem, bool aligned) {
  const unsigned width = shape.width, per = shape.per_register(), n = layout.registers(shape);
  const TypeId type = writer_.vector_type(elem);
  const Layout order = memory_order(width);
  if (shape.lanes == 1)
    return Regs(n, writer_.emit(Lowering::to_load, 1, {from.base, at(from, 0)}, type,
                                {{"dist", sized("BRC_B", width)}}));
  const bool whole_blocks = shape.bytes() % kBlockBytes == 0;
  if (!whole_blocks || (!aligned && shape.lanes <= kMaxScalarLanes)) {
    if (layout.slots != 0) return refused(n, type, "slots of groups at any address");
    return moved(loaded_by_index(from, shape, elem, kNoValue), shape, by_index(width), layout);
  }
  // Blocks of 32 bytes, `apart` blocks from each other, as many as there are.
  const auto blocks = [&](int64_t first, unsigned count, unsigned apart) {
    const ValueId mask = writer_.mask_cast(writer_.first_lanes(kWordBytes, std::min(count, kBlocks)), width);
    return writer_.emit(
        Lowering::to_load_blocks, 1,
        {pointer(from, first), writer_.constant(Elem::i16, apart), writer_.constant(Elem::i16, 0), mask},
        type);
  };
  const unsigned block = kBlockBytes / width;
  Regs built;
  if (layout.slots == kBlocks && width == kWordBytes) {
    for (unsigned i = 0; i < n; ++i) built.push_back(blocks(i * block, 1, 1));
    return built;
  }
  if (layout.slots != 0)
    return gathered(shape, layout, elem, loaded(from, shape, order, elem, aligned),
                    [&](unsigned lane) { return order.layout_of(shape, lane); });
  const unsigned parts = layout.parts(width), stride = layout.stride(width);
  const TypeId pair[] = {type, type};
  const auto two = [&](int64_t first, std::string_view dist) {
    const std::array operands = {from.base, at(from, first)};
    return writer_.emit(isa::instruction(Lowering::to_load_pair), operands, pair, {{"dist", dist}});
  };
  if (layout.blocks) {
    built.resize(n);
    const unsigned per_part = n / parts;
    for (unsigned i = 0; i < per_part; ++i) {
      const unsigned left = std::min(kBlocks, shape.bytes() / kBlockBytes / parts - i * kBlocks);
      if (parts == 2 && left == kBlocks) {
        const Regs both = two(int64_t{2} * i * per, "BDINTLV");
        built[i] = both[0], built[per_part + i] = both[1];
        continue;
      }
      for (unsigned part = 0; part < parts; ++part)
        built[part * per_part + i] = blocks(int64_t{parts} * i * per + part * block, left, parts);
    }
    return built;
  }
  if (parts == 1 && stride == 1) {
    for (unsigned i = 0; i < n; ++i) {
      const unsigned left = shape.bytes() - i * kRegisterBytes;
      if (left >= kRegisterBytes || !from.pointer)
        built.push_back(writer_.emit(Lowering::to_load, 1, {from.base, at(from, i * per)}, type));
      else
        built.push_back(blocks(i * per, left / kBlockBytes, 1));
    }
    return built;
  }
  if (stride > 1 && shape.lanes % (per / stride) == 0) {
    const std::string dist = stride == 4 ? "UNPK4" : sized("UNPK_B", width);
    for (unsigned i = 0; i < n; ++i)
      built.push_back(writer_.emit(Lowering::to_load, 1, {from.base, at(from, i * (per / stride))}, type,
                                   {{"dist", dist}}));
    return built;
  }
  if (parts == 2 && shape.bytes() % (2 * kRegisterBytes) == 0) {
    built.resize(n);
    for (unsigned i = 0; i < n / 2; ++i) {
      const Regs both = two(int64_t{2} * i * per, sized("DINTLV_B", width));
      built[i] = both[0], built[n / 2 + i] = both[1];
    }
    return built;
  }
  if (parts > 2 && shape.bytes() % (parts * kRegisterBytes) == 0) {
    const Layout half{.streams = layout.streams / 2};
    return moved(loaded(from, shape, half, elem, aligned), shape, half, layout);
  }
  return moved(loaded(from, shape, order, elem, aligned), shape, order, layout);
}

void VectorLowering::load(const OpView& op) {
  const int64_t how = op.attr("dist_mode") == nullptr ? kContinuous : op.attr_int("dist_mode");
  if (op.op().n_results > 1) return load_pairs(op);
  if (how == kUnpack) return load_unpacked(op);
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  order_accesses(op, false, 0, 1);
  const Access from = access(op, 0, 1);
  writer_.note = of.uniform ? "every lane" : assigned_layout(result).text(of.shape());
  if (of.uniform)
    define_uniform(result, loaded(from, {1, of.width}, Layout{}, of.elem, true)[0]);
  else
    define(result, assigned_layout(result),
           loaded(from, of.shape(), assigned_layout(result), of.elem, block_aligned(op, 0, 1)));
  writer_.note.clear();
}

/// Lanes are wider than the elements: their upper bytes are 0, as gaps between lanes are that a load leaves.
void VectorLowering::load_unpacked(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  order_accesses(op, false, 0, 1);
  const Access from = access(op, 0, 1);
  const Elem memory = register_elem(from_.type_of(op.operand(0)).elem), wide = unsigned_of(of.width);
  const Layout order = memory_order(of.width);
  writer_.note = of.uniform ? "every lane" : order.text({of.lanes, from.element});
  Regs regs = writer_.bits_as(
      loaded(from, {of.lanes, from.element}, of.uniform ? Layout{} : order, memory, block_aligned(op, 0, 1)),
      wide);
  writer_.note.clear();
  // A broadcast fills the gaps as well, and bytes by index come with their sign.
  if (of.uniform || (from.element == 1 && !is_unsigned(memory)))
    for (ValueId& reg : regs)
      reg = writer_.emit(Lowering::to_and_scalar, 1,
                         {reg, writer_.constant(scalar_of(of.width), from.element == 1 ? 0xff : 0xffff),
                          writer_.all_lanes(of.width)},
                         writer_.vector_type(wide));
  define(result, order, writer_.bits_as(regs, of.elem));
}

/// The even lanes, and the odd ones.
void VectorLowering::load_pairs(const OpView& op) {
  const Logical& of = info(op.result(0));
  const Shape shape = of.shape();
  if (shape.bytes() % kRegisterBytes != 0) return refuse("lanes that fill no registers");
  order_accesses(op, false, 0, 1);
  const Access from = access(op, 0, 1);
  const Layout order = memory_order(shape.width), apart{.streams = 2 * order.streams};
  writer_.note = apart.text({2 * shape.lanes, shape.width});
  const Regs all = loaded(from, {2 * shape.lanes, shape.width}, apart, of.elem, true);
  writer_.note.clear();
  const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
  define(op.result(0), order, Regs(all.begin(), all.begin() + half));
  define(op.result(1), order, Regs(all.begin() + half, all.end()));
}

/// How many blocks from the start of a row to that of the next.
ValueId VectorLowering::block_stride(ValueId old_stride, unsigned element) {
  if (const Number known = values_.constants().value_of(old_stride))
    return writer_.constant(Elem::i16, *known * element / kBlockBytes);
  const ValueId blocks =
      writer_.arithmetic(OpcodeClass::div_s, scalar(old_stride), writer_.index(kBlockBytes / element));
  return writer_.cast(blocks, Elem::i16);
}

void VectorLowering::load_groups(const OpView& op, bool broadcast) {
  const ValueId result = op.result(0), stride = op.operand(2);
  const Logical& of = info(result);
  const Shape shape = of.shape();
  const Layout layout = assigned_layout(result);
  const AttrValue* mode = op.attr("dist_mode");
  broadcast = broadcast || (mode != nullptr && mode->integer == kBroadcast);
  const int spec = isa::schema(op.op().row).attr_index("group");
  const auto groups = static_cast<unsigned>(op.attr_int(spec >= 0 ? "group" : "num_groups"));
  const unsigned size = shape.lanes / groups, width = shape.width;
  const Number known = values_.constants().value_of(stride);
  const bool aligned = block_aligned(op, 0, 1);
  const TypeId type = writer_.vector_type(of.elem);
  order_accesses(op, false, 0, 1);
  const Access from = access(op, 0, 1);
  writer_.note = layout.text(shape);
  const auto done = [&](Layout as, const Regs& regs) {
    define(result, as, regs);
    writer_.note.clear();
  };
  if (of.uniform) return done(layout, loaded(from, {1, width}, Layout{}, of.elem, true));
  if (broadcast) {
    const unsigned n = layout.registers(shape), parts = layout.parts(width);
    if (known == 1 && !layout.blocks && layout.slots == 0 && size == kBlocks * layout.streams && width > 1 &&
        aligned && groups % kBlocks == 0) {
      Regs built(n);
      for (unsigned i = 0; i < n / parts; ++i) {
        const ValueId reg = writer_.emit(Lowering::to_load, 1, {from.base, at(from, i * kBlocks)}, type,
                                         {{"dist", sized("E2B_B", width)}});
        for (unsigned part = 0; part < parts; ++part) built[part * (n / parts) + i] = reg;
      }
      return done(layout, built);
    }
    const Layout order = known == 1 ? memory_order(width) : by_index(width);
    const Shape slots{groups, width};
    const Regs own = known == 1 ? loaded(from, slots, order, of.elem, aligned)
                                : loaded_by_index(from, slots, of.elem, scalar(stride));
    return done(layout, gathered(shape, layout, of.elem, own,
                                 [&](unsigned lane) { return order.layout_of(slots, lane / size); }));
  }
  if (groups == 1 || known == size) return done(layout, loaded(from, shape, layout, of.elem, aligned));
  if (size == 1) return done(by_index(width), loaded_by_index(from, shape, of.elem, scalar(stride)));
  // Rows of one block of every part.
  const unsigned block = kBlockBytes / width;
  const Layout placed = size == block ? memory_order(width) : layout;
  const unsigned parts = placed.parts(width);
  const bool rows = placed.slots == 0 && size == parts * block &&
                    (parts == 1 ? placed.is_memory_order(width) : placed.blocks);
  if (rows) {
    const ValueId apart = block_stride(stride, width);
    const unsigned n = placed.registers(shape), per_part = n / parts;
    Regs built(n);
    for (unsigned i = 0; i < per_part; ++i) {
      const ValueId mask =
          writer_.mask_cast(writer_.first_lanes(kWordBytes, std::min(kBlocks, groups - i * kBlocks)), width);
      for (unsigned part = 0; part < parts; ++part) {
        const ValueId base = row_pointer(from, stride, i * kBlocks, part * block);
        built[part * per_part + i] = writer_.emit(Lowering::to_load_blocks, 1,
                                                  {base, apart, writer_.constant(Elem::i16, 0), mask}, type);
      }
    }
    return done(placed, built);
  }
  const Layout order = memory_order(width);
  if (size * width % kRegisterBytes == 0) {
    Regs built;
    for (unsigned row = 0; row < groups; ++row) {
      Access here = from;
      here.offset = row_offset(from, stride, row, 0);
      const Regs regs = loaded(here, {size, width}, order, of.elem, true);
      built.insert(built.end(), regs.begin(), regs.end());
    }
    return done(order, built);
  }
  if (size * width % kBlockBytes != 0 || kRegisterBytes % (size * width) != 0)
    return refuse("rows that fill no blocks");
  // Several rows to a register, put together.
  const unsigned per_row = size * width / kBlockBytes, rows_each = kBlocks / per_row;
  Regs built(order.registers(shape), kNoValue);
  for (unsigned row = 0; row < groups; ++row) {
    const unsigned first = row % rows_each * per_row;
    const ValueId mask = writer_.mask_cast(writer_.lanes_between(kWordBytes, first, first + per_row), width);
    const ValueId base = row_pointer(from, stride, row, -static_cast<int64_t>(first * block));
    const ValueId one =
        writer_.emit(Lowering::to_load_blocks, 1,
                     {base, writer_.constant(Elem::i16, 1), writer_.constant(Elem::i16, 0), mask}, type);
    ValueId& reg = built[row / rows_each];
    reg =
        reg == kNoValue ? one : writer_.emit(Lowering::to_or, 1, {reg, one, writer_.all_lanes(width)}, type);
  }
  done(order, built);
}

ValueId VectorLowering::row_offset(const Access& from, ValueId old_stride, unsigned row, int64_t more) {
  if (const Number known = values_.constants().value_of(old_stride)) return at(from, *known * row + more);
  if (row == 0) return at(from, more);
  const ValueId rows = row == 1
                           ? scalar(old_stride)
                           : writer_.arithmetic(OpcodeClass::mul, scalar(old_stride), writer_.index(row));
  return writer_.arithmetic(OpcodeClass::add, at(from, more), rows);
}
ValueId VectorLowering::row_pointer(const Access& from, ValueId old_stride, unsigned row, int64_t more) {
  Access here = from;
  here.offset = row_offset(from, old_stride, row, more);
  return pointer(here, 0);
}

/// Inactive lanes have the value that stands for them.
void VectorLowering::load_masked(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const Layout layout = assigned_layout(result);
  order_accesses(op, false, 0, 1);
  writer_.note = layout.text(of.shape());
  const Regs read = loaded(access(op, 0, 1), of.shape(), layout, of.elem, block_aligned(op, 0, 1));
  writer_.note.clear();
  define(result, layout, chosen(read, op.operand(3), op.operand(2), layout, of));
}
/// Lanes of `regs` where the mask holds, else of a value.
Regs VectorLowering::chosen(const Regs& regs, ValueId otherwise, ValueId given, Layout layout,
                            const Logical& of) {
  const Elem elem = of.width == 1 ? Elem::ui8 : of.width == 2 ? Elem::ui16 : Elem::ui32;
  const Regs rest = vector(otherwise, layout), active = mask(given, layout, of.width);
  Regs built;
  for (unsigned i = 0; i < regs.size(); ++i)
    built.push_back(writer_.bits_as(
        writer_.emit(Lowering::to_choose, 1,
                     {writer_.bits_as(regs[i], elem), writer_.bits_as(rest[i], elem), active[i]},
                     writer_.vector_type(elem)),
        of.elem));
  return built;
}

}  // namespace pto::lower
