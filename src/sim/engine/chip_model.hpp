// What the cores of a chip share besides signals: the launch, L2 and HBM, the hub of signals. And
// the accounts of what all cores together did and waited for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/event_tap.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

template <typename Tap>
class ChipModel {
 public:
  ChipModel(Device& device, const SimOptions& options, timing::CostModel& costs, const Tap& tap)
      : d_(device), options_(options), costs_(costs), tap_(tap) {}

  /// After the waves of blocks are known (Scheduler::begin).
  void prepare();
  [[nodiscard]] uint64_t launch_cycles() const { return launch_; }
  [[nodiscard]] const ChipUse& use() const { return use_; }

  // ---- waits
  /// A pipe does nothing from `wait.begin` to `wait.end`.
  void add_stall(LaneStats& stats, const StallEvent& wait) {
    if (wait.end <= wait.begin) return;
    stats.stall[static_cast<size_t>(wait.reason)] += wait.end - wait.begin;
    use_.resource_cycles[static_cast<size_t>(wait.resource)] += wait.end - wait.begin;
    tap_.template observe<Observer::kStalls>([&](Observer& o) { o.on_stall(wait); });
  }
  /// An agent that was blocked since `begin` goes on now. The last part of a wait for a signal may
  /// be the hub's.
  void add_wait(const Core& core, Pipe pipe, LaneStats& stats, uint64_t begin, Block block, uint32_t key,
                uint32_t pc) {
    const uint32_t held = block == Block::cross_core ? core.semaphores[key].held : 0;
    const uint64_t hub = std::max(begin, d_.now - std::min<uint64_t>(held, d_.now));
    add_stall(stats, {core.info.index, pipe, begin, hub, stall_of(block), pc});
    add_stall(stats, {core.info.index, pipe, hub, d_.now, Stall::resource, pc, Resource::signals});
  }

  // ---- transfers
  /// Between the moment an instruction leaves its queue and its start.
  struct Delay {
    uint64_t ready = 0, begin = 0;  ///< the pipe has picked up again; the memory serves it
    uint32_t restart = 0;           ///< Cost::restart, where it counts
  };
  Delay delay(Core& core, unsigned index, const Slot& slot, const timing::Cost& cost) {
    Lane& lane = core.lanes[index];
    Delay delay{.ready = d_.now, .begin = d_.now};
    if (std::exchange(lane.behind_wait, false) && lane.stats.instructions != 0 && d_.slow[index] != 0) {
      delay.restart = cost.restart;
      delay.ready = std::max(d_.now, cost.restart == 0 ? 0 : lane.last_end + cost.restart);
      add_stall(lane.stats,
                {core.info.index, pipe_of_lane(index), d_.now, delay.ready, Stall::flag, slot.code->pc});
    }
    delay.begin = delay.ready;
    (pipe_of_lane(index) == Pipe::v ? use_.vector_ops : use_.cube_ops) += cost.ops;
    if (cost.gm_bytes == 0) return delay;
    (cost.gm_write ? use_.written_bytes : use_.read_bytes) += cost.gm_bytes;
    if (memory_ && d_.slow[index] != 0) delay.begin += share_bandwidth(core, index, slot, cost, delay.ready);
    return delay;
  }
  /// A transfer of the threads of a launch, which begins in its cycle `begin`: the cycle of its
  /// end.
  uint64_t transfer_of_threads(const Core& core, uint32_t pc, uint64_t begin, uint64_t alone, uint64_t bytes,
                               const timing::GmWindow& window, bool write);

  // ---- signals between cores
  [[nodiscard]] bool delays_signals() const { return delays_signals_; }
  /// When the hub has served a signal that comes to it now.
  uint64_t serve_signal() { return memory_->signal(d_.now); }

 private:
  /// What the other cores take of the memory: cycles that the transfer is later. A transfer that
  /// gets less than it could take waits for the difference at its start.
  uint64_t share_bandwidth(Core& core, unsigned index, const Slot& slot, const timing::Cost& cost,
                           uint64_t ready);
  /// Cores like this one that run, and have a part of L2's bandwidth each.
  [[nodiscard]] uint64_t sharers(const Core& core) const {
    return uint64_t{d_.resident} * (core.info.kind == CoreKind::aiv ? vector_cores_ : 1);
  }
  static Resource resource_of(timing::MemorySystem::Limit limit) {
    constexpr Resource kLimits[] = {Resource::none, Resource::l2_read, Resource::l2_write, Resource::hbm};
    return kLimits[static_cast<size_t>(limit)];
  }

  Device& d_;
  const SimOptions& options_;
  timing::CostModel& costs_;
  const Tap& tap_;
  std::optional<timing::MemorySystem> memory_;  ///< none: nothing is shared
  ChipUse use_;
  uint64_t launch_ = 0;
  uint32_t vector_cores_ = 1;  ///< of a block
  bool delays_signals_ = false;
};

}  // namespace pto::sim
