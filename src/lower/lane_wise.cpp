#include "lower/lane_wise.hpp"

#include <algorithm>
#include <array>

#include "isa/cmp_predicate.hpp"
#include "lower/masks.hpp"
#include "lower/permutations.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using Kind = Logical::Kind;

/// Whether an instruction that only moves or combines bits takes these lanes as they are.
bool is_plain(Elem elem) {
  return is_integer(elem) || elem == Elem::f16 || elem == Elem::bf16 || elem == Elem::f32;
}

constexpr int64_t kWithoutSign = 0x7fff;  ///< of 16 bits

/// Different numbers, as the list has them one by one.
void lower_listed_constant(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout layout = state.assigned_layout(result);
  const AttrValue* value = op.attr("value");
  std::string_view text =
      value != nullptr && value->kind == AttrValue::Kind::raw ? state.input.strings[value->text] : "";
  if (!is_plain(of.elem)) return state.refuse("a list of constants of such elements");
  const size_t begin = text.find('[');
  text = begin == std::string_view::npos ? "" : text.substr(begin + 1, text.find(']') - begin - 1);
  std::vector<std::map<std::string, std::vector<bool>>> wanted(layout.registers(of.shape()));
  for (unsigned lane = 0; lane < of.lanes; ++lane) {
    const size_t end = text.find(',');
    std::string number(text.substr(0, end));
    std::erase(number, ' ');
    const Place place = layout.place_of(of.shape(), lane);
    wanted[place.reg].try_emplace(number, of.shape().per_register()).first->second[place.lane] = true;
    if (end == std::string_view::npos && lane + 1 < of.lanes) return state.refuse("a constant of this form");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  Regs built;
  for (const auto& places : wanted) built.push_back(build_listed_values(state, places, of.width, of.elem));
  define_vector(state, result, layout, built);
}

}  // namespace

void lower_lane_wise(LoweringState& state, const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  const isa::Row& instruction = isa::lane_instruction(row);
  const isa::Schema& schema = isa::schema(isa::id_of(instruction));
  std::array<unsigned, 4> order = {0, 1, 2, 3};
  if (row.lowering == Lowering::multiply_add) order = {2, 0, 1, 3};
  if (row.lowering == Lowering::choose) order = {1, 2, 0, 3};
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout layout = of.uniform ? memory_order(of.width) : state.assigned_layout(result);
  const unsigned n = of.uniform ? 1 : layout.registers(of.shape());
  Elem elem = of.elem;
  if (row.lowering == Lowering::product) elem = state.input.type_of(result).elem;
  if (row.lowering == Lowering::choose && !is_plain(elem)) elem = unsigned_elem(of.width);
  if (row.lowering == Lowering::logic_not && !is_integer(elem)) elem = unsigned_elem(of.width);
  const size_t given = isa::schema(op.op().row).operands.size();
  std::vector<Regs> operands;
  for (unsigned i = 0; i < schema.operands.size(); ++i) {
    const uint32_t kinds = schema.operands[i].kinds;
    const ValueId value = order[i] < given ? op.operand(order[i]) : kNoValue;
    if ((kinds & isa::kMask) != 0)
      operands.push_back(materialize_governing_mask(state, value, layout, of.shape()));
    else if ((kinds & isa::kVReg) != 0)
      operands.push_back(state.writer.bits_as(materialize_vector(state, value, layout), elem));
    else
      operands.push_back(Regs(n, state.scalar(value)));
  }
  std::vector<Regs> results(schema.results.size());
  for (unsigned r = 0; r < n; ++r) {
    // The absolute value of bf16 is the one operation that has no instruction of its own.
    if (elem == Elem::bf16 && operands.size() == 2 && results.size() == 1 &&
        row.lowering == Lowering::lanes && instruction.types.a5.find("bf16") == std::string_view::npos) {
      const ValueId kept = state.writer.emit(Lowering::to_and_scalar, 1,
                                             {state.writer.bits_as(operands[0][r], Elem::ui16),
                                              state.writer.constant(Elem::i16, kWithoutSign), operands[1][r]},
                                             state.writer.vector_type(Elem::ui16));
      results[0].push_back(state.writer.bits_as(kept, elem));
      continue;
    }
    Regs passed;
    for (const Regs& regs : operands) passed.push_back(regs[r]);
    std::vector<TypeId> types;
    for (const isa::OperandSpec& built : schema.results)
      types.push_back((built.kinds & isa::kMask) != 0 ? state.writer.mask_type(of.width)
                                                      : state.writer.vector_type(elem));
    const Regs built = state.writer.emit(isa::id_of(instruction), passed, types);
    for (unsigned i = 0; i < built.size(); ++i) results[i].push_back(built[i]);
  }
  for (unsigned i = 0; i < results.size(); ++i) {
    const ValueId value = op.result(i);
    if (state.info(value).kind == Kind::mask)
      define_mask(state, value, layout, of.width, results[i]);
    else
      define_vector(state, value, layout, state.writer.bits_as(results[i], of.elem));
  }
}

