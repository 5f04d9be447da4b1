#include "lower/load_lowering.hpp"

#include <algorithm>
#include <array>

#include "lower/indexed_access.hpp"
#include "lower/lane_wise.hpp"
#include "lower/layout_conversion.hpp"
#include "lower/memory_access.hpp"
#include "lower/permutations.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

enum Distribution : int64_t { kContinuous, kUnpack, kDeinterleave, kBroadcast };

Regs emit_load(LoweringState& state, const Access& from, Shape shape, Layout layout, Elem elem,
               bool aligned) {
  const unsigned width = shape.width, per = shape.per_register(), n = layout.registers(shape);
  const TypeId type = state.writer.vector_type(elem);
  const Layout order = memory_order(width);
  if (shape.lanes == 1)
    return Regs(n, state.writer.emit(Lowering::to_load, 1, {from.base, build_offset(state, from, 0)}, type,
                                     {{"dist", dist_name("BRC_B", width)}}));
  const bool whole_blocks = shape.bytes() % kBlockBytes == 0;
  if (!whole_blocks || (!aligned && shape.lanes <= kMaxScalarLanes)) {
    if (layout.slots != 0) return state.refused(n, type, "slots of groups at any address");
    return convert_layout(state, emit_indexed_load(state, from, shape, elem, kNoValue), shape,
                          by_index(width), layout);
  }
  // Blocks of 32 bytes, `apart` blocks from each other, as many as there are.
  const auto blocks = [&](int64_t first, unsigned count, unsigned apart) {
    const ValueId mask =
        state.writer.mask_cast(state.writer.first_lanes(kWordBytes, std::min(count, kBlocks)), width);
    return state.writer.emit(Lowering::to_load_blocks, 1,
                             {build_pointer(state, from, first), state.writer.constant(Elem::i16, apart),
                              state.writer.constant(Elem::i16, 0), mask},
                             type);
  };
  const unsigned block = kBlockBytes / width;
  Regs built;
  if (layout.slots == kBlocks && width == kWordBytes) {
    for (unsigned i = 0; i < n; ++i) built.push_back(blocks(i * block, 1, 1));
    return built;
  }
  if (layout.slots != 0)
    return gather_lanes(state, shape, layout, elem, emit_load(state, from, shape, order, elem, aligned),
                        [&](unsigned lane) { return order.place_of(shape, lane); });
  const unsigned parts = layout.parts(width), stride = layout.stride(width);
  const TypeId pair[] = {type, type};
  const auto two = [&](int64_t first, std::string_view dist) {
    const std::array operands = {from.base, build_offset(state, from, first)};
    return state.writer.emit(isa::instruction(Lowering::to_load_pair), operands, pair, {{"dist", dist}});
  };
  if (layout.blocks) {
    built.resize(n);
    const unsigned per_part = n / parts;
    for (unsigned i = 0; i < per_part; ++i) {
      const unsigned left = std::min(kBlocks, shape.bytes() / kBlockBytes / parts - i * kBlocks);
      if (parts == 2 && left == kBlocks) {
        const Regs both = two(int64_t{2} * i * per, "BDINTLV");
        built[i] = both[0];
        built[per_part + i] = both[1];
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
        built.push_back(
            state.writer.emit(Lowering::to_load, 1, {from.base, build_offset(state, from, i * per)}, type));
      else
        built.push_back(blocks(i * per, left / kBlockBytes, 1));
    }
    return built;
  }
  if (stride > 1 && shape.lanes % (per / stride) == 0) {
    const std::string dist = stride == 4 ? "UNPK4" : dist_name("UNPK_B", width);
    for (unsigned i = 0; i < n; ++i)
      built.push_back(state.writer.emit(Lowering::to_load, 1,
                                        {from.base, build_offset(state, from, i * (per / stride))}, type,
                                        {{"dist", dist}}));
    return built;
  }
  if (parts == 2 && shape.bytes() % (2 * kRegisterBytes) == 0) {
    built.resize(n);
    for (unsigned i = 0; i < n / 2; ++i) {
      const Regs both = two(int64_t{2} * i * per, dist_name("DINTLV_B", width));
      built[i] = both[0];
      built[n / 2 + i] = both[1];
    }
    return built;
  }
  if (parts > 2 && shape.bytes() % (parts * kRegisterBytes) == 0) {
    const Layout half{.streams = layout.streams / 2};
    return convert_layout(state, emit_load(state, from, shape, half, elem, aligned), shape, half, layout);
  }
  return convert_layout(state, emit_load(state, from, shape, order, elem, aligned), shape, order, layout);
}

/// Lanes are wider than the elements: their upper bytes are 0, as gaps between lanes are that a load leaves.
void lower_load_unpacked(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  order_access(state, op, false, 0, 1);
  const Access from = make_access(state, op, 0, 1);
  const Elem memory = register_elem(state.input.type_of(op.operand(0)).elem), wide = unsigned_elem(of.width);
  const Layout order = memory_order(of.width);
  state.writer.note = of.uniform ? "every lane" : order.text({of.lanes, from.element});
  Regs regs =
      state.writer.bits_as(emit_load(state, from, {of.lanes, from.element}, of.uniform ? Layout{} : order,
                                     memory, is_block_aligned(state, op, 0, 1)),
                           wide);
  state.writer.note.clear();
  // A broadcast fills the gaps as well, and bytes by index come with their sign.
  if (of.uniform || (from.element == 1 && !is_unsigned(memory)))
    for (ValueId& reg : regs)
      reg = state.writer.emit(
          Lowering::to_and_scalar, 1,
          {reg, state.writer.constant(signless_elem(of.width), from.element == 1 ? 0xff : 0xffff),
           state.writer.all_lanes(of.width)},
          state.writer.vector_type(wide));
  define_vector(state, result, order, state.writer.bits_as(regs, of.elem));
}

}  // namespace

