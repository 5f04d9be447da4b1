// The catalogue of everything the tools report about programs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pto/diagnostic.hpp"
#include "pto/rule.hpp"

namespace pto {

/// Every rule of parser, binder, verifier and planner, by id. Ids and slugs are unique.
std::span<const Rule> rules();
/// The title as one lower-case word: "element count" -> "element-count".
std::string slug(const Rule& rule);
/// The name of a warning for -W: its slug, or the slug of the rule whose switch controls several.
std::string switch_name(const Rule& rule);
/// Finds a rule by id or slug; nullptr if there is none.
const Rule* find_rule(std::string_view name);
/// nullptr for FindingId::none.
const Rule* find_rule(FindingId id);
/// The id or slug nearest to `name`, or "". Only those of warnings when `warnings` is set.
std::string nearest_rule(std::string_view name, bool warnings = false);
/// The catalogue by family: "md" or "json".
std::string list_rules(std::string_view format);

/// Applies one argument of -W: "element-count", "no-W0361", "error", "error=element-count", "no-
/// error=element-count". The last switch for a warning wins; a switch with a name takes precedence
/// over "error". An error suggests the nearest name.
Result<bool> apply_switch(WarningPolicy& policy, std::string_view text);

}  // namespace pto
