// Whether the iterations of a loop come to repeat one another: what every pipe knows of the others when it
// runs an instruction is the same as so many iterations before, but for those iterations. Then all further
// ones repeat them as well, and what no iteration did wrong none will.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::driver {

class Periods final : public Observer {
 public:
  /// Keeps what the iterations of these loops do, `max_events` at most.
  Periods(std::set<uint32_t> loops, uint64_t max_events) : loops_(std::move(loops)), left_(max_events) {}

  void on_context(const RunContext& context) override { context_ = &context; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;

  /// Loops that ran and came to no repetition in some run of at least `trips` iterations.
  [[nodiscard]] std::set<uint32_t> restless(uint64_t trips) const;
  /// Loops that ran so long and repeat.
  [[nodiscard]] std::set<uint32_t> settled(uint64_t trips) const;
  /// Most iterations of each loop.
  [[nodiscard]] std::map<uint32_t, uint64_t> longest() const;
  /// How a loop repeats that ran so long.
  struct Repetition {
    uint64_t period = 1;         ///< iterations
    int64_t step = 0, last = 0;  ///< of its counter
    bool even = true;            ///< whenever it ran, step and last were so
  };
  [[nodiscard]] std::map<uint32_t, Repetition> repetitions(uint64_t trips) const;
  [[nodiscard]] bool overrun() const { return left_ == 0; }

 private:
  using Clock = std::vector<uint32_t>;  ///< per thread: its last release that happened before
  struct Turn {
    uint32_t loop = 0;
    int64_t value = 0;
    bool operator==(const Turn&) const = default;
    auto operator<=>(const Turn&) const = default;
  };
  using Turns = std::vector<Turn>;  ///< the loops around, outermost first
  struct Release {
    uint32_t pc = 0;
    uint32_t turns = 0;  ///< index into turns_
  };
  struct Happened {
    uint32_t pc = 0, thread = 0;
    bool release = false;
    Clock clock;
  };
  /// One run of a loop on one core.
  struct Pass {
    std::vector<int64_t> values;  ///< of the counter, as they came
    std::vector<std::vector<Happened>> iterations;
  };
  using PassKey = std::tuple<uint32_t, uint32_t, Turns>;  ///< core, loop, the loops around it

  uint32_t turns_now(uint32_t core);
  void keep(uint32_t thread, uint32_t pc, bool release);
  std::vector<Happened>& iteration(uint32_t core, const Turns& turns, size_t depth);
  /// After how many iterations; nothing when it does not.
  [[nodiscard]] std::optional<uint64_t> repeats(const Pass& pass, uint32_t loop) const;
  [[nodiscard]] bool alike(const Pass& pass, size_t later, size_t earlier, uint32_t loop,
                           size_t& reach) const;
  [[nodiscard]] bool same_release(uint32_t thread, uint32_t later, uint32_t earlier, int64_t distance) const;

  std::set<uint32_t> loops_;
  uint64_t left_;
  const RunContext* context_ = nullptr;
  std::vector<Clock> clocks_;
  std::vector<std::vector<Release>> releases_;  ///< per thread; epoch 1 is the first
  std::vector<uint32_t> now_;                   ///< per thread: index into turns_ of what it runs
  std::vector<uint32_t> counted_;               ///< per core: the same of its last access
  std::unordered_map<uint64_t, Clock> tokens_;
  std::unordered_map<uint64_t, uint32_t> issued_;  ///< tokens of entries: index into turns_
  std::vector<Turns> turns_;
  std::map<Turns, uint32_t> numbered_;
  std::map<PassKey, Pass> passes_;
};

}  // namespace pto::driver
