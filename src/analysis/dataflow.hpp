// Sparse forward data-flow analysis of the structured program, on demand (Kildall 1973; MLIR
// `SparseForwardDataFlowAnalysis`). A lattice says what an operation makes of the facts of its
// operands; the solver finds where each value comes from, joins, and iterates over what loops
// carry.
//
// Worked example: is a value even? The facts of the lattice:
//
//   enum class Parity : uint8_t { even, odd, any };
//
//   struct ParityLattice {
//     using Fact = Parity;
//     static constexpr unsigned kMaxRounds = 4;  // then facts that still change are widened
//
//     Number constant(ValueId value) const { return constants.value_of(value); }
//     Parity of_constant(int64_t n) const { return n % 2 != 0 ? Parity::odd : Parity::even; }
//     // An argument, or a value that regions hand on in a way that is not followed.
//     Parity entry(ValueId) const { return Parity::any; }
//     // Whether the facts of its operands matter for an operation.
//     bool follows(const OpView& op) const { return isa::opcode_class(op) == OpcodeClass::add; }
//     // Values beside those of the structure, on which the fact depends: none.
//     void add_inputs(ValueId, const ValueOrigin&, std::vector<ValueId>&) const {}
//     // The transfer function; without operands if the operation is not followed.
//     Parity transfer(const OpView& op, ValueId, std::span<const Parity> operands) const {
//       if (operands.size() < 2 || operands[0] == Parity::any || operands[1] == Parity::any)
//         return Parity::any;
//       return operands[0] == operands[1] ? Parity::even : Parity::odd;
//     }
//     // The counter of a loop: of its lower bound, upper bound and step.
//     Parity counter(const OpView& loop, std::span<const Parity> bounds) const {
//       return bounds[2] == Parity::even ? bounds[0] : Parity::any;
//     }
//     Parity join(Parity a, Parity b) const { return a == b ? a : Parity::any; }
//     Parity widen(ValueId, Parity, Parity after) const { return after; }
//   };
//
//   %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c4) -> (index) {
//     %y = arith.addi %x, %c2 : index
//     scf.yield %y : index
//   }
//   %z = arith.addi %r, %c1 : index
//
//   SparseSolver<ParityLattice> solver(program, {constants});
//   solver.fact(z)
//
// The solver collects what %z depends on: %r, which is %c4 or %y, which is made of %x and %c2; %x
// is %c4 or %y again. It evaluates them in an order in which operands come first, as far as there
// is one:
//
//   round 1:  %x = even (of %c4; %y has no fact yet)  %y = even  %r = even  %z = odd
//   round 2:  %x = even (of %c4 and %y)               nothing changes: solved
//
// All four facts are kept for the next question. %i was not asked for.
//
// A fact may be asked for in fixed iterations of loops. `solver.fact(y, {{i, 0}})` is the fact of
// %y in the first iteration, where %x is %c4 and %i is 0. What lies outside of a loop is the same
// in all its iterations, so %r and %z have one fact whatever iterations are given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/loop_iteration.hpp"
#include "ir/regions.hpp"

namespace pto {

/// Where a value comes from.
struct ValueOrigin {
  enum class Kind : uint8_t {
    entry,      ///< nothing in the structure gives it: an argument of a function
    operation,  ///< a result of an operation without regions
    counter,    ///< of a loop
    carried,    ///< by a counted loop: its argument or its result
    merge,      ///< one of the values that regions hand on
  } kind = Kind::entry;
  uint32_t op = kNoOp;    ///< that gives the value, or whose region has it as an argument
  uint32_t position = 0;  ///< among the results, or among what is handed on
  uint32_t region = 0;    ///< of an argument
  bool is_argument = false;
};

/// The origins of all values of a program.
class ValueOrigins {
 public:
  explicit ValueOrigins(const Program& program);
  [[nodiscard]] ValueOrigin origin(ValueId value) const;
  /// Whether the value is one of the loop's iterations: an argument of the loop, or made in its
  /// body.
  [[nodiscard]] bool is_inside(ValueId value, uint32_t loop) const;
  /// The operation that gives the value, or whose region has it as an argument.
  [[nodiscard]] uint32_t owner(ValueId value) const { return owners_[value]; }
  /// The values that a merge or a loop-carried value may be, of the latter the initial one first.
  /// False where one is missing.
  bool add_merged(const ValueOrigin& origin, std::vector<ValueId>& values) const;
  /// The operands of an operation, or the bounds and the step of a loop.
  void add_operands(const ValueOrigin& origin, std::vector<ValueId>& values) const;

