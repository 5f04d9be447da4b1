#include "prove/explore/loop_fixpoint.hpp"

#include <algorithm>

namespace pto::driver {

/// With the counters of such loops at that depth counted from `to`.
CutState Closures::relative(const CutState& state, size_t depth, int64_t to) const {
  std::vector<LoadAt> stands = state.stands;
  for (LoadAt& stand : stands) {
    if (stand.loops.size() > depth && loads_.contains(stand.loops[depth].first))
      stand.loops[depth].second -= to;
  }
  CutState made{{}, state.open, stands, state.trips, state.rest};
  made.write_key();
  return made;
}

void Closures::add(const std::optional<CutState>& state) {
  if (state)
    add(*state);
  else
    given_up_ = true;
}

void Closures::add(const CutState& state) {
  in_loops_.merge(cores_in_loops(state));
  for (const auto& one : loads_) {
    const uint32_t loop = one.first, load = one.second;
    const auto stand = std::ranges::find(state.stands, load, &LoadAt::op);
    if (stand == state.stands.end()) continue;
    const auto at =
        std::ranges::find_if(stand->loops, [&](const auto& around) { return around.first == loop; });
    if (at == stand->loops.end()) continue;
    const Loops around(stand->loops.begin(), at);
    CutState made = relative(state, around.size(), at->second);
    std::vector<CutState>& known = seen_[{loop, around}][at->second];
    if (std::ranges::none_of(known, [&](const CutState& each) { return each.covers(made); }))
      known.push_back(std::move(made));
  }
}

/// Whether what iterations `from` up to `to` come to has been seen before.
bool Closures::closes(const Iterations& iterations, int64_t from, int64_t to) const {
  std::vector<const std::vector<CutState>*> all;
  for (const auto& each : iterations) all.push_back(&each.second);
  for (int64_t i = std::max<int64_t>(0, from); i < to; ++i) {
    for (const CutState& state : *all[static_cast<size_t>(i)]) {
      bool covered = false;
      for (int64_t before = i - period_; before > furthest_ && !covered; before -= period_)
        covered = std::ranges::any_of(*all[static_cast<size_t>(before)],
                                      [&](const CutState& each) { return each.covers(state); });
      if (!covered) return false;
    }
  }
  return true;
}

std::set<uint32_t> Closures::cores_in_loops(const CutState& state) const {
  std::set<uint32_t> found;
  for (const LoadAt& stand : state.stands) {
    if (std::ranges::any_of(stand.loops, [&](const auto& each) { return loads_.contains(each.first); }))
      found.insert(stand.core);
  }
  return found;
}

/// The last iterations have to be what earlier ones were. Of several cores one may have left its loop then:
/// where a number says how often the loop runs, iterations count that the others are in loops at as well, of
/// the most that were tried. With more they come to the same until somebody leaves, and leave as with fewer.
bool Closures::closes(uint32_t loop, const Iterations& iterations) const {
  const auto size = static_cast<int64_t>(iterations.size());
  if (closes(iterations, size - period_, size)) return true;
  int64_t most = 0;
  for (const auto& [counter, states] : iterations) {
    for (const CutState& state : states) {
      const auto trips = state.trips.find(loop);
      if (trips == state.trips.end()) return false;
      most = std::max(most, trips->second);
    }
  }
  Iterations longest;
  for (const auto& [counter, states] : iterations) {
    std::vector<CutState>& some = longest[counter];
    for (const CutState& state : states) {
      if (state.trips.at(loop) != most) continue;
      if (cores_in_loops(state) != in_loops_) {
        some.clear();
        break;
      }
      some.push_back(state);
    }
    if (some.empty()) {  // from here on some have left
      longest.erase(counter);
      break;
    }
  }
  const auto end = static_cast<int64_t>(longest.size());
  for (int64_t to = end; to - 2 * period_ > furthest_; --to) {
    if (closes(longest, to - period_, to)) return true;
  }
  return false;
}

void Closures::finish(uint64_t trips, Found& found) const {
  for (const auto& [key, iterations] : seen_) {
    const uint32_t loop = key.first;
    found.longest[loop] = std::max<uint64_t>(found.longest[loop], iterations.size());
    if (iterations.size() < trips) continue;
    (!given_up_ && closes(loop, iterations) ? found.closed : found.open).insert(loop);
  }
}

}  // namespace pto::driver
