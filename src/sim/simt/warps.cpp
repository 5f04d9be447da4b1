#include "sim/simt/warps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "ir/op_queries.hpp"

namespace pto::sim {

using exec::kWarpLanes;
using exec::Word;

namespace {

constexpr uint32_t bit_of(uint32_t lane) { return uint32_t{1} << lane; }

bool is_gm(const Touch& touch) { return touch.space == Space::gm; }

}  // namespace

Warps::Warps(ThreadLaunch launch)
    : launch_(launch),
      costs_(launch.costs.threads()),
      memory_(launch.memory, launch.data),
      first_(launch.queued.frame_begin),
      words_(launch.queued.frame_end - launch.queued.frame_begin),
      basis_(costs_.from.basis) {
  for (size_t dim = 0; dim < 3; ++dim) threads_.dims[dim] = static_cast<uint32_t>(launch.dims[dim]);
  threads_.kept = &launch_.kept;
  threads_.core = launch.core;
  launch_.kept.reshape(threads_.dims);
  const uint32_t count = threads_.count();
  frames_.resize(size_t{count} * words_ + 1);
  for (uint32_t thread = 0; thread < count; ++thread)
    std::copy_n(launch_.start + first_, words_, frames_.data() + size_t{thread} * words_);
  warps_.resize((count + kWarpLanes - 1) / kWarpLanes);
  lanes_.resize(warps_.size());
  for (uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.at.fill(kEnded);
    warp.ready.assign(words_ + 1, 0);
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      const uint32_t thread = w * kWarpLanes + lane;
      if (thread >= count) break;
      warp.at[lane] = launch_.queued.entry;
      warp.present |= bit_of(lane);
      // Places count from the first word of the code's frame.
      lanes_[w][lane] = frames_.data() + size_t{thread} * words_ - first_;
    }
    warp.free = costs_.start;
  }
  port_ = done_ = costs_.start;
  if (launch_.races) order_.emplace(warps_.size());
}

timing::Cost Warps::run() {
  exec::Memory* const outer = std::exchange(launch_.context.memory, &memory_);
  launch_.context.threads = &threads_;
  for (Warp& warp : warps_) look_ahead(warp);
  while (Warp* warp = choose()) {
    step(*warp);
    if (stopped_) break;
  }
  launch_.context.threads = nullptr;
  launch_.context.memory = outer;
  const uint64_t cycles = std::max(done_, port_) + costs_.drain;
  const auto taken = static_cast<uint32_t>(std::clamp<uint64_t>(cycles, 1, ~uint32_t{0}));
  return {.busy = taken, .latency = taken, .basis = basis_};
}

/// Lanes that neither ended nor wait.
uint32_t Warps::running(const Warp& warp) const {
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (warp.at[lane] != kEnded) lanes |= bit_of(lane);
  }
  return lanes & ~warp.waiting;
}

/// The place of the next step; kEnded when nobody can go on.
uint32_t Warps::foremost(const Warp& warp) const {
  uint32_t at = kEnded;
  for (uint32_t rest = running(warp); rest != 0; rest &= rest - 1)
    at = std::min(at, warp.at[static_cast<size_t>(std::countr_zero(rest))]);
  return at;
}

/// When the warp's next instruction has its operands.
void Warps::look_ahead(Warp& warp) {
  const uint32_t at = foremost(warp);
  warp.next = warp.free;
  if (at == kEnded) return;
  const BytecodeInst& next = code(at);
  const auto wait_for = [&](uint32_t word) { warp.next = std::max(warp.next, ready(warp, word)); };
  if (next.op == OpCode::branch_false) wait_for(next.a);
  if (next.op == OpCode::for_test || next.op == OpCode::branch_differs) {
    wait_for(next.a);
    wait_for(next.b);
  }
  if (next.op != OpCode::exec && next.op != OpCode::exec_lanes) return;
  for (const exec::ValueRef& value : launch_.role.insts[next.inst].values) wait_for(value.offset);
}

