#include "sim/engine/scheduler.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/engine/lookahead.hpp"
#include "sim/ranks/rank_port.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
Scheduler<kData, Tap>::Scheduler(RunParts<Tap>& parts)
    : d_(parts.device),
      options_(parts.options),
      tap_(parts.tap),
      queue_(parts.queue),
      monitor_(parts.monitor),
      chip_(parts.chip),
      reports_(parts.reports),
      sync_(parts.sync),
      scalar_(parts),
      pipes_(parts),
      has_lookahead_(!kData && !Tap::kEnabled && d_.port == nullptr && parts.skips.empty() &&
                     options_.limits.cycles == 0 && options_.limits.instructions == 0) {}

template <bool kData, typename Tap>
void Scheduler<kData, Tap>::begin() {
  queue_.ready = ReadyTree(d_.cores.size());
  refresh_times();
}

template <bool kData, typename Tap>
void Scheduler<kData, Tap>::refresh_times() {
  for (const auto& core : d_.cores) queue_.ready.set(core->info.index, next_of(*core).time);
}

template <bool kData, typename Tap>
uint64_t Scheduler<kData, Tap>::next() const {
  if (d_.stopped) return kNever;
  return std::min(queue_.ready.time(queue_.ready.first()), next_arrival());
}

template <bool kData, typename Tap>
bool Scheduler<kData, Tap>::has_finished() const {
  return std::ranges::all_of(
      d_.cores, [](const auto& core) { return core->su.block == Block::halted && core->drained(); });
}

// ---- event loop

template <bool kData, typename Tap>
void Scheduler<kData, Tap>::advance(uint64_t horizon) {
  while (!d_.stopped) {
    const uint32_t first = queue_.ready.first();
    const uint64_t own = queue_.ready.time(first);
    if (d_.port != nullptr) {
      const uint64_t arrival = next_arrival();
      if (std::min(arrival, own) >= horizon) return;
      if (arrival <= own) {
        receive(arrival);
        continue;
      }
    }
    if (own == kNever) {
      d_.now = std::max(d_.now, queue_.latest);
      if (has_finished() || d_.port != nullptr || !deepen_queues()) return;
      refresh_times();
      continue;
    }
    if (monitor_.exceeds_cycles(own)) return monitor_.stop_at_max_cycles();
    Core& core = *d_.cores[first];
    const uint64_t next = run_core(core, limit_for(first, horizon));
    queue_.ready.set(first, next);
    if (next == kNever && core.su.block == Block::halted && core.drained()) retire(core);
  }
}

/// The core with the earliest event runs until an event of another core is earlier. Ties go to the
/// lower index.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline auto Scheduler<kData, Tap>::limit_for(uint32_t first, uint64_t horizon) const
    -> Limit {
  Limit limit{.time = kNever, .inclusive = true};
  if (options_.limits.cycles != 0) limit = {std::min(options_.limits.cycles, kNever - 2) + 1, false};
  const uint32_t second = queue_.ready.second();
  if (second != first && queue_.ready.time(second) < limit.time)
    limit = {queue_.ready.time(second), first < second};
  const uint64_t until = std::min(horizon, next_arrival());
  if (until <= limit.time && until != kNever) limit = {until, false};
  return limit;
}

/// Until the limit, and further where that makes no difference (lookahead.hpp). The time of the
/// core's next event.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline uint64_t Scheduler<kData, Tap>::run_core(Core& core, Limit limit) {
  queue_.disturbed = false;
  for (;;) {
    const NextEvent next = next_of(core);
    if (next.time == kNever) return kNever;
    queue_.ahead =
        next.time > limit.time || (next.time == limit.time && !limit.inclusive && limit.time != kNever);
    if (queue_.ahead) {
      if (!has_lookahead_ || !can_run_ahead(sync_, core, next.agent)) {
        queue_.ahead = false;
        return next.time;
      }
      queue_.latest = std::max(queue_.latest, next.time);
    }
    d_.now = next.time;
    if (next.agent < kScalarAt)
      pipes_.complete(core, next.agent - kCompleteAt);
    else if (next.agent == kScalarAt)
      scalar_.run(core);
    else
      pipes_.start(core, next.agent - kStartAt);
    if ((++queue_.events & 0xffff) == 0) monitor_.report_progress();
    if (monitor_.exceeds_instructions(core)) monitor_.stop_at_max_instructions(core);
    if (monitor_.is_interrupted() || d_.stopped || queue_.disturbed) return next_of(core).time;
  }
}

// ---- other devices

/// Messages of other devices arrive now; scalar units that wait for them poll at the next of their
/// times.
template <bool kData, typename Tap>
void Scheduler<kData, Tap>::receive(uint64_t now) {
  d_.now = now;
  ++queue_.events;
  if (!d_.port->deliver(now)) return;
  for (const auto& core : d_.cores) {
    ScalarState& su = core->su;
    if (!std::exchange(su.asleep, false)) continue;
    const uint64_t polls = now <= su.time ? 0 : (now - su.time + kLookInterval - 1) / kLookInterval;
    const uint64_t time = su.time + polls * kLookInterval;
    chip_.add_stall(
        su.stats, {core->info.index, Pipe::s, su.time, time, Stall::cross_core, core->role->code[su.at].pc});
    su.time = time;
    core->at[kScalarAt] = time;
    queue_.ready.set(core->info.index, next_of(*core).time);
  }
}

