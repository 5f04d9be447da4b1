// The pipes: in order, each starts its head entry when it is free and the entry has issued. Included by
// engine.cpp only.
// Over 500 lines: members of one class template, which are compiled together.
#pragma once

#include <algorithm>

#include "sim/engine/engine_core.hpp"
#include "sim/engine/scalar_unit.hpp"

namespace pto::sim {

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::stall(Core& core, Pipe pipe, LaneStats& stats, uint64_t begin, uint64_t end,
                                     Stall reason, uint32_t pc, Resource resource) {
  if (end <= begin) return;
  stats.stall[static_cast<size_t>(reason)] += end - begin;
  chip_.resource_cycles[static_cast<size_t>(resource)] += end - begin;
  observe<Observer::kStalls>([&](Observer& o) {
    o.on_stall({core.info.index, pipe, begin, end, reason, pc, resource});
  });
}

/// A wait is over: the last part of one for a signal may be the hub's.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::waited(Core& core, Pipe pipe, LaneStats& stats, uint64_t begin, Block block,
                                      uint32_t key, uint32_t pc) {
  const uint32_t held = block == Block::cross_core ? core.semaphores[key].held : 0;
  const uint64_t hub = std::max(begin, d_.now - std::min<uint64_t>(held, d_.now));
  stall(core, pipe, stats, begin, hub, stall_of(block), pc);
  stall(core, pipe, stats, hub, d_.now, Stall::resource, pc, Resource::signals);
}

/// The head entry's turn has come, or what it waited for has changed.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::start(Core& core, unsigned index) {
  core.at[kStartAt + index] = kNever;
  Lane& lane = core.lanes[index];
  Slot& slot = lane.slot(lane.started);
  const Pipe pipe = pipe_of_lane(index);
  const uint64_t issued = std::clamp(slot.time, lane.idle_from, d_.now);
  stall(core, pipe, lane.stats, lane.idle_from, issued, Stall::not_issued, slot.code->pc);
  waited(core, pipe, lane.stats, issued, lane.block, lane.key, slot.code->pc);
  lane.idle_from = std::max(lane.idle_from, d_.now);
  core.waits_outside -= lane.block == Block::cross_core;
  lane.block = Block::none;
  if (start_entry(core, index, slot)) pop(core, index);
}

