// The least and the greatest number that a value of the program can be, and what follows from them: whether
// arithmetic stays within its type, so that it is the arithmetic of whole numbers.
//
//   %i = 0 to 300           [0, 299]
//   %j = muli %i, 4 : i16   [0, 1196]: stays within i16
//   %k = trunci %j to i8    [-128, 127]: 1196 does not fit, so it wraps
//
// Numbers of 64 bits are taken not to wrap: the offset of an access in a buffer has far fewer.
#pragma once

#include <cstdint>
#include <map>

#include "analysis/constant_folding.hpp"

namespace pto::planner {

/// All numbers from `low` to `high`.
struct Interval {
  int64_t low = INT64_MIN, high = INT64_MAX;
  [[nodiscard]] bool holds(const Interval& other) const { return low <= other.low && other.high <= high; }
};

/// Every number of a type.
Interval numbers_of(const Type& type);

class IntervalAnalysis {
 public:
  IntervalAnalysis(const Program& program, const Constants& constants);
  [[nodiscard]] Interval interval_of(ValueId value, unsigned depth = 0) const;
  /// Whether a sum, difference, product, shift or cast never leaves the type of its result.
  [[nodiscard]] bool exact(const OpView& op, unsigned depth = 0) const;
  /// The loop whose induction variable a value is, or kNoOp.
  [[nodiscard]] uint32_t loop_of(ValueId value) const;

 private:
  using Wide = __int128;
  struct WideInterval {
    Wide low = 0, high = 0;
  };
  [[nodiscard]] Interval compute(ValueId value, unsigned depth) const;
  [[nodiscard]] WideInterval unbounded(const OpView& op, unsigned depth) const;
  [[nodiscard]] Interval remainder(const OpView& op, unsigned depth) const;

  const Program& program_;
  const Constants& constants_;
  std::map<ValueId, uint32_t> loop_of_;
  mutable std::map<ValueId, Interval> known_;
};

}  // namespace pto::planner
