// Over 500 lines: one function for each kind of scalar code, and they share how the stream goes on.
#include "sim/engine/scalar_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "exec/instruction_phases.hpp"
#include "sim/engine/bytecode_ops.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
ScalarUnit<kData, Tap>::ScalarUnit(RunParts<Tap>& parts)
    : d_(parts.device),
      options_(parts.options),
      costs_(parts.costs),
      findings_(parts.findings),
      tap_(parts.tap),
      queue_(parts.queue),
      current_(parts.current),
      monitor_(parts.monitor),
      chip_(parts.chip),
      watch_(parts.watch),
      sync_(parts.sync),
      cross_(parts.cross),
      skips_(parts.skips) {}

template <bool kData, typename Tap>
void ScalarUnit<kData, Tap>::run(Core& core) {
  core.at[kScalarAt] = kNever;
  if (core.su.block != Block::none) unblock(core);
  const BytecodeInst* const code = core.role->code.data();
  if (!core.su.used) allocate(core);
  while (step(core, code[core.su.at])) {
    if ((++core.su.steps_without_queue & kLimitMask) != 0) continue;
    if (monitor_.is_interrupted() || monitor_.exceeds_instructions(core)) return;  // the event loop says so
    if (monitor_.exceeds_cycles(core.su.time)) {
      core.at[kScalarAt] = core.su.time;
      return;
    }
    if (core.su.steps_without_queue < options_.limits.endless_steps) continue;
    monitor_.hang(code[core.su.at].pc, "a loop of the scalar unit does not end and queues nothing",
                  monitor_.scalar_moment(core));
    return;
  }
}

/// A core gets its frames with its first step.
template <bool kData, typename Tap>
void ScalarUnit<kData, Tap>::allocate(Core& core) {
  core.frame = d_.frames[static_cast<size_t>(core.role - d_.kernel->roles.data())];
  core.vf_frame = core.role->vf_frame;
  core.scratch.assign(std::max(core.role->max_move_words, 1u), 0);
  core.su.used = true;
  for (const uint32_t word : core.role->subblock_words) core.frame[word] = core.info.subblock;
  for (const uint32_t word : core.role->first_subblock_words) core.frame[word] = core.info.subblock == 0;
}

