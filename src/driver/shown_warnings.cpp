#include "driver/shown_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "isa/launches.hpp"
#include "isa/row.hpp"
#include "isa/walk.hpp"

namespace pto::driver {
namespace {

std::tuple<uint32_t, uint32_t> order(Location where) { return {where.line, where.col}; }

bool is_warning(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::warning && diagnostic.where.line != 0;
}

/// Flags, orders and bytes in common (E05.., W0103, W0104): each is a fault of its own. Old forms (W0111):
/// each has words of its own, and is told once already.
bool is_about_accesses(std::string_view id) {
  return id.starts_with("W05") || id == "W0103" || id == "W0104" || id == "W0111";
}

/// The words between quotation marks: names that the text gives.
std::string names_in(std::string_view message) {
  std::string words;
  for (size_t begin = message.find('\''); begin != std::string_view::npos;) {
    const size_t end = message.find('\'', begin + 1);
    if (end == std::string_view::npos) break;
    words.append(message, begin, end - begin + 1);
    begin = message.find('\'', end + 1);
  }
  return words;
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
      if (isa::does(view) != isa::Does::call && isa::does(view) != isa::Does::launch_threads) continue;
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
  constexpr size_t kMost = 8;
  std::vector<uint32_t> lines;
  for (const Diagnostic* each : all) {
    if (each != all.front() && (lines.empty() || lines.back() != each->where.line))
      lines.push_back(each->where.line);
  }
  const bool many = lines.size() > kMost, one = lines.size() == 1;
  if (many) lines.resize(kMost);
  return fmt::format("{} more of this rule in @{}, at line{} {}{} (--max-errors 0 shows each)",
                     all.size() - 1, function, one ? "" : "s", fmt::join(lines, ", "), many ? ", .." : "");
}

}  // namespace

FunctionPlaces::FunctionPlaces(const Program& program) {
  const Functions functions(program);
  for (const Function& function : functions.all()) {
    Place place{std::string(function.info.name), program.ops[function.info.op].where, {}};
    place.end = place.begin;
    for (uint32_t op = function.info.op; op < function.end; ++op) {
      if (order(program.ops[op].where) > order(place.end)) place.end = program.ops[op].where;
    }
    places_.push_back(std::move(place));
  }
}

void FunctionPlaces::keep_only(const Program& program, const std::string& entry) {
  const Functions functions(program);
  const Result<LaunchedFunctions> launch =
      find_launch(program, functions, CallGraph(program, functions), entry);
  if (!launch) return;
  const std::vector<bool> runs = reached(program, functions, launch->functions);
  for (size_t i = 0; i < places_.size(); ++i) places_[i].runs = runs[i];
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
  using Kind = std::tuple<const Place*, std::string_view, std::string>;
  std::map<Kind, std::vector<Diagnostic*>> kinds;
  for (Diagnostic& each : diagnostics.all()) {
    const Place* const place = is_warning(each) && !is_about_accesses(each.id) ? around(each.where) : nullptr;
    if (place != nullptr) kinds[Kind(place, each.id, names_in(each.message))].push_back(&each);
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
