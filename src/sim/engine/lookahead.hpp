// Ahead of its turn: without data and observers a core goes on while what it does concerns nobody else, and
// nobody else can change it. So its state is looked at once for many events, however many cores there are.
// Included by engine.cpp only.
#pragma once

#include "sim/engine/engine_core.hpp"

namespace pto::sim {

/// Whether the scalar unit comes to something that other cores see, or that has to find simulated time there.
inline bool needs_turn(const BytecodeInst& code) {
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

/// Whether the completion of an entry concerns others: a signal, or a finding of which the first one counts.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::needs_turn(const Core& core, const Slot& slot) const {
  const BytecodeInst& code = *slot.code;
  if (code.op == OpCode::sync_set) return true;
  if (code.op != OpCode::set_flag) return false;
  return core.flags.count(d_.config.flag_index(code.src, code.dst, static_cast<unsigned>(slot.id))) != 0;
}

template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::can_run_ahead(const Core& core,
                                                                           unsigned agent) const {
  if (kData || kObserved || !can_run_ahead_ || core.waits_outside != 0) return false;
  const Block block = core.su.block;
  if (block == Block::halted || block == Block::cross_core || block == Block::meeting) return false;
  if (agent < kScalarAt) {
    const Lane& lane = core.lanes[agent - kCompleteAt];
    return !needs_turn(core, lane.slot(lane.done));
  }
  if (agent == kScalarAt) return !sim::needs_turn(core.role->code[core.su.at]);
  const Lane& lane = core.lanes[agent - kStartAt];
  const BytecodeInst& code = *lane.slot(lane.started).code;
  if (code.op == OpCode::set_flag) return has_room_for_set(core, code, lane.slot(lane.started).id);
  if (code.op == OpCode::enqueue || code.op == OpCode::vector_function)
    return core.role->queued[code.inst].alone;
  return code.op != OpCode::sync_wait;
}

}  // namespace pto::sim
