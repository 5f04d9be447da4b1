#include "check/rank_race_checker.hpp"

#include <fmt/format.h>

#include "ir/op_queries.hpp"

namespace pto::sim {
namespace {

std::string name_of(const Program& program, const RankRace::Side& side) {
  return fmt::format("{} of rank {}", mnemonic(program, side.pc), side.rank);
}
std::string_view verb_of(const RankRace::Side& side) {
  return side.update ? "adds to" : side.write ? "writes" : "reads";
}

}  // namespace

void RankRaces::add(const RankRace& race) {
  const auto [at, fresh] =
      races_.try_emplace({race.before.pc, race.now.pc, race.before.write, race.now.write}, race);
  if (!fresh && race.begin == at->second.end && race.now.rank == at->second.now.rank)
    at->second.end = race.end;
}

std::vector<Diagnostic> RankRaces::take_findings(const Program& program, uint32_t home,
                                                 const ArgumentMap& arguments) {
  constexpr FindingId kId = FindingId::rank_race;
  std::vector<Diagnostic> out;
  for (const auto& [_, race] : races_) {
    const RankRace::Side &before = race.before, &now = race.now;
    if (are_signals(before.pc, now.pc)) continue;
    Diagnostic& each = out.emplace_back(finding(
        program, kId, now.pc,
        fmt::format("{} {} {} of rank {} that {} {}; no signal orders the two", name_of(program, now),
                    verb_of(now),
                    arguments.bytes_at(program, kNoValue, Space::gm, race.begin, race.end - race.begin), home,
                    name_of(program, before), verb_of(before))));
    if (now.moment) each.moment = *now.moment;
    each.notes.push_back(note_at(program, before.pc, "the other access is " + name_of(program, before)));
    if (before.moment) each.notes.back().moment = *before.moment;
    if (before.rank == now.rank)
      each.help = fmt::format("order the two on rank {}, where both are made", now.rank);
    else
      each.help = fmt::format(
          "one of them comes first: that rank notifies behind it, and the other one waits for that: rank {} "
          "in front of {}, or rank {} in front of {}",
          now.rank, place(program, now.pc), before.rank, place(program, before.pc));
  }
  races_.clear();
  return out;
}

}  // namespace pto::sim
