#include "isa/in_place.hpp"

#include <algorithm>

#include "isa/rule_text.hpp"

namespace pto::isa {

InPlace in_place(const isa::Row& row, Target target, std::string_view source, std::string_view destination) {
  bool allowed = false;
  for (std::string_view rules = row.rules; !rules.empty();) {
    const size_t end = std::min(rules.find(' '), rules.size());
    const RuleText rule = split_rule(rules.substr(0, end));
    rules.remove_prefix(std::min(end + 1, rules.size()));
    if (rule.target && *rule.target != target) continue;
    if (rule.name == "distinct" && in_list(rule.argument, source) && in_list(rule.argument, destination))
      return InPlace::forbidden;
    allowed = allowed || (rule.name == "in_place" && in_list(rule.argument, source));
  }
  return allowed ? InPlace::allowed : InPlace::unstated;
}

}  // namespace pto::isa
