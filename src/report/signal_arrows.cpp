#include "report/signal_arrows.hpp"

#include <algorithm>

namespace pto::report {

void Signals::on_machine(const Machine& machine) {
  if (next_ != nullptr) next_->on_machine(machine);
}

void Signals::on_conflicts(std::span<const timing::BankConflicts> all) {
  if (next_ != nullptr) next_->on_conflicts(all);
}

void Signals::on_step(const DependenceEvent& step) {
  if (next_ != nullptr) next_->on_step(step);
  if (step.kind != DependenceEvent::Kind::signal && step.kind != DependenceEvent::Kind::await) return;
  steps_[step.number] = {step.core, step.pc, step.pipe, step.time - std::min(step.time, step.cycles)};
  if (steps_.size() > kKept) steps_.erase(steps_.begin());
}

void Signals::on_unit(uint64_t number, uint64_t from) {
  if (next_ != nullptr) next_->on_unit(number, from);
}

/// Signals leave when what precedes them is visible.
void Signals::on_step_starts(uint64_t number, uint64_t start, uint64_t busy, uint64_t latency,
                             uint64_t restart) {
  if (next_ != nullptr) next_->on_step_starts(number, start, busy, latency, restart);
  const auto step = steps_.find(number);
  if (step == steps_.end()) return;
  SignalEnd& end = step->second;
  const auto taken = taken_.find(number);
  if (taken == taken_.end()) {
    end.time = std::max(start, done_(end.core, end.pipe));
    return;
  }
  end.time = start;
  tell(taken->second, end);
  taken_.erase(taken);
}

/// It is over when the last one comes.
void Signals::on_meeting(uint64_t number, std::span<const uint64_t> steps) {
  if (next_ != nullptr) next_->on_meeting(number, steps);
  if (steps.empty()) return;
  if (const auto last = steps_.find(steps.back()); last != steps_.end()) steps_[number] = last->second;
}

void Signals::on_signal(uint32_t core, uint32_t semaphore, std::span<const uint64_t> steps) {
  if (next_ != nullptr) next_->on_signal(core, semaphore, steps);
  std::vector<SignalEnd> sets;
  for (const uint64_t number : steps)
    if (const auto step = steps_.find(number); step != steps_.end()) sets.push_back(step->second);
  told_[{core, semaphore}].push_back(std::move(sets));
}

/// A wait in a queue begins behind this, one of the scalar unit has.
void Signals::on_await(uint64_t number, uint32_t core, uint32_t semaphore) {
  if (next_ != nullptr) next_->on_await(number, core, semaphore);
  auto& reported = told_[{core, semaphore}];
  const auto wait = steps_.find(number);
  if (reported.empty()) return;
  const std::vector<SignalEnd> sets = std::move(reported.front());
  reported.pop_front();
  if (wait == steps_.end()) return;
  if (wait->second.pipe == Pipe::s)
    tell(sets, wait->second);
  else
    taken_[number] = sets;
}

void Signals::tell(const std::vector<SignalEnd>& sets, const SignalEnd& wait) const {
  for (const SignalEnd& set : sets)
    if (set.core != wait.core) tell_(set, wait);
}

}  // namespace pto::report
