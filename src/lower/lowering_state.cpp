#include "lower/lowering_state.hpp"

#include <fmt/format.h>

#include <numeric>

namespace pto::lower {

LoweringState::LoweringState(const Program& from, Program& to, const Values& logical,
                             const LoweringTask& functions, LayoutRequest& requests, Lowered* lowered)
    : input(from),
      output(to),
      values(logical),
      task(functions),
      wanted(requests),
      report(lowered),
      writer(to, requests.beginnings),
      renamed(from.values.size()) {
  std::iota(renamed.begin(), renamed.end(), 0U);
  if (report != nullptr) writer.keep_names(values);
}

Layout LoweringState::assigned_layout(ValueId value) const {
  const Logical& of = info(value);
  if (of.cluster != kNoOp) return task.layouts[of.cluster];
  return memory_order(of.width == 0 ? kWordBytes : of.width);
}

void LoweringState::refuse(const std::string& why) {
  if (refusal) return;
  const OpView view(input, op);
  const AttrValue* name = function == kNoOp ? nullptr : OpView(input, function).attr("sym_name");
  refusal = NotLowered{op, view.op().where,
                       name == nullptr ? std::string() : std::string(input.strings[name->text]),
                       fmt::format("{}: {}", view.mnemonic(), why)};
}

Regs LoweringState::refused(unsigned n, TypeId type, const std::string& why) {
  refuse(why);
  Regs regs;
  for (unsigned i = 0; i < n; ++i) {
    output.values.push_back({type, 0});
    regs.push_back(static_cast<ValueId>(output.values.size() - 1));
  }
  return regs;
}

}  // namespace pto::lower