/// Carries out one position.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::step(Core& core, const BytecodeInst& code) {
  ScalarState& su = core.su;
  switch (code.op) {
    case OpCode::exec:
      if (!kData && (code.flags & kUnknown) != 0) return stop_at_unknown(core, code);
      execute(core, code);
      break;
    case OpCode::exec_timed:
      return execute_timed(core, code);
    case OpCode::phase:
      return execute_phase(core, code);
    case OpCode::move:
      move_words(core, core.frame.data(), code);
      break;
    case OpCode::jump:
      su.at = code.target;
      return true;
    case OpCode::branch_false:
      return execute_branch(core, code, (core.frame[code.a] & 1) == 0);
    case OpCode::branch_differs:
      return execute_branch(core, code, core.frame[code.a] != core.frame[code.b]);
    case OpCode::check: {
      const bool unknown = !kData && (code.flags & kUnknown) != 0;
      if (!unknown && (core.frame[code.a] & 1) == 0) {
        monitor_.stop_at_assertion(core, code);
        return false;
      }
      break;
    }
    case OpCode::for_test:
      return execute_loop_test(core, code);
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
      take_cycle(su);
      su.at = code.target;
      return true;
    case OpCode::ret:
      su.at = static_cast<uint32_t>(core.frame[code.a]);
      return true;
    case OpCode::halt:
      return halt(core, code);
    case OpCode::fail:
      return stop_at_unknown(core, code);
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

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::stop_at_unknown(Core& core, const BytecodeInst& code) {
  monitor_.stop_at_unknown(core, code);
  return false;
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::execute_branch(Core& core,
                                                                          const BytecodeInst& code,
                                                                          bool taken) {
  if (!kData && (code.flags & kUnknown) != 0) return stop_at_unknown(core, code);
  take_cycle(core.su);
  ++core.su.instructions;
  core.su.at = taken ? code.target : core.su.at + 1;
  return true;
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::execute_loop_test(Core& core,
                                                                             const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) return stop_at_unknown(core, code);
  const LoopTest test = test_loop(code, core.frame.data());
  if (test == LoopTest::bad_step) {
    monitor_.stop_at_loop_step(core, code, static_cast<int64_t>(core.frame[code.c]));
    return false;
  }
  take_cycle(core.su);
  ++core.su.instructions;
  core.su.at = test == LoopTest::iterate ? core.su.at + 1 : code.target;
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::halt(Core& core, const BytecodeInst& code) {
  if (queue_.ahead && !has_reached_now(core)) return false;
  tap_.report_step(core, code, 0, 0);
  core.su.block = Block::halted;
  core.su.block_begin = core.su.time;
  return false;
}

/// Scalar work and descriptors: in the frame, at once.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline void ScalarUnit<kData, Tap>::execute(Core& core, const BytecodeInst& code) {
  const exec::Inst& inst = core.role->insts[code.inst];
  exec::Context& context = core.context;
  context.inst = &inst;
  context.frame = core.frame.data();
  context.control = (code.flags & kWritesMode) != 0 ? &core.control.writable() : &core.control.live();
  current_.enter_scalar(core, code.pc);
  inst.fn(context);
  ++core.su.instructions;
  if ((code.flags & kCountsCycle) != 0) take_cycle(core.su);
  if ((code.flags & kWritesMode) != 0) {
    tap_.observe([&](Observer& o) {
      o.on_mode_write(core.info.index, code.pc, core.su.time, inst.schema->row->name);
    });
  }
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::has_reached_now(Core& core) {
  if (core.su.time <= d_.now && !queue_.ahead) return true;
  core.at[kScalarAt] = core.su.time;
  return false;
}

/// What the scalar unit does of an instruction. The cost of the instruction has its time.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::execute_phase(Core& core, const BytecodeInst& code) {
  if constexpr (kData) {
    if (!has_reached_now(core)) return false;
    const ScalarPhase& phase = core.role->phases[code.inst];
    if (phase.phase == nullptr) {
      sync_.check_open_sets(core, code, *phase.work);
      ++core.su.at;
      return true;
    }
    exec::Context& context = core.context;
    context.inst = &phase.inst;
    context.frame = core.frame.data();
    context.control = &core.control.live();
    current_.enter_scalar(core, code.pc);
    current_.set_hidden(true);
    exec::touch_phase(context, *phase.work, *phase.phase);
    current_.set_hidden(false);
    // The library sets no flag behind its last stores, and board tests find them stored.
    if (phase.late) tap_.order_lane(core, kScalarLane, code.pc);
  }
  ++core.su.at;
  return true;
}

/// Loads, stores and scalar tile instructions: in the order of simulated time, as pipes see what
/// they touch.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::execute_timed(Core& core, const BytecodeInst& code) {
  if (!has_reached_now(core)) return false;
  const exec::Inst& inst = core.role->insts[code.inst];
  ScalarState& su = core.su;
  timing::Cost cost{d_.config.scalar_cycles, d_.config.scalar_cycles, Basis::assumed};
  if ((code.flags & kHasCost) != 0) cost = costs_.cost(inst, core.frame.data(), &core.control.live());
  // A store leaves the unit at once; a value is there when its latency is over.
  const uint32_t takes = inst.results.empty() ? cost.busy : cost.latency;
  if (kData || (code.flags & kUnknown) == 0) {
    exec::Context& context = core.context;
    context.inst = &inst;
    context.frame = core.frame.data();
    context.control = &core.control.live();
    current_.enter_scalar(core, code.pc);
    watch_.begin_instruction();
    if (d_.port != nullptr) d_.port->begin(core.info.index, kScalarLane, code.pc, d_.now);
    inst.fn(context);
    if (const uint64_t until = d_.port == nullptr ? 0 : d_.port->end(); until != 0)
      return wait_for_link(core, code, until);
    watch_.end_instruction(core);
    if (std::exchange(context.again, false) && !poll_memory_again(core, code)) return false;
    su.waiting_for_memory = false;
  } else {
    for (const exec::ValueRef& result : inst.results) {
      std::memset(core.frame.data() + result.offset, 0, exec::words_of(*result.type) * sizeof(exec::Word));
    }
  }
  tap_.template observe<Observer::kInstructions>([&](Observer& o) {
    o.on_instruction({core.info.index, Pipe::s, code.pc, su.time, su.time, su.time + takes,
                      su.time + cost.latency, cost.basis});
  });
  tap_.report_step(core, code, 0, takes);
  su.time += takes;
  su.stats.busy += takes;
  ++su.instructions;
  ++su.stats.instructions;
  ++su.at;
  return true;
}

/// Whether all agents of all cores are done, apart from scalar units that poll memory.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::only_polls_remain() const {
  return std::ranges::all_of(d_.cores, [](const auto& other) {
    for (unsigned agent = 0; agent < kAgents; ++agent) {
      const bool polls = agent == kScalarAt && other->su.waiting_for_memory;
      if (other->at[agent] != kNever && !polls) return false;
    }
    return true;
  });
}

