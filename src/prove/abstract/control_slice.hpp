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
#include "analysis/integer_interval.hpp"
#include "analysis/launch_groups.hpp"
#include "analysis/tile_queues.hpp"
#include "ir/call_graph.hpp"
#include "prove/abstract/correlated_inputs.hpp"
#include "prove/proof_scope.hpp"

namespace pto {
struct Claims;  ///< what a test asks
}

namespace pto::driver {

/// Why a kernel cannot be decided: the operation that needs a number, and the one that gives it.
struct Obstacle {
  uint32_t op = 0, source = 0;
  std::string why;
  bool operator<(const Obstacle& other) const {
    return std::tie(op, source, why) < std::tie(other.op, other.source, other.why);
  }
};

/// Of a loop with these bounds and a step above 0; no more than fit.
int64_t iterations(int64_t lower, int64_t upper, int64_t step);

/// Bytes of a memory on the chip.
struct ChipPlace {
  Space space = Space::none;
  uint64_t begin = 0, end = 0;
  bool written = false;  ///< may be
};

class Deciders {
 public:
  /// How many iterations of a loop are tried at least.
  static constexpr int64_t kLeastTrips = 8;
  Deciders(const Program& program, const Functions& functions, const CallGraph& calls,
           const LaunchedFunctions& launch, int64_t least_trips = kLeastTrips);

  /// Adds numbers that decide together. False where there was not the time for it.
  bool find_together(const Deadline& deadline);
  [[nodiscard]] bool together_found() const { return together_found_; }
  /// Numbers of each parameter with which everything happens that any number makes happen, by position.
  [[nodiscard]] const std::map<uint32_t, std::set<int64_t>>& parameters() const { return parameters_; }
  /// Parameters that decide together, in groups that have nothing to do with one another.
  [[nodiscard]] const std::vector<Together>& together() const { return together_; }
  /// The same for what the scalar unit loads from GM, by the operation that loads.
  [[nodiscard]] const std::map<uint32_t, std::set<int64_t>>& loads() const { return loads_; }
  static constexpr char kCounter = '@';
  /// Where such a load looks, as a formula, with the operation of the loop and `;` behind each counter.
  struct Address {
    std::string formula;
    bool moves = false;  ///< parameters or blocks are part of it
    bool parameters = false, block = false, subblock = false;
    bool any = false;  ///< data choose it: each load is one of its own, wherever it looks
    /// Of free numbers (prove/abstract/havoc.hpp), above 0: with the same one they are the same number where
    /// the counters of all loops around are.
    uint32_t alike = 0;
    std::vector<uint32_t> loads;  ///< that are part of it, where they may be
    /// Nothing but constants is part of it, and which vector core runs.
    [[nodiscard]] bool fixed() const {
      return !parameters && !block && loads.empty() && formula.find(kCounter) == std::string::npos;
    }
  };
  /// What a number is made of: parameters, counters, blocks, and what is loaded from GM; nothing where
  /// something else is.
  [[nodiscard]] std::optional<Address> formula_of(ValueId value);
  [[nodiscard]] const std::map<uint32_t, Address>& addresses() const { return addresses_; }
  /// Whether something in an operation has a place in the order of the kernel, or changes what others touch.
  [[nodiscard]] bool orders(uint32_t op, bool with_scalar) const;
  /// Whether it makes a difference which way an operation with regions goes: something in it is ordered, or
  /// something needs what it gives.
  [[nodiscard]] bool matters(const OpView& op) const;
  /// The free number that says how often a loop runs.
  [[nodiscard]] std::optional<uint32_t> trips_of(uint32_t loop) const;
  /// Whether all that decides behind a load is made of what was loaded, of counters and of parameters, and
  /// nothing but flags, barriers, fences, signals and queues orders the kernel.
  [[nodiscard]] bool can_be_cut() const { return !carried_ && plain_; }
  [[nodiscard]] const std::vector<uint32_t>& functions() const { return functions_used_; }
  [[nodiscard]] const QueueFacts& queues() const { return queues_; }
  /// A function of the launch that is called as well.
  [[nodiscard]] bool is_called(uint32_t function) const {
    return std::ranges::count(calls_.calls(), function, &Call::callee) != 0;
  }
  /// Waits for words in GM that another device writes.
  [[nodiscard]] const std::set<uint32_t>& word_waits() const { return word_waits_; }
  /// Arithmetic of 32 bits that might leave its type is taken not to.
  [[nodiscard]] bool takes_numbers_to_fit() const;
  /// The code asks in which block it runs, or of how many.
  [[nodiscard]] bool reads_block() const { return reads_block_; }
  [[nodiscard]] const std::set<Obstacle>& obstacles() const { return obstacles_; }
  /// Loops whose number of iterations depends on a parameter or block, but for those of vector functions.
  [[nodiscard]] const std::set<uint32_t>& open_loops() const { return open_loops_; }
  /// How often a loop runs at most, whatever the parameters are; nothing when there is no end to it.
  [[nodiscard]] std::optional<int64_t> bound(uint32_t loop) const;
  /// Whether there are operations that touch other bytes on the chip with numbers that are not tried.
  [[nodiscard]] bool has_moving() const { return !moving_.empty(); }
  /// Of an access that begins at `begin`: all that it may touch with other numbers. Nothing where it is
  /// always the same, or all that it can be is tried.
  [[nodiscard]] std::optional<ChipPlace> reach(uint32_t op, Space space, uint64_t begin) const;
  /// All that an operation may touch on the chip which numbers move; null for others.
  [[nodiscard]] const std::vector<ChipPlace>* moving_places(uint32_t op) const {
    const auto found = moving_.find(op);
    return found == moving_.end() || found->second.empty() ? nullptr : &found->second;
  }
  /// All that an operation may touch on the chip whose data say what it does; null for others.
  [[nodiscard]] const std::vector<ChipPlace>* places_by_data(uint32_t op) const {
    const auto found = by_data_.find(op);
    return found == by_data_.end() ? nullptr : &found->second;
  }
  /// Operations under a mask that other numbers may make another one.
  [[nodiscard]] const std::set<uint32_t>& open_masks() const { return open_masks_; }
  /// Operations that put bytes into UB which not only constants make.
  [[nodiscard]] const std::set<uint32_t>& any_bytes() const { return any_bytes_; }
  /// Iterations after which a loop can only repeat itself, if it does.
  [[nodiscard]] int64_t trips() const { return trips_; }
  /// The last iteration that is told from others by its number, and after how many the others are alike
  /// again.
  [[nodiscard]] int64_t furthest() const { return furthest_; }
  [[nodiscard]] int64_t period() const { return period_; }

