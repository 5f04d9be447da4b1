// The catalogue of everything the tools report about programs.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pto {

struct Rule {
  std::string_view id;        ///< stable: "E0301" an error, "W0361" a warning
  std::string_view title;     ///< short name, as people say it; its slug is the warning's name behind -W
  std::string_view cause, example, fix;   ///< for --explain
};
/// Every rule of parser, binder, verifier and planner, by id. Ids and slugs are unique.
std::span<const Rule> rules();
/// The title as one lower-case word: "element count" -> "element-count".
std::string slug(const Rule& rule);
/// By id or slug; nullptr when there is none.
const Rule* find_rule(std::string_view name);
/// The id or slug nearest to `name`, or "". Only those of warnings when `warnings` is set.
std::string nearest_rule(std::string_view name, bool warnings = false);
/// The catalogue by family: "md" or "json".
std::string list_rules(std::string_view format);

}  // namespace pto
