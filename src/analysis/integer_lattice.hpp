// The lattice of integers: a least and a greatest value, and a residue modulo a step. Each half
// makes the other more precise (reduced product; Cousot, Cousot 1979; Granger 1989).
//
//   %i = 0 to 300 step 4    [0, 296], 0 modulo 4
//   %j = muli %i, 4 : i16   [0, 1184], 0 modulo 16: stays within i16
//   %k = trunci %j to i8    [-128, 112], 0 modulo 16: 1184 does not fit, so it wraps modulo 256
//   %l = andi %k, 24        [0, 16], 0 modulo 16
//
// A residue modulo 2^k is the value of the k lowest bits. A residue modulo n is the slot of a
// buffer of n parts. A residue of 0 modulo n is a multiple of n.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/constant_folding.hpp"

namespace pto {

/// All integers from `low` to `high`.
struct Interval {
  int64_t low = INT64_MIN, high = INT64_MAX;
  [[nodiscard]] bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
  [[nodiscard]] bool is_single() const { return low == high; }
  bool operator==(const Interval&) const = default;
};
/// Every value of a type. True of i1 is 1.
Interval range_of(const Type& type);

/// All integers at + n * step with 0 <= at < step. With a step of 0 `at` itself, with 1 every
/// integer.
struct Congruence {
  int64_t at = 0;
  uint64_t step = 1;

  [[nodiscard]] bool is_constant() const { return step == 0; }
  [[nodiscard]] bool is_unknown() const { return step == 1; }
  /// The residue modulo `modulus`; nothing where it is not the same for all.
  [[nodiscard]] std::optional<uint64_t> residue(uint64_t modulus) const;
  [[nodiscard]] bool is_multiple_of(uint64_t unit) const { return residue(unit) == uint64_t{0}; }
  /// No integer of them is a multiple.
  [[nodiscard]] bool is_never_multiple_of(uint64_t unit) const;
  bool operator==(const Congruence&) const = default;
};
/// As integers without a width. A step too great for 64 bits becomes its greatest power of two.
Congruence sum(const Congruence& a, const Congruence& b);
Congruence difference(const Congruence& a, const Congruence& b);
Congruence product(const Congruence& a, const Congruence& b);
Congruence join(const Congruence& a, const Congruence& b);

struct IntegerFact {
  Interval interval;
  Congruence congruence;

  static IntegerFact constant(int64_t value) { return {{value, value}, {value, 0}}; }
  /// What both halves say.
  static IntegerFact reduced(const Interval& interval, const Congruence& congruence);
  static IntegerFact top(const Type& type) { return {range_of(type), {}}; }
  [[nodiscard]] Number value() const { return interval.is_single() ? Number(interval.low) : std::nullopt; }
  bool operator==(const IntegerFact&) const = default;
};
IntegerFact join(const IntegerFact& a, const IntegerFact& b);
/// Gives up a bound that has moved.
IntegerFact widen(const IntegerFact& before, const IntegerFact& after, const Type& type);
/// The counter of a loop in any iteration.
IntegerFact counter_fact(const IntegerFact& lower, const IntegerFact& upper, const IntegerFact& step);

/// Whether sums, differences, products and left shifts of 64 bits may leave them. An offset in a
/// buffer has far fewer bits, so only a diagnostic has to expect it.
enum class Overflow64 : uint8_t { never, wraps };

/// The transfer function of the integer operations; `operands` are those of the operation, in
/// order.
IntegerFact transfer(const Arithmetic& how, std::span<const IntegerFact> operands, Overflow64 overflow);
/// Whether a sum, difference, product, left shift or cast gives the integer that it stands for, in
/// its type.
bool is_exact(const Arithmetic& how, std::span<const IntegerFact> operands);

}  // namespace pto
