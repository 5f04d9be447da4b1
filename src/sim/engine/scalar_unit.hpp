// The scalar unit: runs the stream, executes scalar work, fills the queues. Included by engine.cpp only.
// Over 500 lines: one member for each kind of scalar code, and they share how the stream goes on.
#pragma once

#include <cstring>
#include <utility>

#include "sim/engine/engine_core.hpp"
#include "sim/findings/flag_advice.hpp"

namespace pto::sim {

inline constexpr uint64_t kLookInterval =
    64;  ///< cycles from one look at memory that is waited for to the next
inline constexpr uint64_t kLimitMask = 0x3ff;  ///< limits are looked at once in so many steps

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::scalar(Core& core) {
  core.at[kScalarAt] = kNever;
  if (core.su.block != Block::none) unblock_scalar(core);
  const BytecodeInst* const code = core.role->code.data();
  if (!core.su.used) awaken(core);
  while (scalar_step(core, code[core.su.at])) {
    if ((++core.su.steps_without_queue & kLimitMask) != 0) continue;
    if (interrupted() || core.su.instructions + core.vector_steps > instruction_limit_)
      return;  // the event loop says so
    if (options_.limits.cycles != 0 && core.su.time > options_.limits.cycles) {
      core.at[kScalarAt] = core.su.time;
      return;
    }
    if (core.su.steps_without_queue < options_.limits.endless_steps) continue;
    hang(code[core.su.at].pc, "a loop of the scalar unit does not end and queues nothing",
         scalar_moment(core));
    return;
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::hang(uint32_t pc, std::string message, Moment moment) {
  if (Diagnostic* finding = findings_.add("HANG", pc, std::move(message))) {
    finding->help = "check what ends the loop";
    finding->moment = std::move(moment);
  }
  d_.stopped = true;
}

/// Executes one position; false when the unit has to stop here for now.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_step(Core& core, const BytecodeInst& code) {
  ScalarUnit& su = core.su;
  switch (code.op) {
    case OpCode::exec:
      if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
      execute(core, code);
      break;
    case OpCode::exec_timed:
      return execute_timed(core, code);
    case OpCode::phase:
      return execute_phase(core, code);
    case OpCode::move:
      move(core, core.frame, code);
      break;
    case OpCode::jump:
      su.at = code.target;
      return true;
    case OpCode::branch_false:
      if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
      su.time += d_.config.scalar_cycles;
      su.stats.busy += d_.config.scalar_cycles;
      ++su.instructions;
      su.at = core.frame[code.a] & 1 ? su.at + 1 : code.target;
      return true;
    case OpCode::branch_differs:
      if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
      su.time += d_.config.scalar_cycles;
      su.stats.busy += d_.config.scalar_cycles;
      ++su.instructions;
      su.at = core.frame[code.a] == core.frame[code.b] ? su.at + 1 : code.target;
      return true;
    case OpCode::check:
      if (!check(core, code, core.frame.data())) return false;
      break;
    case OpCode::for_test: {
      if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
      bool taken = false;
      if (!for_test(core, code, core.frame, taken)) return false;
      su.time += d_.config.scalar_cycles;
      su.stats.busy += d_.config.scalar_cycles;
      ++su.instructions;
      su.at = taken ? su.at + 1 : code.target;
      return true;
    }
    case OpCode::for_next:
      core.frame[code.a] += core.frame[code.c];
      su.at = code.target;
      return true;
    case OpCode::next_iteration:
      ++core.frame[code.a];
      su.at = code.target;
      return true;
    case OpCode::call:
      core.frame[code.a] = su.at + 1;
      su.time += d_.config.scalar_cycles;
      su.stats.busy += d_.config.scalar_cycles;
      su.at = code.target;
      return true;
    case OpCode::ret:
      su.at = static_cast<uint32_t>(core.frame[code.a]);
      return true;
    case OpCode::halt:
      if (lookahead_ && !wait_for_turn(core)) return false;
      tell_step(core, code, 0, 0);
      su.block = Block::halted;
      su.block_begin = su.time;
      return false;
    case OpCode::fail:
      return not_known(core, code);
    case OpCode::enqueue:
    case OpCode::vector_function:
      return enqueue(core, code);
    case OpCode::barrier_all:
      return barrier_all(core, code);
    case OpCode::meet:
      return meet(core, code);
    default:
      return enqueue_sync(core, code);
  }
  ++su.at;
  return true;
}

/// Scalar work and descriptors: in the frame, at once.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::execute(Core& core, const BytecodeInst& code) {
  const exec::Inst& inst = core.role->insts[code.inst];
  exec::Context& context = core.context;
  context.inst = &inst;
  context.frame = core.frame.data();
  context.control = (code.flags & kWritesMode) != 0 ? &core.control.writable() : &core.control.live();
  running_core_ = &core;
  running_pipe_ = Pipe::s;
  running_pc_ = code.pc;
  inst.fn(context);
  ++core.su.instructions;
  if ((code.flags & kCountsCycle) != 0) {
    core.su.time += d_.config.scalar_cycles;
    core.su.stats.busy += d_.config.scalar_cycles;
  }
  if ((code.flags & kWritesMode) != 0) {
    observe([&](Observer& o) {
      o.on_mode_write(core.info.index, code.pc, core.su.time, inst.schema->row->name);
    });
  }
}

/// Whether simulated time has come to the scalar unit; if not, it comes back when it has.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::wait_for_turn(Core& core) {
  if (core.su.time <= d_.now && !lookahead_) return true;
  core.at[kScalarAt] = core.su.time;
  return false;
}

