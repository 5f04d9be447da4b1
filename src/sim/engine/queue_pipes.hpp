// The pipes of a core. Each starts the head entry of its queue when the pipe is free and the entry
// has been issued; effects and tokens happen when the entry is complete, in the order of the queue.
#pragma once

#include <array>
#include <cstdint>

#include "sim/engine/run_parts.hpp"
#include "sim/engine/simt_launch.hpp"
#include "sim/engine/vector_function.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
class QueuePipes {
 public:
  explicit QueuePipes(RunParts<Tap>& parts);
  /// The head entry can start now, or what it waited for has changed.
  void start(Core& core, unsigned lane);
  /// Entries are complete now.
  void complete(Core& core, unsigned lane);
  /// Busy cycles by Basis.
  [[nodiscard]] const std::array<uint64_t, 4>& basis_cycles() const { return basis_; }

 private:
  // ---- start; false: the entry stays at the head
  bool start_entry(Core& core, unsigned lane, Slot& slot);
  bool start_instruction(Core& core, unsigned lane, Slot& slot);
  bool start_set_flag(Core& core, unsigned lane, Slot& slot);
  bool start_wait_flag(Core& core, unsigned lane, Slot& slot);
  bool start_buffer(Core& core, unsigned lane, Slot& slot);
  bool start_sync_wait(Core& core, unsigned lane, Slot& slot);
  bool block(Core& core, unsigned lane, Block reason, uint32_t key, uint64_t until = kNever);
  timing::Cost run_function(Core& core, Lane& lane, const Queued& queued);
  void check_bounds(Core& core, unsigned lane, const Slot& slot, exec::Word* block);
  void pop(Core& core, unsigned lane);
  void wake_barrier(Core& core);

  // ---- unit flags: M and FIX hand over an accumulator
  bool wait_for_unit(Core& core, unsigned lane, SlotFacts& facts, uint64_t accumulator);
  void hand_over(Core& core, unsigned lane, const Slot& slot, uint64_t accumulator);
  void acquire_unit(Core& core, unsigned lane, const Slot& slot);
  void release_unit(Core& core, unsigned lane, const Slot& slot);

  // ---- completion
  bool settle(Core& core, unsigned lane, uint64_t serial);
  void settle_before(Core& core, unsigned lane, uint64_t serial);
  void report_order(Core& core, unsigned lane, uint64_t serial);
  bool run_instruction(Core& core, unsigned lane, Slot& slot, exec::Word* block);
  bool delay_signal(Lane& lane, Slot& slot);
  void release_token(Core& core, unsigned lane, Slot& slot);
  void deliver_results(Core& core, unsigned lane, uint64_t serial);

  Device& d_;
  timing::CostModel& costs_;
  Tap& tap_;
  EventQueue& queue_;
  CurrentInstruction& current_;
  ChipModel<Tap>& chip_;
  WatchOutput& watch_;
  CoreSync<Tap>& sync_;
  CrossCoreSync<Tap>& cross_;
  const WaitSkips& skips_;
  VectorFunction<kData, Tap> function_;
  SimtLaunch<Tap> launch_;
  std::array<uint64_t, 4> basis_{};
};

}  // namespace pto::sim
