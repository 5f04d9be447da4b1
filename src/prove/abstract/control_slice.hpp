// Which numbers decide about the order of a kernel's instructions: bounds of loops, conditions, ids and
// addresses are followed back to the parameters and counters that they are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/integer_facts.hpp"
#include "analysis/launch_groups.hpp"
#include "analysis/tile_queues.hpp"
#include "ir/call_graph.hpp"
#include "prove/abstract/correlated_inputs.hpp"
#include "prove/proof_scope.hpp"

namespace pto {
struct Claims;  ///< for tests
}

namespace pto::driver {

/// Why a kernel cannot be decided: the operation that needs a number, and the one that gives it.
struct Inconclusive {
  uint32_t op = 0, source = 0;
  std::string why;
  bool operator<(const Inconclusive& other) const {
    return std::tie(op, source, why) < std::tie(other.op, other.source, other.why);
  }
};

/// Of a loop with these bounds and a step above 0; no more than fit.
int64_t trip_count(int64_t lower, int64_t upper, int64_t step);

/// Bytes of a memory on the chip.
struct OnChipRange {
  Space space = Space::none;
  uint64_t begin = 0, end = 0;
  bool written = false;  ///< may be
};

class InputSlice {
 public:
  /// How many iterations of a loop are tried at least.
  static constexpr int64_t kMinTrips = 8;
  InputSlice(const Program& program, const Functions& functions, const CallGraph& calls,
             const LaunchedFunctions& launch, int64_t least_trips = kMinTrips);

  /// Finds groups of inputs that occur in the same predicate and have to be varied jointly. False
  /// after a timeout.
  bool find_correlated_inputs(const Deadline& deadline);
  [[nodiscard]] bool has_found_correlated_inputs() const { return found_correlated_inputs_; }
  /// Representative values of each parameter, by position: a finite set that covers every behaviour
  /// class of the kernel.
  [[nodiscard]] const std::map<uint32_t, std::set<int64_t>>& parameters() const { return parameters_; }
  /// Parameters that decide together, in groups that have nothing to do with one another.
  [[nodiscard]] const std::vector<CorrelatedInputs>& correlated_inputs() const { return correlated_inputs_; }
  /// Representative values of the loads of the scalar unit from GM, by operation.
  [[nodiscard]] const std::map<uint32_t, std::set<int64_t>>& loads() const { return loads_; }
  static constexpr char kCounterMark = '@';
  /// Where such a load looks, as a formula, with the operation of the loop and `;` behind each counter.
  struct SymbolicAddress {
    std::string formula;
    bool varies_per_launch = false;  ///< parameters or blocks are part of it
    bool parameters = false, block = false, subblock = false;
    bool is_data_dependent = false;  ///< data choose it: each load is one of its own, wherever it looks
    /// Of free numbers (prove/abstract/havoc.hpp), above 0: with the same one they are the same number where
    /// the counters of all loops around are.
    uint32_t equality_class = 0;
    std::vector<uint32_t> loads;  ///< that are part of it, where they may be
    /// Nothing but constants is part of it, and which vector core runs.
    [[nodiscard]] bool is_constant() const {
      return !parameters && !block && loads.empty() && formula.find(kCounterMark) == std::string::npos;
    }
  };
  /// The expression of a value over parameters, counters, blocks and loads from GM; nullopt if it
  /// depends on anything else.
  [[nodiscard]] std::optional<SymbolicAddress> formula_of(ValueId value);
  [[nodiscard]] const std::map<uint32_t, SymbolicAddress>& addresses() const { return addresses_; }
  /// Whether an operation contains operations with ordered effects, or with effects that others
  /// depend on.
  [[nodiscard]] bool has_ordered_effects(uint32_t op, bool with_scalar) const;
  /// Whether the control flow of an operation with regions matters: something in it is ordered, or
  /// a result is needed.
  [[nodiscard]] bool affects_synchronisation(const OpView& op) const;
  /// The free number that says how often a loop runs.
  [[nodiscard]] std::optional<uint32_t> trip_count_input_of(uint32_t loop) const;
  /// Whether all control after a load depends only on loaded values, counters and parameters, and
  /// only flags, barriers, fences, signals and queues order the kernel.
  [[nodiscard]] bool can_checkpoint() const { return !loop_carried_ && only_plain_order_; }
  [[nodiscard]] const std::vector<uint32_t>& functions() const { return functions_used_; }
  [[nodiscard]] const QueueFacts& queues() const { return queues_; }
  /// A function of the launch that is called as well.
  [[nodiscard]] bool is_called(uint32_t function) const {
    return std::ranges::count(calls_.calls(), function, &Call::callee) != 0;
  }
  /// Waits for words in GM that another device writes.
  [[nodiscard]] const std::set<uint32_t>& word_waits() const { return word_waits_; }
  /// Arithmetic of 32 bits that might leave its type is taken not to.
  [[nodiscard]] bool assumes_no_overflow() const;
  /// The code asks in which block it runs, or of how many.
  [[nodiscard]] bool reads_block() const { return reads_block_; }
  [[nodiscard]] const std::set<Inconclusive>& inconclusive() const { return inconclusive_; }
  /// Loops whose number of iterations depends on a parameter or block, but for those of vector functions.
  [[nodiscard]] const std::set<uint32_t>& input_dependent_loops() const { return input_dependent_loops_; }
  /// The maximum trip count of a loop over all parameters; nullopt if it is unbounded.
  [[nodiscard]] std::optional<int64_t> max_trip_count(uint32_t loop) const;
  /// Whether there are operations that touch other bytes on the chip with numbers that are not tried.
  [[nodiscard]] bool has_varying_accesses() const { return !varying_ranges_.empty(); }
  /// Of an access that begins at `begin`: all that it may touch with other numbers. Nothing where it is
  /// always the same, or all that it can be is tried.
  [[nodiscard]] std::optional<OnChipRange> may_touch(uint32_t op, Space space, uint64_t begin) const;
  /// All that an operation may touch on the chip which numbers move; null for others.
  [[nodiscard]] const std::vector<OnChipRange>* varying_ranges(uint32_t op) const {
    const auto found = varying_ranges_.find(op);
    return found == varying_ranges_.end() || found->second.empty() ? nullptr : &found->second;
  }
  /// All that an operation may touch on the chip whose data say what it does; null for others.
  [[nodiscard]] const std::vector<OnChipRange>* data_dependent_ranges(uint32_t op) const {
    const auto found = data_dependent_ranges_.find(op);
    return found == data_dependent_ranges_.end() ? nullptr : &found->second;
  }
  /// Operations under a mask that other numbers may make another one.
  [[nodiscard]] const std::set<uint32_t>& input_dependent_masks() const { return input_dependent_masks_; }
  /// Operations that put bytes into UB which not only constants make.
  [[nodiscard]] const std::set<uint32_t>& any_bytes() const { return any_bytes_; }
  /// Iterations after which a loop can only repeat itself, if it does.
  [[nodiscard]] int64_t explored_trips() const { return explored_trips_; }
  /// The last iteration that is distinguished from others by its index, and after how many the others are
  /// alike again.
  [[nodiscard]] int64_t prefix_length() const { return prefix_length_; }
  [[nodiscard]] int64_t period() const { return period_; }