/// What the scalar unit does of an instruction. The cost of the instruction has its time.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::execute_phase(Core& core, const BytecodeInst& code) {
  if constexpr (kData) {
    if (!wait_for_turn(core)) return false;
    const ScalarPhase& phase = core.role->phases[code.inst];
    if (phase.phase == nullptr) {
      check_open_sets(core, code, *phase.work);
      ++core.su.at;
      return true;
    }
    exec::Context& context = core.context;
    context.inst = &phase.inst;
    context.frame = core.frame.data();
    context.control = &core.control.live();
    running_core_ = &core;
    running_pipe_ = Pipe::s;
    running_pc_ = code.pc;
    hidden_ = true;
    exec::touch_phase(context, *phase.work, *phase.phase);
    hidden_ = false;
    // The library sets no flag behind its last stores, and board tests find them stored.
    if (kObserved && phase.late) {
      const uint64_t own = order_release(core, kScalarLane, core, kScalarLane, code.pc);
      order_acquire(core, kScalarLane, core, kScalarLane, own, code.pc);
    }
  }
  ++core.su.at;
  return true;
}

/// Loads, stores and scalar tile instructions: in the order of simulated time, as pipes see what they touch.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::execute_timed(Core& core, const BytecodeInst& code) {
  if (!wait_for_turn(core)) return false;
  const exec::Inst& inst = core.role->insts[code.inst];
  ScalarUnit& su = core.su;
  timing::Cost cost{d_.config.scalar_cycles, d_.config.scalar_cycles, Basis::assumed};
  if ((code.flags & kHasCost) != 0) cost = costs_.cost(inst, core.frame.data(), &core.control.live());
  // A store leaves the unit at once; a value is there when its latency is over.
  const uint32_t takes = inst.results.empty() ? cost.busy : cost.latency;
  if (kData || (code.flags & kUnknown) == 0) {
    exec::Context& context = core.context;
    context.inst = &inst;
    context.frame = core.frame.data();
    context.control = &core.control.live();
    running_core_ = &core;
    running_pipe_ = Pipe::s;
    running_pc_ = code.pc;
    watch_begins();
    if (d_.port != nullptr) d_.port->begin(core.info.index, kScalarLane, code.pc, d_.now);
    inst.fn(context);
    if (const uint64_t until = d_.port == nullptr ? 0 : d_.port->end(); until != 0)
      return wait_for_link(core, code, until);
    watch_ends(core);
    if (std::exchange(context.again, false) && !goes_on(core, code)) return false;
    su.waiting_for_memory = false;
  } else {
    for (const exec::ValueRef& result : inst.results) {
      std::memset(core.frame.data() + result.offset, 0, exec::words_of(*result.type) * sizeof(exec::Word));
    }
  }
  observe<Observer::kInstructions>([&](Observer& o) {
    o.on_instruction({core.info.index, Pipe::s, code.pc, su.time, su.time, su.time + takes,
                      su.time + cost.latency, cost.basis});
  });
  tell_step(core, code, 0, takes);
  su.time += takes;
  su.stats.busy += takes;
  ++su.instructions;
  ++su.stats.instructions;
  ++su.at;
  return true;
}