/// The scalar unit looks at memory again later. When nothing else moves, it would look for ever;
/// true where it is to go on all the same.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::poll_memory_again(Core& core, const BytecodeInst& code) {
  ScalarState& su = core.su;
  ++fruitless_polls_;
  const uint64_t moves = queue_.events - fruitless_polls_;
  if (su.waiting_for_memory && su.moves_seen == moves && only_polls_remain()) {
    if (d_.port != nullptr) {
      su.asleep = true;
      return false;
    }
    if (skips_.skips(code)) return true;
    if (Diagnostic* finding = findings_.add(
            FindingId::deadlock, code.pc,
            fmt::format("the scalar unit of {} waits for words in GM that nothing changes any more",
                        core_name(d_, core)),
            Severity::error, core.info.index)) {
      finding->help = "notify them from this launch, or start with the values that a peer would have written";
      finding->moment = monitor_.scalar_moment(core);
    }
    d_.stopped = true;
    return false;
  }
  su.waiting_for_memory = true;
  su.moves_seen = moves;
  chip_.add_stall(su.stats,
                  {core.info.index, Pipe::s, su.time, su.time + kLookInterval, Stall::cross_core, code.pc});
  su.time += kLookInterval;
  core.at[kScalarAt] = su.time;
  return false;
}

/// The bytes that the instruction wants of another device are here at `until`: it runs again.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::wait_for_link(Core& core, const BytecodeInst& code, uint64_t until) {
  ScalarState& su = core.su;
  core.context.again = false;
  chip_.add_stall(su.stats, {core.info.index, Pipe::s, su.time, until, Stall::cross_core, code.pc});
  su.time = until;
  core.at[kScalarAt] = until;
  return false;
}

// ---- entries of queues

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::block(Core& core, Block reason, uint32_t key) {
  core.su.block = reason;
  core.su.key = key;
  core.su.block_begin = core.su.time;
  if (core.su.resumed != reason) core.su.first_block_begin = core.su.time;
  return false;
}

