// Lookahead of a core: which of its events may be carried out before earlier events of other cores.
//
// Events of different cores are independent unless one core sees the effect of the other. In a run
// without data and without observers, cores see each other by signals, by meetings, by the
// bandwidth of GM that they share, and by findings, of which the first one counts. All other events
// of a core commute with those of the other cores, so a core continues with them ahead of simulated
// time: its state then comes into the caches of the host once for many events. In the terms of
// conservative parallel simulation, the lookahead of a core reaches to its next shared event.
//
// An example: two vector cores run the same kernel. A tadd keeps V busy for 20 cycles, the queue of
// V holds two entries, and the scalar unit (S) takes a cycle to issue an entry.
//
//     scf.for 1000 iterations { tadd ins(x, x) outs(x) }
//     tstore ins(x) outs(a)
//
//     in the order of time                       with lookahead
//     time  core  event                          time  core  event
//        0   0    S issues 2 tadd, is blocked       0   0    S issues 2 tadd, is blocked
//        0   1    S issues 2 tadd, is blocked       1   0    V starts a tadd    ahead: the next event
//        1   0    V starts a tadd                   2   0    S issues a tadd    of core 1 is at 0, but
//        1   1    V starts a tadd                  21   0    V starts a tadd    core 1 cannot see these
//        2   0    S issues a tadd                  21   0    S issues a tadd
//        2   1    S issues a tadd                  ..   0    ..
//       21   0    V starts a tadd               19943   0    next: MTE3 starts the tstore, which shares
//       21   0    S issues a tadd                            the bandwidth of GM: core 0 stops before it
//       21   1    V starts a tadd                   0   1    S issues 2 tadd, is blocked
//       ..   thousands of changes of the core      ..   1    as core 0; 3 changes of the core
//
// How to read it. The order of events differs, their times do not: lookahead_test.cpp compares a
// run with lookahead with an observed run, which has none. The two tstores are carried out in the
// order of time, and so is the halt of a scalar unit, which may start another block. Three rules
// keep this sound:
//   - no event is carried out ahead while an agent of the core waits for another core (waits_outside,
//     Block::cross_core, Block::meeting): a signal could give it an earlier event;
//   - an entry whose completion other cores see stays in its queue until simulated time is there
//     (is_shared_completion);
//   - a run with limits, skipped waits or other devices has no lookahead (Scheduler), because the order
//     of its events decides where it stops.
#pragma once

#include "sim/engine/device_state.hpp"
#include "sim/engine/sync/core_sync.hpp"

namespace pto::sim {

/// Whether the scalar unit comes to an operation that other cores see, or that reads simulated
/// time.
inline bool is_shared(const BytecodeInst& code) {
  switch (code.op) {
    case OpCode::exec_timed:
    case OpCode::meet:
    case OpCode::halt:
    case OpCode::sync_wait:
      return true;
    case OpCode::set_flag:
    case OpCode::wait_flag:
    case OpCode::get_buf:
    case OpCode::rls_buf:
    case OpCode::sync_set:
      return code.lane == kScalarLane;
    default:
      return false;
  }
}

/// Whether other cores see the completion of an entry: a signal, or a finding of which the first
/// one counts.
template <typename Tap>
bool is_shared_completion(const CoreSync<Tap>& sync, const Core& core, const Slot& slot) {
  const BytecodeInst& code = *slot.code;
  if (code.op == OpCode::sync_set) return true;
  if (code.op != OpCode::set_flag) return false;
  return core.flags.count(sync.flag_index(code.src, code.dst, slot.id)) != 0;
}

/// Whether the next event of a core may be carried out ahead of simulated time.
template <typename Tap>
[[gnu::always_inline]] inline bool can_run_ahead(const CoreSync<Tap>& sync, const Core& core,
                                                 unsigned agent) {
  if (core.waits_outside != 0) return false;
  const Block block = core.su.block;
  if (block == Block::halted || block == Block::cross_core || block == Block::meeting) return false;
  if (agent < kScalarAt) {
    const Lane& lane = core.lanes[agent - kCompleteAt];
    return !is_shared_completion(sync, core, lane.slot(lane.done));
  }
  if (agent == kScalarAt) return !is_shared(core.role->code[core.su.at]);
  const Lane& lane = core.lanes[agent - kStartAt];
  const BytecodeInst& code = *lane.slot(lane.started).code;
  if (code.op == OpCode::set_flag) return sync.has_room_for_set(core, code, lane.slot(lane.started).id);
  if (code.op == OpCode::enqueue || code.op == OpCode::vector_function)
    return core.role->queued[code.inst].alone;
  return code.op != OpCode::sync_wait;
}

}  // namespace pto::sim