void lower_load_pairs(LoweringState& state, const OpView& op) {
  const Logical& of = state.info(op.result(0));
  const Shape shape = of.shape();
  if (shape.bytes() % kRegisterBytes != 0) return state.refuse("lanes that fill no registers");
  order_access(state, op, false, 0, 1);
  const Access from = make_access(state, op, 0, 1);
  const Layout order = memory_order(shape.width), apart{.streams = 2 * order.streams};
  state.writer.note = apart.text({2 * shape.lanes, shape.width});
  const Regs all = emit_load(state, from, {2 * shape.lanes, shape.width}, apart, of.elem, true);
  state.writer.note.clear();
  const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
  define_vector(state, op.result(0), order, Regs(all.begin(), all.begin() + half));
  define_vector(state, op.result(1), order, Regs(all.begin() + half, all.end()));
}

void lower_load(LoweringState& state, const OpView& op) {
  const int64_t how = op.attr("dist_mode") == nullptr ? kContinuous : op.attr_int("dist_mode");
  if (op.op().n_results > 1) return lower_load_pairs(state, op);
  if (how == kUnpack) return lower_load_unpacked(state, op);
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  order_access(state, op, false, 0, 1);
  const Access from = make_access(state, op, 0, 1);
  state.writer.note = of.uniform ? "every lane" : state.assigned_layout(result).text(of.shape());
  if (of.uniform)
    define_uniform(state, result, emit_load(state, from, {1, of.width}, Layout{}, of.elem, true)[0]);
  else
    define_vector(state, result, state.assigned_layout(result),
                  emit_load(state, from, of.shape(), state.assigned_layout(result), of.elem,
                            is_block_aligned(state, op, 0, 1)));
  state.writer.note.clear();
}