template <bool kData, typename Tap>
void ScalarUnit<kData, Tap>::unblock(Core& core) {
  ScalarState& su = core.su;
  const uint64_t until = std::max(d_.now, su.block_begin);
  const uint32_t pc = core.role->code[su.at].pc;
  if (until == d_.now)
    chip_.add_wait(core, Pipe::s, su.stats, su.block_begin, su.block, su.key, pc);
  else
    chip_.add_stall(su.stats, {core.info.index, Pipe::s, su.block_begin, until, stall_of(su.block), pc});
  su.time = until;
  su.resumed = su.block;
  su.block = Block::none;
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::enqueue(Core& core, const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) return stop_at_unknown(core, code);
  Lane& lane = core.lanes[code.lane];
  if (lane.waiting() >= d_.config.queue_depth) return block(core, Block::queue_full, code.lane);
  const Queued& queued = core.role->queued[code.inst];
  if (kData && queued.hidden != nullptr && queued.hidden->phases.phases.empty())
    sync_.check_open_sets(core, code, *queued.hidden);
  Slot& slot = lane.make_slot();
  capture_operands(core, code, queued, slot);
  slot.control = core.control.capture();
  if (queued.unit_flag != isa::UnitFlag::Phase::none) {
    UnitFlag& unit = core.units[core.block_of(slot)[queued.accumulator]];
    lane.facts(lane.issued).unit_wait = unit.other(code.lane).issued;
    if (queued.unit_flag == isa::UnitFlag::Phase::hand_over) ++unit.own(code.lane).issued;
  }
  fill_slot(core, code, lane, slot);
  ++core.su.at;
  if ((code.flags & kHasResults) != 0) return block(core, Block::results, code.lane);
  return true;
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline void ScalarUnit<kData, Tap>::capture_operands(Core& core,
                                                                            const BytecodeInst& code,
                                                                            const Queued& queued,
                                                                            Slot& slot) {
  const exec::Word* const frame = core.frame.data();
  const auto capture = [&](exec::Word* to) {
    for (const Copy& copy : queued.captures) std::copy_n(frame + copy.from, copy.words, to + copy.to);
  };
  // With data an instruction may keep what it likes in its words, and the loop variables are others
  // each time.
  if (kData || (code.flags & kHasResults) != 0) {
    slot.block = core.blocks.make(queued.block_words + core.loop_words(code));
    capture(core.block_of(slot));
    return;
  }
  const auto is_captured = [&](const exec::Word* words) {
    return std::ranges::all_of(queued.captures, [&](const Copy& copy) {
      return std::equal(frame + copy.from, frame + copy.from + copy.words, words + copy.to);
    });
  };
  slot.block = core.blocks.share(code.inst, queued.block_words, is_captured, capture);
}

template <bool kData, typename Tap>
void ScalarUnit<kData, Tap>::fill_slot(Core& core, const BytecodeInst& code, Lane& lane, Slot& slot) {
  ScalarState& su = core.su;
  if constexpr (Tap::kEnabled) {
    SlotFacts& facts = lane.facts(lane.issued);
    facts.step = tap_.report_step(core, code, slot.id, d_.config.issue_cycles);
    facts.token = 0;
  }
  su.time += d_.config.issue_cycles;
  su.stats.busy += d_.config.issue_cycles;
  ++su.instructions;
  su.steps_without_queue = 0;
  slot.code = &code;
  slot.time = su.time;
  slot.settled = false;
  slot.signalled = false;
  slot.fetching = false;
  if constexpr (kData) capture_loops(core, code, slot);
  if constexpr (Tap::kEnabled) {
    if (kData) current_.enter_scalar(core, code.pc);
    lane.facts(lane.issued).issue_token = tap_.release_issue(core, code);
  }
  if (lane.empty()) core.at[kStartAt + code.lane] = std::max(lane.free_at, slot.time);
  ++lane.issued;
}

/// What findings about the entry say of the loops around it.
template <bool kData, typename Tap>
void ScalarUnit<kData, Tap>::capture_loops(Core& core, const BytecodeInst& code, const Slot& slot) {
  exec::Word* at = core.block_of(slot) + core.operand_words(code);
  for (const uint32_t place : core.role->loops.places(code.c)) *at++ = core.frame[place];
}

/// Synchronisation: an entry of its lane's queue, or work of the scalar unit itself.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::enqueue_sync(Core& core,
                                                                        const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) return stop_at_unknown(core, code);
  if ((code.flags & kConditional) != 0 && core.frame[code.target] == 0) {
    ++core.su.at;
    return true;
  }
  const bool whole_core_waits = code.op == OpCode::sync_wait && code.b != kOneToOne;
  if (code.lane == kScalarLane || whole_core_waits) return synchronise(core, code);
  Lane& lane = core.lanes[code.lane];
  if (lane.waiting() >= d_.config.queue_depth) return block(core, Block::queue_full, code.lane);
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
  if (buffer) sync_.note_buffer_in_program_order(core, code, slot.id, core.block_of(slot));
  if constexpr (kData) sync_.note_in_program_order(core, code, slot.id);
  slot.control = kNoControl;
  fill_slot(core, code, lane, slot);
  ++core.su.at;
  return true;
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline bool ScalarUnit<kData, Tap>::resolve_id(Core& core, const BytecodeInst& code,
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
          FindingId::event_id, code.pc,
          (code.op == OpCode::get_buf || code.op == OpCode::rls_buf ? "buffer id " : "event id ") +
              std::to_string(value) + "; the target has ids 0.." + std::to_string(limit - 1))) {
    finding->moment = monitor_.scalar_moment(core);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
  return false;
}