/// The scalar unit looks at memory again later. When nothing else moves, it would look for ever; true where
/// it is to go on all the same.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::goes_on(Core& core, const BytecodeInst& code) {
  ScalarUnit& su = core.su;
  ++fruitless_looks_;
  const uint64_t moves = events_ - fruitless_looks_;
  const bool alone = std::ranges::all_of(d_.cores, [](const auto& other) {
    for (unsigned agent = 0; agent < kAgents; ++agent) {
      const bool looks = agent == kScalarAt && other->su.waiting_for_memory;
      if (other->at[agent] != kNever && !looks) return false;
    }
    return true;
  });
  if (d_.port != nullptr && su.waiting_for_memory && su.moves_seen == moves && alone) {
    su.asleep = true;
    return false;
  }
  if (su.waiting_for_memory && su.moves_seen == moves && alone) {
    if (lets_go(code)) return true;
    if (Diagnostic* finding = findings_.add(
            "DEADLOCK", code.pc,
            fmt::format("the scalar unit of {} waits for words in GM that nothing changes any more",
                        core_name(d_, core)),
            Severity::error, core.info.index)) {
      finding->help = "notify them from this launch, or start with the values that a peer would have written";
      finding->moment = scalar_moment(core);
    }
    d_.stopped = true;
    return false;
  }
  su.waiting_for_memory = true;
  su.moves_seen = moves;
  stall(core, Pipe::s, su.stats, su.time, su.time + kLookInterval, Stall::cross_core, code.pc);
  su.time += kLookInterval;
  core.at[kScalarAt] = su.time;
  return false;
}

/// The bytes that the instruction wants of another device are here at `until`: it runs again.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::wait_for_link(Core& core, const BytecodeInst& code, uint64_t until) {
  ScalarUnit& su = core.su;
  core.context.again = false;
  stall(core, Pipe::s, su.stats, su.time, until, Stall::cross_core, code.pc);
  core.at[kScalarAt] = su.time = until;
  return false;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::move(Core& core, std::vector<exec::Word>& frame, const BytecodeInst& code) {
  const Copy* const copies = core.role->copies.data();
  exec::Word* const words = frame.data();
  if (code.b - code.a == 1) {
    const Copy& copy = copies[code.a];
    std::memmove(words + copy.to, words + copy.from, copy.words * sizeof(exec::Word));
    return;
  }
  exec::Word* through = core.scratch.data();
  for (uint32_t i = code.a; i < code.b; ++i) {
    std::memcpy(through, words + copies[i].from, copies[i].words * sizeof(exec::Word));
    through += copies[i].words;
  }
  through = core.scratch.data();
  for (uint32_t i = code.a; i < code.b; ++i) {
    std::memcpy(words + copies[i].to, through, copies[i].words * sizeof(exec::Word));
    through += copies[i].words;
  }
}