 private:
  friend class Questions;
  friend struct pto::Claims;
  using Numbers = std::set<int64_t>;
  /// Where a value comes from, when no operation computes it.
  struct Origin {
    enum class Kind : uint8_t { none, parameter, op, counter, joined } kind = Kind::none;
    uint32_t at = 0;              ///< op, or position of the parameter, or the loop; joined: what chooses
    std::vector<ValueId> others;  ///< joined: what may flow in
  };

  void find_origins();
  void find_needed();
  void find_spare();
  void join(ValueId value, ValueId from, uint32_t chooser);
  void originate(const OpView& op);
  void look_at(const OpView& op);
  void look_at_loop(const OpView& op);
  void note_open_loop(const OpView& op);
  void look_at_extents(const OpView& op);
  [[nodiscard]] bool can_be_cut_at(const OpView& op) const;
  [[nodiscard]] bool decides_in(uint32_t function) const;
  bool leaves_data_behind(const OpView& op);
  void want(ValueId value, Numbers numbers);
  void follow(ValueId value, Numbers numbers);
  void want_result(const OpView& op, const Numbers& numbers);
  /// Arithmetic or a cast whose result may leave its type; and of those, one of 8 or 16 bits.
  [[nodiscard]] bool may_leave_type(const OpView& op) const;
  [[nodiscard]] bool may_wrap(const OpView& op) const;
  void want_condition(ValueId value);
  void want_compared(const OpView& op);
  void want_counter(uint32_t loop, const Numbers& numbers);
  void want_load(const OpView& op, const Numbers& numbers);
  void want_extent(ValueId value, int64_t full);
  void refuse(uint32_t source, std::string why);
  bool write_formula(ValueId value, Address& out, int depth, bool with_loads = false);
  [[nodiscard]] bool from_data(ValueId value);
  /// Whether the number may differ from one launch to another.
  [[nodiscard]] bool open(ValueId value);
  [[nodiscard]] bool shifts(ValueId value);
  [[nodiscard]] bool lanes_are_open(ValueId value);
  [[nodiscard]] bool tried_of_all(ValueId value, const OpView& op) const;
  [[nodiscard]] std::set<uint32_t> makers(ValueId value) const;
  [[nodiscard]] std::optional<Numbers> addresses_of(ValueId value, int depth) const;
  [[nodiscard]] std::vector<ChipPlace> places_of(ValueId value) const;
  [[nodiscard]] std::optional<ChipPlace> slots_of(const OpView& pop) const;
  void find_resized();
  void find_moving();
  void find_moving(const OpView& op);
  void find_open_lanes(const OpView& op);
  [[nodiscard]] bool goes_by_data(const OpView& op);
  void look_at_vector_scope(const OpView& scope);
  /// Which block runs, or of how many: the row names its result so.
  static bool asks_for_block(const OpView& op);
  /// It is given a place in some memory.
  static bool has_storage(const OpView& op);
  static bool reads_register(const OpView& op);
  /// What it gives is not made of integers alone that it is given.
  static bool takes_from_elsewhere(const OpView& op);
  /// The numbers that a value comes by, in the first and the last iterations of the loops that count it.
  Numbers course(ValueId value);
  Numbers course_of_counter(uint32_t loop);
  [[nodiscard]] int64_t pace(ValueId value, int depth = 0) const;
  [[nodiscard]] std::set<uint32_t> counters_of(ValueId value) const;
  [[nodiscard]] int64_t number_with(ValueId value, const std::map<uint32_t, int64_t>& counters,
                                    std::map<ValueId, int64_t>& known, int depth) const;
  [[nodiscard]] bool has_no_end(uint32_t loop) const {
    return open_loops_.contains(loop) || vector_loops_.contains(loop);
  }
  /// Whether not every one of its iterations is told apart.
  [[nodiscard]] bool goes_on(uint32_t loop) const {
    return has_no_end(loop) || sampled_loops_.contains(loop);
  }
  /// Whether it moves with the counter of a loop.
  [[nodiscard]] bool counted(ValueId value);
  /// Whether it may differ from one launch to another, or says how far something went that does.
  [[nodiscard]] bool moves(ValueId value);
  template <typename Is>
  bool depends(ValueId value, std::map<ValueId, bool>& known, Is is_so, bool with_choosers = false);
  void add_sources(const Origin& origin, bool with_choosers, std::vector<ValueId>& out) const;
  /// What a value is made of, each once: whether to go on beyond it is up to `visit`, which gets the value
  /// and its origin; null where that is not known.
  template <typename Visit>
  void for_each_source(ValueId value, Visit visit) const {
    std::set<ValueId> seen;
    std::vector<ValueId> left{value};
    while (!left.empty()) {
      const ValueId at = left.back();
      left.pop_back();
      if (at == kNoValue || !seen.insert(at).second) continue;
      const auto found = origins_.find(at);
      const Origin* origin = found == origins_.end() ? nullptr : &found->second;
      if (visit(at, origin) && origin != nullptr) add_sources(*origin, false, left);
    }
  }
  void add_choosing(uint32_t op, std::vector<ValueId>& out) const;
  [[nodiscard]] Number constant(ValueId value) const { return constants_.of(value); }
  enum class Extreme : bool { least, most };
  [[nodiscard]] Number extreme(ValueId value, Extreme which, int depth = 0) const;
  [[nodiscard]] Number ahead(ValueId value, ValueId of, int depth = 0) const;

