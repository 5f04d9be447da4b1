#include "lower/reductions.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "lower/element_conversion.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

struct Parts {
  Lowering two, all, blocks;
};
Parts parts_of(Lowering how) {
  if (how == Lowering::reduce_add) return {Lowering::to_add, Lowering::to_sum, Lowering::to_block_sum};
  if (how == Lowering::reduce_max)
    return {Lowering::to_max, Lowering::to_greatest, Lowering::to_block_greatest};
  return {Lowering::to_min, Lowering::to_least, Lowering::to_block_least};
}

/// Whether a group is one block in every part.
bool by_blocks(Layout layout, Shape shape, unsigned size) {
  if (layout.slots != 0 || shape.width == 1) return false;
  if (layout.blocks) return size == layout.parts(shape.width) * kBlockBytes / shape.width;
  return size == kBlocks * layout.streams;
}

/// The instruction that converts registers.
RowId conversion() {
  return isa::id_of(isa::lane_instruction(isa::row(isa::instruction(Lowering::convert))));
}

/// Lanes in registers, and which of them are reduced.
struct Reduced {
  Regs regs;
  Shape shape;
  Elem elem = Elem::none;
  Layout layout;
  unsigned groups = 1;
  ValueId given = kNoValue;  ///< the mask
  Lowering how = Lowering::none;
};

/// One lane for each block, those of all parts together. The greatest of every lane of a block may come from
/// any part first; sums keep the order of the parts.
Regs reduce_blocks(LoweringState& state, const Reduced& what) {
  const auto& [regs, shape, elem, layout, groups, given, reduction] = what;
  const bool parts_first = state.info(given).full && reduction != Lowering::reduce_add;
  const Parts how = parts_of(reduction);
  const Regs active = materialize_mask(state, given, layout, shape.width, true);
  const TypeId type = state.writer.vector_type(elem);
  const unsigned parts = layout.parts(shape.width), per = static_cast<unsigned>(regs.size()) / parts;
  Regs built;
  for (unsigned i = 0; i < per; ++i) {
    ValueId all = kNoValue;
    if (parts_first) {
      all = regs[i];
      for (unsigned part = 1; part < parts; ++part)
        all = state.writer.emit(how.two, 1, {all, regs[part * per + i], active[i]}, type);
      built.push_back(state.writer.emit(how.blocks, 1, {all, active[i]}, type));
      continue;
    }
    for (unsigned part = 0; part < parts; ++part) {
      const unsigned reg = part * per + i;
      const ValueId one = state.writer.emit(how.blocks, 1, {regs[reg], active[reg]}, type);
      all = all == kNoValue
                ? one
                : state.writer.emit(how.two, 1, {all, one, state.writer.first_lanes(shape.width, kBlocks)},
                                    type);
    }
    built.push_back(all);
  }
  return built;
}

/// Each group into lane 0 of a register of its own.
Regs reduce_registers(LoweringState& state, const Reduced& what) {
  const Shape shape = what.shape;
  const Layout layout = what.layout;
  const Elem elem = what.elem;
  const Regs& regs = what.regs;
  const unsigned groups = what.groups;
  const ValueId given = what.given;
  const Parts how = parts_of(what.how);
  const bool full = state.info(given).full;
  const Regs active = full ? Regs() : materialize_mask(state, given, layout, shape.width, true);
  const TypeId type = state.writer.vector_type(elem);
  // The sum of narrow integers is a wider one.
  Elem wide = elem;
  if (is_integer(elem) && shape.width < 4 && how.two == Lowering::to_add)
    wide = shape.width == 1 ? (is_unsigned(elem) ? Elem::ui16 : Elem::si16)
                            : (is_unsigned(elem) ? Elem::ui32 : Elem::si32);
  const ValueId all = state.writer.all_lanes(shape.width);
  const auto two = [&](ValueId a, ValueId b) { return state.writer.emit(how.two, 1, {a, b, all}, type); };
  const auto tree = [&](Regs values) {
    while (values.size() > 1) {
      Regs next;
      for (size_t i = 0; i + 1 < values.size(); i += 2) next.push_back(two(values[i], values[i + 1]));
      if (values.size() % 2 != 0) next.push_back(values.back());
      values = std::move(next);
    }
    return values[0];
  };
  const unsigned size = shape.lanes / groups, stride = layout.stride(shape.width);
  Regs built;
  for (unsigned group = 0; group < groups; ++group) {
    std::map<unsigned, std::pair<unsigned, unsigned>>
        spans;  // by register: the first lane and one past the last
    for (unsigned lane = group * size; lane < (group + 1) * size; ++lane) {
      const Place place = layout.place_of(shape, lane);
      const auto [it, fresh] = spans.try_emplace(place.reg, place.lane, place.lane + 1);
      if (!fresh)
        it->second = {std::min(it->second.first, place.lane), std::max(it->second.second, place.lane + 1)};
    }
    const auto span_mask = [&](std::pair<unsigned, unsigned> span) {
      const unsigned wider = shape.width * stride;
      return state.writer.mask_cast(
          state.writer.lanes_between(wider, span.first / stride, (span.second + stride - 1) / stride),
          shape.width);
    };
    const auto reduced = [&](ValueId reg, ValueId mask) {
      return state.writer.bits_as(state.writer.emit(how.all, 1, {reg, mask}, state.writer.vector_type(wide)),
                                  elem);
    };
    const bool alike =
        std::ranges::all_of(spans, [&](const auto& s) { return s.second == spans.begin()->second; });
    Regs pieces;
    if (full && alike) {
      for (const auto& [reg, span] : spans) pieces.push_back(regs[reg]);
      built.push_back(reduced(tree(pieces), span_mask(spans.begin()->second)));
      continue;
    }
    for (const auto& [reg, span] : spans) {
      ValueId mask = full ? span_mask(span) : active[reg];
      if (!full && groups > 1 && span.second - span.first < shape.per_register() - stride + 1)
        mask = state.writer.masks(Lowering::to_mask_and, mask, span_mask(span));
      pieces.push_back(reduced(regs[reg], mask));
    }
    built.push_back(tree(pieces));
  }
  return built;
}

}  // namespace