Warps::Warp* Warps::choose() {
  Warp* best = nullptr;
  for (Warp& warp : warps_) {
    if (running(warp) != 0 && (best == nullptr || warp.next < best->next)) best = &warp;
  }
  if (best == nullptr && std::ranges::any_of(warps_, [](const Warp& w) { return w.waiting != 0; })) {
    release();
    return stopped_ ? nullptr : choose();
  }
  return best;
}

/// The warp takes the port for `busy` cycles; Threads::cycle is when it does.
void Warps::issue(Warp& warp, uint32_t busy) {
  const uint64_t at = std::max(warp.next, port_);
  port_ = warp.free = at + busy;
  done_ = std::max(done_, port_);
  threads_.cycle = launch_.now + at;
}

template <typename F>
void Warps::each_active(F&& visit) {
  for (uint32_t rest = threads_.active; rest != 0; rest &= rest - 1) {
    threads_.lane = static_cast<uint32_t>(std::countr_zero(rest));
    visit(threads_.frames[threads_.lane]);
  }
}

/// Sends each active lane to where `next` says, by its frame.
template <typename Next>
void Warps::go(Warp& warp, Next&& next) {
  each_active([&](Word* frame) { warp.at[threads_.lane] = next(frame); });
}

void Warps::step(Warp& warp) {
  constexpr uint64_t kLimitMask = 0x3ff;
  const uint32_t at = foremost(warp);
  const BytecodeInst& now = code(at);
  threads_.warp = static_cast<uint32_t>(&warp - warps_.data());
  threads_.frames = lanes_[threads_.warp];
  threads_.active = 0;
  for (uint32_t rest = running(warp); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (warp.at[lane] == at) threads_.active |= bit_of(lane);
  }
  threads_.lane = static_cast<uint32_t>(std::countr_zero(threads_.active));
  launch_.host.thread_at(now.pc);
  if ((++steps_ & kLimitMask) == 0 && !launch_.host.thread_limits(steps_, port_)) {
    stopped_ = true;
    return;
  }
  const uint32_t counted = (now.flags & kCountsCycle) != 0 ? 1 : 0;
  const bool decides =
      now.op == OpCode::branch_false || now.op == OpCode::branch_differs || now.op == OpCode::for_test;
  if (decides && !launch_.data && (now.flags & kUnknown) != 0) {
    launch_.host.thread_unknown(now);
    stopped_ = true;
    return;
  }
  if (order_) order_->step(threads_);
  switch (now.op) {
    case OpCode::exec:
    case OpCode::exec_lanes:
      execute(warp, now);
      go(warp, [&](Word*) { return at + 1; });
      break;
    case OpCode::move:
      move(warp, now);
      go(warp, [&](Word*) { return at + 1; });
      break;
    case OpCode::branch_false:
      issue(warp, counted);
      go(warp, [&](const Word* frame) { return (frame[now.a] & 1) != 0 ? at + 1 : now.target; });
      break;
    case OpCode::branch_differs:
      issue(warp, counted);
      go(warp, [&](const Word* frame) { return frame[now.a] == frame[now.b] ? at + 1 : now.target; });
      break;
    case OpCode::for_test:
      issue(warp, counted);
      go(warp, [&](const Word* frame) {
        if (static_cast<int64_t>(frame[now.a]) >= static_cast<int64_t>(frame[now.b])) return now.target;
        if (static_cast<int64_t>(frame[now.c]) <= 0) {
          launch_.host.thread_step_of_loop(now, frame[now.c]);
          stopped_ = true;
        }
        return at + 1;
      });
      break;
    case OpCode::for_next:
      go(warp, [&](Word* frame) {
        frame[now.a] += frame[now.c];
        return now.target;
      });
      break;
    case OpCode::next_iteration:
      go(warp, [&](Word* frame) {
        ++frame[now.a];
        return now.target;
      });
      break;
    case OpCode::check:
      go(warp, [&](const Word* frame) {
        if (!stopped_ && !launch_.host.thread_check(now, frame)) stopped_ = true;
        return at + 1;
      });
      break;
    case OpCode::thread_barrier:
      barrier(warp, now);
      break;
    case OpCode::thread_fence:
      issue(warp, counted);
      if (order_) order_->fence(threads_.warp);
      go(warp, [&](Word*) { return at + 1; });
      break;
    case OpCode::halt:
      go(warp, [&](Word*) { return kEnded; });
      break;
    default:
      go(warp, [&](Word*) { return now.target; });
      break;
  }
  look_ahead(warp);
}

