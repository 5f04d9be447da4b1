#include "ir/in_place_rules.hpp"

#include "ir/instruction_phases.hpp"

namespace pto::isa {

namespace {

/// `holds(condition)`: whether a statement with this condition counts.
template <typename Holds>
InPlace stated(const isa::Row& row, Target target, std::string_view source, std::string_view destination,
               Holds holds) {
  if (!row.rule_names.has_any({RuleName::distinct, RuleName::in_place})) return InPlace::unstated;
  bool allowed = false;
  for (const RowRule& rule : isa::schema(isa::id_of(row)).rules) {
    const bool forbids = rule.id == RuleName::distinct, allows = rule.id == RuleName::in_place;
    if ((!forbids && !allows) || !rule.holds_on(target) || !holds(rule.condition())) continue;
    const std::string_view names = rule.words();
    if (forbids && in_list(names, source) && in_list(names, destination)) return InPlace::forbidden;
    allowed = allowed || (allows && in_list(names, source));
  }
  return allowed ? InPlace::allowed : InPlace::unstated;
}

}  // namespace

InPlace in_place(const OpView& op, Target target, std::string_view source, std::string_view destination) {
  return stated(isa::row(op.op().row), target, source, destination,
                [&](std::string_view condition) { return condition_holds(op, condition); });
}

InPlace in_place(const isa::Row& row, Target target, std::string_view source, std::string_view destination) {
  return stated(row, target, source, destination,
                [](std::string_view condition) { return condition.empty(); });
}

}  // namespace pto::isa