/// False when the entry stays at the head.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::start_entry(Core& core, unsigned index,
                                                                         Slot& slot) {
  Lane& lane = core.lanes[index];
  switch (slot.code->op) {
    case OpCode::enqueue:
    case OpCode::vector_function:
      return start_instruction(core, index, slot);
    case OpCode::wait_flag:
      return start_wait_flag(core, index, slot);
    case OpCode::barrier:
      if (lane.last_end > d_.now && !lets_go(*slot.code))
        return block_lane(core, index, Block::barrier, 0, lane.last_end);
      break;
    case OpCode::get_buf:
    case OpCode::rls_buf:
      return start_buffer(core, index, slot);
    case OpCode::sync_wait:
      return start_sync_wait(core, index, slot);
    case OpCode::set_flag:
      if (!has_room_for_set(core, *slot.code, slot.id)) {
        if (Diagnostic* const finding = warn_of_set(core, *slot.code, slot.id))
          finding->moment = moment_of_entry(*d_.program, core, lane, lane.started, d_.now);
        return block_lane(core, index, Block::flag_full,
                          d_.config.flag_index(index, slot.code->dst, static_cast<unsigned>(slot.id)));
      }
      break;
    default:
      break;
  }
  // Tokens leave the pipe when everything before them is complete; they do not hold up what follows.
  lane.last_end = std::max(lane.last_end, d_.now);
  slot.time = lane.last_end;
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::block_lane(Core& core, unsigned index, Block block, uint32_t key,
                                          uint64_t until) {
  Lane& lane = core.lanes[index];
  lane.block = block;
  lane.key = key;
  core.waits_outside += block == Block::cross_core;
  core.at[kStartAt + index] = until;
  return false;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::start_instruction(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const uint64_t issued = slot.time;
  const Queued& queued = core.role->queued[slot.code->inst];
  const bool hands_over = queued.unit_flag == isa::UnitFlag::Phase::hand_over;
  uint64_t accumulator = 0;
  if (queued.unit_flag != isa::UnitFlag::Phase::none) {
    SlotFacts& facts = lane.facts(lane.started);
    accumulator = core.block_of(slot)[queued.accumulator];
    if (facts.unit_wait != 0 && !wait_for_unit(core, index, facts, accumulator)) return false;
  }
  timing::Cost cost;
  if (slot.code->op == OpCode::vector_function) {
    // Its memory accesses happen while it runs, so whatever the pipe did before is settled first.
    if constexpr (kData || kObserved) settle_before(core, index, lane.started);
    cost = queued.threads ? run_threads(core, lane, lane.started)
                          : run_vector_function(core, lane, lane.started);
  } else {
    cost = costs_.cost(queued.inst, core.block_of(slot), &core.control.at(slot.control));
  }
  if constexpr (!kData) {
    if (queued.reaches_gm) check_bounds(core, index, slot, core.block_of(slot));
    core.control.release(slot.control);
  }
  const uint64_t factor = d_.slow[index], busy = factor * cost.busy;
  const Delay delayed = delay(core, index, slot, cost);
  const uint64_t begin = delayed.begin, busy_end = begin + busy;
  lane.last_end = std::max({lane.last_end, begin + factor * cost.latency, busy_end});
  lane.free_at = lane.idle_from = busy_end;
  slot.time = lane.last_end;
  if (hands_over) hand_over(core, index, slot, accumulator);
  lane.stats.busy += busy;
  ++lane.stats.instructions;
  basis_[static_cast<size_t>(cost.basis)] += busy;
  tell_start(lane, lane.started, busy_end - delayed.ready, begin - delayed.ready + factor * cost.latency,
             delayed.restart);
  observe<Observer::kInstructions>([&](Observer& o) {
    o.on_instruction({core.info.index, pipe_of_lane(index), slot.code->pc, issued, begin, busy_end, slot.time,
                      cost.basis});
  });
  return true;
}

/// Without data: an instruction runs as far as its first access to GM, which tells whether shapes and
/// addresses fit the arguments.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::check_bounds(Core& core, unsigned index, const Slot& slot, exec::Word* block) {
  exec::Context& context = core.context;
  context.inst = &core.role->queued[slot.code->inst].inst;
  context.frame = block;
  context.control = &core.control.at(slot.control);
  running_core_ = &core;
  running_pipe_ = pipe_of_lane(index);
  running_pc_ = slot.code->pc;
  running_block_end_ = core.end_of_block(slot);
  context.inst->fn(context);
}

// ---- unit flags: M and FIX hand over an accumulator

/// Whether the other pipe is done with what it hands over in front of this entry.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::wait_for_unit(Core& core, unsigned index, SlotFacts& facts,
                                             uint64_t accumulator) {
  const UnitFlag::Side& other = core.units[accumulator].other(index);
  if (other.started < facts.unit_wait) return block_lane(core, index, Block::unit_flag, 0);
  const UnitFlag::Side::Entry from = other.entry(facts.unit_wait);
  if (from.end > d_.now) return block_lane(core, index, Block::unit_flag, 0, from.end);
  if constexpr (kObserved) {
    if (steps_ != nullptr && from.step != 0) steps_->on_unit(facts.step, from.step);
  }
  return true;
}

/// The entry has started: whoever waits for it knows when it will be done.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::hand_over(Core& core, unsigned index, const Slot& slot, uint64_t accumulator) {
  Lane& own = core.lanes[index];
  const uint64_t step = kObserved ? own.facts(own.started).step : 0;
  core.units[accumulator].own(index).start({slot.time, step});
  for (const Pipe pipe : {Pipe::m, Pipe::fix}) {
    const auto lane = static_cast<unsigned>(lane_of(pipe));
    if (lane != index && core.lanes[lane].block == Block::unit_flag) core.at[kStartAt + lane] = d_.now;
  }
}

