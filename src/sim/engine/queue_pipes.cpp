#include "sim/engine/queue_pipes.hpp"

#include <algorithm>
#include <utility>

#include "exec/instruction_phases.hpp"
#include "sim/engine/iteration_vector.hpp"
#include "sim/engine/lookahead.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
QueuePipes<kData, Tap>::QueuePipes(RunParts<Tap>& parts)
    : d_(parts.device),
      costs_(parts.costs),
      tap_(parts.tap),
      queue_(parts.queue),
      current_(parts.current),
      chip_(parts.chip),
      watch_(parts.watch),
      sync_(parts.sync),
      cross_(parts.cross),
      skips_(parts.skips),
      function_(parts),
      launch_(parts, kData) {}

// ---- start

template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::start(Core& core, unsigned index) {
  core.at[kStartAt + index] = kNever;
  Lane& lane = core.lanes[index];
  Slot& slot = lane.slot(lane.started);
  const Pipe pipe = pipe_of_lane(index);
  const uint32_t pc = slot.code->pc;
  const uint64_t issued = std::clamp(slot.time, lane.idle_from, d_.now);
  chip_.add_stall(lane.stats, {core.info.index, pipe, lane.idle_from, issued, Stall::not_issued, pc});
  chip_.add_wait(core, pipe, lane.stats, issued, lane.block, lane.key, pc);
  lane.idle_from = std::max(lane.idle_from, d_.now);
  core.waits_outside -= lane.block == Block::cross_core;
  lane.block = Block::none;
  if (start_entry(core, index, slot)) pop(core, index);
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool QueuePipes<kData, Tap>::start_entry(Core& core, unsigned index,
                                                                       Slot& slot) {
  Lane& lane = core.lanes[index];
  switch (slot.code->op) {
    case OpCode::enqueue:
    case OpCode::vector_function:
      return start_instruction(core, index, slot);
    case OpCode::wait_flag:
      return start_wait_flag(core, index, slot);
    case OpCode::barrier:
      if (lane.last_end > d_.now && !skips_.skips(*slot.code))
        return block(core, index, Block::barrier, 0, lane.last_end);
      break;
    case OpCode::get_buf:
    case OpCode::rls_buf:
      return start_buffer(core, index, slot);
    case OpCode::sync_wait:
      return start_sync_wait(core, index, slot);
    case OpCode::set_flag:
      if (!start_set_flag(core, index, slot)) return false;
      break;
    default:
      break;
  }
  // Tokens leave the pipe when everything before them is complete; they do not hold up what
  // follows.
  lane.last_end = std::max(lane.last_end, d_.now);
  slot.time = lane.last_end;
  return true;
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::block(Core& core, unsigned index, Block reason, uint32_t key, uint64_t until) {
  Lane& lane = core.lanes[index];
  lane.block = reason;
  lane.key = key;
  core.waits_outside += reason == Block::cross_core;
  core.at[kStartAt + index] = until;
  return false;
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::start_instruction(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const uint64_t issued = slot.time;
  const Queued& queued = core.role->queued[slot.code->inst];
  uint64_t accumulator = 0;
  if (queued.unit_flag != isa::UnitFlag::Phase::none) {
    SlotFacts& facts = lane.facts(lane.started);
    accumulator = core.block_of(slot)[queued.accumulator];
    if (facts.unit_wait != 0 && !wait_for_unit(core, index, facts, accumulator)) return false;
  }
  const timing::Cost cost =
      slot.code->op == OpCode::vector_function
          ? run_function(core, lane, queued)
          : costs_.cost(queued.inst, core.block_of(slot), &core.control.at(slot.control));
  if constexpr (!kData) {
    if (queued.reaches_gm) check_bounds(core, index, slot, core.block_of(slot));
    core.control.release(slot.control);
  }
  const uint64_t factor = d_.slow[index];
  const uint64_t busy = factor * cost.busy;
  const typename ChipModel<Tap>::Delay delay = chip_.delay(core, index, slot, cost);
  const uint64_t begin = delay.begin;
  const uint64_t busy_end = begin + busy;
  lane.last_end = std::max({lane.last_end, begin + factor * cost.latency, busy_end});
  lane.free_at = busy_end;
  lane.idle_from = busy_end;
  slot.time = lane.last_end;
  if (queued.unit_flag == isa::UnitFlag::Phase::hand_over) hand_over(core, index, slot, accumulator);
  lane.stats.busy += busy;
  ++lane.stats.instructions;
  basis_[static_cast<size_t>(cost.basis)] += busy;
  tap_.report_start(lane, lane.started, busy_end - delay.ready, begin - delay.ready + factor * cost.latency,
                    delay.restart);
  tap_.template observe<Observer::kInstructions>([&](Observer& o) {
    o.on_instruction({core.info.index, pipe_of_lane(index), slot.code->pc, issued, begin, busy_end, slot.time,
                      cost.basis});
  });
  return true;
}

/// A vector function or a SIMT launch. Its memory accesses happen while it runs, so whatever the
/// pipe did before is settled first.
template <bool kData, typename Tap>
timing::Cost QueuePipes<kData, Tap>::run_function(Core& core, Lane& lane, const Queued& queued) {
  const auto pipe = static_cast<unsigned>(lane_of(Pipe::v));
  if constexpr (kData || Tap::kEnabled) settle_before(core, pipe, lane.started);
  if constexpr (Tap::kEnabled) {
    const uint32_t pc = lane.slot(lane.started).code->pc;
    tap_.acquire({core, kScalarLane, core, pipe, pc}, lane.facts(lane.started).issue_token);
  }
  return queued.threads ? launch_.run(core, lane, lane.started) : function_.run(core, lane, lane.started);
}

/// Without data: an instruction runs as far as its first access to GM, which tells whether shapes
/// and addresses fit the arguments.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::check_bounds(Core& core, unsigned index, const Slot& slot, exec::Word* block) {
  exec::Context& context = core.context;
  context.inst = &core.role->queued[slot.code->inst].inst;
  context.frame = block;
  context.control = &core.control.at(slot.control);
  current_.enter_entry(core, pipe_of_lane(index), slot);
  context.inst->fn(context);
}

/// The entry has left the queue: there is room for the scalar unit, and the next entry is the head.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::pop(Core& core, unsigned index) {
  Lane& lane = core.lanes[index];
  const Slot& slot = lane.slot(lane.started);
  if constexpr (Tap::kEnabled) {
    if (slot.code->op != OpCode::enqueue && slot.code->op != OpCode::vector_function)
      tap_.report_start(lane, lane.started, 0, 0);
  }
  ++lane.started;
  const bool plain = slot.code->op == OpCode::enqueue || slot.code->op == OpCode::vector_function ||
                     slot.code->op == OpCode::wait_flag || slot.code->op == OpCode::barrier ||
                     slot.code->op == OpCode::get_buf || slot.code->op == OpCode::sync_wait;
  const bool first = lane.done + 1 == lane.started;
  if (!kData && !Tap::kEnabled && plain && first && (slot.code->flags & kHasResults) == 0) {
    core.leave(lane);  // nothing happens at its completion
  } else if (first) {
    core.at[kCompleteAt + index] = slot.time;
    if (slot.time <= d_.now) complete(core, index);
  }
  if (core.su.block == Block::queue_full && core.su.key == index) wake_scalar(core, d_.now);
  if (!lane.empty())
    core.at[kStartAt + index] = std::max({lane.free_at, lane.slot(lane.started).time, d_.now});
  else if (core.su.block == Block::barrier_all)
    wake_barrier(core);
}

/// The scalar unit waits for all pipes: it goes on when all are empty and complete.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::wake_barrier(Core& core) {
  uint64_t drained = d_.now;
  for (const Lane& each : core.lanes) {
    if (!each.empty()) return;
    drained = std::max({drained, each.last_end, each.free_at});
  }
  wake_scalar(core, drained);
}

