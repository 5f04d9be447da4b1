// Flags, buffer tokens and cross-core semaphores. Included by engine.cpp only.
// Over 500 lines: members of one class template, which are compiled together.
#pragma once

#include <fmt/format.h>

#include "sim/engine/engine_core.hpp"
#include "sim/findings/flag_advice.hpp"

namespace pto::sim {

/// Of the entry of a pipe that is complete, or of the scalar unit.
template <bool kData, bool kObserved>
Moment Engine<kData, kObserved>::lane_moment(const Core& core, unsigned lane) const {
  if (lane == kScalarLane) return scalar_moment(core);
  return moment_of_entry(*d_.program, core, core.lanes[lane], core.lanes[lane].done, d_.now);
}

// ---- flags within a core

/// A set has become visible.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline void Engine<kData, kObserved>::set_flag(Core& core, const BytecodeInst& code,
                                                                      int id, uint64_t token) {
  const unsigned src = code.src, dst = code.dst;
  const uint32_t pc = code.pc;
  const uint32_t index = d_.config.flag_index(src, dst, static_cast<unsigned>(id));
  if (!owed_.empty() && pay(core, index, false)) return;
  Flag& flag = core.flags.at(index);
  if (flag.count != 0) {
    if (Diagnostic* const finding = warn_of_set(core, code, id)) finding->moment = lane_moment(core, src);
    if (flag.count == d_.config.flag_places) return;
  }
  if (options_.mode == Mode::check && !d_.config.key_is_settled) warn_of_shared_key(core, src, dst, id, pc);
  core.flags.push(flag, {pc, d_.now, token});
  if (dst == kScalarLane) {
    if (core.su.block == Block::flag && core.su.key == index) wake_scalar(core, d_.now);
  } else if (core.lanes[dst].block == Block::flag && core.lanes[dst].key == index) {
    core.at[kStartAt + dst] = d_.now;
  }
}

/// Whether the flag of a set that is about to start will hold it: sets in front of it may be under way.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::has_room_for_set(const Core& core,
                                                                              const BytecodeInst& code,
                                                                              int id) const {
  if (d_.config.flags == FlagKind::bit) return true;
  const uint64_t sets = core.flags.count(d_.config.flag_index(code.src, code.dst, static_cast<unsigned>(id)));
  // Mostly few entries are under way, whatever they are.
  const unsigned first = d_.config.key_has_src ? std::max<unsigned>(code.src, kFirstQueue) : kFirstQueue,
                 end = d_.config.key_has_src ? code.src + 1U : kLanes;
  uint64_t under_way = 0;
  for (unsigned index = first; index < end; ++index)
    under_way += core.lanes[index].started - core.lanes[index].done;
  return sets + under_way < d_.config.flag_capacity || has_room_among(core, code, id, first, end);
}

/// With the sets of the flag that are under way in the queues [first, end).
template <bool kData, bool kObserved>
[[gnu::cold, gnu::noinline]] bool Engine<kData, kObserved>::has_room_among(const Core& core,
                                                                           const BytecodeInst& code, int id,
                                                                           unsigned first,
                                                                           unsigned end) const {
  const uint32_t flag = d_.config.flag_index(code.src, code.dst, static_cast<unsigned>(id));
  const uint64_t room = lets_go(code) ? d_.config.flag_places : d_.config.flag_capacity + owed(core, flag);
  uint64_t sets = core.flags.count(flag);
  for (unsigned index = first; index < end; ++index) {
    const Lane& lane = core.lanes[index];
    for (uint64_t serial = lane.done; serial < lane.started; ++serial) {
      const Slot& other = lane.slot(serial);
      sets += other.code->op == OpCode::set_flag && other.code->dst == code.dst && other.id == id;
    }
  }
  return sets < room;
}

