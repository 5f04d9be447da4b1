// Why nothing moves: the root causes among the queues that are blocked. The dynamic twin is
// src/sim/findings/deadlock_explainer.cpp.
#include "verify/sync/core_model.hpp"

namespace pto::legality::sync {

/// The lane in whose blocked queue a set stands that the wait could take, or a wait that would make room for
/// the set; -1 when there is none.
int CoreModel::holder(const Entry& head) const {
  const FlagKey& key = uses_[head.flag].key;
  const bool waits = head.kind == Entry::Kind::wait;
  const int other = waits ? key.src : key.dst;
  for (const Entry& entry : s_.queues[static_cast<size_t>(other)]) {
    if (entry.kind == (waits ? Entry::Kind::set : Entry::Kind::wait) && entry.flag == head.flag) return other;
  }
  return -1;
}

void CoreModel::scalar_stuck() {
  explain_stuck(nullptr);
  release_blocked();
}

/// `scalar`: the wait at which the scalar unit stands, if it is one.
void CoreModel::explain_stuck(const Entry* scalar, bool circles_only) {
  std::array<const Entry*, kLanes> heads{};
  std::array<int, kLanes> behind{};
  for (size_t i = kFirstQueue; i < kLanes; ++i) {
    const std::vector<Entry>& queue = s_.queues[i];
    if (queue.empty()) continue;
    const Entry::Kind kind = queue.front().kind;
    if (kind == Entry::Kind::wait || kind == Entry::Kind::set) heads[i] = &queue.front();
  }
  heads[kScalarLane] = scalar;
  for (size_t i = 0; i < kLanes; ++i) behind[i] = heads[i] == nullptr ? -1 : holder(*heads[i]);
  const auto add = [&](size_t lane, Deadlock::Why why) -> Deadlock& {
    const FlagState& flag = s_.flags[heads[lane]->flag];
    Entry entry = *heads[lane];
    entry.accesses.clear();
    return deadlocks.emplace_back(Deadlock{
        why, std::move(entry), {}, flag.sets, flag.waits, static_cast<uint32_t>(flag.pending.size())});
  };
  std::array<bool, kLanes> reported_findings{};
  for (size_t i = 0; i < kLanes; ++i) {
    if (heads[i] == nullptr || behind[i] >= 0) continue;
    reported_findings[i] = true;
    if (!circles_only) add(i, Deadlock::Why::count);
  }
  // Circles: every lane that is reached again from itself, told once from the wait that comes first in the
  // text.
  for (size_t i = 0; i < kLanes; ++i) {
    if (heads[i] == nullptr || reported_findings[i]) continue;
    std::vector<size_t> circle{i};
    int at = behind[i];
    while (at >= 0 && static_cast<size_t>(at) != i && circle.size() < kLanes &&
           !reported_findings[static_cast<size_t>(at)]) {
      circle.push_back(static_cast<size_t>(at));
      at = heads[static_cast<size_t>(at)] == nullptr ? -1 : behind[static_cast<size_t>(at)];
    }
    if (at < 0 || static_cast<size_t>(at) != i) continue;
    const auto first =
        std::ranges::min_element(circle, {}, [&](size_t lane) { return heads[lane]->when.time; });
    std::rotate(circle.begin(), first, circle.end());  // the ranges form is beyond clang 14
    Deadlock& built = add(circle.front(), Deadlock::Why::cycle);
    for (const size_t lane : circle) {
      reported_findings[lane] = true;
      if (lane != circle.front()) {
        built.others.push_back(*heads[lane]);
        built.others.back().accesses.clear();
      }
    }
  }
}

void CoreModel::end() {
  explain_stuck(nullptr);
  for (size_t i = 0; i < uses_.size(); ++i) {
    const FlagState& flag = s_.flags[i];
    if (!flag.unknown && flag.balance > 0)
      leftover_sets.push_back(
          {flag.last_set, static_cast<uint16_t>(i), static_cast<uint32_t>(flag.balance), flag.certain});
  }
  for (const auto& [id, token] : s_.tokens) {
    for (size_t i = 0; i < kLanes; ++i) {
      if (token.got[i] > token.released[i]) buffers.push_back({token.last[i], id, true, token.certain[i]});
    }
  }
}

}  // namespace pto::legality::sync
