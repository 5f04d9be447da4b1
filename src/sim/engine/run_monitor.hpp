// Whether a run goes on: its limits, the caller's wish to end it, and findings that stop it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "pto/simulator.hpp"
#include "sim/engine/current_instruction.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/findings/engine_findings.hpp"

namespace pto::sim {

class RunMonitor {
 public:
  /// One event that contains many steps: a vector function, or the threads of a launch.
  struct LongEvent {
    uint32_t pc;
    uint64_t steps;
    uint64_t uncounted;     ///< steps that Core::vector_steps does not have yet
    uint64_t cycles;        ///< so far
    std::string_view hang;  ///< the message where it does not end
  };

  RunMonitor(Device& device, const SimOptions& options, FindingList& findings, CurrentInstruction& current)
      : d_(device),
        options_(options),
        findings_(findings),
        current_(current),
        instruction_limit_(options.limits.instructions == 0 ? kNever : options.limits.instructions) {}

  // ---- limits
  [[nodiscard]] bool exceeds_instructions(const Core& core, uint64_t uncounted = 0) const {
    return core.su.instructions + core.vector_steps + uncounted > instruction_limit_;
  }
  [[nodiscard]] bool exceeds_cycles(uint64_t time) const {
    return options_.limits.cycles != 0 && time > options_.limits.cycles;
  }
  void stop_at_max_cycles();
  void stop_at_max_instructions(const Core& core);
  /// Limits are checked while a long event runs. False: the run is stopped.
  bool is_within_limits(const Core& core, const LongEvent& event);
  void hang(uint32_t pc, std::string message, Moment moment);

  // ---- the caller
  /// Tells the caller how far the run is, ten times a second.
  void report_progress();
  /// Whether the caller wants the run to end.
  bool is_interrupted() {
    if (interrupted_ || options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed))
      return interrupted_;
    interrupt();
    return true;
  }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

  // ---- findings that end a run, in the code of the scalar unit or of a vector function
  /// The code depends on a value that a run without data does not have.
  void stop_at_unknown(Core& core, const BytecodeInst& code);
  void stop_at_loop_step(Core& core, const BytecodeInst& code, int64_t step);
  void stop_at_assertion(Core& core, const BytecodeInst& code);
  [[nodiscard]] Moment scalar_moment(const Core& core) const;

 private:
  void interrupt();
  [[nodiscard]] Moment code_moment(const Core& core, const BytecodeInst& code);

  Device& d_;
  const SimOptions& options_;
  FindingList& findings_;
  CurrentInstruction& current_;
  const uint64_t instruction_limit_;
  bool interrupted_ = false;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

}  // namespace pto::sim
