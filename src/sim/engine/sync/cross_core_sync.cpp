#include "sim/engine/sync/cross_core_sync.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/engine/iteration_vector.hpp"

namespace pto::sim {

// ---- semaphores

template <typename Tap>
Core* CrossCoreSync<Tap>::cluster_core(const Core& core, uint32_t role_index) const {
  const size_t per_block = d_.kernel->cores.size();
  const size_t first = size_t{core.info.block} * per_block;
  for (size_t i = first; i < first + per_block; ++i) {
    if (d_.cores[i]->role_index() == role_index) return d_.cores[i].get();
  }
  return nullptr;
}

/// The ordering fact that a signal to `target` carries.
template <typename Tap>
std::vector<OrderToken> CrossCoreSync<Tap>::release(const Core& core, const Signal& signal,
                                                    const Core& target, int id_there) {
  if constexpr (!Tap::kEnabled) return {};
  const BytecodeInst& code = signal.code;
  const uint64_t token = tap_.release({.from = core,
                                       .from_lane = code.lane,
                                       .to = target,
                                       .to_lane = kLanes,
                                       .pc = code.pc,
                                       .signal = static_cast<int>(d_.config.semaphore(code.b, id_there))});
  return {{token, core.info.index, code.lane, false, signal.step}};
}

/// One to one: ids 0..15 reach AIV0, 16..31 AIV1; an AIV's signal reaches the AIC under the id of
/// its half. Cube and vector: the AIC's signal reaches both AIVs; the AIC is signalled when both
/// AIVs have done so.
template <typename Tap>
void CrossCoreSync<Tap>::send(Core& core, const Signal& signal) {
  const uint32_t role = core.role_index();
  const int id = signal.id;
  if (signal.code.b == kOneToOne) {
    constexpr int kHalf = 16;
    Core* const target = cluster_core(core, role == 0 ? 1 + static_cast<uint32_t>(id / kHalf) : 0);
    const int id_there = role == 0 ? id % kHalf : id + kHalf * (static_cast<int>(role) - 1);
    if (target != nullptr) raise(core, signal, *target, id_there, release(core, signal, *target, id_there));
    return;
  }
  if (signal.code.b != kCubeAndVector) return signal_group(core, signal);
  if (role != 0) return signal_cube_core(core, signal);
  for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
    if (Core* const target = cluster_core(core, aiv))
      raise(core, signal, *target, id, release(core, signal, *target, id));
  }
}

template <typename Tap>
void CrossCoreSync<Tap>::signal_cube_core(Core& core, const Signal& signal) {
  Core* const aic = cluster_core(core, 0);
  if (aic == nullptr) return;
  Semaphore& semaphore = aic->semaphores[d_.config.semaphore(signal.code.b, signal.id)];
  ++semaphore.part[core.role_index()];
  for (const OrderToken& token : release(core, signal, *aic, signal.id)) semaphore.gathered.push_back(token);
  for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
    if (cluster_core(core, aiv) != nullptr && semaphore.part[aiv] == 0) return;
  }
  // One signal of each: a second one that came early belongs to the next round.
  std::vector<OrderToken> tokens;
  for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
    semaphore.part[aiv] -= semaphore.part[aiv] != 0;
    if (!Tap::kEnabled || cluster_core(core, aiv) == nullptr) continue;
    const auto first =
        std::ranges::find(semaphore.gathered, cluster_core(core, aiv)->info.index, &OrderToken::core);
    tokens.push_back(*first);
    semaphore.gathered.erase(first);
  }
  raise(core, signal, *aic, signal.id, std::move(tokens));
}