/// A set that finds sets of its flag which nobody has taken. The finding lacks its moment.
template <bool kData, bool kObserved>
[[gnu::cold, gnu::noinline]] Diagnostic* Engine<kData, kObserved>::warn_of_set(const Core& core,
                                                                               const BytecodeInst& code,
                                                                               int id) {
  const uint32_t index = d_.config.flag_index(code.src, code.dst, static_cast<unsigned>(id)),
                 capacity = d_.config.flag_capacity, sets = core.flags.count(index);
  const bool lost = d_.config.flags == FlagKind::bit && sets >= capacity,
             counts = d_.config.flags != FlagKind::bit_stall,
             full = d_.config.flags == FlagKind::counter && sets >= capacity;
  const Severity severity = lost ? Severity::error : Severity::warning;
  if (!lost) double_sets_.insert(code.pc);
  if (findings_.raised(full ? "FLAG-OVERFLOW" : "FLAG-DOUBLE", code.pc, severity)) return nullptr;
  const std::string flag = flag_name(code.src, code.dst, id);
  const std::string_view source = to_string(pipe_of_lane(code.src));
  Diagnostic* const finding =
      full ? findings_.add("FLAG-OVERFLOW", code.pc,
                           fmt::format("{} holds {} sets that no wait has taken: {} waits here until one is",
                                       flag, sets, source),
                           Severity::warning)
           : findings_.add(
                 "FLAG-DOUBLE", code.pc,
                 fmt::format("{} is set again before any wait has taken the set before; {}", flag,
                             lost     ? "this set is lost"
                             : counts ? "this works with counting flags, the vendor's page requires pairs"
                                      : fmt::format("{} waits here until one does", source)),
                 severity);
  if (finding == nullptr) return nullptr;
  if (sets != 0)
    finding->notes.push_back(findings_.note(core.flags.newest(*core.flags.find(index)).pc, "the set before"));
  if (lost)
    finding->help = advice_on_extra_set(d_, core, {pipe_of_lane(code.src), pipe_of_lane(code.dst), id});
  if (finding->help.empty())
    finding->help = fmt::format(
        "wait for it between the sets, or hold {} back with a flag in the other direction", source);
  return finding;
}

/// A set has been taken: whoever stands in front of the next one goes on.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::wake_setter(Core& core, unsigned src, uint32_t index) {
  if (src == kScalarLane) {
    if (core.su.block == Block::flag_full && core.su.key == index) wake_scalar(core, d_.now);
  } else if (core.lanes[src].block == Block::flag_full && core.lanes[src].key == index) {
    core.at[kStartAt + src] = d_.now;
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::wake_setters(Core& core, unsigned src, uint32_t index) {
  if (d_.config.key_has_src) return wake_setter(core, src, index);
  for (unsigned each = 0; each < kLanes; ++each) wake_setter(core, each, index);
}

/// With one flag per (destination, id) this set would meet a pending set of another source pipe.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::warn_of_shared_key(const Core& core, unsigned src, unsigned dst, int id,
                                                  uint32_t pc) {
  if (!d_.config.key_has_src || key_warned_) return;
  for (unsigned other = 0; other < kLanes; ++other) {
    const uint32_t index = d_.config.flag_index(other, dst, static_cast<unsigned>(id));
    if (other == src || core.flags.count(index) == 0) continue;
    Diagnostic* finding = findings_.add(
        "FLAG-KEY", pc,
        fmt::format("{} is set while {} is pending: sources differ on whether these are two flags",
                    flag_name(src, dst, id), flag_name(other, dst, id)),
        Severity::warning);
    key_warned_ = true;  // once says it: most programs that do this do it everywhere
    if (finding == nullptr) return;
    const Pending& set = core.flags.oldest(index);
    finding->notes.push_back(findings_.note(set.pc, "the pending set"));
    finding->help = fmt::format("give the flags into {} ids of their own", to_string(pipe_of_lane(dst)));
    finding->moment = lane_moment(core, src);
    return;
  }
}

/// Takes a set if there is one.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::take_flag(Core& core, unsigned src, unsigned dst,
                                                                       int id, uint32_t pc,
                                                                       uint64_t wait_begin, uint64_t& token) {
  const uint32_t index = d_.config.flag_index(src, dst, static_cast<unsigned>(id));
  Flag* const found = core.flags.find(index);
  if (found == nullptr || found->count == 0) return false;
  Flag& flag = *found;
  const Pending& set = core.flags.oldest(flag);
  token = set.token;
  observe<Observer::kFlags>([&](Observer& o) {
    o.on_flag({core.info.index, pipe_of_lane(src), pipe_of_lane(dst), id, set.pc, pc, set.time, wait_begin,
               d_.now});
  });
  core.flags.pop(flag);
  wake_setters(core, src, index);
  return true;
}

