#include "lower/masks.hpp"

#include <algorithm>
#include <charconv>

#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

bool power_of_two(unsigned n) { return n != 0 && (n & (n - 1)) == 0; }

/// Active lanes of one register: the first `count` of every `period`, or those behind them.
struct Repeated {
  unsigned period = 0, count = 0;
  bool behind = false;
};
std::optional<Repeated> repeated(const std::vector<bool>& active) {
  const auto lanes = static_cast<unsigned>(active.size());
  for (unsigned period = 2; period < lanes; period *= 2) {
    const bool behind = !active[0];
    const auto count = static_cast<unsigned>(std::ranges::find(active, behind) - active.begin());
    bool good = count < period;
    for (unsigned i = 0; good && i < lanes; ++i) good = active[i] == ((i % period < count) != behind);
    if (good) return Repeated{period, count, behind};
  }
  return std::nullopt;
}

ValueId build_lane_indices(LoweringState& state, unsigned width, Elem elem) {
  return state.writer.emit(Lowering::to_count, 1, {state.writer.constant(signless_elem(width), 0)},
                           state.writer.vector_type(elem));
}

/// Lanes below a number, known or not, of a register.
ValueId build_lanes_below(LoweringState& state, const std::optional<int64_t>& number, ValueId count,
                          unsigned width) {
  const int64_t most = kRegisterBytes / width;
  if (number)
    return state.writer.first_lanes(width, static_cast<unsigned>(std::clamp<int64_t>(*number, 0, most)));
  const TypeId results[] = {state.writer.mask_type(width), state.writer.scalar(Elem::i32)};
  return state.writer.emit(isa::instruction(Lowering::to_count_down, width), {&count, 1}, results)[0];
}

/// Lanes that a list names one by one.
Regs build_listed_lanes(LoweringState& state, const OpView& op, Layout layout, Shape shape) {
  const AttrValue* value = op.attr("value");
  std::string_view text =
      value != nullptr && value->kind == AttrValue::Kind::raw ? state.input.strings[value->text] : "";
  const unsigned stride = layout.stride(shape.width), wide = shape.width * stride;
  std::vector<bool> listed;
  for (size_t at = text.find('<') + 1; at < text.size(); ++at) {
    if (text[at] == '>') break;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("true") || rest.starts_with('1')) listed.push_back(true);
    if (rest.starts_with("false") || rest.starts_with('0')) listed.push_back(false);
  }
  if (listed.size() == 1) listed.assign(shape.lanes, listed[0]);
  if (listed.size() != shape.lanes)
    return state.refused(layout.registers(shape), state.writer.mask_type(shape.width),
                         "a constant of this form");
  std::vector<std::vector<bool>> active(layout.registers(shape),
                                        std::vector<bool>(kRegisterBytes / wide, false));
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    const Place place = layout.place_of(shape, lane);
    active[place.reg][place.lane / stride] = listed[lane];
  }
  Regs built;
  for (const auto& lanes : active)
    built.push_back(state.writer.mask_cast(build_lane_mask(state, lanes, wide), shape.width));
  return built;
}

}  // namespace

ValueId build_lane_mask(LoweringState& state, const std::vector<bool>& active, unsigned width) {
  std::vector<unsigned> edges;  // where it changes, from inactive on
  for (unsigned i = 0; i <= active.size(); ++i) {
    const bool before = i > 0 && active[i - 1], here = i < active.size() && active[i];
    if (before != here) edges.push_back(i);
  }
  if (edges.empty()) return state.writer.first_lanes(width, 0);
  if (edges.size() == 2 && edges[0] == 0) return state.writer.first_lanes(width, edges[1]);
  if (const auto found = repeated(active); found && edges.size() > 4) {
    const Elem elem = unsigned_elem(width);
    const ValueId all = state.writer.all_lanes(width), lane = build_lane_indices(state, width, elem);
    const ValueId place =
        state.writer.emit(Lowering::to_and_scalar, 1,
                          {lane, state.writer.constant(signless_elem(width), found->period - 1), all},
                          state.writer.vector_type(elem));
    return state.writer.emit(Lowering::to_compare_scalar, 1,
                             {place, state.writer.constant(signless_elem(width), found->count), all},
                             state.writer.mask_type(width), {{"cmp_mode", found->behind ? "ge" : "lt"}});
  }
  ValueId built = kNoValue;
  for (const unsigned edge : edges) {
    if (edge == 0 && built == kNoValue) continue;
    const ValueId next = state.writer.first_lanes(width, edge);
    built = built == kNoValue ? next : state.writer.masks(Lowering::to_mask_xor, built, next);
  }
  if (edges.front() == 0) return built;
  return built;
}

