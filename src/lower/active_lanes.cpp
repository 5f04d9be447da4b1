// Lanes that take part, one behind the other: where one goes depends on how many stand in front of it.
#include <algorithm>

#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }
Elem scalar_of(unsigned width) { return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32; }

}  // namespace

/// Each lane: how many active ones stand below it in its register.
ValueId VectorLowering::prefix(ValueId active, unsigned width) {
  const Elem number = scalar_of(width);
  const TypeId type = writer_.vector_type(number);
  const ValueId zero =
      writer_.emit(Lowering::to_duplicate, 1, {writer_.constant(number, 0), writer_.all_lanes(width)}, type);
  return writer_.bits_as(writer_.emit(Lowering::to_prefix, 1, {zero, active}, type), unsigned_of(width));
}

/// By register, in every lane: how many lanes are active in those in front of it. None in front of the first.
Regs VectorLowering::active_before(const Regs& active, unsigned width) {
  const Elem number = unsigned_of(width), wide = width == 4 ? number : unsigned_of(2 * width);
  const TypeId type = writer_.vector_type(number);
  const ValueId all = writer_.all_lanes(width);
  Regs built = {kNoValue};
  for (unsigned i = 0; i + 1 < active.size(); ++i) {
    const ValueId ones =
        writer_.emit(Lowering::to_duplicate, 1, {writer_.constant(signless(number), 1), all}, type);
    // The sum of narrow integers is a wider one.
    const ValueId sum = writer_.bits_as(
        writer_.emit(Lowering::to_sum, 1, {ones, active[i]}, writer_.vector_type(wide)), number);
    ValueId here = writer_.emit(Lowering::to_duplicate, 1, {sum, all}, type);
    if (built.back() != kNoValue) here = writer_.emit(Lowering::to_add, 1, {built.back(), here, all}, type);
    built.push_back(here);
  }
  return built;
}

/// Each lane: how many active ones stand below it.
Regs VectorLowering::prefixes(const Regs& active, unsigned width) {
  const Regs before = active_before(active, width);
  Regs built;
  for (unsigned i = 0; i < active.size(); ++i) {
    const ValueId own = prefix(active[i], width);
    built.push_back(before[i] == kNoValue
                        ? own
                        : writer_.emit(Lowering::to_add, 1, {own, before[i], writer_.all_lanes(width)},
                                       writer_.vector_type(unsigned_of(width))));
  }
  return built;
}

void VectorLowering::active_below(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const Layout order = memory_order(of.width);
  define(result, order,
         writer_.bits_as(prefixes(mask(op.operand(0), order, of.width, true), of.width), of.elem));
}

/// The active lanes of a register together; of several, a lane of the result comes from the register that
/// holds the active lane of its number.
void VectorLowering::compress(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const bool one = of.shape().bytes() <= kRegisterBytes;
  // Numbers of lanes need more than a byte.
  const unsigned width = one ? of.width : std::max(of.width, 2U), per = kRegisterBytes / width;
  const Layout layout = one ? memory_order(of.width) : by_index(of.width);
  const Elem elem = width == of.width ? of.elem : unsigned_of(width);
  const TypeId type = writer_.vector_type(elem);
  Regs together, active = mask(op.operand(1), layout, of.width, true);
  for (ValueId& each : active) each = writer_.mask_cast(each, width);
  for (const ValueId reg : vector(op.operand(0), layout))
    together.push_back(
        writer_.emit(Lowering::to_squeeze, 1, {writer_.bits_as(reg, elem), active[together.size()]}, type));
  if (one) return define(result, layout, together);
  const Elem number = unsigned_of(width);
  const TypeId numbered = writer_.vector_type(number);
  const ValueId all = writer_.all_lanes(width);
  Regs before = active_before(active, width), built;
  for (size_t i = 1; i < before.size(); ++i)
    before[i] = writer_.emit(Lowering::to_multiply_scalar, 1,
                             {before[i], writer_.constant(signless(number), -1), all}, numbered);
  for (unsigned reg = 0; reg < together.size(); ++reg) {
    const ValueId lane =
        writer_.emit(Lowering::to_count, 1, {writer_.constant(signless(number), reg * per)}, numbered);
    ValueId whole = kNoValue;
    if (reg == 0) {
      whole = together[0];
    } else {
      const ValueId zero =
          writer_.emit(Lowering::to_duplicate, 1, {writer_.constant(signless(number), 0), all}, numbered);
      whole = writer_.bits_as(zero, elem);
    }
    // Below 0 is above every number: such lanes stay. Those above the active ones are 0.
    for (size_t i = std::max(reg, 1U); i < together.size(); ++i) {
      const ValueId from = writer_.emit(Lowering::to_add, 1, {lane, before[i], all}, numbered);
      const ValueId here =
          writer_.emit(Lowering::to_compare_scalar, 1, {from, writer_.constant(signless(number), per), all},
                       writer_.mask_type(width), {{"cmp_mode", "lt"}});
      const ValueId lanes = writer_.emit(Lowering::to_select_lanes, 1, {together[i], from}, type);
      whole = writer_.emit(Lowering::to_choose, 1, {lanes, whole, here}, type);
    }
    built.push_back(whole);
  }
  define(result, layout, writer_.bits_as(built, of.elem));
}

/// Active lanes take one element after the other.
void VectorLowering::load_expanded(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const Layout layout = by_index(of.width);
  const unsigned wide = std::max(of.width, 2U);
  order_accesses(op, false, 0, 1);
  writer_.note = layout.text(of.shape());
  Regs active = mask(op.operand(2), layout, of.width, true);
  for (ValueId& each : active) each = writer_.mask_cast(each, wide);
  const ValueId base = pointer(access(op, 0, 1), 0);
  const Regs read = read_by_index(base, prefixes(active, wide), active, of.shape(), of.elem);
  writer_.note.clear();
  define(result, layout, chosen(read, op.operand(3), op.operand(2), layout, of));
}

}  // namespace pto::lower
