// How a run came about: every entry of a queue and every synchronisation of the scalar unit, with what it has
// to wait for. Critical paths and advice are computed from it (report/bottleneck/dependence_graph.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "pto/machine.hpp"
#include "pto/pipe.hpp"
#include "sim/loader/kernel_code.hpp"
#include "timing/cost_model.hpp"

namespace pto {

/// What the scalar unit does at `time`: it puts an entry into the queue of `pipe`, or synchronises itself.
struct DependenceEvent {
  enum class Kind : uint8_t {
    instruction,
    scalar,  ///< of the scalar unit, with a time of its own
    set_flag,
    wait_flag,
    barrier,
    barrier_all,
    get_buf,
    rls_buf,
    signal,  ///< to other cores
    await,   ///< of a signal
    meet,    ///< begins to wait (id -1, no cycles) and goes on
    halt,
  };
  uint64_t number = 0;  ///< from 1, in the order in which they are told
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  Kind kind = Kind::instruction;
  uint32_t pc = 0;
  int id = 0;
  uint64_t cycles = 0;       ///< of the scalar unit, once what the step waits for is there
  uint64_t time = 0;         ///< when those are over
  uint64_t scalar_busy = 0;  ///< busy cycles of the scalar unit so far, with these
  uint64_t queue_depth = 0;
  uint64_t meeting = 0;                     ///< number of the meeting that lets it go
  Pipe src = Pipe::none, dst = Pipe::none;  ///< of flags
  bool waits = false;                       ///< get_buf and rls_buf: for the others' releases
  bool scalar_waits = false;                ///< the scalar unit waits for its result
};

/// Told in an order in which everything stands behind what it depends on.
class DependenceObserver {
 public:
  virtual ~DependenceObserver() = default;
  virtual void on_machine(const Machine&) {}
  /// At the end.
  virtual void on_conflicts(std::span<const timing::BankConflicts>) {}
  virtual void on_step(const DependenceEvent& step) = 0;
  /// In front of its start: an instruction takes over an accumulator, by its unit flag, from another step.
  virtual void on_unit(uint64_t number, uint64_t from) = 0;
  /// An entry leaves its queue. Only instructions take time. `restart`: behind a wait, it works that many
  /// cycles after the end of what stands in front at the earliest; busy and latency count from then.
  virtual void on_step_starts(uint64_t number, uint64_t start, uint64_t busy, uint64_t latency,
                              uint64_t restart) = 0;
  /// Steps of several cores that wait for each other are together.
  virtual void on_meeting(uint64_t number, std::span<const uint64_t> steps) = 0;
  /// The next signal for a semaphore of a core comes from these steps; and a step takes the oldest one.
  virtual void on_signal(uint32_t core, uint32_t semaphore, std::span<const uint64_t> steps) = 0;
  virtual void on_await(uint64_t number, uint32_t core, uint32_t semaphore) = 0;
};

namespace sim {

/// Of the codes that are told.
inline DependenceEvent::Kind step_kind(OpCode op) {
  switch (op) {
    case OpCode::exec_timed:
      return DependenceEvent::Kind::scalar;
    case OpCode::set_flag:
      return DependenceEvent::Kind::set_flag;
    case OpCode::wait_flag:
      return DependenceEvent::Kind::wait_flag;
    case OpCode::barrier:
      return DependenceEvent::Kind::barrier;
    case OpCode::barrier_all:
      return DependenceEvent::Kind::barrier_all;
    case OpCode::get_buf:
      return DependenceEvent::Kind::get_buf;
    case OpCode::rls_buf:
      return DependenceEvent::Kind::rls_buf;
    case OpCode::sync_set:
      return DependenceEvent::Kind::signal;
    case OpCode::sync_wait:
      return DependenceEvent::Kind::await;
    case OpCode::meet:
      return DependenceEvent::Kind::meet;
    case OpCode::halt:
      return DependenceEvent::Kind::halt;
    default:
      return DependenceEvent::Kind::instruction;
  }
}

}  // namespace sim
}  // namespace pto