/// False after a finding: a loop whose step is not positive.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::for_test(Core& core, const BytecodeInst& code, std::vector<exec::Word>& frame,
                                        bool& taken) {
  taken = static_cast<int64_t>(frame[code.a]) < static_cast<int64_t>(frame[code.b]);
  if (!taken || static_cast<int64_t>(frame[code.c]) > 0) return true;
  if (Diagnostic* finding =
          findings_.add("LOOP-STEP", code.pc,
                        "the step of this loop is " + std::to_string(static_cast<int64_t>(frame[code.c])) +
                            "; it has to be positive")) {
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
  return false;
}

template <bool kData, bool kObserved>
Moment Engine<kData, kObserved>::scalar_moment(const Core& core) const {
  return sim::moment_of(*d_.program, core, core.role->code[core.su.at].pc, core.su.time);
}

/// Of the scalar unit, or of a vector function that runs.
template <bool kData, bool kObserved>
Moment Engine<kData, kObserved>::code_moment(const Core& core, const BytecodeInst& code) {
  if (&code == &core.role->code[core.su.at]) return scalar_moment(core);
  running_pc_ = code.pc;
  return moment();
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::not_known(Core& core, const BytecodeInst& code) {
  if (Diagnostic* finding =
          findings_.add("TIME-DATA", code.pc,
                        "this depends on a value in memory, which a run without data does not have")) {
    finding->help = "run with --mode run";
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
  return false;
}

/// cf.assert: the run ends where its condition does not hold. A run without data cannot tell.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::check(Core& core, const BytecodeInst& code, const exec::Word* frame) {
  if ((frame[code.a] & 1) != 0 || (!kData && (code.flags & kUnknown) != 0)) return true;
  const AttrValue* const message = OpView(*d_.program, code.pc).attr("msg");
  if (Diagnostic* finding = findings_.add(
          "ASSERT", code.pc,
          fmt::format("this does not hold: {}",
                      message == nullptr ? std::string_view() : d_.program->strings[message->text]))) {
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
  return false;
}

// ---- queueing

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::block_scalar(Core& core, Block block, uint32_t key) {
  core.su.block = block;
  core.su.key = key;
  core.su.block_begin = core.su.time;
  if (core.su.resumed != block) core.su.first_block_begin = core.su.time;
  return false;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::wake_scalar(Core& core, uint64_t time) {
  core.at[kScalarAt] = std::max(time, core.su.block_begin);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::unblock_scalar(Core& core) {
  ScalarUnit& su = core.su;
  const uint64_t until = std::max(d_.now, su.block_begin);
  const uint32_t pc = core.role->code[su.at].pc;
  if (until == d_.now)
    waited(core, Pipe::s, su.stats, su.block_begin, su.block, su.key, pc);
  else
    stall(core, Pipe::s, su.stats, su.block_begin, until, stall_of(su.block), pc);
  su.time = until;
  su.resumed = su.block;
  su.block = Block::none;
}

template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::enqueue(Core& core, const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
  Lane& lane = core.lanes[code.lane];
  ScalarUnit& su = core.su;
  if (lane.waiting() >= d_.config.queue_depth) return block_scalar(core, Block::queue_full, code.lane);
  const Queued& queued = core.role->queued[code.inst];
  if (kData && queued.hidden != nullptr && queued.hidden->phases.phases.empty())
    check_open_sets(core, code, *queued.hidden);
  Slot& slot = lane.make_slot();
  const exec::Word* const frame = core.frame.data();
  const auto capture = [&](exec::Word* to) {
    for (const Copy& copy : queued.captures) std::copy_n(frame + copy.from, copy.words, to + copy.to);
  };
  // With data an instruction may keep what it likes in its words, and the loop variables are others each
  // time.
  if (kData || (code.flags & kHasResults) != 0) {
    slot.block = core.blocks.make(queued.block_words + core.loop_words(code));
    capture(core.block_of(slot));
  } else {
    const auto captured = [&](const exec::Word* words) {
      return std::ranges::all_of(queued.captures, [&](const Copy& copy) {
        return std::equal(frame + copy.from, frame + copy.from + copy.words, words + copy.to);
      });
    };
    slot.block = core.blocks.share(code.inst, queued.block_words, captured, capture);
  }
  const exec::Word* const block = core.block_of(slot);
  slot.control = core.control.capture();
  if (queued.unit_flag != isa::UnitFlag::Phase::none) {
    UnitFlag& unit = core.units[block[queued.accumulator]];
    lane.facts(lane.issued).unit_wait = unit.other(code.lane).issued;
    if (queued.unit_flag == isa::UnitFlag::Phase::hand_over) ++unit.own(code.lane).issued;
  }
  fill_slot(core, code, lane, slot);
  ++su.at;
  if ((code.flags & kHasResults) != 0) return block_scalar(core, Block::results, code.lane);
  return true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::fill_slot(Core& core, const BytecodeInst& code, Lane& lane, Slot& slot) {
  ScalarUnit& su = core.su;
  if constexpr (kObserved) {
    SlotFacts& facts = lane.facts(lane.issued);
    facts.step = tell_step(core, code, slot.id, d_.config.issue_cycles);
    facts.token = 0;
  }
  su.time += d_.config.issue_cycles;
  su.stats.busy += d_.config.issue_cycles;
  ++su.instructions;
  su.steps_without_queue = 0;
  slot.code = &code;
  slot.time = su.time;
  slot.settled = slot.signalled = slot.fetching = false;
  if constexpr (kData) capture_loops(core, code, slot);
  if constexpr (kObserved) lane.facts(lane.issued).issue_token = order_issue(core, code);
  if (lane.empty()) core.at[kStartAt + code.lane] = std::max(lane.free_at, slot.time);
  ++lane.issued;
}

/// What findings about the entry say of the loops around it.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::capture_loops(Core& core, const BytecodeInst& code, const Slot& slot) {
  exec::Word* at = core.block_of(slot) + core.operand_words(code);
  for (const uint32_t place : core.role->loops.places(code.c)) *at++ = core.frame[place];
}

/// Synchronisation: an entry of its lane's queue, or work of the scalar unit itself.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::enqueue_sync(Core& core,
                                                                          const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) return not_known(core, code);
  if ((code.flags & kConditional) != 0 && core.frame[code.target] == 0) {
    ++core.su.at;
    return true;
  }
  const bool whole_core_waits = code.op == OpCode::sync_wait && code.b != kOneToOne;
  if (code.lane == kScalarLane || whole_core_waits) return scalar_sync(core, code);
  Lane& lane = core.lanes[code.lane];
  if (lane.waiting() >= d_.config.queue_depth) return block_scalar(core, Block::queue_full, code.lane);
  Slot& slot = lane.make_slot();
  slot.block = core.blocks.make(core.operand_words(code) + core.loop_words(code));
  const bool semaphore = code.op == OpCode::sync_set || code.op == OpCode::sync_wait;
  const bool buffer = code.op == OpCode::get_buf || code.op == OpCode::rls_buf;
  slot.id = code.id;
  if (code.op != OpCode::barrier) {
    const uint32_t limit = buffer      ? d_.config.buffer_ids
                           : semaphore ? d_.config.ids(code.b)
                                       : d_.config.event_ids;
    if (!resolve_id(core, code, limit, slot.id)) return false;
  }
  if (buffer) account_order_of_buffers(core, code, slot.id, core.block_of(slot));
  note_flag(core, code, slot.id);
  slot.control = kNoControl;
  fill_slot(core, code, lane, slot);
  ++core.su.at;
  return true;
}

/// A literal or run-time id within the machine's range.
template <bool kData, bool kObserved>
[[gnu::always_inline]] inline bool Engine<kData, kObserved>::resolve_id(Core& core, const BytecodeInst& code,
                                                                        uint32_t limit, int16_t& id) {
  const int64_t value = (code.flags & kDynamicId) != 0 ? static_cast<int64_t>(core.frame[code.a]) : code.id;
  if (value >= 0 && value < static_cast<int64_t>(limit)) {
    id = static_cast<int16_t>(value);
    constexpr int16_t kHalf = 16;  // ids 16 to 31 are those of AIV1, which has 0 to 15 of its own
    const bool own = code.op == OpCode::sync_wait && code.b == kOneToOne && core.role_index() == 2;
    if (own && id >= kHalf) id = static_cast<int16_t>(id - kHalf);
    return true;
  }
  if (Diagnostic* finding = findings_.add(
          "EVENT-ID", code.pc,
          (code.op == OpCode::get_buf || code.op == OpCode::rls_buf ? "buffer id " : "event id ") +
              std::to_string(value) + "; the target has ids 0.." + std::to_string(limit - 1))) {
    finding->moment = scalar_moment(core);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
  return false;
}

template <bool kData, bool kObserved>
BufferToken& Engine<kData, kObserved>::buffer(Core& core, int id) {
  if (core.buffers.empty()) core.buffers.resize(d_.config.buffer_ids);
  return core.buffers[static_cast<size_t>(id)];
}

/// One acquire is what a release ends.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::told_twice(const Core& core, const BufferToken& token,
                                          const BytecodeInst& code, int id) {
  Diagnostic* finding =
      findings_.add("BUF-DOUBLE", code.pc,
                    fmt::format("{} gets buffer id {} again, which it has not released since",
                                to_string(pipe_of_lane(code.lane)), id));
  if (finding == nullptr) return;
  finding->notes.push_back(findings_.note(token.last_get[code.lane], "the get before"));
  finding->help = advice_on_second_get(d_, core, code.lane, id, token.last_get[code.lane], code.pc);
  if (finding->help.empty()) finding->help = "release it first; one get and one release belong together";
  finding->moment = scalar_moment(core);
}

/// Buffer tokens are ordered by program order, which is the order in which the scalar unit comes to them.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::account_order_of_buffers(Core& core, const BytecodeInst& code, int id,
                                                        exec::Word* block) {
  BufferToken& token = buffer(core, id);
  for (unsigned i = 0; i < kLanes; ++i) block[i] = token.issued[i];
  if (code.op == OpCode::rls_buf) {
    ++token.issued[code.lane];
    --token.held[code.lane];
    token.last_release[code.lane] = code.pc;
  } else {
    if (token.held[code.lane]++ > 0) told_twice(core, token, code, id);
    token.last_get[code.lane] = code.pc;
  }
}

/// Sets and waits of a flag pair up in program order, whenever they happen.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::note_flag(Core& core, const BytecodeInst& code, int id) {
  const bool set = code.op == OpCode::set_flag;
  if (!kData || !core.role->own_flags || (!set && code.op != OpCode::wait_flag)) return;
  if ((code.flags & kOwnFlag) != 0) return;
  typename Core::OpenSets& open =
      core.open_sets[d_.config.flag_index(code.src, code.dst, static_cast<unsigned>(id))];
  open.count += set ? 1 : -1;
  if (set) open.pc = code.pc;
}

/// A set that is open while an instruction sets and waits for the same flag: its wait takes that set, and on
/// a flag of one bit its own is lost.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::check_open_sets(Core& core, const BytecodeInst& code,
                                               const exec::HiddenWork& work) {
  for (const isa::InternalEvent& event : work.phases.events) {
    const auto open = core.open_sets.find(d_.config.flag_index(
        static_cast<unsigned>(lane_of(event.source)), static_cast<unsigned>(lane_of(event.destination)),
        static_cast<unsigned>(event.id)));
    if (open == core.open_sets.end() || open->second.count <= 0) continue;
    const std::string flag = isa::to_string(isa::FlagName{event.source, event.destination, event.id});
    Diagnostic* const finding = findings_.add(
        "FLAG-DOUBLE", code.pc,
        fmt::format(
            "the instruction sets {} itself before the set in front of it is taken: its own wait takes "
            "that set, and its phases lose their order",
            flag));
    if (finding == nullptr) return;
    finding->notes.push_back(findings_.note(open->second.pc, "the set in front of it"));
    finding->help = "use another event id for the flag that is open, or wait for it before";
    finding->moment = scalar_moment(core);
    return;
  }
}