// ---- buffer tokens: get_buf waits for every older release of the id by other pipes

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::buffer_ready(const Core& core, unsigned lane, int id,
                                            const exec::Word* issued) const {
  const BufferToken& token = core.buffers[static_cast<size_t>(id)];
  for (unsigned i = 0; i < kLanes; ++i) {
    if (i != lane && token.done[i] < issued[i]) return false;
  }
  return true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::release_buffer(Core& core, unsigned lane, const BytecodeInst& code,
                                              int number) {
  BufferToken& token = buffer(core, number);
  ++token.done[lane];
  const auto id = static_cast<uint32_t>(number);
  if constexpr (kObserved) {
    for (unsigned to = 0; to < kLanes; ++to) {
      if (to != lane && ((core.role->buffer_getters[id] >> to) & 1) != 0)
        token.token[lane][to] = order_release(core, lane, core, to, code.pc);
    }
  }
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    if (core.lanes[i].block == Block::buffer && core.lanes[i].key == id) core.at[kStartAt + i] = d_.now;
  }
  if (core.su.block == Block::buffer && core.su.key == id) wake_scalar(core, d_.now);
}

// ---- semaphores between cores

template <bool kData, bool kObserved>
Core* Engine<kData, kObserved>::cluster_core(const Core& core, uint32_t role_index) {
  const size_t per_block = d_.kernel->cores.size();
  const size_t first = size_t{core.info.block} * per_block;
  for (size_t i = first; i < first + per_block; ++i) {
    if (d_.cores[i]->role_index() == role_index) return d_.cores[i].get();
  }
  return nullptr;
}

/// Another core has changed what this one waits for.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::nudge(Core& core) {
  ready_tree_.set(core.info.index,
                  std::min(ready_tree_.time(core.info.index), *std::ranges::min_element(core.at)));
  disturbed_ = true;
}

/// One more signal for the waiter on `target`.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::raise(const Core& from, const BytecodeInst& code, Core& target, int id,
                                     std::vector<OrderToken> tokens) {
  const uint32_t key = d_.config.semaphore(code.b, id);
  if (!owed_.empty() && pay(target, key, true)) {
    for (const OrderToken& each : tokens) last_acquire(each);
    return;
  }
  Semaphore& semaphore = target.semaphores[key];
  constexpr uint32_t kMax = 15;  // 4-bit counters
  semaphore.last_set = code.pc;
  if (semaphore.count == kMax) {
    if (Diagnostic* finding =
            findings_.add("CROSS-OVERFLOW", code.pc,
                          fmt::format("cross-core id {} of {} has 15 pending signals; this one is lost", id,
                                      core_name(d_, target)))) {
      finding->help = "hold the signalling core back with a signal in the other direction";
      finding->moment = lane_moment(from, code.lane);
    }
    for (const OrderToken& lost : tokens) last_acquire(lost);
    return;
  }
  ++semaphore.count;
  semaphore.held = signal_held_;
  tell_signal(target, key, tokens);
  if constexpr (kObserved) semaphore.tokens.push_back(std::move(tokens));
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    if (target.lanes[i].block == Block::cross_core && target.lanes[i].key == key)
      target.at[kStartAt + i] = d_.now;
  }
  if (target.su.block == Block::cross_core && target.su.key == key) wake_scalar(target, d_.now);
  nudge(target);
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::take_semaphore(Core& core, uint32_t key, unsigned lane, uint32_t pc) {
  Semaphore& semaphore = core.semaphores[key];
  if (semaphore.count == 0) return false;
  semaphore.taken = true;
  --semaphore.count;
  if constexpr (kObserved) {
    for (const OrderToken& reported : semaphore.tokens.front())
      order_acquire(*d_.cores[reported.core], reported.lane, core, lane, reported.token, pc,
                    last_acquire(reported), -1, static_cast<int>(key));
    semaphore.tokens.erase(semaphore.tokens.begin());
  }
  return true;
}

