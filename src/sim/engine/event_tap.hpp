// Where the parts of the engine report what happens to observers.
//
// The parts are templates over the type of the tap. EventTap passes events on; NullTap is empty, so
// that a run without observers contains none of the code that prepares events.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/step_events.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

/// Two agents of which the second sees what the first did before, and the operation that orders
/// them.
struct OrderEdge {
  const Core& from;
  unsigned from_lane;
  const Core& to;
  unsigned to_lane;  ///< kLanes: any
  uint32_t pc;
  int flag = -1;    ///< the event id of a flag
  int signal = -1;  ///< the semaphore of a signal
};

class NullTap {
 public:
  static constexpr bool kEnabled = false;
  NullTap(const Device&, std::span<Observer* const>, bool /*keeps_order*/) {}

  template <typename F>
  void observe(F&&) const {}
  template <Observer::Often kEvent, typename F>
  void observe(F&&) const {}
  [[nodiscard]] bool keeps_order() const { return false; }
  [[nodiscard]] bool wants_vector_steps() const { return false; }
  [[nodiscard]] DependenceObserver* steps() const { return nullptr; }
  void disconnect() {}

  uint64_t new_token() { return 0; }
  uint64_t release(const OrderEdge&) { return 0; }
  void release(const OrderEdge&, uint64_t /*token*/) {}
  uint64_t release_issue(const Core&, const BytecodeInst&) { return 0; }
  void acquire(const OrderEdge&, uint64_t /*token*/, bool /*last*/ = true) {}
  void order_lane(const Core&, unsigned /*lane*/, uint32_t /*pc*/) {}

  uint64_t report_step(const Core&, const BytecodeInst&, int /*id*/, uint64_t /*cycles*/,
                       uint64_t /*meeting*/ = 0) {
    return 0;
  }
  uint64_t report_meeting(std::span<const uint64_t>) { return 0; }
  void report_signal(const Core&, uint32_t /*semaphore*/, std::span<const OrderToken>) {}
  void report_start(Lane&, uint64_t /*serial*/, uint64_t /*busy*/, uint64_t /*latency*/,
                    uint64_t /*restart*/ = 0) {}
  void report_vector_steps(const Core&, uint32_t /*pc*/, std::span<const timing::VectorStep>) {}
};

class EventTap {
 public:
  static constexpr bool kEnabled = true;
  /// `keeps_order`: footprints are reported, so that ordering facts matter.
  EventTap(const Device& device, std::span<Observer* const> observers, bool keeps_order);

  template <typename F>
  void observe(F&& report) const {
    for (Observer* observer : observers_) report(*observer);
  }
  /// Of an event that comes often.
  template <Observer::Often kEvent, typename F>
  void observe(F&& report) const {
    for (Observer* observer : wanted_[std::countr_zero(uint32_t{kEvent})]) report(*observer);
  }
  [[nodiscard]] bool keeps_order() const { return keeps_order_; }
  [[nodiscard]] bool wants_vector_steps() const { return wants_vector_steps_; }
  /// Null when no observer asks how the run came about.
  [[nodiscard]] DependenceObserver* steps() const { return steps_; }
  /// Nothing that happens from now on is reported.
  void disconnect();

  // ---- ordering facts: pairs of a release and an acquire of one token (OrderEvent); 0: no token
  uint64_t new_token() { return ++tokens_; }
  uint64_t release(const OrderEdge& edge);
  /// The token of a meeting, which several cores release.
  void release(const OrderEdge& edge, uint64_t token);
  /// The scalar unit puts an entry into a queue.
  uint64_t release_issue(const Core& core, const BytecodeInst& code);
  /// `last`: no other acquire of the token follows.
  void acquire(const OrderEdge& edge, uint64_t token, bool last = true);
  /// What an agent does from now on is behind everything it did before.
  void order_lane(const Core& core, unsigned lane, uint32_t pc);

  // ---- how the run came about, for a DependenceObserver; the number of the step or meeting, 0 without one
  /// The scalar unit is about to spend `cycles` on putting an entry into a queue or on its own
  /// synchronisation.
  uint64_t report_step(const Core& core, const BytecodeInst& code, int id, uint64_t cycles,
                       uint64_t meeting = 0);
  uint64_t report_meeting(std::span<const uint64_t> steps);
  void report_signal(const Core& target, uint32_t semaphore, std::span<const OrderToken> tokens);
  void report_start(Lane& lane, uint64_t serial, uint64_t busy, uint64_t latency, uint64_t restart = 0);
  void report_vector_steps(const Core& core, uint32_t pc, std::span<const timing::VectorStep> steps);

 private:
  const Device& d_;
  std::span<Observer* const> observers_;
  std::array<std::vector<Observer*>, 6> wanted_;  ///< by bit of Observer::Often
  DependenceObserver* steps_ = nullptr;
  uint64_t tokens_ = 0, step_count_ = 0;
  bool keeps_order_;
  bool wants_vector_steps_ = false;
};

}  // namespace pto::sim
