// What is known of the integers and addresses of a program in every run: IntegerFact, on demand.
#pragma once

#include <memory>

#include "analysis/integer_lattice.hpp"
#include "analysis/loop_iteration.hpp"

namespace pto {

struct IntegerAssumptions {
  Overflow64 overflow = Overflow64::never;
  uint64_t alignment = 1;  ///< of the addresses that a function gets
};

class IntegerFacts {
 public:
  IntegerFacts(const Program& program, const Constants& constants, IntegerAssumptions assumptions = {});
  IntegerFacts(IntegerFacts&&) noexcept;
  ~IntegerFacts();

  /// The fact of a value is that of an integer, or of an address in bytes: in the given iterations, or in
  /// any.
  [[nodiscard]] IntegerFact fact(ValueId value, const IterationVector& iterations = {}) const;
  [[nodiscard]] Congruence congruence(ValueId value, const IterationVector& iterations = {}) const {
    return fact(value, iterations).congruence;
  }
  /// Whether a sum, difference, product, shift or cast never leaves the type of its result.
  [[nodiscard]] bool is_exact(const OpView& op) const;

 private:
  class Solver;

  const Program& program_;
  const Constants& constants_;
  IntegerAssumptions assumptions_;
  mutable std::unique_ptr<Solver> solver_;  ///< made for the first value that is no constant
};

}  // namespace pto