/// All cores of the kind, or the AIVs of one block. All are signalled when all have signalled. What
/// each did before is reported by one token of the meeting: tokens grow with the cores, not with
/// their pairs.
template <typename Tap>
void CrossCoreSync<Tap>::signal_group(Core& core, const Signal& sent) {
  Signal signal = sent;
  const BytecodeInst& code = signal.code;
  const auto id = static_cast<size_t>(signal.id);
  const auto in_group = [&](const auto& other) {
    return other->info.kind == core.info.kind &&
           (code.b == kAllOfKind || other->info.block == core.info.block);
  };
  const auto rounds = [&] {
    uint32_t least = ~0u;
    for (const auto& other : d_.cores) {
      if (in_group(other)) least = std::min(least, other->group_sets[id]);
    }
    return least;
  };
  const uint32_t before = rounds();
  const uint32_t round = ++core.group_sets[id];
  const bool complete_round = rounds() > before;
  std::vector<OrderToken> meeting;
  if constexpr (Tap::kEnabled) {
    signal.step = join_group(core, signal, round - 1 - before, complete_round);
    if (!tap_.keeps_order() && signal.step != 0)
      meeting = {{0, core.info.index, code.lane, false, signal.step}};
  }
  if (tap_.keeps_order()) {
    const auto [open, fresh] = meetings_.try_emplace({group_of(core, code, signal.id), round}, 0);
    if (fresh) open->second = tap_.new_token();
    tap_.release({.from = core,
                  .from_lane = code.lane,
                  .to = core,
                  .to_lane = kLanes,
                  .pc = code.pc,
                  .signal = static_cast<int>(d_.config.semaphore(code.b, signal.id))},
                 open->second);
    if (complete_round) {
      meeting = {{open->second, core.info.index, code.lane, true, signal.step}};
      meetings_.erase(open);
      to_acquire_[meeting[0].token] = static_cast<uint32_t>(std::ranges::count_if(d_.cores, in_group));
    }
  }
  if (!complete_round) return;
  for (const auto& other : d_.cores) {
    if (in_group(other)) raise(core, signal, *other, signal.id, meeting);
  }
}

/// A signal to a group whose rounds are counted from the one that is open; the number of the
/// meeting when it is complete.
template <typename Tap>
uint64_t CrossCoreSync<Tap>::join_group(const Core& core, const Signal& signal, uint32_t round,
                                        bool complete) {
  if (tap_.steps() == nullptr) return 0;
  auto& open = joined_[group_of(core, signal.code, signal.id)];
  if (open.size() <= round) open.resize(size_t{round} + 1);
  open[round].push_back(signal.step);
  if (!complete) return 0;
  const uint64_t met = tap_.report_meeting(open.front());
  open.pop_front();
  return met;
}

/// One more signal for the waiter on `target`.
template <typename Tap>
void CrossCoreSync<Tap>::raise(const Core& from, const Signal& signal, Core& target, int id,
                               std::vector<OrderToken> tokens) {
  constexpr uint32_t kMax = 15;  // 4-bit counters
  const uint32_t key = d_.config.semaphore(signal.code.b, id);
  const bool paid = skips_.has_debts() && skips_.pay_debt(target, key, WaitSkips::Kind::semaphore);
  Semaphore& semaphore = target.semaphores[key];
  if (!paid) semaphore.last_set = signal.code.pc;
  if (paid || semaphore.count == kMax) {
    if (!paid) add_overflow(from, signal, target, id);
    for (const OrderToken& lost : tokens) is_last_acquire(lost);
    return;
  }
  ++semaphore.count;
  semaphore.held = signal.held;
  tap_.report_signal(target, key, tokens);
  if constexpr (Tap::kEnabled) semaphore.tokens.push_back(std::move(tokens));
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    if (target.lanes[i].block == Block::cross_core && target.lanes[i].key == key)
      target.at[kStartAt + i] = d_.now;
  }
  if (target.su.block == Block::cross_core && target.su.key == key) wake_scalar(target, d_.now);
  queue_.reschedule(target);
}

template <typename Tap>
void CrossCoreSync<Tap>::add_overflow(const Core& from, const Signal& signal, const Core& target, int id) {
  Diagnostic* const finding = findings_.add(
      FindingId::cross_overflow, signal.code.pc,
      fmt::format("cross-core id {} of {} has 15 signals that nobody waited for; this one is lost", id,
                  core_name(d_, target)));
  if (finding == nullptr) return;
  finding->help = "hold the signalling core back with a signal in the other direction";
  const unsigned lane = signal.code.lane;
  finding->moment = lane == kScalarLane
                        ? monitor_.scalar_moment(from)
                        : moment_of_entry(*d_.program, from, from.lanes[lane], from.lanes[lane].done, d_.now);
}