void Warps::move(Warp& warp, const BytecodeInst& now) {
  const std::vector<Copy>& copies = launch_.role.copies;
  uint32_t words = 0;
  for (uint32_t i = now.a; i < now.b; ++i) words += copies[i].words;
  if (scratch_.size() < words) scratch_.resize(words);
  each_active([&](Word* frame) {
    Word* through = scratch_.data();
    for (uint32_t i = now.a; i < now.b; ++i)
      through = std::copy_n(frame + copies[i].from, copies[i].words, through);
    through = scratch_.data();
    for (uint32_t i = now.a; i < now.b; ++i, through += copies[i - 1].words)
      std::copy_n(through, copies[i].words, frame + copies[i].to);
  });
  for (uint32_t i = now.a; i < now.b; ++i) {
    for (uint32_t word = 0; word < copies[i].words; ++word)
      ready(warp, copies[i].to + word) = ready(warp, copies[i].from + word);
  }
}

// ---- instructions

void Warps::run_lanes(const exec::Inst& inst, bool together) {
  exec::ThreadContext& context = launch_.context;
  context.inst = &inst;
  memory_.next_instruction();
  if (together) {
    context.frame = threads_.frames[threads_.lane];
    inst.fn(context);
    return;
  }
  each_active([&](Word* frame) {
    memory_.next_lane(threads_.lane);
    context.frame = frame;
    inst.fn(context);
  });
}

void Warps::execute(Warp& warp, const BytecodeInst& now) {
  const exec::Inst& inst = launch_.role.insts[now.inst];
  issue(warp, 0);  // tells the cycle to those who ask for it
  run_lanes(inst, now.op == OpCode::exec_lanes);
  if (order_ && !memory_.touches().empty()) check_order(now);
  account(warp, now, inst);
}

/// Takes the time of an instruction that ran.
void Warps::account(Warp& warp, const BytecodeInst& now, const exec::Inst& inst) {
  if ((now.flags & kCountsCycle) == 0) {  // descriptors: an address is there with its parts
    return results_ready(warp, inst, warp.next);
  }
  timing::Cost cost{1, costs_.latency, costs_.from.basis};
  if ((now.flags & kHasCost) != 0) cost = launch_.costs.cost(inst, launch_.context.frame, nullptr);
  const std::vector<Touch>& touches = memory_.touches();
  basis_ = std::max(basis_, cost.basis);
  issue(warp, cost.busy);
  if (touches.empty()) return results_ready(warp, inst, warp.free + cost.latency - cost.busy);
  const bool gm = is_gm(touches.front());
  // Where the addresses are not known every lane wants a line of its own.
  const bool known = launch_.data || (now.flags & kUnknown) == 0;
  uint64_t& port = gm ? gm_port_ : ub_port_;
  const uint64_t begin = std::max(port, warp.free);
  uint64_t served = begin;
  if (gm) {
    served = serve_gm(begin, known);
  } else {
    const Lines lines = lines_of(touches, costs_.line);
    served += (known ? lines.numbers.size() + lines.again : touches.size()) * costs_.ub_interval;
  }
  port = served;
  results_ready(warp, inst, served + (gm ? costs_.gm_latency : costs_.ub_latency));
}

/// Lines of GM pass L2 like all other traffic, those that stand together at once. When the last one has.
uint64_t Warps::serve_gm(uint64_t begin, bool known) {
  const std::vector<Touch>& touches = memory_.touches();
  const bool write =
      std::ranges::any_of(touches, [](const Touch& t) { return t.how != exec::AccessMode::read; });
  const auto pass = [&](uint64_t first, uint64_t lines) {
    const uint64_t bytes = lines * costs_.line;
    const timing::GmWindow window{first * costs_.line, known ? 1U : 0U, known ? bytes : 0, 0};
    begin = launch_.host.thread_transfer(begin, lines * costs_.gm_interval, bytes, window, write);
  };
  if (!known) {
    pass(0, touches.size());
    return begin;
  }
  const auto [numbers, again] = lines_of(touches, costs_.line);
  for (size_t i = 0; i < numbers.size();) {
    const size_t first = i;
    while (++i < numbers.size() && numbers[i] == numbers[i - 1] + 1) {
    }
    pass(numbers[first], i - first);
  }
  return begin + uint64_t{again} * costs_.gm_interval;
}

