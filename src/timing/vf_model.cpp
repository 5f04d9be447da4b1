#include "timing/vf_model.hpp"

#include <algorithm>

namespace pto::timing {

void SlotCalendar::clear() { std::fill(at_.begin(), at_.end(), 0); }

uint64_t SlotCalendar::take(uint64_t from, uint32_t length) {
  const uint32_t cycles = std::min<uint32_t>(std::max(length, 1u), kSpan / 2);
  for (uint64_t start = from;; ++start) {
    uint32_t fit = 0;
    while (fit < cycles && !full(start + fit)) ++fit;
    if (fit < cycles) {
      start += fit;  // the next try begins after the full cycle
      continue;
    }
    for (uint64_t cycle = start; cycle < start + cycles; ++cycle) {
      const size_t i = cycle % kSpan;
      if (at_[i] != cycle + 1) used_[i] = 0;
      at_[i] = cycle + 1;
      ++used_[i];
    }
    return start;
  }
}

VfScoreboard::VfScoreboard(const VfConfig& config)
    : config_(&config),
      memory_(config.memory_slots),
      any_port_(config.ports),
      port0_(1),
      slow_(config.ports) {
  computations_.released.resize(config.window);
  accesses_.released.resize(config.memory_window);
}

void VfScoreboard::begin() {
  memory_.clear();
  any_port_.clear();
  port0_.clear();
  slow_.clear();
  std::fill(regs_.begin(), regs_.end(), Ready{});
  for (Window* window : {&computations_, &accesses_}) {
    std::fill(window->released.begin(), window->released.end(), 0);
    window->count = 0;
  }
  now_ = iteration_ = config_->start;
  in_cycle_ = 0;
  fence_ = done_ = 0;
  basis_ = config_->from.basis;
}

VfScoreboard::Ready& VfScoreboard::ready(uint32_t reg) {
  if (reg >= regs_.size()) regs_.resize(reg + 64);
  return regs_[reg];
}

uint64_t VfScoreboard::dispatch(bool memory) {
  const uint64_t at = std::max(now_, (memory ? accesses_ : computations_).entry());
  if (at > now_) {
    now_ = at;
    in_cycle_ = 0;
  }
  if (++in_cycle_ > config_->dispatch) {
    ++now_;
    in_cycle_ = 1;
  }
  return now_;
}

void VfScoreboard::step(const VfInstr& instr, std::span<const uint32_t> sources,
                        std::span<const uint32_t> results) {
  // Predicates are made early and hardly show: their basis does not colour the whole function.
  if (instr.unit != VfInstr::Unit::predicate) basis_ = std::max(basis_, instr.from.basis);
  if (instr.unit == VfInstr::Unit::free) return;
  if (instr.unit == VfInstr::Unit::barrier) {
    fence_ = std::max(fence_, done_);
    return;
  }
  const bool store = instr.unit == VfInstr::Unit::store, memory = store || instr.unit == VfInstr::Unit::load;
  uint64_t start = dispatch(memory);
  if (memory) start = std::max(start, fence_);
  for (const uint32_t reg : sources) start = std::max(start, store ? ready(reg).store : ready(reg).compute);
  if (memory) {
    start = memory_.take(start, 1);
    accesses_.entry() = start + 1;
    ++accesses_.count;
  } else {
    if (instr.interval > 1) start = slow_.take(start, instr.interval);
    if (instr.unit == VfInstr::Unit::alu0) start = port0_.take(start, 1);
    start = any_port_.take(start, 1);
    computations_.entry() = start + 1;
    ++computations_.count;
  }
  for (const uint32_t reg : results) ready(reg) = {start + instr.forward, start + instr.to_store};
  done_ = std::max(done_, start + instr.latency);
}

void VfScoreboard::loop_iteration() {
  iteration_ = std::max(iteration_ + config_->loop, now_);
  if (iteration_ > now_) {
    now_ = iteration_;
    in_cycle_ = 0;
  }
}

void VfScoreboard::move(uint32_t to, uint32_t from) {
  const Ready value = ready(from);
  ready(to) = value;
}

uint64_t VfScoreboard::end() const { return std::max(done_, now_) + config_->drain; }

}  // namespace pto::timing