/// Tells observers what a unit flag orders, before an entry's effect and after it.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::order_units(Core& core, unsigned index, const Slot& slot,
                                           const exec::Word* block, bool before) {
  const Queued& queued = core.role->queued[slot.code->inst];
  if (queued.unit_flag == isa::UnitFlag::Phase::none) return;
  UnitFlag& unit = core.units[block[queued.accumulator]];
  const bool hands_over = queued.unit_flag == isa::UnitFlag::Phase::hand_over;
  const auto other = static_cast<unsigned>(lane_of(UnitFlag::side_of(index) == 0 ? Pipe::fix : Pipe::m));
  if (before) {
    uint64_t& token = unit.other(index).token;
    if (token != 0) order_acquire(core, other, core, index, token, slot.code->pc, hands_over);
    if (hands_over) token = 0;
  } else if (hands_over) {
    unit.own(index).token = order_release(core, index, core, other, slot.code->pc);
  }
}

/// The entry has left the queue: room for the scalar unit, turn of the next entry.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::pop(Core& core, unsigned index) {
  Lane& lane = core.lanes[index];
  const Slot& slot = lane.slot(lane.started);
  if constexpr (kObserved) {
    if (slot.code->op != OpCode::enqueue && slot.code->op != OpCode::vector_function)
      tell_start(lane, lane.started, 0, 0);
  }
  ++lane.started;
  const bool plain = slot.code->op == OpCode::enqueue || slot.code->op == OpCode::vector_function ||
                     slot.code->op == OpCode::wait_flag || slot.code->op == OpCode::barrier ||
                     slot.code->op == OpCode::get_buf || slot.code->op == OpCode::sync_wait;
  const bool first = lane.done + 1 == lane.started;
  if (!kData && !kObserved && plain && first && (slot.code->flags & kHasResults) == 0) {
    core.leave(lane);  // nothing happens at its completion
  } else if (first) {
    core.at[kCompleteAt + index] = slot.time;
    if (slot.time <= d_.now) complete(core, index);
  }
  if (core.su.block == Block::queue_full && core.su.key == index) wake_scalar(core, d_.now);
  if (!lane.empty()) {
    core.at[kStartAt + index] = std::max({lane.free_at, lane.slot(lane.started).time, d_.now});
  } else if (core.su.block == Block::barrier_all) {
    uint64_t drained = d_.now;
    for (const Lane& each : core.lanes) {
      if (!each.empty()) return;
      drained = std::max({drained, each.last_end, each.free_at});
    }
    wake_scalar(core, drained);
  }
}

