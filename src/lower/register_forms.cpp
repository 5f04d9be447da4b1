#include "lower/register_forms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/layout_conversion.hpp"
#include "lower/masks.hpp"
#include "lower/operation_table.hpp"

namespace pto::lower {
namespace {

using Kind = Logical::Kind;

constexpr Form kOneRegister = {};  ///< of uniform values

Regs record_form(LoweringState& state, ValueId value, const Form& form, Regs regs) {
  state.wanted.forms[state.writer.scope()][value].insert(form);
  return state.forms[value][form] = std::move(regs);
}

void report_layout(LoweringState& state, ValueId value) {
  if (state.report == nullptr) return;
  const Logical& of = state.info(value);
  const Layout layout = of.uniform ? Layout{} : state.assigned_layout(value);
  state.report->values.push_back({state.writer.where, std::string(state.input.name_of(value)),
                                  to_string(state.input.type_of(value)),
                                  of.uniform ? "one register for all lanes" : layout.text(of.shape()),
                                  of.uniform ? 1 : layout.registers(of.shape())});
}

}  // namespace

Regs materialize_vector(LoweringState& state, ValueId value, Layout layout) {
  const Logical& of = state.info(value);
  const TypeId type = state.writer.vector_type(of.elem);
  auto& forms = state.forms[value];
  if (of.uniform) {
    if (!forms.contains(kOneRegister)) {
      if (!of.made_anew)
        return state.refused(layout.registers(of.shape()), type, "a register leaves its vector scope");
      const uint32_t op = state.op;
      const Location where = state.writer.where;
      state.wanted.forms[state.writer.scope()][value].insert(kOneRegister);
      state.op = of.defining_op;
      state.writer.where = state.input.ops[state.op].where;
      lower_operation(state, OpView(state.input, of.defining_op));
      state.op = op;
      state.writer.where = where;
    }
    return Regs(layout.registers(of.shape()), state.forms[value][kOneRegister][0]);
  }
  const Form form{layout, 0};
  if (const auto found = forms.find(form); found != forms.end()) return found->second;
  const auto at_home = forms.find({state.assigned_layout(value), 0});
  if (at_home == forms.end())
    return state.refused(layout.registers(of.shape()), type, "a register leaves its vector scope");
  const unsigned before = state.writer.instructions();
  const std::string kept = std::exchange(
      state.writer.note,
      fmt::format("{} -> {}", state.assigned_layout(value).text(of.shape()), layout.text(of.shape())));
  Regs regs = convert_layout(state, at_home->second, of.shape(), state.assigned_layout(value), layout);
  state.writer.note = kept;
  if (state.report != nullptr && state.writer.instructions() > before)
    state.report->conversions.push_back({state.writer.where, std::string(state.input.name_of(value)),
                                         state.assigned_layout(value).text(of.shape()),
                                         layout.text(of.shape()), state.writer.instructions() - before});
  return record_form(state, value, form, std::move(regs));
}

Regs materialize_mask(LoweringState& state, ValueId value, Layout layout, unsigned width, bool exact) {
  const Logical& of = state.info(value);
  const Shape shape{of.lanes, width};
  if (of.full)
    return exact ? build_valid_mask(state, layout, shape)
                 : Regs(layout.registers(shape), state.writer.all_lanes(width));
  const Form form{layout, width};
  if (const auto found = state.forms[value].find(form); found != state.forms[value].end())
    return found->second;
  if (of.made_anew) return record_form(state, value, form, build_mask(state, value, layout, width));
  const Form at_home{state.assigned_layout(value), of.width};
  const auto found = state.forms[value].find(at_home);
  if (found == state.forms[value].end())
    return state.refused(layout.registers(shape), state.writer.mask_type(width),
                         "a mask leaves its vector scope");
  return record_form(state, value, form,
                     convert_mask_layout(state, Regs(found->second), of.lanes, at_home, form));
}

Regs materialize_governing_mask(LoweringState& state, ValueId given, Layout layout, Shape shape) {
  if (given == kNoValue) return Regs(layout.registers(shape), state.writer.all_lanes(shape.width));
  return materialize_mask(state, given, layout, shape.width);
}

Regs build_valid_mask(LoweringState& state, Layout layout, Shape shape) {
  return build_first_lanes(state, shape.lanes, kNoValue, shape.lanes, layout, shape);
}

void define_uniform(LoweringState& state, ValueId value, ValueId reg) {
  if (state.refusal) return;
  state.forms[value][kOneRegister] = {reg};
  state.writer.name(reg, state.input.values[value].name, 0, 1);
  report_layout(state, value);
}

void materialize_requested(LoweringState& state, ValueId value) {
  const auto scope = state.wanted.forms.find(state.writer.scope());
  if (scope == state.wanted.forms.end()) return;
  const auto found = scope->second.find(value);
  if (found == scope->second.end()) return;
  const Logical& of = state.info(value);
  for (const Form& form : std::set(found->second)) {
    if (of.kind == Logical::Kind::mask)
      materialize_mask(state, value, form.layout, form.width, true);
    else
      materialize_vector(state, value, form.layout);
  }
}

void define_vector(LoweringState& state, ValueId value, Layout layout, const Regs& regs) {
  const Logical& of = state.info(value);
  if (state.refusal) return;
  if (of.uniform) return define_uniform(state, value, regs.front());
  const Layout placed = state.assigned_layout(value);
  state.forms[value][{layout, 0}] = regs;
  if (layout != placed) {
    const std::string kept = std::exchange(
        state.writer.note, fmt::format("{} -> {}", layout.text(of.shape()), placed.text(of.shape())));
    const unsigned before = state.writer.instructions();
    state.forms[value][{placed, 0}] = convert_layout(state, regs, of.shape(), layout, placed);
    state.writer.note = kept;
    if (state.report != nullptr && state.writer.instructions() > before)
      state.report->conversions.push_back({state.writer.where, std::string(state.input.name_of(value)),
                                           layout.text(of.shape()), placed.text(of.shape()),
                                           state.writer.instructions() - before});
  }
  report_layout(state, value);
  const Regs kept = state.forms[value][{placed, 0}];
  for (unsigned i = 0; i < kept.size(); ++i)
    state.writer.name(kept[i], state.input.values[value].name, i, static_cast<unsigned>(kept.size()));
  materialize_requested(state, value);
}

void define_mask(LoweringState& state, ValueId value, Layout layout, unsigned width, const Regs& regs) {
  const Logical& of = state.info(value);
  if (state.refusal) return;
  const Form built{layout, width}, placed{state.assigned_layout(value), of.width};
  state.forms[value][built] = regs;
  if (built != placed) state.forms[value][placed] = convert_mask_layout(state, regs, of.lanes, built, placed);
  const Regs kept = state.forms[value][placed];
  for (unsigned i = 0; i < kept.size(); ++i)
    state.writer.name(kept[i], state.input.values[value].name, i, static_cast<unsigned>(kept.size()));
  materialize_requested(state, value);
}

}  // namespace pto::lower