Regs build_first_lanes(LoweringState& state, const std::optional<int64_t>& number, ValueId count,
                       unsigned group, Layout layout, Shape shape) {
  const unsigned stride = layout.stride(shape.width), wide = shape.width * stride;
  const unsigned n = layout.registers(shape), per_register = kRegisterBytes / wide;
  if (number) {
    std::vector<std::vector<bool>> active(n, std::vector<bool>(per_register, false));
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      const Place place = layout.place_of(shape, lane);
      active[place.reg][place.lane / stride] = static_cast<int64_t>(lane % group) < *number;
    }
    Regs built;
    for (const auto& lanes : active)
      built.push_back(state.writer.mask_cast(build_lane_mask(state, lanes, wide), shape.width));
    return built;
  }
  const unsigned parts = layout.parts(shape.width), per_part = n / parts, period = group / parts;
  const bool whole = shape.lanes / parts * wide % kRegisterBytes == 0;
  if (layout.blocks || layout.slots != 0 || group % parts != 0 ||
      (group != shape.lanes && !(power_of_two(period) && period <= per_register) &&
       period % per_register != 0))
    return state.refused(n, state.writer.mask_type(shape.width),
                         "the lanes are counted when it runs, and stand apart");
  // From 0 to a group; those of part p: (count + parts - 1 - p) / parts.
  const auto number_of = [&](int64_t of) { return state.writer.constant(Elem::i32, of); };
  count = state.writer.arithmetic(
      OpcodeClass::min_s, state.writer.arithmetic(OpcodeClass::max_s, count, number_of(0)), number_of(group));
  Regs built;
  for (unsigned part = 0; part < parts; ++part) {
    ValueId own = count;
    if (parts > 1)
      own = state.writer.arithmetic(
          OpcodeClass::div_s, state.writer.arithmetic(OpcodeClass::add, count, number_of(parts - 1 - part)),
          number_of(parts));
    const Elem elem = unsigned_elem(wide);
    ValueId periodic = kNoValue;
    if (period < per_register && group != shape.lanes) {
      const ValueId all = state.writer.all_lanes(wide);
      const ValueId place = state.writer.emit(Lowering::to_and_scalar, 1,
                                              {build_lane_indices(state, wide, elem),
                                               state.writer.constant(signless_elem(wide), period - 1), all},
                                              state.writer.vector_type(elem));
      periodic = state.writer.emit(Lowering::to_compare_scalar, 1,
                                   {place, state.writer.cast(own, signless_elem(wide)), all},
                                   state.writer.mask_type(wide), {{"cmp_mode", "lt"}});
    }
    for (unsigned i = 0; i < per_part; ++i) {
      ValueId mask = periodic;
      if (mask == kNoValue) {
        const unsigned before = i * per_register % period;
        mask = build_lanes_below(
            state, std::nullopt,
            before == 0 ? own : state.writer.arithmetic(OpcodeClass::sub, own, number_of(before)), wide);
      }
      built.push_back(state.writer.mask_cast(mask, shape.width));
    }
  }
  if (!whole && group != shape.lanes) {
    const Regs lanes = build_valid_mask(state, layout, shape);
    for (unsigned i = 0; i < n; ++i) built[i] = state.writer.masks(Lowering::to_mask_and, built[i], lanes[i]);
  }
  return built;
}

Regs build_mask(LoweringState& state, ValueId value, Layout layout, unsigned width) {
  const OpView op(state.input, state.info(value).defining_op);
  const Shape shape{state.info(value).lanes, width};
  const std::string kept = std::exchange(state.writer.note, {});
  const uint32_t here = std::exchange(state.op, op.index());
  Regs built;
  const auto counted_by = [&](unsigned group) {
    const Number number = state.values.constants().value_of(op.operand(0));
    const ValueId count = number ? kNoValue : state.writer.cast(state.scalar(op.operand(0)), Elem::i32);
    return build_first_lanes(state, number, count, group, layout, shape);
  };
  switch (isa::row(op.op().row).lowering) {
    case Lowering::first_lanes:
      built = counted_by(shape.lanes);
      break;
    case Lowering::first_of_groups:
      built = counted_by(static_cast<unsigned>(op.attr_int("group_size")));
      break;
    case Lowering::pattern: {
      std::string_view name = state.input.strings[op.attr("pattern")->text];
      int64_t n = shape.lanes;
      if (name.starts_with("PAT_VL")) {
        name.remove_prefix(6);
        std::from_chars(name.data(), name.data() + name.size(), n);
      }
      const auto groups = op.attr("group") == nullptr ? 1U : static_cast<unsigned>(op.attr_int("group"));
      built = build_first_lanes(state, n, kNoValue, shape.lanes / std::max(groups, 1U), layout, shape);
      break;
    }
    default:
      built = build_listed_lanes(state, op, layout, shape);
  }
  state.op = here;
  state.writer.note = kept;
  for (unsigned i = 0; i < built.size(); ++i) {
    const ValueId own = built[i];
    if (!state.writer.is_shared(own))
      state.writer.name(own, state.input.values[value].name, i, static_cast<unsigned>(built.size()));
  }
  return built;
}

void lower_count_down(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0), count = state.scalar(op.operand(0));
  const Shape shape = state.info(result).shape();
  const Layout layout = state.assigned_layout(result);
  const ValueId signed_count = state.writer.cast(count, Elem::i32);
  define_mask(state, result, layout, shape.width,
              build_first_lanes(state, std::nullopt, signed_count, shape.lanes, layout, shape));
  const ValueId taken = state.writer.arithmetic(OpcodeClass::min_s, signed_count,
                                                state.writer.constant(Elem::i32, shape.lanes));
  state.renamed[op.result(1)] = state.writer.arithmetic(OpcodeClass::sub, signed_count, taken);
}

void lower_mask_logic(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = state.info(result);
  const Layout layout = state.assigned_layout(result);
  const Lowering how = isa::row(op.op().row).lowering;
  const bool one = how == Lowering::logic_not;
  const Regs a = materialize_mask(state, op.operand(0), layout, of.width, true);
  const Regs b = one ? build_valid_mask(state, layout, of.shape())
                     : materialize_mask(state, op.operand(1), layout, of.width, true);
  const Lowering part = how == Lowering::logic_and  ? Lowering::to_mask_and
                        : how == Lowering::logic_or ? Lowering::to_mask_or
                        : one                       ? Lowering::to_mask_not
                                                    : Lowering::to_mask_xor;
  Regs built;
  for (unsigned i = 0; i < a.size(); ++i)
    built.push_back(one ? state.writer.emit(part, 1, {a[i], b[i]}, state.writer.mask_type(of.width))
                        : state.writer.masks(part, a[i], b[i]));
  define_mask(state, result, layout, of.width, built);
}

}  // namespace pto::lower