void lower_logic(LoweringState& state, const OpView& op) {
  if (state.info(op.result(0)).kind == Kind::mask) return lower_mask_logic(state, op);
  lower_lane_wise(state, op);
}

void lower_compare(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const isa::Row& instruction = isa::lane_instruction(isa::row(op.op().row));
  const bool by_scalar = !state.values.is_logical(op.operand(1));
  const Logical& of = state.info(op.operand(0));
  const Layout layout = state.assigned_layout(result);
  const int64_t written = op.attr_int(isa::schema(op.op().row).attrs[0].name);
  isa::VmiComparison how = isa::vmi_comparison(written);
  Elem elem = of.elem;
  if (isa::row(op.op().row).lowering == Lowering::compare_integers) {
    how = {static_cast<isa::CmpPredicate>(written)};
    if (isa::is_signed(how.predicate)) elem = signless(elem);  // vector instructions take it as signed
  }
  const Regs a = state.writer.bits_as(materialize_vector(state, op.operand(0), layout), elem);
  const Regs b = by_scalar ? Regs(a.size(), state.scalar(op.operand(1)))
                           : state.writer.bits_as(materialize_vector(state, op.operand(1), layout), elem);
  const bool seeded = isa::schema(op.op().row).operands.size() > 2;
  const Regs seed = seeded ? materialize_mask(state, op.operand(2), layout, of.width, true)
                           : build_valid_mask(state, layout, of.shape());
  const auto one = [&](unsigned i, std::string_view cmp) {
    return state.writer.emit(isa::id_of(instruction), std::array{a[i], b[i], seed[i]},
                             std::array{state.writer.mask_type(of.width)}, {{"cmp_mode", cmp}})[0];
  };
  const bool ordered_ne = how.ordered && how.predicate == isa::CmpPredicate::ne;  // false on NaN
  Regs built;
  for (unsigned i = 0; i < a.size(); ++i)
    built.push_back(ordered_ne ? state.writer.masks(Lowering::to_mask_or, one(i, "lt"), one(i, "gt"))
                               : one(i, isa::cmp_mode(how.predicate)));
  define_mask(state, result, layout, of.width, built);
}

void lower_constant(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  if (!of.uniform) return lower_listed_constant(state, op);
  const AttrValue* value = op.attr("value");
  const ValueId number =
      value == nullptr ? kNoValue : state.writer.literal(*value, state.input.type_of(result).elem);
  if (number == kNoValue) return state.refuse("a constant of this form");
  define_uniform(state, result,
                 state.writer.emit(Lowering::to_duplicate, 1, {number, state.writer.all_lanes(of.width)},
                                   state.writer.vector_type(of.elem)));
}

void lower_broadcast(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Logical& of = state.info(result);
  const TypeId type = state.writer.vector_type(of.elem);
  const ValueId all = state.writer.all_lanes(of.width);
  if (!state.values.is_logical(source))
    return define_uniform(state, result,
                          state.writer.emit(Lowering::to_duplicate, 1, {state.scalar(source), all}, type));
  if (state.info(source).lanes > 1) return lower_group_broadcast(state, op, state.info(source).lanes);
  const ValueId reg = materialize_vector(
      state, source, state.info(source).uniform ? memory_order(of.width) : state.assigned_layout(source))[0];
  if (state.info(source).uniform) return define_uniform(state, result, reg);
  define_uniform(state, result, state.writer.emit(Lowering::to_duplicate, 1, {reg, all}, type));
}

