// The trace for Perfetto and chrome://tracing, written while the run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pto/simulator.hpp"
#include "report/access_times.hpp"
#include "report/memory_occupancy.hpp"
#include "report/run_report.hpp"
#include "report/signal_arrows.hpp"
#include "report/trace/trace_events.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::report {

/// Writes every instruction, stall and flag of a run as trace events. Events arrive when they end, so the
/// last ones are held back and sorted by the time at which they begin. Events that began longer ago keep the
/// order in which they arrived. A trace that is shorter than the held part is in the order of time.
class TraceWriter final : public Observer, public sim::MessageObserver {
 public:
  static constexpr size_t kHeld = size_t{1} << 16;
  /// `rank`: of several devices; it is a part of a trace (trace_of_ranks).
  TraceWriter(std::string target, Sink put, size_t held = kHeld, std::optional<uint32_t> rank = {});

  void on_context(const RunContext& context) override { context_ = &context; }
  DependenceObserver* steps() override { return &signals_; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_flag(const FlagEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_vector_step(const VectorStepEvent& event) override;
  [[nodiscard]] bool wants_vector_steps() const override { return true; }
  void on_launch(uint64_t cycles) override { events_.write_launch(cycles); }
  void on_finish(uint64_t total_cycles) override;
  void on_message(const sim::MessageEvent& arrival) override;
  void on_wait_released(const sim::WaitReleased& released) override;
  /// The critical path gets a process of its own.
  void set_steps(const StepGraph* steps) { steps_ = steps; }
  /// A second observer of the steps.
  void hand_on(DependenceObserver* next) { signals_.hand_on(next); }

 private:
  using Record = TraceRecord;
  /// The time from the first instruction of a core to its last.
  struct Block {
    uint64_t begin = ~uint64_t{0}, end = 0;
  };

  static bool before(const Record& a, const Record& b);
  void add(const Record& record);
  void write_out(size_t hold);
  [[nodiscard]] bool is_settled(const Record& record) const;
  void add_blocks();
  void add_arrow(const Record& set, const Record& wait);
  void on_signal(const SignalEnd& set, const SignalEnd& wait);
  void count(uint32_t core, uint8_t what, uint64_t begin, uint64_t end, double amount);

  std::string target_;
  size_t held_, limit_;
  const Program* program_ = nullptr;
  const StepGraph* steps_ = nullptr;
  std::vector<Record> records_;
  size_t sorted_ = 0;                     ///< so many of them are in order
  std::vector<uint64_t> reported_until_;  ///< per track: all slices up to here are known
  const RunContext* context_ = nullptr;
  Signals signals_;
  std::vector<uint64_t> visible_;  ///< per track: time itsat resultswhich soits farlast result are visible
  Accesses accesses_;
  Occupancy occupancy_{1};
  std::vector<Block> blocks_;  ///< by core
  TraceEvents events_;
  bool finished_ = false;
  std::optional<uint32_t> rank_;
};

}  // namespace pto::report
