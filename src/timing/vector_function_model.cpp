#include "timing/vector_function_model.hpp"

#include <algorithm>

namespace pto::timing {

void SlotCalendar::clear() { std::fill(at_.begin(), at_.end(), 0); }

uint64_t SlotCalendar::first(uint64_t from, uint32_t length, uint32_t weight) const {
  const uint32_t cycles = in_span(length);
  weight = std::min(weight, width_);
  for (uint64_t start = from;; ++start) {
    uint32_t fit = 0;
    while (fit < cycles && fits(start + fit, weight)) ++fit;
    if (fit == cycles) return start;
    start += fit;  // the next try begins after the full cycle
  }
}

uint64_t SlotCalendar::reserve(uint64_t from, uint32_t length, uint32_t weight) {
  const uint64_t start = first(from, length, weight);
  weight = std::min(weight, width_);
  for (uint64_t cycle = start; cycle < start + in_span(length); ++cycle) {
    const size_t i = cycle % kSpan;
    if (at_[i] != cycle + 1) used_[i] = 0;
    at_[i] = cycle + 1;
    used_[i] = static_cast<uint8_t>(used_[i] + weight);
  }
  return start;
}

void RenamedRegisters::clear() {
  held_ = 0;
  values_.clear();
  unused_.clear();
  returns_ = {};
}

void RenamedRegisters::forget(uint32_t value) { unused_.push_back(value); }

uint64_t RenamedRegisters::allocate(uint32_t& value) {
  uint64_t free = 0;
  while (held_ >= count_ && !returns_.empty()) {
    const auto [back, first] = returns_.top();
    returns_.pop();
    Value& returned = values_[first];
    if (returned.back > back) {  // somebody has read it since
      returns_.emplace(returned.back, first);
      continue;
    }
    free = std::max(free, back);
    --held_;
    returned.held = false;
    if (returned.names == 0) forget(first);
  }
  ++held_;
  if (unused_.empty()) {
    value = static_cast<uint32_t>(values_.size());
    values_.emplace_back();
  } else {
    value = unused_.back();
    unused_.pop_back();
    values_[value] = {};
  }
  return free;
}

void RenamedRegisters::read(uint32_t value, uint64_t start) {
  Value& each = values_[value];
  bool leaves = each.back == 0;
  if (!each.held) {
    each.held = leaves = true;
    ++held_;
  }
  each.back = std::max(each.back, start + way_back_);
  if (leaves) returns_.emplace(each.back, value);
}

void RenamedRegisters::overwrite(uint32_t value, uint64_t at) {
  Value& each = values_[value];
  if (--each.names != 0) return;
  if (!each.held) return forget(value);
  if (each.back != 0) return;
  each.back = at + 1;
  returns_.emplace(each.back, value);
}

VfScoreboard::VfScoreboard(const VfConfig& config)
    : config_(&config),
      memory_(config.memory_slots),
      any_port_(config.ports),
      port0_(1),
      in_flight_(config.ports * config.in_flight),
      slow_(1),
      renamed_(config.registers, config.register_return),
      window_(config.window),
      accesses_(config.memory_window) {}

void VfScoreboard::begin() {
  memory_.clear();
  any_port_.clear();
  port0_.clear();
  in_flight_.clear();
  slow_.clear();
  std::fill(regs_.begin(), regs_.end(), Register{});
  renamed_.clear();
  window_.clear();
  accesses_.clear();
  now_ = iteration_ = config_->start;
  in_cycle_ = 0;
  fence_ = done_ = 0;
  basis_ = config_->from.basis;
}

VfScoreboard::Register& VfScoreboard::at(uint32_t reg) {
  if (reg >= regs_.size()) regs_.resize(reg + 64);
  return regs_[reg];
}

uint64_t VfScoreboard::dispatch(uint64_t earliest) {
  if (earliest > now_) {
    now_ = earliest;
    in_cycle_ = 0;
  }
  if (++in_cycle_ > config_->dispatch) {
    ++now_;
    in_cycle_ = 1;
  }
  return now_;
}

/// The first cycle at which all that the computation needs is free.
uint64_t VfScoreboard::compute(const VfInstr& instr, uint64_t start) {
  const bool slow = instr.interval > 1;
  const bool first_port = instr.unit == VfInstr::Unit::alu0;
  const uint32_t interval = (instr.interval + config_->ports - 1) / config_->ports;
  for (uint64_t tried = ~uint64_t{0}; tried != start;) {
    tried = start;
    if (slow) start = slow_.first(start, interval);
    if (first_port) start = port0_.first(start, 1);
    start = in_flight_.first(any_port_.first(start, 1), instr.latency);
  }
  if (slow) slow_.reserve(start, interval);
  if (first_port) port0_.reserve(start, 1);
  in_flight_.reserve(start, instr.latency);
  return any_port_.reserve(start, 1);
}

uint64_t VfScoreboard::step(const VfInstr& instr, std::span<const uint32_t> sources,
                            std::span<const uint32_t> results, size_t vectors) {
  // Predicates are made early and hardly show: their basis does not colour the whole function.
  if (instr.unit != VfInstr::Unit::predicate) basis_ = std::max(basis_, instr.from.basis);
  if (instr.unit == VfInstr::Unit::free) return ~uint64_t{0};
  if (instr.unit == VfInstr::Unit::barrier) {
    fence_ = std::max(fence_, done_);
    return ~uint64_t{0};
  }
  const bool store = instr.unit == VfInstr::Unit::store;
  const bool memory = store || instr.unit == VfInstr::Unit::load;
  uint64_t room = 0;
  if (memory) room = accesses_.room();
  if (!memory || store) room = std::max(room, window_.room());
  names_.assign(results.size(), RenamedRegisters::kNone);
  for (size_t i = 0; i < vectors; ++i) room = std::max(room, renamed_.allocate(names_[i]));
  const uint64_t dispatched = dispatch(room);
  uint64_t start = dispatched;
  if (memory) start = std::max(start, fence_);
  for (const uint32_t reg : sources) start = std::max(start, store ? at(reg).store : at(reg).compute);
  if (memory) {
    start = memory_.reserve(start, 1, store ? config_->store_slots : 1);
    accesses_.enter(start + 1);
    if (store) window_.enter(start + 1);
  } else {
    window_.enter(start + 1);
    start = compute(instr, start);
  }
  for (const uint32_t reg : sources)
    if (at(reg).value != RenamedRegisters::kNone) renamed_.read(at(reg).value, start);
  for (size_t i = 0; i < results.size(); ++i) {
    Register& reg = at(results[i]);
    if (reg.value != RenamedRegisters::kNone) renamed_.overwrite(reg.value, dispatched);
    reg = {start + instr.forward, start + instr.to_store, names_[i]};
  }
  done_ = std::max(done_, start + instr.latency);
  return start;
}

void VfScoreboard::loop_iteration() {
  iteration_ = std::max(iteration_ + config_->loop, now_);
  if (iteration_ > now_) {
    now_ = iteration_;
    in_cycle_ = 0;
  }
}

void VfScoreboard::move(uint32_t to, uint32_t from) {
  const Register value = at(from);
  if (value.value != RenamedRegisters::kNone) renamed_.share(value.value);
  Register& target = at(to);
  if (target.value != RenamedRegisters::kNone) renamed_.overwrite(target.value, now_);
  target = value;
}

uint64_t VfScoreboard::end() const { return std::max(done_, now_) + config_->drain; }

}  // namespace pto::timing
