// The printed catalogue of rules.
#include <fmt/format.h>

#include <array>

#include "pto/rules.hpp"
#include "support/json.hpp"

namespace pto {

namespace {

struct RuleGroup {
  std::string_view prefix, title;
};
constexpr std::array kFamilies = {
    RuleGroup{"E0", "General"},
    RuleGroup{"E01", "Assembler: shape, names and types of the text"},
    RuleGroup{"E02", "Assembler: constructs of other dialects"},
    RuleGroup{"E03", "Verifier: operands, attributes, element types, tiles, memory"},
    RuleGroup{"E04", "Verifier: structure, vector scopes, micro instructions"},
    RuleGroup{"E05", "Static checks of synchronisation and memory"},
    RuleGroup{"E06", "Planner: addresses and flags"},
    RuleGroup{"W", "Warnings"},
};
constexpr RuleGroup kRun = {"", "Findings of a run"};

/// The family with the longest prefix.
const RuleGroup& group_of(const Rule& rule) {
  if (rule.of_a_run()) return kRun;
  const std::string_view id = to_string(rule.id);
  const RuleGroup* found = &kFamilies.front();
  for (const RuleGroup& family : kFamilies) {
    if (id.starts_with(family.prefix) && family.prefix.size() >= found->prefix.size()) found = &family;
    if (family.prefix == "W" && id.starts_with('W')) found = &family;
  }
  return *found;
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

}  // namespace

std::string list_rules(std::string_view format) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  const RuleGroup* last = nullptr;
  for (const Rule& rule : rules()) {
    const RuleGroup& family = group_of(rule);
    if (&family != last)
      text += fmt::format("{}## {}\n\n| id | name | meaning |\n|---|---|---|\n", last == nullptr ? "" : "\n",
                          family.title);
    last = &family;
    text += fmt::format("| {} | `{}` | {} |\n", to_string(rule.id), slug(rule), cell(rule.cause));
    list.push_back({{"id", to_string(rule.id)},
                    {"name", slug(rule)},
                    {"family", family.title},
                    {"title", rule.title},
                    {"cause", rule.cause},
                    {"example", rule.example},
                    {"fix", rule.fix}});
  }
  return format == "json" ? list.dump(1) + "\n" : text;
}

}  // namespace pto
