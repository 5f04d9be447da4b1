// Plans of a program on trial: each is planned and simulated without data, with as many iterations of its
// loops as it takes to see which plan is the fastest.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/launch_groups.hpp"
#include "ir/call_graph.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "pto/plan.hpp"
#include "pto/simulator.hpp"
#include "timing/cost_model.hpp"

namespace pto::driver {

inline constexpr uint64_t kMaxInstructions = 60000;  ///< per core of a trial
/// Of a trial, for the iterations that long loops have not run.
inline constexpr uint64_t kMaxCountedUp = 8 * kMaxInstructions;

struct Plan {
  std::vector<LoopBuffers> buffers;
  bool by_stage = false;
  Reuse reuse = Reuse::by_pipes;
  IdShortage shortage = IdShortage::barriers;
  BankPlaces banks = {};
};

/// Both sources of an instruction lie in one bank group of UB: tiles, of which one is to move by so many
/// bytes.
struct BankConflict {
  uint64_t cycles = 0;
  struct Move {
    ValueId tile = kNoValue;
    uint32_t bytes = 0;
  };
  std::vector<Move> moves;  ///< each of them helps, the first one before the others
};

/// How far trials are from the program itself.
enum class Scale : uint8_t {
  whole,        ///< loops with constant bounds run as often as they do
  steady,       ///< long loops until their steady state; the rest is extrapolated
  few_outside,  ///< likewise, and loops around others a few times
  fewest
};

/// A loop with constant bounds that runs less often in trials.
struct ShortLoop {
  uint32_t loop = 0;
  uint32_t written = 0;  ///< the same in the program itself
  int64_t trips = 0, iterations = 0;
  int64_t more = 0;              ///< iterations of a second run
  std::vector<uint32_t> around;  ///< others of them
};

/// Plans on trial, and how long they take.
class Trials {
 public:
  Trials(const Program& program, const Machine& machine, const PlanOptions& options, timing::CostModel& costs,
         const std::function<std::shared_ptr<timing::CostModel>()>& make_costs,
         const std::vector<BufferedLoop>& loops, Scale scale);

  /// A plan of the program, and how long it takes.
  struct Trial {
    Program program;
    uint64_t cycles = 0;
    uint64_t run_cycles = 0;  ///< without the iterations that were not run
  };
  /// Nothing when the plan does not fit, or a launch does not come to its end.
  std::optional<Trial> run(const Plan& chosen) const;

  /// Whether it takes no longer than the other one where open loops run a few times. The scalar unit asks
  /// whether there are iterations enough, and one that is left over waits for the rounds: 0.2 % with the
  /// launch.
  bool is_no_slower(Trial& trial, Trial& than) const;

  /// Where the tiles of UB begin in a planned program: those that the program itself names.
  [[nodiscard]] BankPlaces bank_places(const Program& planned) const;

  /// Of a planned program, the costly ones first.
  [[nodiscard]] std::vector<BankConflict> conflicts(Program& planned) const;

  [[nodiscard]] bool fits(const Plan& chosen) const;
  [[nodiscard]] bool short_of_memory() const { return short_of_memory_; }
  /// A trial ran more instructions than it may.
  [[nodiscard]] bool too_long() const { return too_long_; }
  [[nodiscard]] size_t long_loops() const { return short_.size(); }
  /// Those of them of which not all iterations were counted, by their operations in the program itself.
  [[nodiscard]] const std::set<uint32_t>& uncounted() const { return uncounted_; }
  /// Whether trials run less than the program does.
  [[nodiscard]] bool shortens() const { return !short_.empty() || (scale_ > Scale::steady && has_nests_); }

 private:
  struct Run {
    std::string entry;
    std::vector<Argument> arguments;
  };

  /// Loops without known bounds get some, long ones fewer, and their operations move.
  void bound(const std::vector<BufferedLoop>& loops);

  /// Of a loop that has got its bounds here.
  [[nodiscard]] size_t position(uint32_t loop) const;

  /// All alike; and loops around others a few times, the others seldom.
  void shorten_loops();
  void find_alike();

  /// Of all launches, in cycles.
  struct Time {
    uint64_t kernel = 0, launch = 0;
    uint64_t instructions = 0;
  };

  /// Tiles of UB that an instruction reads, each by one name.
  static std::vector<ValueId> sources_of(const planner::Storage& storage, const OpView& op);

  std::optional<Time> time(Program& trial, const std::vector<int64_t>& iterations,
                           uint64_t most = kMaxInstructions) const;
  /// Where open loops run so many times. A host that has no room for a trial has none for its choice either.
  std::optional<Time> time(Program& trial, const std::vector<int64_t>& iterations, timing::CostModel& costs,
                           uint64_t most = kMaxInstructions) const;

  static bool ran_too_long(const SimResult& result);

  /// Long loops that are run longer together, and the factor on their additional time.
  struct Alike {
    double times = 0;
    std::vector<const ShortLoop*> loops;
  };

  /// The time of the iterations that long loops have not run: for each loop, the time of some more
  /// iterations, multiplied by the remaining iterations and by the iterations of the loops around
  /// it.
  std::optional<uint64_t> time_beyond(const Plan& chosen, const Time& base) const;

  void add(const Functions& functions, const LaunchedFunctions& launch);

  bool planned(Program& trial, const Plan& chosen) const;

  Program program_;
  ValueId values_;     ///< of the program itself: greater ones are made for trials
  OpenLoops bounded_;  ///< open loops and those that run less often
  std::vector<uint32_t> open_;
  std::vector<int64_t> many_trip_counts_;  ///< of bounded loops
  std::vector<std::vector<int64_t>> few_trip_counts_;
  std::map<uint32_t, uint32_t> moved_;
  const Machine& machine_;
  const PlanOptions& options_;
  timing::CostModel& costs_;
  const std::function<std::shared_ptr<timing::CostModel>()>& make_costs_;
  std::vector<Run> runs_;
  Scale scale_;
  std::vector<ShortLoop> short_;
  std::vector<Alike> alike_;
  bool has_nests_ = false;
  mutable bool short_of_memory_ = false, too_long_ = false;
  mutable std::set<uint32_t> uncounted_;
};

}  // namespace pto::driver