// ---- completion: effects and tokens, in order

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::complete(Core& core, unsigned index) {
  Lane& lane = core.lanes[index];
  while (lane.done < lane.started && lane.slot(lane.done).time <= d_.now) {
    Slot& slot = lane.slot(lane.done);
    if (lookahead_ && needs_turn(core, slot)) break;
    if (follows_signals_ && is_shared_signal(*slot.code) && !std::exchange(slot.signalled, true)) {
      slot.time = memory_->signal(d_.now);
      if (slot.time > d_.now) {
        lane.facts(lane.done).held = static_cast<uint32_t>(slot.time - d_.now);
        lane.last_end = std::max(lane.last_end, slot.time);
        break;
      }
    }
    if constexpr (kData || kObserved) {
      if (!settle(core, index, lane.done)) break;
    }
    release(core, index, slot);
    if ((slot.code->flags & kHasResults) != 0) deliver_results(core, index, lane.done);
    if constexpr (kData) {
      if (slot.control != kNoControl) core.control.release(slot.control);
    }
    core.leave(lane);
  }
  core.at[kCompleteAt + index] = lane.done < lane.started ? lane.slot(lane.done).time : kNever;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::settle_before(Core& core, unsigned index, uint64_t serial) {
  for (uint64_t i = core.lanes[index].done; i < serial; ++i) settle(core, index, i);
}

/// Applies an entry's effect on memory and reports its ordering facts, once, in the order of the pipe. False
/// when it has to wait for bytes of another device.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::settle(Core& core, unsigned index, uint64_t serial) {
  Lane& lane = core.lanes[index];
  Slot& slot = lane.slot(serial);
  if (slot.settled) return true;
  const BytecodeInst& code = *slot.code;
  if (kObserved && !std::exchange(slot.fetching, false)) {
    if (code.op != OpCode::vector_function)
      order_acquire(core, kScalarLane, core, index, lane.facts(serial).issue_token, code.pc);
    if (code.op == OpCode::enqueue) order_units(core, index, slot, core.block_of(slot), true);
    if (code.op == OpCode::wait_flag)
      order_acquire(core, code.src, core, index, lane.facts(serial).token, code.pc, true, slot.id);
    if (code.op == OpCode::barrier)
      order_acquire(core, index, core, index, order_release(core, index, core, index, code.pc), code.pc);
    if (code.op == OpCode::set_flag)
      lane.facts(serial).token = order_release(core, index, core, code.dst, code.pc, 0, slot.id);
  }
  if constexpr (kData) {
    if (code.op == OpCode::enqueue && !run_instruction(core, index, slot, core.block_of(slot))) {
      slot.fetching = true;
      lane.last_end = std::max(lane.last_end, slot.time);
      return false;
    }
  }
  slot.settled = true;
  if constexpr (kObserved) {
    if (code.op == OpCode::enqueue) order_units(core, index, slot, core.block_of(slot), false);
  }
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::run_instruction(Core& core, unsigned index, Slot& slot, exec::Word* block) {
  const exec::Inst& inst = core.role->queued[slot.code->inst].inst;
  exec::Context& context = core.context;
  context.inst = &inst;
  context.frame = block;
  exec::ControlState& control = core.control.at(slot.control);
  context.control = &control;
  // Results that pipes leave in registers do not belong to the snapshot.
  exec::ControlState& live = core.control.live();
  control.ar = live.ar;
  control.vms4_sr = live.vms4_sr;
  running_core_ = &core;
  running_pipe_ = pipe_of_lane(index);
  running_pc_ = slot.code->pc;
  running_block_end_ = core.end_of_block(slot);
  watch_begins();
  if (d_.port != nullptr) d_.port->begin(core.info.index, index, running_pc_, d_.now);
  const exec::HiddenWork* const hidden = core.role->queued[slot.code->inst].hidden;
  if (hidden != nullptr) {
    hidden_ = true;
    exec::touch_scratch(context, *hidden);
    hidden_ = false;
  }
  inst.fn(context);
  if (const uint64_t until = d_.port == nullptr ? 0 : d_.port->end(); until != 0) {
    slot.time = until;
    return false;
  }
  if (hidden != nullptr) {
    hidden_ = true;
    exec::touch_sources(context, *hidden);
    hidden_ = false;
  }
  watch_ends(core);
  live.ar = control.ar;
  live.vms4_sr = control.vms4_sr;
  return true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::release(Core& core, unsigned index, Slot& slot) {
  const BytecodeInst& code = *slot.code;
  Lane& lane = core.lanes[index];
  switch (code.op) {
    case OpCode::set_flag:
      set_flag(core, code, slot.id, kObserved ? lane.facts(lane.done).token : 0);
      break;
    case OpCode::rls_buf:
      release_buffer(core, index, code, slot.id);
      break;
    case OpCode::sync_set:
      if (!lane.slot_facts.empty()) {
        signalling_step_ = lane.facts(lane.done).step;
        signal_held_ = std::exchange(lane.facts(lane.done).held, 0);
      }
      signal(core, code, slot.id);
      signal_held_ = 0;
      break;
    default:
      return;
  }
  core.count_run(code);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::deliver_results(Core& core, unsigned index, uint64_t serial) {
  Lane& lane = core.lanes[index];
  const Slot& slot = lane.slot(serial);
  const exec::Word* const block = core.block_of(slot);
  for (const Copy& copy : core.role->queued[slot.code->inst].results) {
    for (uint32_t i = 0; i < copy.words; ++i) core.frame[copy.to + i] = kData ? block[copy.from + i] : 0;
  }
  wake_scalar(core, d_.now);
}

// ---- waits of a pipe

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::start_wait_flag(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const BytecodeInst& code = *slot.code;
  const uint64_t begin = std::max(slot.time, lane.free_at);
  uint64_t token = 0;
  const bool taken = take_flag(core, code.src, index, slot.id, code.pc, begin, token);
  if constexpr (kObserved) lane.facts(lane.started).token = token;
  if (!taken) {
    const uint32_t flag = d_.config.flag_index(code.src, index, static_cast<unsigned>(slot.id));
    if (!goes_ahead(core, code, flag, false)) return block_lane(core, index, Block::flag, flag);
  }
  core.count_run(code);
  lane.free_at = d_.now;
  lane.behind_wait = true;
  slot.time = lane.last_end;
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::start_buffer(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  const BytecodeInst& code = *slot.code;
  const bool waits = code.op == OpCode::get_buf ? code.b == 0 : code.b != 0;
  if (waits && !lets_go(code) && !buffer_ready(core, index, slot.id, core.block_of(slot))) {
    return block_lane(core, index, Block::buffer, static_cast<uint32_t>(slot.id));
  }
  lane.free_at = d_.now;
  if (code.op == OpCode::rls_buf) lane.last_end = std::max(lane.last_end, d_.now);
  slot.time = lane.last_end;
  if (code.op == OpCode::get_buf) core.count_run(code);
  if constexpr (kObserved) {
    settle_before(core, index, lane.started);
    BufferToken& token = core.buffers[static_cast<size_t>(slot.id)];
    for (unsigned from = 0; from < kLanes; ++from) {
      if (token.token[from][index] == 0 || from == index) continue;
      order_acquire(core, from, core, index, token.token[from][index], code.pc);
      token.token[from][index] = 0;
    }
  }
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::start_sync_wait(Core& core, unsigned index, Slot& slot) {
  Lane& lane = core.lanes[index];
  if constexpr (kObserved) settle_before(core, index, lane.started);
  const uint32_t semaphore = d_.config.semaphore(slot.code->b, slot.id);
  if (!take_semaphore(core, semaphore, index, slot.code->pc)) {
    if (!goes_ahead(core, *slot.code, semaphore, true))
      return block_lane(core, index, Block::cross_core, semaphore);
  } else if (kObserved && steps_ != nullptr) {
    steps_->on_await(lane.facts(lane.started).step, core.info.index, semaphore);
  }
  core.count_run(*slot.code);
  lane.free_at = d_.now;
  slot.time = lane.last_end;
  return true;
}

// ---- vector functions

template <bool kData, bool kObserved>
timing::Cost Engine<kData, kObserved>::run_vector_function(Core& core, Lane& lane, uint64_t serial) {
  Slot& slot = lane.slot(serial);
  const Queued& queued = core.role->queued[slot.code->inst];
  const exec::Word* const block = core.block_of(slot);
  exec::Word* const frame = core.vf_frame.data();
  for (const Copy& copy : queued.unpack) std::copy_n(block + copy.from, copy.words, frame + copy.to);
  if constexpr (kObserved)
    order_acquire(core, kScalarLane, core, lane_of(Pipe::v), lane.facts(serial).issue_token, slot.code->pc);
  running_core_ = &core;
  running_pipe_ = Pipe::v;
  running_block_end_ = core.end_of_block(slot);
  vector_timer_->begin();
  if constexpr (kObserved)
    observe([&](Observer& o) { o.on_vector_function(core.info.index, slot.code->pc, true); });
  const BytecodeInst* const code = core.role->code.data();
  uint64_t steps = 0;
  for (uint32_t at = queued.entry; code[at].op != OpCode::halt && !d_.stopped;) {
    const BytecodeInst& each = code[at];
    if ((++steps & kLimitMask) == 0 && !vector_limits(core, slot.code->pc, steps)) break;
    switch (each.op) {
      case OpCode::exec:
        vector_step(core, each);
        ++at;
        break;
      case OpCode::move:
        for (uint32_t i = each.a; i < each.b; ++i) {
          constexpr uint32_t kRegister = sizeof(exec::VReg) / sizeof(exec::Word);
          const Copy& copy = core.role->copies[i];
          for (uint32_t word = 0; word < copy.words; word += kRegister)
            vector_timer_->moved(copy.from + word, copy.to + word);
        }
        move(core, core.vf_frame, each);
        ++at;
        break;
      case OpCode::jump:
        at = each.target;
        break;
      case OpCode::branch_false:
        if (!kData && (each.flags & kUnknown) != 0) not_known(core, each);
        at = frame[each.a] & 1 ? at + 1 : each.target;
        break;
      case OpCode::branch_differs:
        if (!kData && (each.flags & kUnknown) != 0) not_known(core, each);
        at = frame[each.a] == frame[each.b] ? at + 1 : each.target;
        break;
      case OpCode::check:
        if (check(core, each, frame)) ++at;
        break;
      case OpCode::memory_barrier:
        vector_timer_->step(core.role->insts[each.inst], frame);
        if constexpr (kObserved) observe([&](Observer& o) { o.on_memory_barrier(core.info.index, each.pc); });
        ++at;
        break;
      case OpCode::for_test: {
        bool taken = false;
        if (!kData && (each.flags & kUnknown) != 0) not_known(core, each);
        if (!for_test(core, each, core.vf_frame, taken)) break;
        at = taken ? at + 1 : each.target;
        break;
      }
      case OpCode::for_next:
        frame[each.a] += frame[each.c];
        vector_timer_->loop_iteration();
        at = each.target;
        break;
      case OpCode::next_iteration:
        ++frame[each.a];
        at = each.target;
        break;
      default:
        at = each.target;
        break;
    }
    ++core.vector_steps;
  }
  if constexpr (kObserved)
    observe([&](Observer& o) { o.on_vector_function(core.info.index, slot.code->pc, false); });
  slot.settled = true;
  return vector_timer_->end();
}

/// A vector function is one entry of its pipe, so the limits of the run are looked at while it runs. False:
/// it is stopped.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::vector_limits(Core& core, uint32_t pc, uint64_t steps) {
  if (core.su.instructions + core.vector_steps > instruction_limit_) max_instructions_reached(core);
  if (options_.limits.cycles != 0 && d_.now + vector_timer_->end().busy > options_.limits.cycles)
    max_cycles_reached();
  if (steps >= options_.limits.endless_steps) hang(pc, "this vector function does not end", moment());
  if ((steps & 0xffff) == 0) poll();
  return !interrupted() && !d_.stopped;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::vector_step(Core& core, const BytecodeInst& code) {
  const exec::Inst& inst = core.role->insts[code.inst];
  if (inst.pipe == Pipe::v) {
    vector_timer_->step(inst, core.vf_frame.data());
    if constexpr (kObserved) tell_vector_steps(core, code.pc);
  }
  if (!kData && (code.flags & kUnknown) != 0) return;
  exec::Context& context = core.context;
  context.inst = &inst;
  context.frame = core.vf_frame.data();
  context.control = &core.control.live();
  running_pc_ = code.pc;
  watch_begins();
  inst.fn(context);
  watch_ends(core);
}

}  // namespace pto::sim