 private:
  friend class BranchPredicates;
  friend struct pto::Claims;
  using Representatives = std::set<int64_t>;
  /// Where a value comes from, when no operation computes it.
  struct Def {
    enum class Kind : uint8_t { none, parameter, op, counter, phi } kind = Kind::none;
    uint32_t at = 0;                ///< op, or position of the parameter, or the loop; joined: what chooses
    std::vector<ValueId> incoming;  ///< phi: its incoming values
  };

  void find_defs();
  void find_needed();
  void merge_linear_inputs();
  void add_phi(ValueId value, ValueId from, uint32_t chooser);
  void add_def(const OpView& op);
  void visit(const OpView& op);
  void visit_loop(const OpView& op);
  void record_input_dependent_loop(const OpView& op);
  void visit_extents(const OpView& op);
  [[nodiscard]] bool can_checkpoint_at(const OpView& op) const;
  [[nodiscard]] bool has_control_relevant_input_in(uint32_t function) const;
  bool leaves_live_data(const OpView& op);
  void require(ValueId value, Representatives numbers);
  void propagate(ValueId value, Representatives numbers);
  void require_result(const OpView& op, const Representatives& numbers);
  /// Arithmetic or a cast whose result may leave its type; and of those, one of 8 or 16 bits.
  [[nodiscard]] bool may_leave_type(const OpView& op) const;
  [[nodiscard]] bool may_wrap(const OpView& op) const;
  void require_condition(ValueId value);
  void require_comparison(const OpView& op);
  void require_counter(uint32_t loop, const Representatives& numbers);
  void require_load(const OpView& op, const Representatives& numbers);
  void require_extent(ValueId value, int64_t full);
  void mark_inconclusive(uint32_t source, std::string why);
  bool write_formula(ValueId value, SymbolicAddress& out, int depth, bool with_loads = false);
  [[nodiscard]] bool is_data_dependent(ValueId value);
  /// Whether the number may differ from one launch to another.
  [[nodiscard]] bool is_input_dependent(ValueId value);
  [[nodiscard]] bool address_varies(ValueId value);
  [[nodiscard]] bool has_input_dependent_lanes(ValueId value);
  [[nodiscard]] bool is_fully_enumerated(ValueId value, const OpView& op) const;
  [[nodiscard]] std::set<uint32_t> defining_ops(ValueId value) const;
  [[nodiscard]] std::optional<Representatives> addresses_of(ValueId value, int depth) const;
  [[nodiscard]] std::vector<OnChipRange> ranges_of(ValueId value) const;
  [[nodiscard]] std::optional<OnChipRange> slot_range_of(const OpView& pop) const;
  void find_resized();
  void find_varying_accesses();
  void find_varying_accesses(const OpView& op);
  void find_input_dependent_lanes(const OpView& op);
  [[nodiscard]] bool is_addressed_by_data(const OpView& op);
  void visit_vector_scope(const OpView& scope);
  /// Which block runs, or of how many: the row names its result so.
  static bool reads_block_id(const OpView& op);
  /// It is given a place in some memory.
  static bool has_storage(const OpView& op);
  static bool reads_register(const OpView& op);
  /// Whether its result depends on more than its integer operands.
  static bool has_side_input(const OpView& op);
  /// The numbers that a value comes by, in the first and the last iterations of the loops that count it.
  Representatives sampled_values(ValueId value);
  Representatives sampled_counter(uint32_t loop);
  [[nodiscard]] int64_t stride(ValueId value, int depth = 0) const;
  [[nodiscard]] std::set<uint32_t> counters_of(ValueId value) const;
  [[nodiscard]] int64_t evaluate_with(ValueId value, const std::map<uint32_t, int64_t>& counters,
                                      std::map<ValueId, int64_t>& known, int depth) const;
  [[nodiscard]] bool is_unbounded(uint32_t loop) const {
    return input_dependent_loops_.contains(loop) || vector_loops_.contains(loop);
  }
  /// Whether some of its iterations are not distinguished.
  [[nodiscard]] bool is_sampled(uint32_t loop) const {
    return is_unbounded(loop) || sampled_loops_.contains(loop);
  }
  /// Whether it moves with the counter of a loop.
  [[nodiscard]] bool is_induction(ValueId value);
  /// Whether it may differ from one launch to another, or says how far something went that does.
  [[nodiscard]] bool varies_per_launch(ValueId value);
  template <typename Is>
  bool depends_on(ValueId value, std::map<ValueId, bool>& known, Is is_so, bool with_choosers = false);
  void add_sources(const Def& origin, bool with_choosers, std::vector<ValueId>& out) const;
  /// Visits the values that a value depends on, each once. `visit` gets a value and its definition
  /// (null if unknown), and decides whether to continue beyond it.
  template <typename Visit>
  void for_each_source(ValueId value, Visit visit) const {
    std::set<ValueId> seen;
    std::vector<ValueId> left{value};
    while (!left.empty()) {
      const ValueId at = left.back();
      left.pop_back();
      if (at == kNoValue || !seen.insert(at).second) continue;
      const auto found = defs_.find(at);
      const Def* origin = found == defs_.end() ? nullptr : &found->second;
      if (visit(at, origin) && origin != nullptr) add_sources(*origin, false, left);
    }
  }
  void add_controlling_values(uint32_t op, std::vector<ValueId>& out) const;
  [[nodiscard]] Number constant(ValueId value) const { return constants_.value_of(value); }
  enum class Extreme : bool { least, most };
  [[nodiscard]] Number extreme(ValueId value, Extreme which, int depth = 0) const;
  [[nodiscard]] Number max_difference(ValueId value, ValueId of, int depth = 0) const;

