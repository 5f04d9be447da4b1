#include "driver/closures.hpp"

#include <algorithm>

namespace pto::driver {

/// With the counters of such loops at that depth counted from `to`.
CutState Closures::relative(const CutState& state, size_t depth, int64_t to) const {
  std::vector<LoadAt> stands = state.stands;
  for (LoadAt& stand : stands) {
    if (stand.loops.size() > depth && loads_.contains(stand.loops[depth].first))
      stand.loops[depth].second -= to;
  }
  CutState made{{}, state.open, stands, state.rest};
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

bool Closures::closes(const Iterations& iterations) const {
  std::vector<const std::vector<CutState>*> all;
  for (const auto& each : iterations) all.push_back(&each.second);
  const auto size = static_cast<int64_t>(all.size());
  for (int64_t i = std::max<int64_t>(0, size - period_); i < size; ++i) {
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

void Closures::finish(uint64_t trips, Found& found) const {
  for (const auto& [key, iterations] : seen_) {
    const uint32_t loop = key.first;
    found.longest[loop] = std::max<uint64_t>(found.longest[loop], iterations.size());
    if (iterations.size() < trips) continue;
    (!given_up_ && closes(iterations) ? found.closed : found.open).insert(loop);
  }
}

}  // namespace pto::driver
