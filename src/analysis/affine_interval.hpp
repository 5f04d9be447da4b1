// Numbers of a program as far as they are known before it runs: a range, and how it moves with one number
// that is still to be chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "pto/program.hpp"

namespace pto::driver {

inline constexpr uint32_t kNoSource = ~0u;
inline constexpr int64_t kFar = int64_t{1} << 62;  ///< numbers stay between -kFar and kFar

/// slope * S + [low, high], where S is the number of `source`; without a source just the range.
struct Range {
  bool known = false;
  int64_t low = 0, high = 0;
  uint32_t source = kNoSource;
  double slope = 0;

  static Range exactly(int64_t number) { return between(number, number); }
  static Range between(int64_t low, int64_t high);
  static Range of_source(uint32_t source) { return {true, 0, 0, source, 1}; }
  [[nodiscard]] bool open() const { return known && source != kNoSource; }
  [[nodiscard]] bool fixed() const { return known && source == kNoSource; }
  [[nodiscard]] std::optional<int64_t> number() const {
    return fixed() && low == high ? std::optional(low) : std::nullopt;
  }
  bool operator==(const Range&) const = default;
};

/// What the operation gives; unknown when nothing can be said.
Range evaluate(const OpView& op, const std::array<Range, 3>& operands);
/// Holds what either holds.
Range join(const Range& a, const Range& b);
Range add(const Range& a, const Range& b);
Range multiply(const Range& a, const Range& b);
/// The smallest choice for the source with which even the least number of the range is `target`; nothing when
/// the range does not grow with it.
std::optional<int64_t> choice_for_least(const Range& range, int64_t target);
/// The largest choice with which no number of the range is over `limit`.
std::optional<int64_t> choice_for_most(const Range& range, int64_t limit);

}  // namespace pto::driver