// ---- unit flags

/// Whether the other pipe is done with what it hands over in front of this entry.
template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::wait_for_unit(Core& core, unsigned index, SlotFacts& facts,
                                           uint64_t accumulator) {
  const UnitFlag::Side& other = core.units[accumulator].other(index);
  if (other.started < facts.unit_wait) return block(core, index, Block::unit_flag, 0);
  const UnitFlag::Side::Entry from = other.entry(facts.unit_wait);
  if (from.end > d_.now) return block(core, index, Block::unit_flag, 0, from.end);
  if (tap_.steps() != nullptr && from.step != 0) tap_.steps()->on_unit(facts.step, from.step);
  return true;
}

/// The entry has started: the agent that waits for it knows when it will be done.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::hand_over(Core& core, unsigned index, const Slot& slot, uint64_t accumulator) {
  Lane& own = core.lanes[index];
  const uint64_t step = Tap::kEnabled ? own.facts(own.started).step : 0;
  core.units[accumulator].own(index).start({slot.time, step});
  for (const Pipe pipe : {Pipe::m, Pipe::fix}) {
    const auto lane = static_cast<unsigned>(lane_of(pipe));
    if (lane != index && core.lanes[lane].block == Block::unit_flag) core.at[kStartAt + lane] = d_.now;
  }
}

