#include "sim/engine/vector_function.hpp"

#include <algorithm>

#include "sim/engine/bytecode_ops.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
VectorFunction<kData, Tap>::VectorFunction(RunParts<Tap>& parts)
    : d_(parts.device),
      options_(parts.options),
      tap_(parts.tap),
      current_(parts.current),
      monitor_(parts.monitor),
      watch_(parts.watch),
      timer_(parts.costs.vector_function()) {
  if (tap_.wants_vector_steps()) timer_->keep_steps();
}

template <bool kData, typename Tap>
timing::Cost VectorFunction<kData, Tap>::run(Core& core, Lane& lane, uint64_t serial) {
  Slot& slot = lane.slot(serial);
  const uint32_t pc = slot.code->pc;
  const Queued& queued = core.role->queued[slot.code->inst];
  const exec::Word* const block = core.block_of(slot);
  exec::Word* const frame = core.vf_frame.data();
  for (const Copy& copy : queued.unpack) std::copy_n(block + copy.from, copy.words, frame + copy.to);
  current_.enter_entry(core, Pipe::v, slot);
  timer_->begin();
  tap_.observe([&](Observer& o) { o.on_vector_function(core.info.index, pc, true); });
  const BytecodeInst* const code = core.role->code.data();
  uint64_t steps = 0;
  for (uint32_t at = queued.entry; code[at].op != OpCode::halt && !d_.stopped; ++core.vector_steps) {
    if ((++steps & kLimitMask) == 0 && !is_within_limits(core, pc, steps)) break;
    step(core, frame, code[at], at);
  }
  tap_.observe([&](Observer& o) { o.on_vector_function(core.info.index, pc, false); });
  slot.settled = true;
  return timer_->end();
}

/// Carries out the position `at` and sets the next one.
template <bool kData, typename Tap>
[[gnu::always_inline]] inline void VectorFunction<kData, Tap>::step(Core& core, exec::Word* frame,
                                                                    const BytecodeInst& code, uint32_t& at) {
  switch (code.op) {
    case OpCode::exec:
      execute(core, code);
      ++at;
      break;
    case OpCode::move:
      move(core, code);
      ++at;
      break;
    case OpCode::branch_false:
      check_known(core, code);
      at = (frame[code.a] & 1) != 0 ? at + 1 : code.target;
      break;
    case OpCode::branch_differs:
      check_known(core, code);
      at = frame[code.a] == frame[code.b] ? at + 1 : code.target;
      break;
    case OpCode::check: {
      const bool unknown = !kData && (code.flags & kUnknown) != 0;
      if (unknown || (frame[code.a] & 1) != 0)
        ++at;
      else
        monitor_.stop_at_assertion(core, code);
      break;
    }
    case OpCode::memory_barrier:
      timer_->step(core.role->insts[code.inst], frame);
      tap_.observe([&](Observer& o) { o.on_memory_barrier(core.info.index, code.pc); });
      ++at;
      break;
    case OpCode::for_test: {
      check_known(core, code);
      const LoopTest test = test_loop(code, frame);
      if (test == LoopTest::bad_step)
        monitor_.stop_at_loop_step(core, code, static_cast<int64_t>(frame[code.c]));
      else
        at = test == LoopTest::iterate ? at + 1 : code.target;
      break;
    }
    case OpCode::for_next:
      frame[code.a] += frame[code.c];
      timer_->loop_iteration();
      at = code.target;
      break;
    case OpCode::next_iteration:
      ++frame[code.a];
      at = code.target;
      break;
    default:
      at = code.target;
      break;
  }
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline void VectorFunction<kData, Tap>::check_known(Core& core,
                                                                           const BytecodeInst& code) {
  if (!kData && (code.flags & kUnknown) != 0) monitor_.stop_at_unknown(core, code);
}

/// The values of registers move with their timing.
template <bool kData, typename Tap>
void VectorFunction<kData, Tap>::move(Core& core, const BytecodeInst& code) {
  constexpr uint32_t kRegister = sizeof(exec::VReg) / sizeof(exec::Word);
  for (uint32_t i = code.a; i < code.b; ++i) {
    const Copy& copy = core.role->copies[i];
    for (uint32_t word = 0; word < copy.words; word += kRegister)
      timer_->moved(copy.from + word, copy.to + word);
  }
  move_words(core, core.vf_frame.data(), code);
}

template <bool kData, typename Tap>
[[gnu::always_inline]] inline void VectorFunction<kData, Tap>::execute(Core& core, const BytecodeInst& code) {
  const exec::Inst& inst = core.role->insts[code.inst];
  if (inst.pipe == Pipe::v) {
    timer_->step(inst, core.vf_frame.data());
    if constexpr (Tap::kEnabled) {
      if (tap_.wants_vector_steps()) tap_.report_vector_steps(core, code.pc, timer_->last());
    }
  }
  if (!kData && (code.flags & kUnknown) != 0) return;
  exec::Context& context = core.context;
  context.inst = &inst;
  context.frame = core.vf_frame.data();
  context.control = &core.control.live();
  current_.set_pc(code.pc);
  watch_.begin_instruction();
  inst.fn(context);
  watch_.end_instruction(core);
}

/// The function is one event, so the limits of the run are checked while it runs.
template <bool kData, typename Tap>
bool VectorFunction<kData, Tap>::is_within_limits(const Core& core, uint32_t pc, uint64_t steps) {
  const uint64_t cycles = options_.limits.cycles == 0 ? 0 : timer_->end().busy;
  return monitor_.is_within_limits(core, {.pc = pc,
                                          .steps = steps,
                                          .uncounted = 0,
                                          .cycles = cycles,
                                          .hang = "this vector function does not end"});
}

template class VectorFunction<false, NullTap>;
template class VectorFunction<false, EventTap>;
template class VectorFunction<true, NullTap>;
template class VectorFunction<true, EventTap>;

}  // namespace pto::sim
