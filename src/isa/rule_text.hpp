// The language of the table's `rules` column.
#pragma once

#include <optional>
#include <string_view>

#include "pto/type.hpp"

namespace pto::isa {

/// One entry of the table's `rules` column, taken apart: `name`, `name:argument`, or either behind `a2a3.` or
/// `a5.` for a rule of one target (which the functional target cpu does not have).
struct RuleText {
  std::optional<Target> target;
  std::string_view name, argument;
};
RuleText split_rule(std::string_view text);

/// Whether `name` is in a comma list; an empty list holds every name.
bool in_list(std::string_view list, std::string_view name);

}  // namespace pto::isa
