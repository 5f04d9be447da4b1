// Signals between cores and transfers through tile queues: sender, receiver and times.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "sim/engine/step_events.hpp"

namespace pto::report {

/// One end of a signal.
struct SignalEnd {
  uint32_t core = 0, pc = 0;
  Pipe pipe = Pipe::none;
  uint64_t time = 0;
};

/// Puts the steps of a run together to signals, and hands them on to the next that wants steps.
class Signals final : public DependenceObserver {
 public:
  using Tell = std::function<void(const SignalEnd& set, const SignalEnd& wait)>;
  /// Asked when something before a signal on its pipe is visible.
  using Done = std::function<uint64_t(uint32_t core, Pipe pipe)>;
  Signals(Tell tell, Done done) : tell_(std::move(tell)), done_(std::move(done)) {}
  void hand_on(DependenceObserver* next) { next_ = next; }

  void on_machine(const Machine& machine) override;
  void on_conflicts(std::span<const timing::BankConflicts> all) override;
  void on_step(const DependenceEvent& step) override;
  void on_unit(uint64_t number, uint64_t from) override;
  void on_step_starts(uint64_t number, uint64_t start, uint64_t busy, uint64_t latency,
                      uint64_t restart) override;
  void on_meeting(uint64_t number, std::span<const uint64_t> steps) override;
  void on_signal(uint32_t core, uint32_t semaphore, std::span<const uint64_t> steps) override;
  void on_await(uint64_t number, uint32_t core, uint32_t semaphore) override;

 private:
  static constexpr size_t kKept = 4096;  ///< steps that later events can refer to
  void tell(const std::vector<SignalEnd>& sets, const SignalEnd& wait) const;

  Tell tell_;
  Done done_;
  DependenceObserver* next_ = nullptr;
  std::map<uint64_t, SignalEnd> steps_;  ///< signals, and waits that have not begun
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<SignalEnd>>> told_;
  std::map<uint64_t, std::vector<SignalEnd>> taken_;  ///< by the wait
};

}  // namespace pto::report