 private:
  [[nodiscard]] ValueOrigin origin_of_result(const OpView& op, uint32_t position) const;
  [[nodiscard]] ValueOrigin origin_of_argument(const OpView& op, ValueId value) const;

  const Program& program_;
  std::vector<uint32_t> owners_;
};

/// Sets of fixed iterations, by number; 0 is the empty set.
class IterationContexts {
 public:
  IterationContexts(const Program& program, const ValueOrigins& origins)
      : program_(program), origins_(origins) {}
  uint32_t intern(const IterationVector& iterations);
  /// Without the iterations of loops that the value is not inside of.
  uint32_t restricted(uint32_t context, ValueId value);
  /// With another iteration of a loop; without the loop if there is no number.
  uint32_t moved(uint32_t context, ValueId counter, std::optional<int64_t> number);
  [[nodiscard]] std::optional<int64_t> iteration(uint32_t context, ValueId counter) const;

 private:
  const Program& program_;
  const ValueOrigins& origins_;
  std::vector<IterationVector> all_{{}};
  std::map<IterationVector, uint32_t> numbers_;
};

template <typename Lattice>
class SparseSolver {
 public:
  using Fact = typename Lattice::Fact;

  SparseSolver(const Program& program, Lattice lattice)
      : program_(program),
        lattice_(std::move(lattice)),
        origins_(program),
        contexts_(program, origins_),
        plain_(program.values.size(), kNone) {}
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  /// In the given iterations, or in any.
  Fact fact(ValueId value, const IterationVector& iterations = {}) {
    if (value == kNoValue) return lattice_.entry(value);
    if (const std::optional<int64_t> number = lattice_.constant(value)) return lattice_.of_constant(*number);
    const uint32_t context = iterations.empty() ? 0 : contexts_.intern(iterations);
    const uint32_t root = node(value, contexts_.restricted(context, value));
    if (nodes_[root].state != State::solved) solve(root);
    return *nodes_[root].fact;
  }
  [[nodiscard]] const ValueOrigins& origins() const { return origins_; }

 private:
  static constexpr uint32_t kNone = ~0u;
  enum class State : uint8_t { fresh, open, ordered, solved };
  /// A value in fixed iterations.
  struct Node {
    ValueId value;
    uint32_t context;
    State state = State::fresh;
    std::optional<Fact> fact;     ///< none while no path to the value has been seen
    uint32_t first = 0, end = 0;  ///< its inputs
    ValueOrigin origin;
  };
  struct Frame {
    uint32_t node, next;
  };

  uint32_t node(ValueId value, uint32_t context) {
    uint32_t& found =
        context == 0 ? plain_[value] : fixed_.try_emplace({context, value}, kNone).first->second;
    if (found == kNone) {
      found = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({.value = value, .context = context});
    }
    return found;
  }

  /// All that the root depends on, operands first; then rounds until nothing changes.
  void solve(uint32_t root) {
    const bool cyclic = collect(root);
    for (unsigned round = 0; evaluate_all(cyclic ? round : 0) && cyclic; ++round) continue;
    for (const uint32_t each : order_) {
      Node& solved = nodes_[each];
      if (!solved.fact) solved.fact = lattice_.entry(solved.value);
      solved.state = State::solved;
    }
    inputs_.clear();
    order_.clear();
  }

  bool collect(uint32_t root) {
    bool cyclic = false;
    open(root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next == nodes_[top.node].end) {
        nodes_[top.node].state = State::ordered;
        order_.push_back(top.node);
        stack_.pop_back();
        continue;
      }
      const uint32_t input = inputs_[top.next++];
      if (nodes_[input].state == State::open) cyclic = true;
      if (nodes_[input].state == State::fresh) open(input);
    }
    return cyclic;
  }

  void open(uint32_t index) {
    const ValueId value = nodes_[index].value;
    const uint32_t context = nodes_[index].context;
    const auto first = static_cast<uint32_t>(inputs_.size());
    ValueOrigin origin = origins_.origin(value);
    const std::optional<int64_t> number = constant(value, context, origin);
    if (!number) add_inputs(value, context, origin);
    Node& opened = nodes_[index];
    opened.state = number ? State::solved : State::open;
    if (number) opened.fact = lattice_.of_constant(*number);
    opened.origin = origin;
    opened.first = first;
    opened.end = static_cast<uint32_t>(inputs_.size());
    if (!number) stack_.push_back({index, first});
  }