/// The ordering fact that an entry with a unit flag has before its effect.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::acquire_unit(Core& core, unsigned index, const Slot& slot) {
  const Queued& queued = core.role->queued[slot.code->inst];
  if (queued.unit_flag == isa::UnitFlag::Phase::none) return;
  const bool hands_over = queued.unit_flag == isa::UnitFlag::Phase::hand_over;
  const auto other = static_cast<unsigned>(lane_of(UnitFlag::side_of(index) == 0 ? Pipe::fix : Pipe::m));
  uint64_t& token = core.units[core.block_of(slot)[queued.accumulator]].other(index).token;
  tap_.acquire({core, other, core, index, slot.code->pc}, token, hands_over);
  if (hands_over) token = 0;
}

/// And the one that it has behind its effect.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::release_unit(Core& core, unsigned index, const Slot& slot) {
  const Queued& queued = core.role->queued[slot.code->inst];
  if (queued.unit_flag != isa::UnitFlag::Phase::hand_over) return;
  const auto other = static_cast<unsigned>(lane_of(UnitFlag::side_of(index) == 0 ? Pipe::fix : Pipe::m));
  core.units[core.block_of(slot)[queued.accumulator]].own(index).token =
      tap_.release({core, index, core, other, slot.code->pc});
}

// ---- completion: effects and tokens, in order

template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::complete(Core& core, unsigned index) {
  Lane& lane = core.lanes[index];
  while (lane.done < lane.started && lane.slot(lane.done).time <= d_.now) {
    Slot& slot = lane.slot(lane.done);
    if (queue_.ahead && is_shared_completion(sync_, core, slot)) break;
    if (chip_.delays_signals() && delay_signal(lane, slot)) break;
    if constexpr (kData || Tap::kEnabled) {
      if (!settle(core, index, lane.done)) break;
    }
    release_token(core, index, slot);
    if ((slot.code->flags & kHasResults) != 0) deliver_results(core, index, lane.done);
    if constexpr (kData) {
      if (slot.control != kNoControl) core.control.release(slot.control);
    }
    core.leave(lane);
  }
  core.at[kCompleteAt + index] = lane.done < lane.started ? lane.slot(lane.done).time : kNever;
}

/// The hub serves one signal at a time. True: the signal of the entry waits for it.
template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::delay_signal(Lane& lane, Slot& slot) {
  const bool shared = slot.code->op == OpCode::sync_set && slot.code->b != kOneToOne;
  if (!shared || std::exchange(slot.signalled, true)) return false;
  slot.time = chip_.serve_signal();
  if (slot.time <= d_.now) return false;
  lane.facts(lane.done).held = static_cast<uint32_t>(slot.time - d_.now);
  lane.last_end = std::max(lane.last_end, slot.time);
  return true;
}

template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::settle_before(Core& core, unsigned index, uint64_t serial) {
  for (uint64_t i = core.lanes[index].done; i < serial; ++i) settle(core, index, i);
}