// ---- synchronisation of the unit itself

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::synchronise(Core& core, const BytecodeInst& code) {
  if (code.op == OpCode::barrier) {  // PIPE_S runs one instruction at a time
    ++core.su.at;
    return true;
  }
  if (!has_reached_now(core)) return false;
  bool passed = false;
  switch (code.op) {
    case OpCode::set_flag:
      passed = set_flag(core, code);
      break;
    case OpCode::wait_flag:
      passed = wait_flag(core, code);
      break;
    case OpCode::sync_set:
      passed = send_signal(core, code);
      break;
    case OpCode::sync_wait:
      passed = wait_signal(core, code);
      break;
    default:
      passed = use_buffer(core, code);
      break;
  }
  if (!passed) return false;
  ++core.su.stats.instructions;
  return finish_sync(core, code);
}

/// The operation is over; the stream goes on.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::finish_sync(Core& core, const BytecodeInst& code) {
  core.su.resumed = Block::none;
  take_cycle(core.su);
  ++core.su.instructions;
  core.count_run(code);
  ++core.su.at;
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::set_flag(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.event_ids, id)) return false;
  if (!sync_.has_room_for_set(core, code, id)) {
    if (Diagnostic* const finding = sync_.add_double_set(core, code, id))
      finding->moment = monitor_.scalar_moment(core);
    return block(core, Block::flag_full, sync_.flag_index(kScalarLane, code.dst, id));
  }
  const uint64_t token = tap_.release({core, kScalarLane, core, code.dst, code.pc, id});
  if constexpr (kData) sync_.note_in_program_order(core, code, id);
  tap_.report_step(core, code, id, d_.config.scalar_cycles);
  sync_.set_flag(core, code, id, token);
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::wait_flag(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.event_ids, id)) return false;
  uint64_t token = 0;
  const uint64_t begin = core.su.resumed == Block::flag ? core.su.first_block_begin : core.su.time;
  if (!sync_.take_flag(core, code, kScalarLane, id, begin, token)) {
    const uint32_t flag = sync_.flag_index(code.src, kScalarLane, id);
    if (!sync_.skip_wait(core, code, flag)) return block(core, Block::flag, flag);
  }
  if constexpr (kData) sync_.note_in_program_order(core, code, id);
  tap_.report_step(core, code, id, d_.config.scalar_cycles);
  tap_.acquire({core, code.src, core, kScalarLane, code.pc, id}, token);
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::use_buffer(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.buffer_ids, id)) return false;
  const BufferToken& token = sync_.buffer(core, id);
  std::array<exec::Word, kLanes> issued{};
  for (unsigned i = kFirstQueue; i < kLanes; ++i) issued[i] = token.issued[i];
  const bool waits = code.op == OpCode::get_buf ? code.b == 0 : code.b != 0;
  if (waits && !skips_.skips(code) && !sync_.is_buffer_ready(core, kScalarLane, id, issued.data()))
    return block(core, Block::buffer, static_cast<uint32_t>(id));
  tap_.report_step(core, code, id, d_.config.scalar_cycles);
  sync_.note_buffer_in_program_order(core, code, id, issued.data());
  if (code.op == OpCode::rls_buf) sync_.release_buffer(core, kScalarLane, code, id);
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::send_signal(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.ids(code.b), id)) return false;
  const uint64_t step = tap_.report_step(core, code, id, d_.config.scalar_cycles);
  cross_.send(core, {code, id, step});
  return true;
}

