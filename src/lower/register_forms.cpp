// The registers of a value: in the layout that was chosen for it, and in those that others want.
#include <fmt/format.h>

#include <algorithm>

#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using Kind = Logical::Kind;

constexpr Form kOneRegister = {};  ///< of uniform values

}  // namespace

Layout VectorLowering::assigned_layout(ValueId value) const {
  const Logical& of = info(value);
  if (of.cluster != kNoOp) return task_.layouts[of.cluster];
  return memory_order(of.width == 0 ? kWordBytes : of.width);
}

Regs VectorLowering::remember(ValueId value, const Form& form, Regs regs) {
  wanted_.forms[writer_.scope()][value].insert(form);
  return forms_[value][form] = std::move(regs);
}

Regs VectorLowering::refused(unsigned n, TypeId type, const std::string& why) {
  refuse(why);
  Regs regs;
  for (unsigned i = 0; i < n; ++i) {
    to_.values.push_back({type, 0});
    regs.push_back(static_cast<ValueId>(to_.values.size() - 1));
  }
  return regs;
}

Regs VectorLowering::vector(ValueId value, Layout layout) {
  const Logical& of = info(value);
  const TypeId type = writer_.vector_type(of.elem);
  auto& forms = forms_[value];
  if (of.uniform) {
    if (!forms.contains(kOneRegister)) {
      if (!of.made_anew)
        return refused(layout.registers(of.shape()), type, "a register leaves its vector scope");
      const uint32_t op = op_;
      const Location where = writer_.where;
      wanted_.forms[writer_.scope()][value].insert(kOneRegister);
      op_ = of.defining_op;
      writer_.where = from_.ops[op_].where;
      dispatch(OpView(from_, of.defining_op));
      op_ = op;
      writer_.where = where;
    }
    return Regs(layout.registers(of.shape()), forms_[value][kOneRegister][0]);
  }
  const Form form{layout, 0};
  if (const auto found = forms.find(form); found != forms.end()) return found->second;
  const auto at_home = forms.find({assigned_layout(value), 0});
  if (at_home == forms.end())
    return refused(layout.registers(of.shape()), type, "a register leaves its vector scope");
  const unsigned before = writer_.instructions();
  const std::string kept = std::exchange(
      writer_.note,
      fmt::format("{} -> {}", assigned_layout(value).text(of.shape()), layout.text(of.shape())));
  Regs regs = moved(at_home->second, of.shape(), assigned_layout(value), layout);
  writer_.note = kept;
  if (report_ != nullptr && writer_.instructions() > before)
    report_->conversions.push_back({writer_.where, std::string(from_.name_of(value)),
                                    assigned_layout(value).text(of.shape()), layout.text(of.shape()),
                                    writer_.instructions() - before});
  return remember(value, form, std::move(regs));
}

Regs VectorLowering::mask(ValueId value, Layout layout, unsigned width, bool exact) {
  const Logical& of = info(value);
  const Shape shape{of.lanes, width};
  if (of.full) return exact ? valid(layout, shape) : Regs(layout.registers(shape), writer_.all_lanes(width));
  const Form form{layout, width};
  if (const auto found = forms_[value].find(form); found != forms_[value].end()) return found->second;
  if (of.made_anew) return remember(value, form, made_mask(value, layout, width));
  const Form at_home{assigned_layout(value), of.width};
  const auto found = forms_[value].find(at_home);
  if (found == forms_[value].end())
    return refused(layout.registers(shape), writer_.mask_type(width), "a mask leaves its vector scope");
  return remember(value, form, moved_mask(Regs(found->second), of.lanes, at_home, form));
}

Regs VectorLowering::governing(ValueId given, Layout layout, Shape shape) {
  if (given == kNoValue) return Regs(layout.registers(shape), writer_.all_lanes(shape.width));
  return mask(given, layout, shape.width);
}

Regs VectorLowering::valid(Layout layout, Shape shape) {
  return first_lanes(kNoValue, shape.lanes, kNoValue, shape.lanes, layout, shape);
}

void VectorLowering::say_place(ValueId value) {
  if (report_ == nullptr) return;
  const Logical& of = info(value);
  const Layout layout = of.uniform ? Layout{} : assigned_layout(value);
  report_->values.push_back({writer_.where, std::string(from_.name_of(value)),
                             to_string(from_.type_of(value)),
                             of.uniform ? "one register for all lanes" : layout.text(of.shape()),
                             of.uniform ? 1 : layout.registers(of.shape())});
}

void VectorLowering::define(ValueId value, Layout layout, const Regs& regs) {
  const Logical& of = info(value);
  if (refusal_) return;
  if (of.uniform) return define_uniform(value, regs.front());
  const Layout placed = assigned_layout(value);
  forms_[value][{layout, 0}] = regs;
  if (layout != placed) {
    const std::string kept = std::exchange(
        writer_.note, fmt::format("{} -> {}", layout.text(of.shape()), placed.text(of.shape())));
    const unsigned before = writer_.instructions();
    forms_[value][{placed, 0}] = moved(regs, of.shape(), layout, placed);
    writer_.note = kept;
    if (report_ != nullptr && writer_.instructions() > before)
      report_->conversions.push_back({writer_.where, std::string(from_.name_of(value)),
                                      layout.text(of.shape()), placed.text(of.shape()),
                                      writer_.instructions() - before});
  }
  say_place(value);
  const Regs kept = forms_[value][{placed, 0}];
  for (unsigned i = 0; i < kept.size(); ++i)
    writer_.name(kept[i], from_.values[value].name, i, static_cast<unsigned>(kept.size()));
  make_requested(value);
}

void VectorLowering::define_mask(ValueId value, Layout layout, unsigned width, const Regs& regs) {
  const Logical& of = info(value);
  if (refusal_) return;
  const Form built{layout, width}, placed{assigned_layout(value), of.width};
  forms_[value][built] = regs;
  if (built != placed) forms_[value][placed] = moved_mask(regs, of.lanes, built, placed);
  const Regs kept = forms_[value][placed];
  for (unsigned i = 0; i < kept.size(); ++i)
    writer_.name(kept[i], from_.values[value].name, i, static_cast<unsigned>(kept.size()));
  make_requested(value);
}

void VectorLowering::define_uniform(ValueId value, ValueId reg) {
  if (refusal_) return;
  forms_[value][kOneRegister] = {reg};
  writer_.name(reg, from_.values[value].name, 0, 1);
  say_place(value);
}

}  // namespace pto::lower