/// One to one: ids 0..15 reach AIV0, 16..31 AIV1; an AIV's signal reaches the AIC under the id of its half.
/// Cube and vector: the AIC's signal reaches both AIVs; the AIC is signalled when both AIVs have done so.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::signal(Core& core, const BytecodeInst& code, int id) {
  const auto reported = [&](const Core& target, int id_there) {
    std::vector<OrderToken> tokens;
    if constexpr (kObserved)
      tokens.push_back({order_release(core, code.lane, target, kLanes, code.pc, 0, -1,
                                      static_cast<int>(d_.config.semaphore(code.b, id_there))),
                        core.info.index, code.lane, false, signalling_step_});
    return tokens;
  };
  const uint32_t role = core.role_index();
  if (code.b == kOneToOne) {
    constexpr int kHalf = 16;
    Core* const target = cluster_core(core, role == 0 ? 1 + static_cast<uint32_t>(id / kHalf) : 0);
    const int id_there = role == 0 ? id % kHalf : id + kHalf * (static_cast<int>(role) - 1);
    if (target != nullptr) raise(core, code, *target, id_there, reported(*target, id_there));
    return;
  }
  if (code.b != kCubeAndVector) return signal_groups(core, code, id);
  if (role == 0) {
    for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
      if (Core* const target = cluster_core(core, aiv)) raise(core, code, *target, id, reported(*target, id));
    }
    return;
  }
  Core* const aic = cluster_core(core, 0);
  if (aic == nullptr) return;
  Semaphore& semaphore = aic->semaphores[d_.config.semaphore(code.b, id)];
  ++semaphore.part[role];
  for (const OrderToken& token : reported(*aic, id)) semaphore.gathered.push_back(token);
  for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
    if (cluster_core(core, aiv) != nullptr && semaphore.part[aiv] == 0) return;
  }
  // One signal of each: a second one that came early belongs to the next round.
  std::vector<OrderToken> tokens;
  for (uint32_t aiv = 1; aiv <= 2; ++aiv) {
    semaphore.part[aiv] -= semaphore.part[aiv] != 0;
    if (!kObserved || cluster_core(core, aiv) == nullptr) continue;
    const auto first =
        std::ranges::find(semaphore.gathered, cluster_core(core, aiv)->info.index, &OrderToken::core);
    tokens.push_back(*first);
    semaphore.gathered.erase(first);
  }
  raise(core, code, *aic, id, std::move(tokens));
}

/// All cores of the kind, or the AIVs of one block. Everybody is signalled when everybody
/// has signalled. What each did before is told by one token of the meeting: tokens grow with the cores, not
/// with their pairs.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::signal_groups(Core& core, const BytecodeInst& code, int id) {
  const auto in_group = [&](const Core& other) {
    return other.info.kind == core.info.kind && (code.b == kAllOfKind || other.info.block == core.info.block);
  };
  const auto rounds = [&] {
    uint32_t least = ~0u;
    for (const auto& other : d_.cores) {
      if (in_group(*other)) least = std::min(least, other->group_sets[static_cast<size_t>(id)]);
    }
    return least;
  };
  const uint32_t before = rounds();
  ++core.group_sets[static_cast<size_t>(id)];
  const bool complete_round = rounds() > before;
  std::vector<OrderToken> meeting;
  if constexpr (kObserved) {
    const uint32_t round = core.group_sets[static_cast<size_t>(id)] - 1 - before;
    const uint64_t met = join(core, code, id, round, complete_round);
    if (!kData && met != 0) meeting = {{0, core.info.index, code.lane, false, met}};
    signalling_step_ = met;
  }
  if constexpr (kObserved && kData) {
    const auto [open, fresh] =
        meetings_.try_emplace(std::tuple(id, core.info.kind, code.b == kAllOfKind ? ~0u : core.info.block,
                                         core.group_sets[static_cast<size_t>(id)]),
                              tokens_ + 1);
    tokens_ += fresh;
    order_release(core, code.lane, core, kLanes, code.pc, open->second, -1,
                  static_cast<int>(d_.config.semaphore(code.b, id)));
    if (complete_round) {
      meeting = {{open->second, core.info.index, code.lane, true, signalling_step_}};
      meetings_.erase(open);
      to_acquire_[meeting[0].token] = static_cast<uint32_t>(
          std::ranges::count_if(d_.cores, [&](const auto& other) { return in_group(*other); }));
    }
  }
  if (!complete_round) return;
  for (const auto& other : d_.cores) {
    if (in_group(*other)) raise(core, code, *other, id, meeting);
  }
}

/// A meeting that counts in GM: a core goes on when the count has come to a multiple of those that take part.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::meet(Core& core, const BytecodeInst& code) {
  ScalarUnit& su = core.su;
  if (su.resumed != Block::meeting) {
    if (!wait_for_turn(core)) return false;
    if (!arrive(core, code)) return block_scalar(core, Block::meeting, 0);
  }
  if constexpr (kObserved && kData)
    order_acquire(core, kScalarLane, core, kScalarLane, su.meeting_token, code.pc, false);
  su.resumed = Block::none;
  tell_step(core, code, 0, d_.config.scalar_cycles, su.meeting_step);
  su.time += d_.config.scalar_cycles;
  su.stats.busy += d_.config.scalar_cycles;
  ++su.instructions;
  ++su.stats.instructions;
  core.count_run(code);
  ++su.at;
  return true;
}

