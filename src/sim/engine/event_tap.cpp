#include "sim/engine/event_tap.hpp"

namespace pto::sim {

EventTap::EventTap(const Device& device, std::span<Observer* const> observers, bool keeps_order)
    : d_(device), observers_(observers), keeps_order_(keeps_order) {
  for (Observer* observer : observers_) {
    if (steps_ == nullptr) steps_ = observer->steps();
    const uint32_t wants = observer->wants();
    for (size_t bit = 0; bit < wanted_.size(); ++bit) {
      if ((wants >> bit & 1) != 0) wanted_[bit].push_back(observer);
    }
    wants_vector_steps_ = wants_vector_steps_ || observer->wants_vector_steps();
  }
}

void EventTap::disconnect() {
  observers_ = {};
  wanted_ = {};
  steps_ = nullptr;
}

// ---- ordering facts

uint64_t EventTap::release(const OrderEdge& edge) {
  if (!keeps_order_) return 0;
  release(edge, ++tokens_);
  return tokens_;
}

void EventTap::release(const OrderEdge& edge, uint64_t token) {
  if (!keeps_order_) return;
  const OrderEvent event{.from_core = edge.from.info.index,
                         .to_core = edge.to.info.index,
                         .from = pipe_of_lane(edge.from_lane),
                         .to = edge.to_lane < kLanes ? pipe_of_lane(edge.to_lane) : Pipe::none,
                         .token = token,
                         .release = true,
                         .pc = edge.pc,
                         .flag = edge.flag,
                         .signal = edge.signal};
  observe<Observer::kOrder>([&](Observer& o) { o.on_order(event); });
}

uint64_t EventTap::release_issue(const Core& core, const BytecodeInst& code) {
  if (!keeps_order_) return 0;
  const bool behind_phase = (code.flags & kAfterPhase) != 0;  // the entry waits for a flag of the scalar unit
  const OrderEvent event{.from_core = core.info.index,
                         .to_core = core.info.index,
                         .from = Pipe::s,
                         .to = pipe_of_lane(code.lane),
                         .token = ++tokens_,
                         .release = true,
                         .pc = code.pc,
                         .issue = !behind_phase};
  observe<Observer::kOrder>([&](Observer& o) { o.on_order(event); });
  return event.token;
}

void EventTap::acquire(const OrderEdge& edge, uint64_t token, bool last) {
  if (token == 0) return;
  const OrderEvent event{.from_core = edge.from.info.index,
                         .to_core = edge.to.info.index,
                         .from = pipe_of_lane(edge.from_lane),
                         .to = pipe_of_lane(edge.to_lane),
                         .token = token,
                         .release = false,
                         .pc = edge.pc,
                         .last = last,
                         .flag = edge.flag,
                         .signal = edge.signal};
  observe<Observer::kOrder>([&](Observer& o) { o.on_order(event); });
}

void EventTap::order_lane(const Core& core, unsigned lane, uint32_t pc) {
  const OrderEdge edge{core, lane, core, lane, pc};
  acquire(edge, release(edge));
}

// ---- how the run came about

uint64_t EventTap::report_step(const Core& core, const BytecodeInst& code, int id, uint64_t cycles,
                               uint64_t meeting) {
  if (steps_ == nullptr) return 0;
  const bool of_scalar_unit = code.op == OpCode::exec_timed || code.op == OpCode::halt;
  DependenceEvent step{.number = ++step_count_,
                       .core = core.info.index,
                       .pipe = pipe_of_lane(of_scalar_unit ? kScalarLane : code.lane),
                       .kind = step_kind(code.op),
                       .pc = code.pc,
                       .id = id,
                       .cycles = cycles,
                       .time = core.su.time + cycles,
                       .scalar_busy = core.su.stats.busy + cycles,
                       .queue_depth = d_.config.queue_depth,
                       .meeting = meeting};
  const bool flag = code.op == OpCode::set_flag || code.op == OpCode::wait_flag;
  if (flag) {
    step.src = pipe_of_lane(code.src);
    step.dst = pipe_of_lane(code.dst);
  }
  if (code.op == OpCode::sync_wait && code.b != kOneToOne) step.pipe = Pipe::s;
  const bool buffer = code.op == OpCode::get_buf || code.op == OpCode::rls_buf;
  step.waits = buffer && (code.op == OpCode::get_buf ? code.b == 0 : code.b != 0);
  step.scalar_waits = (code.flags & kHasResults) != 0 && code.op == OpCode::enqueue;
  steps_->on_step(step);
  return step.number;
}

uint64_t EventTap::report_meeting(std::span<const uint64_t> steps) {
  steps_->on_meeting(++step_count_, steps);
  return step_count_;
}

void EventTap::report_signal(const Core& target, uint32_t semaphore, std::span<const OrderToken> tokens) {
  if (steps_ == nullptr) return;
  std::vector<uint64_t> steps;
  for (const OrderToken& each : tokens) steps.push_back(each.step);
  steps_->on_signal(target.info.index, semaphore, steps);
}

void EventTap::report_start(Lane& lane, uint64_t serial, uint64_t busy, uint64_t latency, uint64_t restart) {
  if (steps_ != nullptr) steps_->on_step_starts(lane.facts(serial).step, d_.now, busy, latency, restart);
}

void EventTap::report_vector_steps(const Core& core, uint32_t pc, std::span<const timing::VectorStep> steps) {
  if (!wants_vector_steps_) return;
  for (const timing::VectorStep& step : steps) {
    const VectorStepEvent event{core.info.index, pc, d_.now + step.begin, d_.now + step.end, step.memory};
    observe([&](Observer& o) { o.on_vector_step(event); });
  }
}

}  // namespace pto::sim