/// Applies an entry's effect on memory and reports its ordering facts, once, in the order of the
/// pipe. False when it has to wait for bytes of another device.
template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::settle(Core& core, unsigned index, uint64_t serial) {
  Lane& lane = core.lanes[index];
  Slot& slot = lane.slot(serial);
  if (slot.settled) return true;
  const BytecodeInst& code = *slot.code;
  if constexpr (Tap::kEnabled) {
    if (!std::exchange(slot.fetching, false)) report_order(core, index, serial);
  }
  if constexpr (kData) {
    if (code.op == OpCode::enqueue && !run_instruction(core, index, slot, core.block_of(slot))) {
      slot.fetching = true;
      lane.last_end = std::max(lane.last_end, slot.time);
      return false;
    }
  }
  slot.settled = true;
  if constexpr (Tap::kEnabled) {
    if (code.op == OpCode::enqueue) release_unit(core, index, slot);
  }
  return true;
}

/// Ordering facts of an entry before its effect.
template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::report_order(Core& core, unsigned index, uint64_t serial) {
  Lane& lane = core.lanes[index];
  const Slot& slot = lane.slot(serial);
  const BytecodeInst& code = *slot.code;
  SlotFacts& facts = lane.facts(serial);
  if (code.op != OpCode::vector_function)
    tap_.acquire({core, kScalarLane, core, index, code.pc}, facts.issue_token);
  if (code.op == OpCode::enqueue) acquire_unit(core, index, slot);
  if (code.op == OpCode::wait_flag)
    tap_.acquire({core, code.src, core, index, code.pc, slot.id}, facts.token);
  if (code.op == OpCode::barrier) tap_.order_lane(core, index, code.pc);
  if (code.op == OpCode::set_flag)
    facts.token = tap_.release({core, index, core, code.dst, code.pc, slot.id});
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::run_instruction(Core& core, unsigned index, Slot& slot, exec::Word* block) {
  const Queued& queued = core.role->queued[slot.code->inst];
  exec::Context& context = core.context;
  context.inst = &queued.inst;
  context.frame = block;
  exec::ControlState& control = core.control.at(slot.control);
  context.control = &control;
  // Results that pipes leave in registers do not belong to the snapshot.
  exec::ControlState& live = core.control.live();
  control.ar = live.ar;
  control.vms4_sr = live.vms4_sr;
  current_.enter_entry(core, pipe_of_lane(index), slot);
  watch_.begin_instruction();
  if (d_.port != nullptr) d_.port->begin(core.info.index, index, slot.code->pc, d_.now);
  if (queued.hidden != nullptr) {
    current_.set_hidden(true);
    exec::touch_scratch(context, *queued.hidden);
    current_.set_hidden(false);
  }
  queued.inst.fn(context);
  if (const uint64_t until = d_.port == nullptr ? 0 : d_.port->end(); until != 0) {
    slot.time = until;
    return false;
  }
  if (queued.hidden != nullptr) {
    current_.set_hidden(true);
    exec::touch_sources(context, *queued.hidden);
    current_.set_hidden(false);
  }
  watch_.end_instruction(core);
  live.ar = control.ar;
  live.vms4_sr = control.vms4_sr;
  return true;
}

/// A set, release or signal becomes visible.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline void QueuePipes<kData, Tap>::release_token(Core& core, unsigned index,
                                                                         Slot& slot) {
  const BytecodeInst& code = *slot.code;
  Lane& lane = core.lanes[index];
  switch (code.op) {
    case OpCode::set_flag:
      sync_.set_flag(core, code, slot.id, Tap::kEnabled ? lane.facts(lane.done).token : 0);
      break;
    case OpCode::rls_buf:
      sync_.release_buffer(core, index, code, slot.id);
      break;
    case OpCode::sync_set: {
      SlotFacts none;
      SlotFacts& facts = lane.slot_facts.empty() ? none : lane.facts(lane.done);
      cross_.send(core, {code, slot.id, facts.step, std::exchange(facts.held, 0)});
      break;
    }
    default:
      return;
  }
  core.count_run(code);
}

