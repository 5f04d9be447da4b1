// What is known of the integers and addresses of a program in every run: IntegerFact, on demand.
#pragma once

#include <memory>

#include "analysis/dataflow.hpp"
#include "analysis/integer_lattice.hpp"

namespace pto {

struct IntegerAssumptions {
  Overflow64 overflow = Overflow64::never;
  uint64_t alignment = 1;  ///< of the addresses that a function gets
};

/// The facts of one value are those of an integer, or of an address in bytes.
struct IntegerLattice {
  using Fact = IntegerFact;
  static constexpr unsigned kMaxRounds = 8;  ///< slots of buffers go round in fewer

  const Program& program;
  const Constants& constants;
  IntegerAssumptions assumptions;

  [[nodiscard]] Number constant(ValueId value) const { return constants.value_of(value); }
  [[nodiscard]] static Fact of_constant(int64_t number) { return Fact::constant(number); }
  [[nodiscard]] Fact entry(ValueId value) const;
  [[nodiscard]] static bool follows(const OpView& op);
  static void add_inputs(ValueId, const ValueOrigin&, std::vector<ValueId>&) {}
  [[nodiscard]] Fact transfer(const OpView& op, ValueId value, std::span<const Fact> operands) const;
  [[nodiscard]] static Fact counter(const OpView&, std::span<const Fact> bounds) {
    return counter_fact(bounds[0], bounds[1], bounds[2]);
  }
  [[nodiscard]] static Fact join(const Fact& a, const Fact& b) { return pto::join(a, b); }
  [[nodiscard]] Fact widen(ValueId value, const Fact& before, const Fact& after) const {
    return pto::widen(before, after, program.type_of(value));
  }
};

class IntegerFacts {
 public:
  IntegerFacts(const Program& program, const Constants& constants, IntegerAssumptions assumptions = {})
      : lattice_{program, constants, assumptions} {}

  /// In the given iterations, or in any.
  [[nodiscard]] IntegerFact fact(ValueId value, const IterationVector& iterations = {}) const;
  [[nodiscard]] Interval interval(ValueId value) const { return fact(value).interval; }
  [[nodiscard]] Congruence congruence(ValueId value, const IterationVector& iterations = {}) const {
    return fact(value, iterations).congruence;
  }
  /// Whether a sum, difference, product, shift or cast never leaves the type of its result.
  [[nodiscard]] bool is_exact(const OpView& op) const;

 private:
  IntegerLattice lattice_;
  /// Made for the first value that is no constant.
  mutable std::unique_ptr<SparseSolver<IntegerLattice>> solver_;
};

}  // namespace pto