// ---- synchronisation of the scalar unit itself

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_sync(Core& core, const BytecodeInst& code) {
  if (code.op == OpCode::barrier) {  // PIPE_S runs one instruction at a time
    ++core.su.at;
    return true;
  }
  if (!wait_for_turn(core)) return false;
  bool passed = false;
  switch (code.op) {
    case OpCode::set_flag:
      passed = scalar_set_flag(core, code);
      break;
    case OpCode::wait_flag:
      passed = scalar_wait_flag(core, code);
      break;
    case OpCode::sync_set:
      passed = scalar_sync_set(core, code);
      break;
    case OpCode::sync_wait:
      passed = scalar_sync_wait(core, code);
      break;
    default:
      passed = scalar_buffer(core, code);
      break;
  }
  if (!passed) return false;
  core.su.resumed = Block::none;
  core.su.time += d_.config.scalar_cycles;
  core.su.stats.busy += d_.config.scalar_cycles;
  ++core.su.instructions;
  ++core.su.stats.instructions;
  core.count_run(code);
  ++core.su.at;
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_set_flag(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.event_ids, id)) return false;
  if (!has_room_for_set(core, code, id)) {
    if (Diagnostic* const finding = warn_of_set(core, code, id)) finding->moment = scalar_moment(core);
    return block_scalar(core, Block::flag_full,
                        d_.config.flag_index(kScalarLane, code.dst, static_cast<unsigned>(id)));
  }
  uint64_t token = 0;
  if constexpr (kObserved) token = order_release(core, kScalarLane, core, code.dst, code.pc, 0, id);
  note_flag(core, code, id);
  tell_step(core, code, id, d_.config.scalar_cycles);
  set_flag(core, code, id, token);
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_wait_flag(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.event_ids, id)) return false;
  uint64_t token = 0;
  const uint64_t begin = core.su.resumed == Block::flag ? core.su.first_block_begin : core.su.time;
  if (!take_flag(core, code.src, kScalarLane, id, code.pc, begin, token)) {
    const uint32_t flag = d_.config.flag_index(code.src, kScalarLane, static_cast<unsigned>(id));
    if (!goes_ahead(core, code, flag, false)) return block_scalar(core, Block::flag, flag);
  }
  note_flag(core, code, id);
  tell_step(core, code, id, d_.config.scalar_cycles);
  if constexpr (kObserved) order_acquire(core, code.src, core, kScalarLane, token, code.pc, true, id);
  return true;
}