template <bool kData, typename Tap>
void QueuePipes<kData, Tap>::deliver_results(Core& core, unsigned index, uint64_t serial) {
  Lane& lane = core.lanes[index];
  const Slot& slot = lane.slot(serial);
  const exec::Word* const block = core.block_of(slot);
  for (const Copy& copy : core.role->queued[slot.code->inst].results) {
    for (uint32_t i = 0; i < copy.words; ++i) core.frame[copy.to + i] = kData ? block[copy.from + i] : 0;
  }
  wake_scalar(core, d_.now);
}

// ---- synchronisation of a pipe

/// False: the flag is full, and the pipe waits until a wait has taken a set.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool QueuePipes<kData, Tap>::start_set_flag(Core& core, unsigned index,
                                                                          Slot& slot) {
  const BytecodeInst& code = *slot.code;
  if (sync_.has_room_for_set(core, code, slot.id)) return true;
  const Lane& lane = core.lanes[index];
  if (Diagnostic* const finding = sync_.add_double_set(core, code, slot.id))
    finding->moment = moment_of_entry(*d_.program, core, lane, lane.started, d_.now);
  return block(core, index, Block::flag_full, sync_.flag_index(index, code.dst, slot.id));
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::start_wait_flag(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const BytecodeInst& code = *slot.code;
  const uint64_t begin = std::max(slot.time, lane.free_at);
  uint64_t token = 0;
  const bool taken = sync_.take_flag(core, code, index, slot.id, begin, token);
  if constexpr (Tap::kEnabled) lane.facts(lane.started).token = token;
  if (!taken) {
    const uint32_t flag = sync_.flag_index(code.src, index, slot.id);
    if (!sync_.skip_wait(core, code, flag)) return block(core, index, Block::flag, flag);
  }
  core.count_run(code);
  lane.free_at = d_.now;
  lane.behind_wait = true;
  slot.time = lane.last_end;
  return true;
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::start_buffer(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const BytecodeInst& code = *slot.code;
  const bool waits = code.op == OpCode::get_buf ? code.b == 0 : code.b != 0;
  const exec::Word* const issued = core.block_of(slot);
  if (waits && !skips_.skips(code) && !sync_.is_buffer_ready(core, index, slot.id, issued))
    return block(core, index, Block::buffer, static_cast<uint32_t>(slot.id));
  lane.free_at = d_.now;
  if (code.op == OpCode::rls_buf) lane.last_end = std::max(lane.last_end, d_.now);
  slot.time = lane.last_end;
  if (code.op == OpCode::get_buf) core.count_run(code);
  if constexpr (Tap::kEnabled) {
    settle_before(core, index, lane.started);
    BufferToken& buffer = core.buffers[static_cast<size_t>(slot.id)];
    for (unsigned from = 0; from < kLanes; ++from) {
      if (from == index) continue;
      tap_.acquire({core, from, core, index, code.pc}, std::exchange(buffer.token[from][index], 0));
    }
  }
  return true;
}

template <bool kData, typename Tap>
bool QueuePipes<kData, Tap>::start_sync_wait(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const BytecodeInst& code = *slot.code;
  if constexpr (Tap::kEnabled) settle_before(core, index, lane.started);
  const uint32_t semaphore = d_.config.semaphore(code.b, slot.id);
  if (!cross_.take_semaphore(core, semaphore, index, code.pc)) {
    if (!cross_.skip_wait(core, code, semaphore)) return block(core, index, Block::cross_core, semaphore);
  } else if (tap_.steps() != nullptr) {
    tap_.steps()->on_await(lane.facts(lane.started).step, core.info.index, semaphore);
  }
  core.count_run(code);
  lane.free_at = d_.now;
  slot.time = lane.last_end;
  return true;
}

template class QueuePipes<false, NullTap>;
template class QueuePipes<false, EventTap>;
template class QueuePipes<true, NullTap>;
template class QueuePipes<true, EventTap>;

}  // namespace pto::sim
