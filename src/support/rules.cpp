// Every rule of the tools in one list.
#include "pto/rules.hpp"

#include <algorithm>
#include <vector>

#include "asm/rules.hpp"
#include "pto/diagnostic.hpp"
#include "sim/catalogue.hpp"
#include "support/rule_kinds.hpp"
#include "verify/checker.hpp"

namespace pto {

namespace {

constexpr Rule kPlannerRules[] = {
    {"E0601", "on-chip memory", "The tiles that live at the same time do not fit into their memory.", "eight 64 KiB tiles in vec, all used by the last operation",
     "use smaller tiles, or let tiles end before others begin; the map shows who is in the way"},
    {"E0602", "loop-carried tile", "A tile is handed to the next iteration, which still reads it after its successor is written.",
     "scf.yield %next where the next iteration reads the old and the new tile", "copy the tile before it is overwritten"},
    {"E0603", "queued work outside sections", "An instruction stands beside the sections of a mixed kernel, where no flags can be inserted for it.",
     "pto.tload in front of pto.section.cube", "move it into a section, or write the flags by hand"},
    {"E0604", "nesting too deep to plan", "Loops, branches and sections are nested deeper than 200.", "201 scf.if in each other", "flatten the control flow"},
};

std::string lower(std::string_view text) {
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
    for (const std::span<const Rule> part : {text::assembler_rules(), legality::verifier_rules(), legality::synchronisation_rules(), legality::micro_rules(), legality::memref_rule_texts(), legality::tile_rule_texts(),
                                           legality::simt_and_queue_rules(), std::span<const Rule>(kPlannerRules)}) list.insert(list.end(), part.begin(), part.end());
    std::stable_sort(list.begin(), list.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
    const std::span<const Rule> of_runs = sim::run_time_rules();
    list.insert(list.end(), of_runs.begin(), of_runs.end());
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

bool of_a_run(std::string_view id) {
  return std::ranges::any_of(sim::run_time_rules(), [&](const Rule& rule) { return rule.id == id; });
}

bool only_warns(std::string_view id) {
  return of_a_run(id) ? sim::weight_of(id) == sim::Weight::warning : id.starts_with('W');
}

bool warns(std::string_view id) { return only_warns(id) || (of_a_run(id) && sim::weight_of(id) == sim::Weight::either); }

const Rule* find_rule(std::string_view name) {
  const std::string wanted = lower(name);
  const std::span<const Rule> all = rules();
  auto found = std::ranges::find(all, name, &Rule::id);
  if (found == all.end()) found = std::ranges::find(all, wanted, slug);
  if (found == all.end()) found = std::ranges::find(all, wanted, [](const Rule& rule) { return lower(rule.id); });
  return found == all.end() ? nullptr : &*found;
}

std::string nearest_rule(std::string_view name, bool warnings) {
  std::vector<std::string> slugs;
  std::vector<std::string_view> names;
  for (const Rule& rule : rules()) {
    if (warnings && !warns(rule.id)) continue;
    slugs.push_back(slug(rule));
    names.push_back(rule.id);
  }
  names.insert(names.end(), slugs.begin(), slugs.end());
  return std::string(nearest(name, names));
}

}  // namespace pto
