#include "ir/in_place_rules.hpp"

#include <algorithm>

#include "ir/instruction_phases.hpp"
#include "isa/rule_text.hpp"
#include "support/strings.hpp"

namespace pto::isa {

namespace {

/// `holds(condition)`: whether a statement with this condition counts.
template <typename Holds>
InPlace stated(const isa::Row& row, Target target, std::string_view source, std::string_view destination,
               Holds holds) {
  bool allowed = false;
  for (const std::string_view text : split(row.rules, ' ')) {
    const RuleText rule = split_rule(text);
    if ((rule.target && *rule.target != target) || (rule.name != "distinct" && rule.name != "in_place"))
      continue;
    const size_t at = std::min(rule.argument.find('@'), rule.argument.size());
    const std::string_view names = rule.argument.substr(0, at),
                           condition = rule.argument.substr(std::min(at + 1, rule.argument.size()));
    if (!holds(condition)) continue;
    if (rule.name == "distinct" && in_list(names, source) && in_list(names, destination))
      return InPlace::forbidden;
    allowed = allowed || (rule.name == "in_place" && in_list(names, source));
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
