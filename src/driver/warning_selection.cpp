#include "driver/warning_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/launch_groups.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

std::tuple<uint32_t, uint32_t> order(Location where) { return {where.line, where.col}; }

bool is_warning(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::warning && diagnostic.where.line != 0;
}

/// All functions that run when these do.
std::vector<bool> reached(const Program& program, const Functions& functions, std::vector<uint32_t> todo) {
  std::vector<bool> runs(functions.all().size(), false);
  for (const uint32_t function : todo) runs[function] = true;
  while (!todo.empty()) {
    const Function& caller = functions[todo.back()];
    todo.pop_back();
    for (uint32_t op = caller.info.op; op < caller.end; ++op) {
      const OpView view(program, op);
      if (isa::opcode_class(view) != isa::OpcodeClass::call &&
          isa::opcode_class(view) != isa::OpcodeClass::launch_threads)
        continue;
      for (const uint32_t callee : functions.called(view, caller)) {
        if (runs[callee]) continue;
        runs[callee] = true;
        todo.push_back(callee);
      }
    }
  }
  return runs;
}

/// Of all but the first.
std::string others_text(const std::vector<Diagnostic*>& all, std::string_view function) {
  constexpr size_t kMax = 8;
  std::vector<uint32_t> lines;
  for (const Diagnostic* each : all) {
    if (each != all.front() && (lines.empty() || lines.back() != each->where.line))
      lines.push_back(each->where.line);
  }
  const bool many = lines.size() > kMax;
  const bool one = lines.size() == 1;
  if (many) lines.resize(kMax);
  return fmt::format("{} more of this rule in @{}, at line{} {}{} (--max-errors 0 shows each)",
                     all.size() - 1, function, one ? "" : "s", fmt::join(lines, ", "), many ? ", .." : "");
}

/// The statement that a finding speaks of, and the other one where it speaks of two.
using Statements = std::tuple<FindingId, Severity, uint32_t, uint32_t, uint32_t, uint32_t>;
Statements statements_of(const Diagnostic& finding) {
  const auto other =
      std::ranges::find_if(finding.notes, [](const Note& note) { return note.where.line != 0; });
  const Location second = other == finding.notes.end() ? Location{} : other->where;
  return {finding.id, finding.severity, finding.where.line, finding.where.col, second.line, second.col};
}

/// Operations that are made of one statement are one statement to who wrote it.
void fold_copies(Diagnostics& diagnostics) {
  struct Told {
    Diagnostic* first;
    std::set<uint32_t> others;
  };
  std::map<Statements, Told> known;
  std::set<const Diagnostic*> copies;
  for (Diagnostic& each : diagnostics.all()) {
    if (each.where.line == 0 || each.anchor.op == ~0u) continue;
    const auto [at, fresh] = known.try_emplace(statements_of(each), Told{&each, {}});
    if (fresh || at->second.first->anchor.op == each.anchor.op) continue;
    at->second.others.insert(each.anchor.op);
    copies.insert(&each);
  }
  for (auto& [statements, reported] : known) {
    if (reported.others.empty()) continue;
    const size_t more = reported.others.size();
    reported.first->notes.push_back(
        {fmt::format("the same in {} more operation{} made of this statement (--max-errors 0 shows each)",
                     more, more == 1 ? "" : "s"),
         {},
         {},
         {}});
  }
  diagnostics.remove_if([&](const Diagnostic& each) { return copies.contains(&each); });
}

}  // namespace

FunctionPlaces::FunctionPlaces(const Program& program) {
  for (const FunctionInfo& function : functions(program)) {
    const Location begin = program.ops[function.op].where;
    Place place{static_cast<uint32_t>(places_.size()), std::string(function.name), begin, begin};
    for (uint32_t op = function.op; op < program.end_of(function.op); ++op) {
      if (order(program.ops[op].where) > order(place.end)) place.end = program.ops[op].where;
    }
    places_.push_back(std::move(place));
  }
  // What was divided among cores follows the others.
  const auto before = [](const Place& one, const Place& other) {
    return order(one.begin) < order(other.begin);
  };
  if (!std::ranges::is_sorted(places_, before)) std::ranges::stable_sort(places_, before);
}

void FunctionPlaces::keep_only(const Program& program, const std::string& entry) {
  const Functions functions(program);
  const Result<LaunchedFunctions> launch =
      find_launch(program, functions, CallGraph(program, functions), entry);
  if (!launch) return;
  const std::vector<bool> runs = reached(program, functions, launch->functions);
  for (Place& place : places_) place.runs = runs[place.function];
}

const FunctionPlaces::Place* FunctionPlaces::around(Location where) const {
  const auto behind = std::ranges::upper_bound(places_, order(where), {},
                                               [](const Place& place) { return order(place.begin); });
  if (behind == places_.begin()) return nullptr;
  const Place& place = *std::prev(behind);
  return where.line <= place.end.line ? &place : nullptr;
}

void FunctionPlaces::drop_idle(Diagnostics& diagnostics) const {
  if (std::ranges::all_of(places_, &Place::runs)) return;
  diagnostics.remove_if([&](const Diagnostic& each) {
    const Place* const place = is_warning(each) ? around(each.where) : nullptr;
    return place != nullptr && !place->runs;
  });
}

void FunctionPlaces::fold(Diagnostics& diagnostics) const {
  fold_copies(diagnostics);
  using Kind = std::tuple<const Place*, FindingId, std::string, std::string>;
  std::map<Kind, std::vector<Diagnostic*>> kinds;
  for (Diagnostic& each : diagnostics.all()) {
    const Place* const place =
        is_warning(each) && !has_trait(each.id, kShownEach) ? around(each.where) : nullptr;
    if (place != nullptr)
      kinds[Kind(place, each.id, each.subject, each.effect ? each.effect->output : "")].push_back(&each);
  }
  std::set<const Diagnostic*> folded;
  for (auto& [kind, all] : kinds) {
    if (all.size() == 1) continue;
    std::ranges::stable_sort(all, {}, [](const Diagnostic* each) { return order(each->where); });
    folded.insert(all.begin() + 1, all.end());
    all.front()->notes.push_back({others_text(all, std::get<0>(kind)->name), {}, {}, {}});
  }
  diagnostics.remove_if([&](const Diagnostic& each) { return folded.contains(&each); });
}

}  // namespace pto::driver