void Warps::results_ready(Warp& warp, const exec::Inst& inst, uint64_t when) {
  for (const exec::ValueRef& result : inst.results) {
    const uint32_t words = exec::words_of(*result.type);
    for (uint32_t word = 0; word < words; ++word) ready(warp, result.offset + word) = when;
  }
  done_ = std::max(done_, when);
}

// ---- order

/// As findings name it.
std::string Warps::name_of(uint32_t thread) const {
  const auto& [x, y, z] = threads_.dims;
  return fmt::format("({}, {}, {})", thread % x, thread / x % y, thread / x / y);
}

void Warps::check_order(const BytecodeInst& now) {
  const std::optional<ThreadConflict> found = order_->access(threads_, now.pc, memory_.touches());
  if (!found) return;
  const auto access_verb = [](const ThreadConflict::Side& side) {
    return side.atomic ? "updates" : side.write ? "writes" : "reads";
  };
  launch_.host.thread_finding(
      FindingId::thread_race, now.pc,
      fmt::format("thread {} {} {} at {:#x}, which thread {} {}; nothing orders the two",
                  name_of(found->second.thread), access_verb(found->second), to_string(found->space),
                  found->addr, name_of(found->first.thread), access_verb(found->first)),
      "put pto.syncthreads between the two, or use atomics", found->first.pc, "the other access");
}

/// All threads of the launch wait at one barrier.
void Warps::check_meeting() {
  struct Place {
    uint32_t thread = ~0u, at = kEnded;
  };
  std::optional<Place> first, other;
  for (uint32_t w = 0; w < warps_.size(); ++w) {
    for (uint32_t rest = warps_[w].present; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const Place place{w * kWarpLanes + lane, warps_[w].at[lane]};
      if (!first && place.at != kEnded) first = place;
      if (first && !other && place.at != first->at) other = place;
    }
  }
  // Those that ended may have lower numbers.
  for (uint32_t w = 0; w < warps_.size() && first && !other; ++w) {
    for (uint32_t rest = warps_[w].present; rest != 0 && !other; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (warps_[w].at[lane] == kEnded) other = Place{w * kWarpLanes + lane, kEnded};
    }
  }
  if (!first || !other) return;
  const bool ended = other->at == kEnded;
  launch_.host.thread_finding(
      FindingId::thread_barrier, code(first->at).pc,
      fmt::format("thread {} waits here for all threads of the launch, but thread {} {}",
                  name_of(first->thread), name_of(other->thread), ended ? "has ended" : "waits elsewhere"),
      "let every thread come to the same barrier: move it out of the branch",
      ended ? ~0u : code(other->at).pc, "the other barrier");
}

// ---- barriers

void Warps::barrier(Warp& warp, const BytecodeInst& now) {
  issue(warp, (now.flags & kCountsCycle) != 0 ? 1 : 0);
  warp.waiting |= threads_.active;
}

/// Nobody can go on but past a barrier.
void Warps::release() {
  check_meeting();
  if (order_) order_->barrier();
  uint64_t when = 0;
  for (Warp& warp : warps_) {
    if (warp.waiting != 0) when = std::max(when, warp.free);
  }
  for (Warp& warp : warps_) {
    for (uint32_t rest = warp.waiting; rest != 0; rest &= rest - 1)
      ++warp.at[static_cast<size_t>(std::countr_zero(rest))];
    if (warp.waiting != 0) warp.free = std::max(warp.free, when);
    warp.waiting = 0;
    look_ahead(warp);
  }
}

}  // namespace pto::sim
