#include "prove/explore/loop_fixpoint.hpp"

#include <algorithm>

namespace pto::driver {

/// With the counters of such loops at that depth counted from `to`.
CheckpointState LoopFixpoint::relative(const CheckpointState& state, size_t depth, int64_t to) const {
  std::vector<ProgramPoint> stands = state.positions;
  for (ProgramPoint& stand : stands) {
    if (stand.loops.size() > depth && loads_.contains(stand.loops[depth].first))
      stand.loops[depth].second -= to;
  }
  CheckpointState built{{}, state.pending_accesses, stands, state.trip_counts, state.remainder};
  built.write_key();
  return built;
}

void LoopFixpoint::add(const std::optional<CheckpointState>& state) {
  if (state)
    add(*state);
  else
    given_up_ = true;
}

void LoopFixpoint::add(const CheckpointState& state) {
  in_loops_.merge(cores_in_loops(state));
  for (const auto& one : loads_) {
    const uint32_t loop = one.first, load = one.second;
    const auto stand = std::ranges::find(state.positions, load, &ProgramPoint::op);
    if (stand == state.positions.end()) continue;
    const auto at =
        std::ranges::find_if(stand->loops, [&](const auto& around) { return around.first == loop; });
    if (at == stand->loops.end()) continue;
    const Loops around(stand->loops.begin(), at);
    CheckpointState built = relative(state, around.size(), at->second);
    std::vector<CheckpointState>& known = states_[{loop, around}][at->second];
    if (std::ranges::none_of(known, [&](const CheckpointState& each) { return each.subsumes(built); }))
      known.push_back(std::move(built));
  }
}

/// Whether what iterations `from` up to `to` come to has been seen before.
bool LoopFixpoint::is_closed(const Iterations& iterations, int64_t from, int64_t to) const {
  std::vector<const std::vector<CheckpointState>*> all;
  for (const auto& each : iterations) all.push_back(&each.second);
  for (int64_t i = std::max<int64_t>(0, from); i < to; ++i) {
    for (const CheckpointState& state : *all[static_cast<size_t>(i)]) {
      bool covered = false;
      for (int64_t before = i - period_; before > prefix_length_ && !covered; before -= period_)
        covered = std::ranges::any_of(*all[static_cast<size_t>(before)],
                                      [&](const CheckpointState& each) { return each.subsumes(state); });
      if (!covered) return false;
    }
  }
  return true;
}

std::set<uint32_t> LoopFixpoint::cores_in_loops(const CheckpointState& state) const {
  std::set<uint32_t> found;
  for (const ProgramPoint& stand : state.positions) {
    if (std::ranges::any_of(stand.loops, [&](const auto& each) { return loads_.contains(each.first); }))
      found.insert(stand.core);
  }
  return found;
}

/// The last iterations have to be what earlier ones were. Of several cores one may have left its loop then:
/// where a number says how often the loop runs, iterations count that the others are in loops at as well, of
/// the most that were tried. With more they come to the same until somebody leaves, and leave as with fewer.
bool LoopFixpoint::is_closed(uint32_t loop, const Iterations& iterations) const {
  const auto size = static_cast<int64_t>(iterations.size());
  if (is_closed(iterations, size - period_, size)) return true;
  int64_t most = 0;
  for (const auto& [counter, states] : iterations) {
    for (const CheckpointState& state : states) {
      const auto trips = state.trip_counts.find(loop);
      if (trips == state.trip_counts.end()) return false;
      most = std::max(most, trips->second);
    }
  }
  Iterations longest;
  for (const auto& [counter, states] : iterations) {
    std::vector<CheckpointState>& some = longest[counter];
    for (const CheckpointState& state : states) {
      if (state.trip_counts.at(loop) != most) continue;
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
  for (int64_t to = end; to - 2 * period_ > prefix_length_; --to) {
    if (is_closed(longest, to - period_, to)) return true;
  }
  return false;
}

void LoopFixpoint::finish(uint64_t trips, Found& found) const {
  for (const auto& [key, iterations] : states_) {
    const uint32_t loop = key.first;
    found.max_trip_counts[loop] = std::max<uint64_t>(found.max_trip_counts[loop], iterations.size());
    if (iterations.size() < trips) continue;
    (!given_up_ && is_closed(loop, iterations) ? found.converged : found.diverging).insert(loop);
  }
}

}  // namespace pto::driver