  const Program& program_;
  const Functions& functions_;
  const CallGraph& calls_;
  QueueFacts queues_;
  Constants constants_;
  IntegerFacts integers_;
  std::vector<uint32_t> functions_used_;
  std::map<ValueId, Def> defs_;
  std::vector<bool> used_;    ///< values that are operands
  std::vector<bool> needed_;  ///< that something is made of which is not a value alone
  std::map<ValueId, Representatives> required_;
  std::set<ValueId> roots_;                                    ///< of those: what an operation asks about
  std::vector<std::pair<ValueId, Representatives>> worklist_;  ///< to be followed, the next one last
  bool propagating_ = false;
  std::set<uint32_t> merged_inputs_;    ///< parameters that are 0, as another one of their sum is any number
  std::set<ValueId> address_values_;    ///< addresses and ids: each number that one can be is another one
  std::set<ValueId> fully_enumerated_;  ///< remainders of which all are tried
  std::map<uint32_t, std::vector<OnChipRange>> varying_ranges_, data_dependent_ranges_;
  std::set<uint32_t> resized_, input_dependent_masks_, any_bytes_;
  std::map<ValueId, bool> input_dependent_, induction_, data_dependent_, varies_per_launch_,
      input_dependent_lanes_;
  std::map<uint32_t, SymbolicAddress> addresses_;
  std::map<uint32_t, Representatives> parameters_, loads_;
  std::vector<CorrelatedInputs> correlated_inputs_;
  std::set<Inconclusive> inconclusive_;
  std::set<uint32_t> input_dependent_loops_, vector_loops_, sampled_loops_, word_waits_;
  uint32_t scope_end_ = 0;  ///< of the vector function that is looked at
  int64_t explored_trips_ = 0, period_ = 1, prefix_length_ = 0;
  bool reads_block_ = false, place_ = false, loop_carried_ = false, only_plain_order_ = true,
       assigns_ = false, moves_registers_ = false, found_correlated_inputs_ = false;
  uint32_t controlling_op_ = 0;  ///< the operation whose numbers are followed
};

}  // namespace pto::driver
