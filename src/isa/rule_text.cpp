#include "isa/rule_text.hpp"

#include <algorithm>

#include "support/strings.hpp"

namespace pto::isa {

RuleText split_rule(std::string_view text) {
  RuleText parts;
  if (text.starts_with("a2a3.")) parts.target = Target::a2a3;
  if (text.starts_with("a5.")) parts.target = Target::a5;
  if (parts.target) text.remove_prefix(text.find('.') + 1);
  const size_t colon = std::min(text.find(':'), text.size());
  parts.name = text.substr(0, colon);
  parts.argument = text.substr(std::min(colon + 1, text.size()));
  return parts;
}

bool in_list(std::string_view list, std::string_view name) {
  if (list.empty()) return true;
  return !for_each_part(list, ',', [name](std::string_view part) { return part != name; });
}

}  // namespace pto::isa