  const Program& program_;
  const Functions& functions_;
  const CallGraph& calls_;
  QueueFacts queues_;
  Constants constants_;
  planner::Intervals intervals_;
  std::vector<uint32_t> functions_used_;
  std::map<ValueId, Origin> origins_;
  std::vector<bool> used_;    ///< values that are operands
  std::vector<bool> needed_;  ///< that something is made of which is not a value alone
  std::map<ValueId, Numbers> wanted_;
  std::set<ValueId> roots_;                        ///< of those: what an operation asks about
  std::vector<std::pair<ValueId, Numbers>> left_;  ///< to be followed, the next one last
  bool following_ = false;
  std::set<uint32_t> spare_;  ///< parameters that are 0, as another one of their sum is any number
  std::set<ValueId> placed_;  ///< addresses and ids: each number that one can be is another one
  std::set<ValueId> whole_;   ///< remainders of which all are tried
  std::map<uint32_t, std::vector<ChipPlace>> moving_, by_data_;
  std::set<uint32_t> resized_, open_masks_, any_bytes_;
  std::map<ValueId, bool> open_, counted_, data_, moves_, open_lanes_;
  std::map<uint32_t, Address> addresses_;
  std::map<uint32_t, Numbers> parameters_, loads_;
  std::vector<Together> together_;
  std::set<Obstacle> obstacles_;
  std::set<uint32_t> open_loops_, vector_loops_, sampled_loops_, word_waits_;
  uint32_t scope_end_ = 0;  ///< of the vector function that is looked at
  int64_t trips_ = 0, period_ = 1, furthest_ = 0;
  bool reads_block_ = false, place_ = false, carried_ = false, plain_ = true, assigns_ = false,
       moves_registers_ = false, together_found_ = false;
  uint32_t deciding_ = 0;  ///< the operation whose numbers are followed
};

}  // namespace pto::driver