/// False: others are missing.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::arrive(Core& core, const BytecodeInst& code) {
  const uint64_t address = core.frame[code.a];
  const auto used = code.b == ~0u ? 0 : static_cast<int64_t>(static_cast<int32_t>(core.frame[code.b]));
  const auto everybody =
      static_cast<int64_t>(core.context.block_num * (code.c == 0 ? d_.kernel->cores.size() : code.c));
  const int64_t total = used > 0 ? used : everybody;
  const auto [at, fresh] = counts_.try_emplace(address);
  Count& count = at->second;
  if constexpr (kData) {
    running_core_ = &core;
    running_pipe_ = Pipe::s;
    running_pc_ = code.pc;
    std::byte* const word =
        core.memory->access(Space::gm, address, sizeof(int32_t), exec::AccessMode::update);
    if (word == nullptr) return true;
    int32_t before = 0;
    std::memcpy(&before, word, sizeof before);
    if (fresh && before != 0) {
      if (Diagnostic* finding = findings_.add(
              "OPERAND", code.pc,
              fmt::format("the count in GM begins with {}: it has to be 0 before cores meet the first time",
                          before))) {
        finding->moment = scalar_moment(core);
        finding->help = "start with zeros, and leave the words to the meetings";
      }
    }
    count.arrived = before;
    const auto after = static_cast<int32_t>(static_cast<uint32_t>(before) + 1);
    std::memcpy(word, &after, sizeof after);
  }
  const int64_t target = (count.arrived / total + 1) * total;
  ++count.arrived;
  if constexpr (kObserved && kData) {
    const auto [token, first] = count.tokens.try_emplace(target, tokens_ + 1);
    tokens_ += first;
    core.su.meeting_token = token->second;
    order_release(core, kScalarLane, core, kLanes, code.pc, token->second);
  }
  if (steps_ != nullptr) {
    count.steps[target].push_back(tell_step(core, code, -1, 0));
    if (count.arrived >= target) {
      core.su.meeting_step = tell_meeting(std::move(count.steps[target]));
      for (const auto& [waiting, until] : count.waiting)
        if (until == target) waiting->su.meeting_step = core.su.meeting_step;
      count.steps.erase(target);
    }
  }
  std::erase_if(count.waiting, [&](const auto& each) {
    if (each.second > count.arrived) return false;
    wake_scalar(*each.first, d_.now);
    nudge(*each.first);
    return true;
  });
  if (target <= count.arrived) return true;
  count.waiting.emplace_back(&core, target);
  return false;
}

/// Counts an acquire of a token, and whether no other follows.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::last_acquire(const OrderToken& reported) {
  if (!reported.meeting) return true;
  const auto left = to_acquire_.find(reported.token);
  if (--left->second != 0) return false;
  to_acquire_.erase(left);
  return true;
}

// ---- how the run came about

/// The scalar unit is about to spend `cycles` on putting an entry into a queue or on its own synchronisation.
template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::tell_step(const Core& core, const BytecodeInst& code, int id,
                                             uint64_t cycles, uint64_t meeting) {
  if constexpr (!kObserved) return 0;
  if (steps_ == nullptr) return 0;
  const bool buffer = code.op == OpCode::get_buf || code.op == OpCode::rls_buf;
  DependenceEvent step{
      .number = ++step_count_,
      .core = core.info.index,
      .pipe =
          pipe_of_lane(code.op == OpCode::exec_timed || code.op == OpCode::halt ? kScalarLane : code.lane),
      .kind = step_kind(code.op),
      .pc = code.pc,
      .id = id,
      .cycles = cycles,
      .time = core.su.time + cycles,
      .scalar_busy = core.su.stats.busy + cycles,
      .queue_depth = d_.config.queue_depth,
      .meeting = meeting};
  const bool flag = code.op == OpCode::set_flag || code.op == OpCode::wait_flag;
  if (flag) {
    step.src = pipe_of_lane(code.src);
    step.dst = pipe_of_lane(code.dst);
  }
  if (code.op == OpCode::sync_wait && code.b != kOneToOne) step.pipe = Pipe::s;
  step.waits = buffer && (code.op == OpCode::get_buf ? code.b == 0 : code.b != 0);
  step.scalar_waits = (code.flags & kHasResults) != 0 && code.op == OpCode::enqueue;
  steps_->on_step(step);
  return step.number;
}

