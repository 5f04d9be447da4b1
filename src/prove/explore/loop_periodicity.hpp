// Lasso detection: whether the iterations of a loop become periodic. They are periodic if, at every
// instruction, the knowledge of each pipe about the others equals that of a fixed number of
// iterations before, shifted by that number. Then all further iterations repeat them, and no
// further iteration has a new error.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "check/pipe_threads.hpp"
#include "pto/simulator.hpp"

namespace pto::driver {

class LoopPeriodicity final : public Observer {
 public:
  /// Records the events of the iterations of these loops, at most `max_events`.
  LoopPeriodicity(std::set<uint32_t> loops, uint64_t max_events)
      : loops_(std::move(loops)), left_(max_events) {}

  void on_context(const RunContext& context) override { context_ = &context; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;

  /// Loops that ran and came to no repetition in some run of at least `trips` iterations.
  [[nodiscard]] std::set<uint32_t> aperiodic(uint64_t trips) const;
  /// Loops that ran so long and repeat.
  [[nodiscard]] std::set<uint32_t> periodic(uint64_t trips) const;
  /// Most iterations of each loop.
  [[nodiscard]] std::map<uint32_t, uint64_t> max_trip_counts() const;
  /// How a loop repeats that ran so long.
  struct Repetition {
    uint64_t period = 1;         ///< iterations
    int64_t step = 0, last = 0;  ///< of its counter
    bool is_uniform = true;      ///< whenever it ran, step and last were so
  };
  [[nodiscard]] std::map<uint32_t, Repetition> repetitions(uint64_t trips) const;
  [[nodiscard]] bool overrun() const { return left_ == 0; }

 private:
  struct LoopIndex {
    uint32_t loop = 0;
    int64_t value = 0;
    bool operator==(const LoopIndex&) const = default;
    auto operator<=>(const LoopIndex&) const = default;
  };
  using IterationVector = std::vector<LoopIndex>;  ///< the loops around, outermost first
  struct Release {
    uint32_t pc = 0;
    uint32_t iteration_vector = 0;  ///< index into turns_
  };
  struct Event {
    uint32_t pc = 0, thread = 0;
    bool release = false;
    sim::SharedPipeClock clock;  ///< epochs count the releases of a thread
  };
  /// One run of a loop on one core.
  struct LoopExecution {
    std::vector<int64_t> values;  ///< of the counter, as they came
    std::vector<std::vector<Event>> iterations;
  };
  using LoopExecutionKey =
      std::tuple<uint32_t, uint32_t, IterationVector>;  ///< core, loop, the loops around it

  uint32_t current_iteration_vector(uint32_t core);
  void record(uint32_t thread, uint32_t pc, bool release);
  std::vector<Event>& iteration(uint32_t core, const IterationVector& turns, size_t depth);
  /// After how many iterations; nothing when it does not.
  [[nodiscard]] std::optional<uint64_t> find_period(const LoopExecution& pass, uint32_t loop) const;
  [[nodiscard]] bool has_equal_iterations(const LoopExecution& pass, size_t later, size_t earlier,
                                          uint32_t loop, size_t& reach) const;
  [[nodiscard]] bool is_same_release(uint32_t thread, uint32_t later, uint32_t earlier,
                                     int64_t distance) const;

  sim::SharedPipeClock::Arena clocks_;  ///< before all that holds some of them
  std::set<uint32_t> loops_;
  uint64_t left_;
  const RunContext* context_ = nullptr;
  order::HappensBefore<sim::SharedPipeClock> order_;
  std::vector<std::vector<Release>> releases_;  ///< per thread; epoch 1 is the first
  std::vector<uint32_t> now_;                   ///< per thread: index into turns_ of its current iteration
  std::vector<uint32_t> counted_;               ///< per core: the same of its last access
  std::unordered_map<uint64_t, sim::SharedPipeClock> tokens_;
  std::unordered_map<uint64_t, uint32_t> issued_;  ///< tokens of entries: index into turns_
  std::vector<IterationVector> iteration_vectors_;
  std::map<IterationVector, uint32_t> iteration_ids_;
  std::map<LoopExecutionKey, LoopExecution> executions_;
};

}  // namespace pto::driver