/// Lane i of a part with stride s is lane (i / s) * parts + part of the value.
void lower_counted(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0), base = state.scalar(op.operand(0));
  const Logical& of = state.info(result);
  const Shape shape = of.shape();
  const Layout layout = state.assigned_layout(result);
  const AttrValue* order = op.attr("order");
  const bool descending = order != nullptr && op.attr_int("order") != 0;
  const unsigned groups = op.attr("group") == nullptr ? 1U : static_cast<unsigned>(op.attr_int("group"));
  const unsigned size = shape.lanes / groups, n = layout.registers(shape);
  const bool real = is_float(of.elem);
  const Elem elem = real ? of.elem : unsigned_elem(of.width);
  const Elem number_type = real ? of.elem : signless(elem);
  const TypeId type = state.writer.vector_type(elem);
  const ValueId all = state.writer.all_lanes(of.width);
  // What each lane of a register adds, as first + step * (lane / apart mod period).
  const unsigned parts = layout.parts(of.width), apart = layout.stride(of.width),
                 per = shape.per_register() / apart;
  // One group never starts again: what stands behind its lanes is nobody's.
  const unsigned period = groups == 1 ? std::max(size / parts, n / parts * per) : size / parts;
  if (layout.blocks || layout.slots != 0 || size % parts != 0 ||
      (real && (apart > 1 || (groups > 1 && size < parts * per))) ||
      (period < per && (period & (period - 1)) != 0) || (period > per && period % per != 0))
    return state.refuse("counts that start again within a register");
  ValueId lane = state.writer.emit(Lowering::to_count, 1, {state.writer.constant(number_type, 0)}, type);
  if (apart > 1)
    lane = state.writer.emit(Lowering::to_shift_right_scalar, 1,
                             {lane, state.writer.constant(Elem::i16, apart == 2 ? 1 : 2), all}, type);
  if (period < per)
    lane = state.writer.emit(Lowering::to_and_scalar, 1,
                             {lane, state.writer.constant(number_type, period - 1), all}, type);
  const int64_t step = (descending ? -1 : 1) * static_cast<int64_t>(parts);
  if (step != 1)
    lane = state.writer.emit(Lowering::to_multiply_scalar, 1,
                             {lane, state.writer.constant(number_type, step), all}, type);
  const ValueId counted = state.writer.emit(Lowering::to_add_scalar, 1, {lane, base, all}, type);
  Regs built;
  for (unsigned i = 0; i < n; ++i) {
    const unsigned part = i / (n / parts), first = i % (n / parts) * per % period;
    const int64_t more = (descending ? -1 : 1) * static_cast<int64_t>(first * parts + part);
    built.push_back(more == 0
                        ? counted
                        : state.writer.emit(Lowering::to_add_scalar, 1,
                                            {counted, state.writer.constant(number_type, more), all}, type));
  }
  define_vector(state, result, layout, state.writer.bits_as(built, of.elem));
}

Regs blend_inactive(LoweringState& state, const Regs& regs, ValueId otherwise, ValueId given, Layout layout,
                    const Logical& of) {
  const Elem elem = unsigned_elem(of.width);
  const Regs rest = materialize_vector(state, otherwise, layout),
             active = materialize_mask(state, given, layout, of.width);
  Regs built;
  for (unsigned i = 0; i < regs.size(); ++i)
    built.push_back(state.writer.bits_as(state.writer.emit(Lowering::to_choose, 1,
                                                           {state.writer.bits_as(regs[i], elem),
                                                            state.writer.bits_as(rest[i], elem), active[i]},
                                                           state.writer.vector_type(elem)),
                                         of.elem));
  return built;
}

}  // namespace pto::lower
