#include "sim/engine/chip_model.hpp"

#include <vector>

namespace pto::sim {

template <typename Tap>
void ChipModel<Tap>::prepare() {
  const std::vector<Kernel::CoreSpec>& cores = d_.kernel->cores;
  const auto vector_cores = std::ranges::count(cores, CoreKind::aiv, &Kernel::CoreSpec::kind);
  if (options_.launch) {
    const bool only_vector = static_cast<size_t>(vector_cores) == cores.size();
    const timing::Cost launch = costs_.launch(only_vector, d_.resident);
    launch_ = launch.busy;
    use_.launch_basis = launch.basis;
  }
  vector_cores_ = static_cast<uint32_t>(std::max<std::ptrdiff_t>(1, vector_cores));
  use_.blocks = static_cast<uint32_t>(d_.cores.size() / cores.size());
  use_.clusters = d_.machine->target != Target::cpu ? d_.machine->clusters : 0;
  use_.slots = d_.slots;
  use_.clock_ghz = d_.machine->clock_ghz;
  const timing::MemoryConfig* const config = costs_.memory();
  if (config == nullptr) return;
  uint64_t footprint = 0;
  for (const GlobalMemory::Allocation& a : d_.gm.allocations()) footprint += a.has_room ? a.reach : a.bytes;
  timing::MemoryConfig scaled = *config;
  for (timing::Parameter* rate : {&scaled.read, &scaled.write, &scaled.hbm})
    rate->value *= options_.hypotheses.bandwidth;
  memory_.emplace(scaled, footprint);
  delays_signals_ = config->signal.value > 0;
  use_.cube_peak = config->cube.value;
  use_.vector_peak = config->vector.value;
  use_.l2_read = scaled.read.value;
  use_.l2_write = scaled.write.value;
  use_.hbm = scaled.hbm.value;
}

template <typename Tap>
uint64_t ChipModel<Tap>::share_bandwidth(Core& core, unsigned index, const Slot& slot,
                                         const timing::Cost& cost, uint64_t ready) {
  timing::GmWindow window;
  if (memory_->follows_lines())
    window = costs_.window(core.role->queued[slot.code->inst].inst, core.block_of(slot), cost.gm_write);
  const uint32_t pc = slot.code->pc;
  const uint64_t from = ready + cost.busy - cost.gm_cycles;
  const timing::MemorySystem::Grant grant =
      memory_->transfer(from, cost.gm_bytes, cost.gm_cycles, cost.gm_write, sharers(core), window);
  tap_.template observe<Observer::kTransfers>([&](Observer& o) {
    o.on_transfer({core.info.index, pc, grant.end - cost.gm_cycles, grant.end, cost.gm_bytes, grant.missed,
                   cost.gm_write});
  });
  const uint64_t later = grant.end - (from + cost.gm_cycles);
  add_stall(core.lanes[index].stats, {core.info.index, pipe_of_lane(index), ready, ready + later,
                                      Stall::resource, pc, resource_of(grant.limit)});
  return later;
}

/// What L2 and HBM have no time for is a wait within the launch, which is busy meanwhile.
template <typename Tap>
uint64_t ChipModel<Tap>::transfer_of_threads(const Core& core, uint32_t pc, uint64_t begin, uint64_t alone,
                                             uint64_t bytes, const timing::GmWindow& window, bool write) {
  (write ? use_.written_bytes : use_.read_bytes) += bytes;
  if (!memory_ || d_.slow[static_cast<size_t>(lane_of(Pipe::v))] == 0) return begin + alone;
  const uint64_t from = d_.now + begin;
  const timing::MemorySystem::Grant grant =
      memory_->transfer(from, bytes, alone, write, sharers(core), window);
  use_.resource_cycles[static_cast<size_t>(resource_of(grant.limit))] += grant.end - (from + alone);
  tap_.template observe<Observer::kTransfers>([&](Observer& o) {
    o.on_transfer({core.info.index, pc, grant.end - alone, grant.end, bytes, grant.missed, write});
  });
  return grant.end - d_.now;
}

template class ChipModel<NullTap>;
template class ChipModel<EventTap>;

}  // namespace pto::sim