/// PIPE_ALL: nothing goes on before every pipe is empty and complete.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::barrier_all(Core& core, const BytecodeInst& code) {
  ScalarUnit& su = core.su;
  uint64_t drained = su.time;
  for (const Lane& lane : core.lanes) {
    if (lets_go(code)) break;
    if (!lane.empty()) return block_scalar(core, Block::barrier_all, 0);
    drained = std::max({drained, lane.last_end, lane.free_at});
  }
  if (drained > d_.now && !lets_go(code)) {
    if (drained > su.time) block_scalar(core, Block::barrier_all, 0);
    core.at[kScalarAt] = drained;
    return false;
  }
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    Lane& lane = core.lanes[i];
    if (lane.issued == 0 || lets_go(code)) continue;
    // The pipe was idle because nothing was issued, and since the scalar unit reached the barrier because of
    // that.
    const uint64_t reached = su.resumed == Block::barrier_all ? su.first_block_begin : su.time;
    const uint64_t begin = std::clamp(reached, lane.idle_from, su.time);
    stall(core, pipe_of_lane(i), lane.stats, lane.idle_from, begin, Stall::not_issued, code.pc);
    stall(core, pipe_of_lane(i), lane.stats, begin, su.time, Stall::barrier, code.pc);
    lane.idle_from = su.time;
    lane.free_at = std::max(lane.free_at, su.time);
    if constexpr (kObserved)
      order_acquire(core, i, core, kScalarLane, order_release(core, i, core, kScalarLane, code.pc), code.pc);
  }
  if constexpr (kObserved) {
    const uint64_t own = order_release(core, kScalarLane, core, kScalarLane, code.pc);
    order_acquire(core, kScalarLane, core, kScalarLane, own, code.pc);
  }
  su.resumed = Block::none;
  tell_step(core, code, 0, d_.config.scalar_cycles);
  su.time += d_.config.scalar_cycles;
  su.stats.busy += d_.config.scalar_cycles;
  ++su.instructions;
  core.count_run(code);
  ++su.at;
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_buffer(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.buffer_ids, id)) return false;
  BufferToken& token = buffer(core, id);
  std::array<exec::Word, kLanes> issued{};
  for (unsigned i = kFirstQueue; i < kLanes; ++i) issued[i] = token.issued[i];
  const bool waits = code.op == OpCode::get_buf ? code.b == 0 : code.b != 0;
  if (waits && !lets_go(code) && !buffer_ready(core, kScalarLane, id, issued.data()))
    return block_scalar(core, Block::buffer, static_cast<uint32_t>(id));
  tell_step(core, code, id, d_.config.scalar_cycles);
  std::array<exec::Word, kLanes> ignored{};
  account_order_of_buffers(core, code, id, ignored.data());
  if (code.op == OpCode::rls_buf) release_buffer(core, kScalarLane, code, id);
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_sync_set(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.ids(code.b), id)) return false;
  signalling_step_ = tell_step(core, code, id, d_.config.scalar_cycles);
  signal(core, code, id);
  return true;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::scalar_sync_wait(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.ids(code.b), id)) return false;
  const uint32_t semaphore = d_.config.semaphore(code.b, id);
  const bool reported = take_semaphore(core, semaphore, kScalarLane, code.pc);
  if (!reported && !goes_ahead(core, code, semaphore, true))
    return block_scalar(core, Block::cross_core, semaphore);
  const uint64_t step = tell_step(core, code, id, d_.config.scalar_cycles);
  if (reported && kObserved && steps_ != nullptr) steps_->on_await(step, core.info.index, semaphore);
  return true;
}

}  // namespace pto::sim