template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::wait_signal(Core& core, const BytecodeInst& code) {
  int16_t id = 0;
  if (!resolve_id(core, code, d_.config.ids(code.b), id)) return false;
  const uint32_t semaphore = d_.config.semaphore(code.b, id);
  const bool taken = cross_.take_semaphore(core, semaphore, kScalarLane, code.pc);
  if (!taken && !cross_.skip_wait(core, code, semaphore)) return block(core, Block::cross_core, semaphore);
  const uint64_t step = tap_.report_step(core, code, id, d_.config.scalar_cycles);
  if (taken && tap_.steps() != nullptr) tap_.steps()->on_await(step, core.info.index, semaphore);
  return true;
}

/// PIPE_ALL: nothing goes on before every pipe is empty and complete.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::barrier_all(Core& core, const BytecodeInst& code) {
  ScalarState& su = core.su;
  const bool skipped = skips_.skips(code);
  uint64_t drained = su.time;
  for (const Lane& lane : core.lanes) {
    if (skipped) break;
    if (!lane.empty()) return block(core, Block::barrier_all, 0);
    drained = std::max({drained, lane.last_end, lane.free_at});
  }
  if (drained > d_.now && !skipped) {
    if (drained > su.time) block(core, Block::barrier_all, 0);
    core.at[kScalarAt] = drained;
    return false;
  }
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    Lane& lane = core.lanes[i];
    if (lane.issued == 0 || skipped) continue;
    // The pipe was idle because nothing was issued, and since the scalar unit reached the barrier
    // because of that.
    const uint64_t reached = su.resumed == Block::barrier_all ? su.first_block_begin : su.time;
    const uint64_t begin = std::clamp(reached, lane.idle_from, su.time);
    const Pipe pipe = pipe_of_lane(i);
    chip_.add_stall(lane.stats, {core.info.index, pipe, lane.idle_from, begin, Stall::not_issued, code.pc});
    chip_.add_stall(lane.stats, {core.info.index, pipe, begin, su.time, Stall::barrier, code.pc});
    lane.idle_from = su.time;
    lane.free_at = std::max(lane.free_at, su.time);
    if constexpr (Tap::kEnabled) {
      const OrderEdge edge{core, i, core, kScalarLane, code.pc};
      tap_.acquire(edge, tap_.release(edge));
    }
  }
  tap_.order_lane(core, kScalarLane, code.pc);
  tap_.report_step(core, code, 0, d_.config.scalar_cycles);
  return finish_sync(core, code);
}

/// A meeting that counts in GM.
template <bool kData, typename Tap>
bool ScalarUnit<kData, Tap>::meet(Core& core, const BytecodeInst& code) {
  ScalarState& su = core.su;
  if (su.resumed != Block::meeting) {
    if (!has_reached_now(core)) return false;
    if (!cross_.arrive(core, code)) return block(core, Block::meeting, 0);
  }
  if (tap_.keeps_order())
    tap_.acquire({core, kScalarLane, core, kScalarLane, code.pc}, su.meeting_token, false);
  tap_.report_step(core, code, 0, d_.config.scalar_cycles, su.meeting_step);
  ++su.stats.instructions;
  return finish_sync(core, code);
}

template class ScalarUnit<false, NullTap>;
template class ScalarUnit<false, EventTap>;
template class ScalarUnit<true, NullTap>;
template class ScalarUnit<true, EventTap>;

}  // namespace pto::sim