template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::tell_meeting(std::vector<uint64_t> steps) {
  steps_->on_meeting(++step_count_, steps);
  return step_count_;
}

/// A signal to a group whose rounds are counted from the one that is open; the number of the meeting when it
/// is complete.
template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::join(const Core& core, const BytecodeInst& code, int id, uint32_t round,
                                        bool complete) {
  if (steps_ == nullptr) return 0;
  auto& open = joined_[{id, core.info.kind, code.b == kAllOfKind ? ~0u : core.info.block}];
  if (open.size() <= round) open.resize(size_t{round} + 1);
  open[round].push_back(signalling_step_);
  if (!complete) return 0;
  const uint64_t met = tell_meeting(std::move(open.front()));
  open.pop_front();
  return met;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::tell_signal(const Core& target, uint32_t key,
                                           std::span<const OrderToken> tokens) {
  if (steps_ == nullptr) return;
  std::vector<uint64_t> steps;
  for (const OrderToken& each : tokens) steps.push_back(each.step);
  steps_->on_signal(target.info.index, key, steps);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::tell_start(Lane& lane, uint64_t serial, uint64_t busy, uint64_t latency,
                                          uint64_t restart) {
  if constexpr (kObserved) {
    if (steps_ != nullptr) steps_->on_step_starts(lane.facts(serial).step, d_.now, busy, latency, restart);
  }
}

// ---- what if: a wait that goes ahead of its set takes the next one instead of leaving it

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::goes_ahead(Core& core, const BytecodeInst& code, uint32_t key, bool signal) {
  if (!lets_go(code)) return false;
  ++owed_[{core.info.index, key, signal}];
  if (!signal) wake_setters(core, code.src, key);
  return true;
}

/// Of a flag.
template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::owed(const Core& core, uint32_t key) const {
  if (owed_.empty()) return 0;
  const auto found = owed_.find({core.info.index, key, false});
  return found == owed_.end() ? 0 : found->second;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::pay(const Core& core, uint32_t key, bool signal) {
  const auto found = owed_.find({core.info.index, key, signal});
  if (found == owed_.end()) return false;
  if (--found->second == 0) owed_.erase(found);
  return true;
}

// ---- ordering facts

template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::order_release(const Core& from, unsigned from_lane, const Core& to,
                                                 unsigned to_lane, uint32_t pc, uint64_t meeting, int flag,
                                                 int signal) {
  if constexpr (!kData) return 0;  // without footprints nobody asks what is ordered
  const uint64_t token = meeting != 0 ? meeting : ++tokens_;
  const Pipe to_pipe = to_lane < kLanes ? pipe_of_lane(to_lane) : Pipe::none;
  observe<Observer::kOrder>([&](Observer& o) {
    o.on_order({from.info.index, to.info.index, pipe_of_lane(from_lane), to_pipe, token, true, pc, true, flag,
                false, signal});
  });
  return token;
}

template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::order_issue(Core& core, const BytecodeInst& code) {
  if constexpr (!kData) return 0;
  OrderEvent event{.from_core = core.info.index,
                   .to_core = core.info.index,
                   .from = Pipe::s,
                   .to = pipe_of_lane(code.lane),
                   .token = ++tokens_,
                   .release = true,
                   .pc = code.pc};
  event.issue = (code.flags & kAfterPhase) == 0;  // else it waits for a flag of the scalar unit
  running_core_ = &core;
  running_pipe_ = Pipe::s;
  running_pc_ = code.pc;
  observe<Observer::kOrder>([&](Observer& o) { o.on_order(event); });
  return event.token;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::order_acquire(const Core& from, unsigned from_lane, const Core& to,
                                             unsigned to_lane, uint64_t token, uint32_t pc, bool last,
                                             int flag, int signal) {
  if (token == 0) return;
  observe<Observer::kOrder>([&](Observer& o) {
    o.on_order({from.info.index, to.info.index, pipe_of_lane(from_lane), pipe_of_lane(to_lane), token, false,
                pc, last, flag, false, signal});
  });
}

}  // namespace pto::sim
