// Every rule of the tools in one list.
#include <algorithm>
#include <vector>

#include "asm/rules.hpp"
#include "lower/rules.hpp"
#include "plan/rules.hpp"
#include "pto/diagnostic.hpp"
#include "pto/rules.hpp"
#include "sim/findings/catalogue.hpp"
#include "verify/rule_table.hpp"

namespace pto {

namespace {

std::string lower_case(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

}  // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> list;
    const auto add = [&](std::span<const Rule> part) { list.insert(list.end(), part.begin(), part.end()); };
    add(text::assembler_rules());
    add(planner::planner_rules());
    add(lower::lowering_rules());
    for (const legality::RuleFamily& family : legality::rule_families()) add(family.rules);
    std::stable_sort(list.begin(), list.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
    add(sim::run_time_rules());
    return list;
  }();
  return all;
}

std::string slug(const Rule& rule) {
  std::string word;
  for (const char c : rule.title) {
    const bool upper = c >= 'A' && c <= 'Z', plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain) {
      word += static_cast<char>(upper ? c - 'A' + 'a' : c);
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  if (word.ends_with('-')) word.pop_back();
  return word;
}

const Rule* find_rule(FindingId id) {
  const std::span<const Rule> all = rules();
  const auto found = std::ranges::find(all, id, &Rule::id);
  return found == all.end() ? nullptr : &*found;
}

const Rule* find_rule(std::string_view name) {
  const std::string wanted = lower_case(name);
  const std::span<const Rule> all = rules();
  auto found = std::ranges::find(all, name, [](const Rule& rule) { return to_string(rule.id); });
  if (found == all.end()) found = std::ranges::find(all, wanted, slug);
  if (found == all.end())
    found = std::ranges::find(all, wanted, [](const Rule& rule) { return lower_case(to_string(rule.id)); });
  return found == all.end() ? nullptr : &*found;
}

std::string nearest_rule(std::string_view name, bool warnings) {
  std::vector<std::string> slugs;
  std::vector<std::string_view> names;
  for (const Rule& rule : rules()) {
    if (warnings && rule.weighs() == Weight::error) continue;
    slugs.push_back(slug(rule));
    names.push_back(to_string(rule.id));
  }
  names.insert(names.end(), slugs.begin(), slugs.end());
  return std::string(nearest(name, names));
}

}  // namespace pto
