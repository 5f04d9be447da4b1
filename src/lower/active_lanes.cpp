#include "lower/active_lanes.hpp"

#include <algorithm>

#include "lower/indexed_access.hpp"
#include "lower/lane_wise.hpp"
#include "lower/memory_access.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

/// Each lane: how many active ones stand below it in its register.
ValueId count_active_below(LoweringState& state, ValueId active, unsigned width) {
  const Elem number = signless_elem(width);
  const TypeId type = state.writer.vector_type(number);
  const ValueId zero = state.writer.emit(
      Lowering::to_duplicate, 1, {state.writer.constant(number, 0), state.writer.all_lanes(width)}, type);
  return state.writer.bits_as(state.writer.emit(Lowering::to_prefix, 1, {zero, active}, type),
                              unsigned_elem(width));
}

/// By register, in every lane: how many lanes are active in those in front of it. None in front of the first.
Regs count_active_before(LoweringState& state, const Regs& active, unsigned width) {
  const Elem number = unsigned_elem(width), wide = width == 4 ? number : unsigned_elem(2 * width);
  const TypeId type = state.writer.vector_type(number);
  const ValueId all = state.writer.all_lanes(width);
  Regs built = {kNoValue};
  for (unsigned i = 0; i + 1 < active.size(); ++i) {
    const ValueId ones =
        state.writer.emit(Lowering::to_duplicate, 1, {state.writer.constant(signless(number), 1), all}, type);
    // The sum of narrow integers is a wider one.
    const ValueId sum = state.writer.bits_as(
        state.writer.emit(Lowering::to_sum, 1, {ones, active[i]}, state.writer.vector_type(wide)), number);
    ValueId here = state.writer.emit(Lowering::to_duplicate, 1, {sum, all}, type);
    if (built.back() != kNoValue)
      here = state.writer.emit(Lowering::to_add, 1, {built.back(), here, all}, type);
    built.push_back(here);
  }
  return built;
}

/// Each lane: how many active ones stand below it.
Regs count_all_active_below(LoweringState& state, const Regs& active, unsigned width) {
  const Regs before = count_active_before(state, active, width);
  Regs built;
  for (unsigned i = 0; i < active.size(); ++i) {
    const ValueId own = count_active_below(state, active[i], width);
    built.push_back(before[i] == kNoValue
                        ? own
                        : state.writer.emit(Lowering::to_add, 1,
                                            {own, before[i], state.writer.all_lanes(width)},
                                            state.writer.vector_type(unsigned_elem(width))));
  }
  return built;
}

}  // namespace

void lower_active_below(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout order = memory_order(of.width);
  define_vector(state, result, order,
                state.writer.bits_as(
                    count_all_active_below(
                        state, materialize_mask(state, op.operand(0), order, of.width, true), of.width),
                    of.elem));
}

void lower_compress(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const bool one = of.shape().bytes() <= kRegisterBytes;
  // Numbers of lanes need more than a byte.
  const unsigned width = one ? of.width : std::max(of.width, 2U), per = kRegisterBytes / width;
  const Layout layout = one ? memory_order(of.width) : by_index(of.width);
  const Elem elem = width == of.width ? of.elem : unsigned_elem(width);
  const TypeId type = state.writer.vector_type(elem);
  Regs together, active = materialize_mask(state, op.operand(1), layout, of.width, true);
  for (ValueId& each : active) each = state.writer.mask_cast(each, width);
  for (const ValueId reg : materialize_vector(state, op.operand(0), layout))
    together.push_back(state.writer.emit(Lowering::to_squeeze, 1,
                                         {state.writer.bits_as(reg, elem), active[together.size()]}, type));
  if (one) return define_vector(state, result, layout, together);
  const Elem number = unsigned_elem(width);
  const TypeId numbered = state.writer.vector_type(number);
  const ValueId all = state.writer.all_lanes(width);
  Regs before = count_active_before(state, active, width), built;
  for (size_t i = 1; i < before.size(); ++i)
    before[i] = state.writer.emit(Lowering::to_multiply_scalar, 1,
                                  {before[i], state.writer.constant(signless(number), -1), all}, numbered);
  for (unsigned reg = 0; reg < together.size(); ++reg) {
    const ValueId lane = state.writer.emit(Lowering::to_count, 1,
                                           {state.writer.constant(signless(number), reg * per)}, numbered);
    ValueId whole = kNoValue;
    if (reg == 0) {
      whole = together[0];
    } else {
      const ValueId zero = state.writer.emit(Lowering::to_duplicate, 1,
                                             {state.writer.constant(signless(number), 0), all}, numbered);
      whole = state.writer.bits_as(zero, elem);
    }
    // Below 0 is above every number: such lanes stay. Those above the active ones are 0.
    for (size_t i = std::max(reg, 1U); i < together.size(); ++i) {
      const ValueId from = state.writer.emit(Lowering::to_add, 1, {lane, before[i], all}, numbered);
      const ValueId here = state.writer.emit(Lowering::to_compare_scalar, 1,
                                             {from, state.writer.constant(signless(number), per), all},
                                             state.writer.mask_type(width), {{"cmp_mode", "lt"}});
      const ValueId lanes = state.writer.emit(Lowering::to_select_lanes, 1, {together[i], from}, type);
      whole = state.writer.emit(Lowering::to_choose, 1, {lanes, whole, here}, type);
    }
    built.push_back(whole);
  }
  define_vector(state, result, layout, state.writer.bits_as(built, of.elem));
}

void lower_load_expanded(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout layout = by_index(of.width);
  const unsigned wide = std::max(of.width, 2U);
  order_access(state, op, false, 0, 1);
  state.writer.note = layout.text(of.shape());
  Regs active = materialize_mask(state, op.operand(2), layout, of.width, true);
  for (ValueId& each : active) each = state.writer.mask_cast(each, wide);
  const ValueId base = build_pointer(state, make_access(state, op, 0, 1), 0);
  const Regs read =
      emit_gather(state, base, count_all_active_below(state, active, wide), active, of.shape(), of.elem);
  state.writer.note.clear();
  define_vector(state, result, layout, blend_inactive(state, read, op.operand(3), op.operand(2), layout, of));
}

}  // namespace pto::lower