template <bool kData, typename Tap>
void Scheduler<kData, Tap>::release_polls(uint64_t now) {
  for (const auto& core : d_.cores) {
    if (!std::exchange(core->su.asleep, false)) continue;
    core->su.waiting_for_memory = false;
    core->su.time = std::max(core->su.time, now);
    ++core->su.at;
    core->at[kScalarAt] = core->su.time;
  }
  refresh_times();
}

// ---- deadlocks

/// No event is left. If a scalar unit waits for room in a queue, one entry more per queue shows
/// whether that is the cause.
template <bool kData, typename Tap>
bool Scheduler<kData, Tap>::deepen_queues() {
  constexpr uint64_t kMaxDepth = 1 << 16;
  bool any = false;
  for (const auto& core : d_.cores) {
    if (core->su.block != Block::queue_full) continue;
    any = true;
    if (relief_.core == nullptr)
      relief_ = {core.get(), core->su.key, core->role->code[core->su.at].pc, d_.config.queue_depth};
  }
  if (!any || d_.config.queue_depth >= kMaxDepth) return false;
  ++d_.config.queue_depth;
  for (const auto& core : d_.cores) {
    if (core->su.block == Block::queue_full) wake_scalar(*core, d_.now);
  }
  return true;
}

// ---- blocks

/// Blocks that a target's cores can run at the same time are a wave.
template <bool kData, typename Tap>
void Scheduler<kData, Tap>::prepare_waves() {
  const std::vector<Kernel::CoreSpec>& cores = d_.kernel->cores;
  const bool one_vector_core = cores.size() == 1 && cores[0].kind == CoreKind::aiv;
  const auto blocks = static_cast<uint32_t>(d_.cores.size() / cores.size());
  const bool a_chip = d_.machine->target != Target::cpu && d_.machine->clusters != 0;
  // A cluster has a cube core and two vector cores.
  const uint32_t room = d_.machine->clusters * (one_vector_core ? 2 : 1);
  d_.slots = a_chip && blocks > room ? room : 0;
  d_.resident = d_.slots == 0 ? blocks : d_.slots;
  d_.next_block = d_.resident;
  for (size_t i = size_t{d_.next_block} * cores.size(); i < d_.cores.size(); ++i) {
    d_.cores[i]->started = false;
    d_.cores[i]->at.fill(kNever);
  }
}

/// A core has ended, and so have its frames and queues. Memory on the chip is given back when no
/// core of the block can reach it any more.
template <bool kData, typename Tap>
void Scheduler<kData, Tap>::retire(Core& core) {
  if (core.retired) return;
  core.retired = true;
  if (d_.kernel->channels.empty()) core.frame = {};  // else their counts are looked at in the end
  core.vf_frame = {};
  core.scratch = {};
  for (Lane& lane : core.lanes) lane.release();
  core.blocks.release();
  const size_t per_block = d_.kernel->cores.size();
  const auto block = std::span(d_.cores).subspan(size_t{core.info.block} * per_block, per_block);
  if (!std::ranges::all_of(block, [](const auto& each) { return each->retired; })) return;
  tap_.observe([&](Observer& o) { o.on_block_end(core.info.block); });
  reports_.finish_work(core.info.block);
  for (const auto& each : block) each->memory->release();
  --d_.resident;
  if (d_.next_block * per_block < d_.cores.size()) start_next_block(block);
}

/// A block has ended: the next one gets its cores.
template <bool kData, typename Tap>
void Scheduler<kData, Tap>::start_next_block(std::span<const std::unique_ptr<Core>> ended) {
  uint64_t time = d_.now;
  for (const auto& core : ended) {
    time = std::max(time, core->su.time);
    for (const Lane& lane : core->lanes) time = std::max({time, lane.last_end, lane.idle_from});
  }
  const size_t per_block = d_.kernel->cores.size();
  for (size_t i = d_.next_block * per_block; i < (d_.next_block + 1) * per_block; ++i) {
    Core& core = *d_.cores[i];
    core.started = true;
    core.su.time = time;
    core.at[kScalarAt] = time;
    chip_.add_stall(core.su.stats, {core.info.index, Pipe::s, 0, time, Stall::wave, ~0u});
    for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
      core.lanes[lane].idle_from = time;
      core.lanes[lane].stats.stall[static_cast<size_t>(Stall::wave)] = time;
    }
    queue_.ready.set(i, time);
  }
  ++d_.next_block;
  ++d_.resident;
}

template class Scheduler<false, NullTap>;
template class Scheduler<false, EventTap>;
template class Scheduler<true, NullTap>;
template class Scheduler<true, EventTap>;

}  // namespace pto::sim
