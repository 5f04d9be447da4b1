// Predicates on the inputs of a kernel that control its synchronisation: conditions, trip counts,
// and remainders that are ids or addresses. Each is a formula that can be evaluated for any input
// values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/regions.hpp"
#include "prove/abstract/control_slice.hpp"

namespace pto::driver {

class BranchPredicates {
 public:
  /// A number that is chosen before a run: a parameter, by position, or a load, by its operation.
  struct Input {
    bool load = false;
    uint32_t at = 0;
    auto operator<=>(const Input&) const = default;
  };
  explicit BranchPredicates(const InputSlice& slice);

  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
  /// Numbers of `chosen()` that one question is about, by index; one group has no question in common with
  /// others.
  struct Group {
    std::vector<uint32_t> inputs, predicates;
    std::set<int64_t> constants;  ///< of the questions
  };
  [[nodiscard]] std::vector<Group> groups() const;
  /// The answers to all questions of a group, as a hash; nothing where a number leaves its type or a loop
  /// runs very long.
  std::optional<uint64_t> valuation(const Group& group, const std::vector<int64_t>& numbers);
  /// Control-relevant operations, each with a dependent operation of two values that has no
  /// formula: loops or calls carry one of them.
  [[nodiscard]] const std::set<std::pair<uint32_t, uint32_t>>& loop_carried() const { return loop_carried_; }
  /// Whether the valuation determines everything that a run depends on for this value.
  [[nodiscard]] bool determines(ValueId value) const { return determined_.contains(value); }
  [[nodiscard]] const Type& type_of(uint32_t chosen) const { return types_[chosen]; }

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Node {
    Arithmetic how;
    std::array<uint32_t, 3> from{kNone, kNone, kNone};
    uint32_t leaf = kNone;  ///< in leaves_
    int64_t number = 0;     ///< of a constant
    using Key =
        std::tuple<size_t, uint32_t, uint32_t, isa::CmpPredicate, std::array<uint32_t, 3>, uint32_t, int64_t>;
    [[nodiscard]] Key key() const {
      return Key(static_cast<size_t>(how.opcode_class), how.from, how.to, how.predicate, from, leaf, number);
    }
  };
  struct Leaf {
    enum class Kind : uint8_t { input, counter, block, blocks, vector_core } kind = Kind::input;
    uint32_t at = 0;  ///< in chosen_; the loop, or the first one as deep that counts as it does
    auto operator<=>(const Leaf&) const = default;
  };
  /// Nodes that are worked out one after another.
  using Formula = std::vector<uint32_t>;
  /// The formula in parts: nodes without varying leaves, then those that depend on the first one,
  /// and so on.
  using Parts = std::vector<Formula>;
  struct Bounds {
    std::array<uint32_t, 3> nodes{kNone, kNone, kNone};  ///< none: not known
    Formula formula;
  };
  struct Predicate {
    bool loop = false;
    std::array<uint32_t, 3> nodes{kNone, kNone, kNone};
    Formula formula;
    Parts parts;
    std::vector<uint32_t> inputs, leaves;  ///< the same
    std::vector<uint32_t> moving;          ///< leaves that go through their numbers, outer ones first
    std::unordered_map<uint64_t, std::optional<uint64_t>> cache;  ///< some results, by chosen values
  };

  void add_predicate(std::array<ValueId, 3> values, bool loop);
  void find_loop_carried(uint32_t decides, ValueId value);
  void add_condition(uint32_t op, ValueId value);
  std::optional<uint32_t> node_of(ValueId value, int depth);
  std::optional<uint32_t> node_of_def(const InputSlice::Def& origin, ValueId value, int depth);
  uint32_t add(const Node& node);
  uint32_t leaf(Leaf leaf);
  uint32_t congruent_induction_variable(uint32_t loop, int depth);
  void add_bounds(uint32_t counter);
  [[nodiscard]] Formula formula_of(const std::array<uint32_t, 3>& nodes, std::set<uint32_t>& leaves) const;
  [[nodiscard]] Parts parts_of(const Formula& formula, const std::vector<uint32_t>& moving) const;
  bool compute(const Formula& formula);
  std::optional<int64_t> value_of(const Node& node) const;
  std::optional<uint64_t> evaluate_predicate(const Predicate& question);
  bool evaluate_predicate(const Predicate& question, size_t depth, uint64_t& hash);
  bool enumerate_leaf(const Predicate& question, size_t depth, uint64_t& hash);
  bool evaluate_predicate_now(const Predicate& question, uint64_t& hash);

  const InputSlice& slice_;
  std::vector<Node> nodes_;
  std::vector<int64_t> values_;  ///< of the nodes
  std::vector<bool> is_valid_;   ///< of the parts of the question: all numbers stay in their types
  std::vector<Leaf> leaves_;
  std::vector<int64_t> leaf_values_;
  std::map<Leaf, uint32_t> leaf_nodes_;
  std::map<Node::Key, uint32_t> by_key_;
  std::map<std::pair<std::array<uint32_t, 3>, int>, uint32_t> loops_;  ///< by bounds and depth
  std::set<std::pair<std::array<uint32_t, 3>, bool>> added_;
  const RegionTree tree_;
  std::map<ValueId, std::optional<uint32_t>> known_;
  std::map<uint32_t, Bounds> bounds_;  ///< of counters, by leaf
  std::vector<Predicate> predicates_;
  std::set<ValueId> determined_;
  std::set<std::pair<uint32_t, uint32_t>> loop_carried_;
  std::vector<Input> inputs_;
  std::vector<Type> types_;
};

}  // namespace pto::driver
