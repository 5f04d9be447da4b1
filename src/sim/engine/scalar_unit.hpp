// The scalar unit of a core: runs the stream of the kernel, carries out scalar work at once, and
// puts everything else into the queues of the pipes. It runs ahead of the pipes until something
// holds it up: a full queue, its own synchronisation, or memory that pipes see.
#pragma once

#include <cstdint>

#include "sim/engine/run_parts.hpp"

namespace pto::sim {

/// Cycles from one look at memory that is waited for to the next.
inline constexpr uint64_t kLookInterval = 64;

template <bool kData, typename Tap>
class ScalarUnit {
 public:
  explicit ScalarUnit(RunParts<Tap>& parts);
  /// The event of the scalar unit: it goes on until something holds it up, which sets its next
  /// time.
  void run(Core& core);

 private:
  // ---- the stream; false: the unit is held up
  bool step(Core& core, const BytecodeInst& code);
  void execute(Core& core, const BytecodeInst& code);
  bool execute_timed(Core& core, const BytecodeInst& code);
  bool execute_phase(Core& core, const BytecodeInst& code);
  bool execute_branch(Core& core, const BytecodeInst& code, bool taken);
  bool execute_loop_test(Core& core, const BytecodeInst& code);
  bool halt(Core& core, const BytecodeInst& code);
  bool stop_at_unknown(Core& core, const BytecodeInst& code);
  bool poll_memory_again(Core& core, const BytecodeInst& code);
  [[nodiscard]] bool only_polls_remain() const;
  bool wait_for_link(Core& core, const BytecodeInst& code, uint64_t until);

  // ---- entries of queues
  bool enqueue(Core& core, const BytecodeInst& code);
  bool enqueue_sync(Core& core, const BytecodeInst& code);
  void capture_operands(Core& core, const BytecodeInst& code, const Queued& queued, Slot& slot);
  void capture_loops(Core& core, const BytecodeInst& code, const Slot& slot);
  void fill_slot(Core& core, const BytecodeInst& code, Lane& lane, Slot& slot);
  /// A literal or run-time id within the machine's range.
  bool resolve_id(Core& core, const BytecodeInst& code, uint32_t limit, int16_t& id);

  // ---- synchronisation of the unit itself
  bool synchronise(Core& core, const BytecodeInst& code);
  bool set_flag(Core& core, const BytecodeInst& code);
  bool wait_flag(Core& core, const BytecodeInst& code);
  bool use_buffer(Core& core, const BytecodeInst& code);
  bool send_signal(Core& core, const BytecodeInst& code);
  bool wait_signal(Core& core, const BytecodeInst& code);
  bool barrier_all(Core& core, const BytecodeInst& code);
  bool meet(Core& core, const BytecodeInst& code);
  bool finish_sync(Core& core, const BytecodeInst& code);

  // ---- time
  /// Whether simulated time has come to the unit; if not, the unit continues when it has.
  bool has_reached_now(Core& core);
  bool block(Core& core, Block reason, uint32_t key);
  void unblock(Core& core);
  void allocate(Core& core);
  void take_cycle(ScalarState& su) {
    su.time += d_.config.scalar_cycles;
    su.stats.busy += d_.config.scalar_cycles;
  }

  Device& d_;
  const SimOptions& options_;
  timing::CostModel& costs_;
  FindingList& findings_;
  Tap& tap_;
  EventQueue& queue_;
  CurrentInstruction& current_;
  RunMonitor& monitor_;
  ChipModel<Tap>& chip_;
  WatchOutput& watch_;
  CoreSync<Tap>& sync_;
  CrossCoreSync<Tap>& cross_;
  const WaitSkips& skips_;
  uint64_t fruitless_polls_ = 0;  ///< events of scalar units that poll memory in vain
};

}  // namespace pto::sim