  std::optional<int64_t> constant(ValueId value, uint32_t context, const ValueOrigin& origin) const {
    const std::optional<int64_t> number = lattice_.constant(value);
    if (number || context == 0 || origin.kind != ValueOrigin::Kind::counter) return number;
    return contexts_.iteration(context, value);
  }

  /// A region that hands on too few values is not valid: nothing is known of what it gives.
  void add_inputs(ValueId value, uint32_t context, ValueOrigin& origin) {
    values_.clear();
    const bool is_merge =
        origin.kind == ValueOrigin::Kind::merge || origin.kind == ValueOrigin::Kind::carried;
    if (is_merge && !origins_.add_merged(origin, values_)) {
      origin.kind = ValueOrigin::Kind::entry;
      values_.clear();
    }
    if (origin.kind == ValueOrigin::Kind::counter || is_followed(origin))
      origins_.add_operands(origin, values_);
    if (origin.kind == ValueOrigin::Kind::carried) fix_carried(context, origin);
    lattice_.add_inputs(value, origin, values_);
    for (const ValueId input : values_) add_input(input, context);
  }

  [[nodiscard]] bool is_followed(const ValueOrigin& origin) const {
    return origin.kind == ValueOrigin::Kind::operation && lattice_.follows(OpView(program_, origin.op));
  }

  void add_input(ValueId input, uint32_t context) {
    inputs_.push_back(node(input, contexts_.restricted(context, input)));
  }

  /// In the first iteration the initial value, in the second one what the first one yields.
  void fix_carried(uint32_t context, const ValueOrigin& origin) {
    if (context == 0 || !origin.is_argument) return;
    const OpView loop(program_, origin.op);
    const ValueId counter = body_of(loop).first_arg;
    const std::optional<int64_t> iteration = contexts_.iteration(context, counter);
    if (!iteration) return;
    const std::vector<ValueId> merged = std::exchange(values_, {});
    const std::optional<int64_t> lower = lattice_.constant(loop.operand(0));
    const std::optional<int64_t> step = lattice_.constant(loop.operand(2));
    if (lower == iteration) return values_.push_back(merged[0]);
    if (lower && step && *lower + *step == *iteration)
      return add_input(merged[1], contexts_.moved(context, counter, lower));
    const uint32_t others = contexts_.moved(context, counter, std::nullopt);
    for (const ValueId value : merged) add_input(value, others);
  }

  /// Whether a fact has changed.
  bool evaluate_all(unsigned round) {
    bool changed = false;
    for (const uint32_t index : order_) {
      std::optional<Fact> next = evaluate(nodes_[index]);
      Node& at = nodes_[index];
      if (!next) continue;
      if (at.fact && round > 0) {
        next = lattice_.join(*at.fact, *next);
        if (round > Lattice::kMaxRounds && *next != *at.fact)
          next = lattice_.widen(at.value, *at.fact, *next);
        if (*next == *at.fact) continue;
      }
      at.fact = std::move(next);
      changed = true;
    }
    return changed;
  }

  std::optional<Fact> evaluate(const Node& at) {
    const std::span<const uint32_t> inputs = std::span(inputs_).subspan(at.first, at.end - at.first);
    if (at.origin.kind != ValueOrigin::Kind::operation && at.origin.kind != ValueOrigin::Kind::counter)
      return joined(at, inputs);
    facts_.clear();
    for (const uint32_t input : inputs) {
      if (!nodes_[input].fact) return std::nullopt;
      facts_.push_back(*nodes_[input].fact);
    }
    const OpView op(program_, at.origin.op);
    return at.origin.kind == ValueOrigin::Kind::counter ? lattice_.counter(op, facts_)
                                                        : lattice_.transfer(op, at.value, facts_);
  }

  std::optional<Fact> joined(const Node& at, std::span<const uint32_t> inputs) {
    std::optional<Fact> found;
    if (at.origin.kind == ValueOrigin::Kind::entry) found = lattice_.entry(at.value);
    for (const uint32_t input : inputs) {
      const std::optional<Fact>& fact = nodes_[input].fact;
      if (fact) found = found ? lattice_.join(*found, *fact) : *fact;
    }
    return found;
  }

  const Program& program_;
  Lattice lattice_;
  ValueOrigins origins_;
  IterationContexts contexts_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> plain_;  ///< nodes without fixed iterations, by value
  std::map<std::pair<uint32_t, ValueId>, uint32_t> fixed_;
  std::vector<Frame> stack_;
  std::vector<uint32_t> order_, inputs_;  ///< of the nodes that are being solved
  std::vector<ValueId> values_;
  std::vector<Fact> facts_;
};

}  // namespace pto
