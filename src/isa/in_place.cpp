#include "isa/in_place.hpp"

#include "isa/rule_text.hpp"
#include "support/split.hpp"

namespace pto::isa {

InPlace in_place(const isa::Row& row, Target target, std::string_view source, std::string_view destination) {
  bool allowed = false;
  for (const std::string_view text : split(row.rules, ' ')) {
    const RuleText rule = split_rule(text);
    if (rule.target && *rule.target != target) continue;
    if (rule.name == "distinct" && in_list(rule.argument, source) && in_list(rule.argument, destination))
      return InPlace::forbidden;
    allowed = allowed || (rule.name == "in_place" && in_list(rule.argument, source));
  }
  return allowed ? InPlace::allowed : InPlace::unstated;
}

}  // namespace pto::isa