void lower_load_groups(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0), stride = op.operand(2);
  const Logical& of = state.info(result);
  const Shape shape = of.shape();
  const Layout layout = state.assigned_layout(result);
  const AttrValue* mode = op.attr("dist_mode");
  const bool broadcast = isa::row(op.op().row).lowering == Lowering::load_group_broadcast ||
                         (mode != nullptr && mode->integer == kBroadcast);
  const int spec = isa::schema(op.op().row).attr_index("group");
  const auto groups = static_cast<unsigned>(op.attr_int(spec >= 0 ? "group" : "num_groups"));
  const unsigned size = shape.lanes / groups, width = shape.width;
  const Number known = state.values.constants().value_of(stride);
  const bool aligned = is_block_aligned(state, op, 0, 1);
  const TypeId type = state.writer.vector_type(of.elem);
  order_access(state, op, false, 0, 1);
  const Access from = make_access(state, op, 0, 1);
  state.writer.note = layout.text(shape);
  const auto done = [&](Layout as, const Regs& regs) {
    define_vector(state, result, as, regs);
    state.writer.note.clear();
  };
  if (of.uniform) return done(layout, emit_load(state, from, {1, width}, Layout{}, of.elem, true));
  if (broadcast) {
    const unsigned n = layout.registers(shape), parts = layout.parts(width);
    if (known == 1 && !layout.blocks && layout.slots == 0 && size == kBlocks * layout.streams && width > 1 &&
        aligned && groups % kBlocks == 0) {
      Regs built(n);
      for (unsigned i = 0; i < n / parts; ++i) {
        const ValueId reg =
            state.writer.emit(Lowering::to_load, 1, {from.base, build_offset(state, from, i * kBlocks)}, type,
                              {{"dist", dist_name("E2B_B", width)}});
        for (unsigned part = 0; part < parts; ++part) built[part * (n / parts) + i] = reg;
      }
      return done(layout, built);
    }
    const Layout order = known == 1 ? memory_order(width) : by_index(width);
    const Shape slots{groups, width};
    const Regs own = known == 1 ? emit_load(state, from, slots, order, of.elem, aligned)
                                : emit_indexed_load(state, from, slots, of.elem, state.scalar(stride));
    return done(layout, gather_lanes(state, shape, layout, of.elem, own,
                                     [&](unsigned lane) { return order.place_of(slots, lane / size); }));
  }
  if (groups == 1 || known == size)
    return done(layout, emit_load(state, from, shape, layout, of.elem, aligned));
  if (size == 1)
    return done(by_index(width), emit_indexed_load(state, from, shape, of.elem, state.scalar(stride)));
  // Rows of one block of every part.
  const unsigned block = kBlockBytes / width;
  const Layout placed = size == block ? memory_order(width) : layout;
  const unsigned parts = placed.parts(width);
  const bool rows = placed.slots == 0 && size == parts * block &&
                    (parts == 1 ? placed.is_memory_order(width) : placed.blocks);
  if (rows) {
    const ValueId apart = build_block_stride(state, stride, width);
    const unsigned n = placed.registers(shape), per_part = n / parts;
    Regs built(n);
    for (unsigned i = 0; i < per_part; ++i) {
      const ValueId mask = state.writer.mask_cast(
          state.writer.first_lanes(kWordBytes, std::min(kBlocks, groups - i * kBlocks)), width);
      for (unsigned part = 0; part < parts; ++part) {
        const ValueId base = build_row_pointer(state, from, stride, i * kBlocks, part * block);
        built[part * per_part + i] = state.writer.emit(
            Lowering::to_load_blocks, 1, {base, apart, state.writer.constant(Elem::i16, 0), mask}, type);
      }
    }
    return done(placed, built);
  }
  const Layout order = memory_order(width);
  if (size * width % kRegisterBytes == 0) {
    Regs built;
    for (unsigned row = 0; row < groups; ++row) {
      Access here = from;
      here.offset = build_row_offset(state, from, stride, row, 0);
      const Regs regs = emit_load(state, here, {size, width}, order, of.elem, true);
      built.insert(built.end(), regs.begin(), regs.end());
    }
    return done(order, built);
  }
  if (size * width % kBlockBytes != 0 || kRegisterBytes % (size * width) != 0)
    return state.refuse("rows that fill no blocks");
  // Several rows to a register, put together.
  const unsigned per_row = size * width / kBlockBytes, rows_each = kBlocks / per_row;
  Regs built(order.registers(shape), kNoValue);
  for (unsigned row = 0; row < groups; ++row) {
    const unsigned first = row % rows_each * per_row;
    const ValueId mask =
        state.writer.mask_cast(state.writer.lanes_between(kWordBytes, first, first + per_row), width);
    const ValueId base = build_row_pointer(state, from, stride, row, -static_cast<int64_t>(first * block));
    const ValueId one = state.writer.emit(
        Lowering::to_load_blocks, 1,
        {base, state.writer.constant(Elem::i16, 1), state.writer.constant(Elem::i16, 0), mask}, type);
    ValueId& reg = built[row / rows_each];
    reg = reg == kNoValue
              ? one
              : state.writer.emit(Lowering::to_or, 1, {reg, one, state.writer.all_lanes(width)}, type);
  }
  done(order, built);
}

void lower_load_masked(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout layout = state.assigned_layout(result);
  order_access(state, op, false, 0, 1);
  state.writer.note = layout.text(of.shape());
  const Regs read = emit_load(state, make_access(state, op, 0, 1), of.shape(), layout, of.elem,
                              is_block_aligned(state, op, 0, 1));
  state.writer.note.clear();
  define_vector(state, result, layout, blend_inactive(state, read, op.operand(3), op.operand(2), layout, of));
}

}  // namespace pto::lower
