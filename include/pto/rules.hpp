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
/// What -W calls a warning: its slug, or that of the rule whose switch is about several.
std::string switch_name(const Rule& rule);
/// By id or slug; nullptr when there is none.
const Rule* find_rule(std::string_view name);
/// nullptr for FindingId::none.
const Rule* find_rule(FindingId id);
/// The id or slug nearest to `name`, or "". Only those of warnings when `warnings` is set.
std::string nearest_rule(std::string_view name, bool warnings = false);
/// The catalogue by family: "md" or "json".
std::string list_rules(std::string_view format);

/// A switch as written behind -W: "element-count", "no-W0361", "error", "error=element-count",
/// "no-error=element-count". The last one about a warning wins; what names a warning outweighs a bare
/// "error". The error suggests the nearest name.
Result<bool> apply_switch(WarningPolicy& policy, std::string_view text);

}  // namespace pto
