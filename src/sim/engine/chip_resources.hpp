// The chip around the cores: waves of blocks, the launch, the memory that all cores share. Included by
// engine.cpp only.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/engine/engine_core.hpp"

namespace pto::sim {

/// Blocks that a target's cores can run at the same time, and what these share.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::prepare_chip() {
  const std::vector<Kernel::CoreSpec>& cores = d_.kernel->cores;
  const bool only_vector = std::ranges::all_of(cores, [](const auto& c) { return c.kind == CoreKind::aiv; });
  const auto blocks = static_cast<uint32_t>(d_.cores.size() / cores.size());
  // Two vector cores stand beside a cube core.
  const bool a_chip = d_.machine->target != Target::cpu && d_.machine->clusters != 0;
  const uint32_t room = d_.machine->clusters * (only_vector && cores.size() == 1 ? 2 : 1);
  d_.slots = a_chip && blocks > room ? room : 0;
  d_.resident = d_.next_block = d_.slots == 0 ? blocks : d_.slots;
  for (size_t i = size_t{d_.next_block} * cores.size(); i < d_.cores.size(); ++i) {
    d_.cores[i]->started = false;
    d_.cores[i]->at.fill(kNever);
  }
  if (options_.launch) {
    const timing::Cost launch = costs_.launch(only_vector, d_.resident);
    launch_ = launch.busy;
    chip_.launch_basis = launch.basis;
  }
  vector_cores_ = static_cast<uint32_t>(
      std::max<std::ptrdiff_t>(1, std::ranges::count(cores, CoreKind::aiv, &Kernel::CoreSpec::kind)));
  chip_.blocks = blocks;
  chip_.clusters = a_chip ? d_.machine->clusters : 0;
  chip_.slots = d_.slots;
  chip_.clock_ghz = d_.machine->clock_ghz;
  if (const timing::MemoryConfig* config = costs_.memory()) {
    uint64_t footprint = 0;
    for (const GlobalMemory::Allocation& a : d_.gm.allocations()) footprint += a.has_room ? a.reach : a.bytes;
    timing::MemoryConfig scaled = *config;
    for (timing::Parameter* rate : {&scaled.read, &scaled.write, &scaled.hbm})
      rate->value *= options_.hypotheses.bandwidth;
    memory_.emplace(scaled, footprint);
    follows_signals_ = config->signal.value > 0;
    chip_.cube_peak = config->cube.value;
    chip_.vector_peak = config->vector.value;
    chip_.l2_read = scaled.read.value;
    chip_.l2_write = scaled.write.value;
    chip_.hbm = scaled.hbm.value;
  }
}

/// A block has ended: the next one gets its cores.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::start_next_block(std::span<const std::unique_ptr<Core>> ended) {
  uint64_t time = d_.now;
  for (const auto& core : ended) {
    time = std::max(time, core->su.time);
    for (const Lane& lane : core->lanes) time = std::max({time, lane.last_end, lane.idle_from});
  }
  const size_t per_block = d_.kernel->cores.size();
  for (size_t i = d_.next_block * per_block; i < (d_.next_block + 1) * per_block; ++i) {
    Core& core = *d_.cores[i];
    core.started = true;
    core.at[kScalarAt] = core.su.time = time;
    stall(core, Pipe::s, core.su.stats, 0, time, Stall::wave, ~0u);
    for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
      core.lanes[lane].idle_from = time;
      core.lanes[lane].stats.stall[static_cast<size_t>(Stall::wave)] = time;
    }
    ready_tree_.set(i, time);
  }
  ++d_.next_block;
  ++d_.resident;
}

/// What keeps an instruction whose turn it is from starting now: the pipe picks up again behind a wait, or
/// the other cores take what it needs of the memory. A transfer that gets less than it could take waits for
/// the difference at its start.
template <bool kData, bool kObserved>
auto Engine<kData, kObserved>::delay(Core& core, unsigned index, const Slot& slot, const timing::Cost& cost)
    -> Delay {
  Lane& lane = core.lanes[index];
  const uint32_t pc = slot.code->pc;
  Delay delay{.ready = d_.now, .begin = d_.now};
  if (std::exchange(lane.behind_wait, false) && lane.stats.instructions != 0 && d_.slow[index] != 0) {
    delay.restart = cost.restart;
    delay.ready = std::max(d_.now, cost.restart == 0 ? 0 : lane.last_end + cost.restart);
    stall(core, pipe_of_lane(index), lane.stats, d_.now, delay.ready, Stall::flag, pc);
  }
  delay.begin = delay.ready;
  (pipe_of_lane(index) == Pipe::v ? chip_.vector_ops : chip_.cube_ops) += cost.ops;
  if (cost.gm_bytes == 0) return delay;
  (cost.gm_write ? chip_.written_bytes : chip_.read_bytes) += cost.gm_bytes;
  if (!memory_ || d_.slow[index] == 0) return delay;
  timing::GmWindow window;
  if (memory_->follows_lines())
    window = costs_.window(core.role->queued[slot.code->inst].inst, core.block_of(slot), cost.gm_write);
  const uint64_t from = delay.ready + cost.busy - cost.gm_cycles;
  const timing::MemorySystem::Grant grant =
      memory_->transfer(from, cost.gm_bytes, cost.gm_cycles, cost.gm_write, sharers(core), window);
  delay.begin += grant.end - (from + cost.gm_cycles);
  if constexpr (kObserved) {
    const TransferEvent event{
        core.info.index, pc,           grant.end - cost.gm_cycles, grant.end, cost.gm_bytes,
        grant.missed,    cost.gm_write};
    observe<Observer::kTransfers>([&](Observer& o) { o.on_transfer(event); });
  }
  stall(core, pipe_of_lane(index), lane.stats, delay.ready, delay.begin, Stall::resource, pc,
        resource_of(grant.limit));
  return delay;
}

}  // namespace pto::sim