template <typename Tap>
bool CrossCoreSync<Tap>::take_semaphore(Core& core, uint32_t key, unsigned lane, uint32_t pc) {
  Semaphore& semaphore = core.semaphores[key];
  if (semaphore.count == 0) return false;
  semaphore.taken = true;
  --semaphore.count;
  if constexpr (Tap::kEnabled) {
    for (const OrderToken& reported : semaphore.tokens.front()) {
      const OrderEdge edge{.from = *d_.cores[reported.core],
                           .from_lane = reported.lane,
                           .to = core,
                           .to_lane = lane,
                           .pc = pc,
                           .signal = static_cast<int>(key)};
      tap_.acquire(edge, reported.token, is_last_acquire(reported));
    }
    semaphore.tokens.erase(semaphore.tokens.begin());
  }
  return true;
}

/// Counts an acquire of a token, and whether no other follows.
template <typename Tap>
bool CrossCoreSync<Tap>::is_last_acquire(const OrderToken& reported) {
  if (!reported.meeting) return true;
  const auto left = to_acquire_.find(reported.token);
  if (--left->second != 0) return false;
  to_acquire_.erase(left);
  return true;
}

// ---- meetings that count in GM

/// Cores that take part: a core goes on when the count has come to a multiple of them.
template <typename Tap>
int64_t CrossCoreSync<Tap>::participants(const Core& core, const BytecodeInst& code) const {
  const auto used = code.b == ~0u ? 0 : static_cast<int64_t>(static_cast<int32_t>(core.frame[code.b]));
  const size_t per_block = code.c == 0 ? d_.kernel->cores.size() : code.c;
  return used > 0 ? used : static_cast<int64_t>(core.context.block_num * per_block);
}

template <typename Tap>
bool CrossCoreSync<Tap>::arrive(Core& core, const BytecodeInst& code) {
  const uint64_t address = core.frame[code.a];
  const int64_t total = participants(core, code);
  const auto [at, first] = counts_.try_emplace(address);
  Count& count = at->second;
  if (data_ && !count_in_memory(core, code, address, count, first)) return true;
  const int64_t target = (count.arrived / total + 1) * total;
  ++count.arrived;
  if constexpr (Tap::kEnabled) report_arrival(core, code, count, target);
  std::erase_if(count.waiting, [&](const auto& each) {
    if (each.second > count.arrived) return false;
    wake_scalar(*each.first, d_.now);
    queue_.reschedule(*each.first);
    return true;
  });
  if (target <= count.arrived) return true;
  count.waiting.emplace_back(&core, target);
  return false;
}

/// The count has the value that GM has; GM has one more afterwards. False after an access out of
/// bounds.
template <typename Tap>
bool CrossCoreSync<Tap>::count_in_memory(Core& core, const BytecodeInst& code, uint64_t address, Count& count,
                                         bool first) {
  current_.enter_scalar(core, code.pc);
  std::byte* const word = core.memory->access(Space::gm, address, sizeof(int32_t), exec::AccessMode::update);
  if (word == nullptr) return false;
  int32_t before = 0;
  std::memcpy(&before, word, sizeof before);
  if (first && before != 0) {
    if (Diagnostic* finding = findings_.add(
            FindingId::operand, code.pc,
            fmt::format("the count in GM begins with {}: it has to be 0 before cores meet the first time",
                        before))) {
      finding->moment = monitor_.scalar_moment(core);
      finding->help = "start with zeros, and leave the words to the meetings";
    }
  }
  count.arrived = before;
  const auto after = static_cast<int32_t>(static_cast<uint32_t>(before) + 1);
  std::memcpy(word, &after, sizeof after);
  return true;
}

template <typename Tap>
void CrossCoreSync<Tap>::report_arrival(Core& core, const BytecodeInst& code, Count& count, int64_t target) {
  if (tap_.keeps_order()) {
    const auto [token, fresh] = count.tokens.try_emplace(target, 0);
    if (fresh) token->second = tap_.new_token();
    core.su.meeting_token = token->second;
    tap_.release({core, kScalarLane, core, kLanes, code.pc}, token->second);
  }
  if (tap_.steps() == nullptr) return;
  count.steps[target].push_back(tap_.report_step(core, code, -1, 0));
  if (count.arrived < target) return;
  core.su.meeting_step = tap_.report_meeting(count.steps[target]);
  for (const auto& [waiting, until] : count.waiting) {
    if (until == target) waiting->su.meeting_step = core.su.meeting_step;
  }
  count.steps.erase(target);
}

template class CrossCoreSync<NullTap>;
template class CrossCoreSync<EventTap>;

}  // namespace pto::sim