void lower_reduction(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const bool by_f32 = state.info(source).elem == Elem::bf16;
  const Shape own = state.info(source).shape(), shape{own.lanes, by_f32 ? kWordBytes : own.width};
  const unsigned groups = state.info(result).lanes, size = shape.lanes / groups;
  Layout layout = state.info(source).uniform ? memory_order(own.width) : state.assigned_layout(source);
  const Layout blockwise{.streams = std::max(1U, size / kBlocks)};
  if (by_f32 && layout.blocks) layout = memory_order(own.width);
  if (groups > 1 && !by_blocks(layout, shape, size) && by_blocks(blockwise, shape, size) &&
      blockwise.fits(shape) && blockwise.streams <= kWordBytes && size * shape.width < kRegisterBytes)
    layout = blockwise;
  Reduced what{materialize_vector(state, source, layout),
               shape,
               state.info(source).elem,
               layout,
               groups,
               op.operand(1),
               isa::row(op.op().row).lowering};
  const auto converted = [&](const Regs& regs, Layout placed, Shape from, Shape to, Elem elem) {
    const auto one = [&](ValueId reg, unsigned part) {
      Settings settings = {{"part", part == 0 ? "EVEN" : "ODD"}};
      if (elem == Elem::bf16) settings.insert(settings.end(), {{"rnd", "R"}, {"sat", "NOSAT"}});
      return state.writer.emit(conversion(), std::array{reg, state.writer.all_lanes(from.width)},
                               std::array{state.writer.vector_type(elem)}, settings)[0];
    };
    return convert_widths(state, regs, placed, from, to, false, one, elem);
  };
  const auto done = [&](Layout placed, Regs regs) {
    if (by_f32) regs = converted(regs, placed, {groups, kWordBytes}, {groups, own.width}, Elem::bf16);
    define_vector(state, result, placed, regs);
  };
  if (by_f32) {
    what.regs = converted(what.regs, layout, own, shape, Elem::f32);
    what.elem = Elem::f32;
  }
  if (groups > 1 && by_blocks(layout, shape, size))
    return done(groups <= kBlocks ? memory_order(shape.width)
                                  : Layout{.streams = kWordBytes / shape.width, .slots = kBlocks},
                reduce_blocks(state, what));
  if (layout.blocks || layout.slots != 0) return state.refuse("groups that are spread over blocks");
  done(groups == 1 ? memory_order(shape.width) : Layout{.streams = kWordBytes / shape.width, .slots = 1},
       reduce_registers(state, what));
}

void lower_histogram(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Layout bins = memory_order(2), bytes = memory_order(1);
  const Regs counts = materialize_vector(state, op.operand(0), bins),
             source = materialize_vector(state, op.operand(1), bytes),
             active = materialize_mask(state, op.operand(2), bytes, 1, true);
  const RowId row = isa::id_of(isa::lane_instruction(isa::row(op.op().row)));
  const TypeId type = state.writer.vector_type(Elem::ui16);
  Regs built;
  for (unsigned half = 0; half < counts.size(); ++half) {
    ValueId sum = state.writer.bits_as(counts[half], Elem::ui16);
    for (unsigned i = 0; i < source.size(); ++i)
      sum = state.writer.emit(row,
                              std::array{sum, state.writer.bits_as(source[i], Elem::ui8), active[i],
                                         state.writer.constant(Elem::i32, half)},
                              std::array{type})[0];
    built.push_back(state.writer.bits_as(sum, state.info(result).elem));
  }
  define_vector(state, result, bins, built);
}

}  // namespace pto::lower
