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
inline constexpr int64_t kMaxMagnitude = int64_t{1}
                                         << 62;  ///< values are between -kMaxMagnitude and kMaxMagnitude

/// slope * S + [low, high], where S is the number of `source`; without a source just the range.
struct AffineInterval {
  bool known = false;
  int64_t low = 0, high = 0;
  uint32_t source = kNoSource;
  double slope = 0;

  static AffineInterval constant(int64_t number) { return between(number, number); }
  static AffineInterval between(int64_t low, int64_t high);
  static AffineInterval of_source(uint32_t source) { return {true, 0, 0, source, 1}; }
  [[nodiscard]] bool has_source() const { return known && source != kNoSource; }
  [[nodiscard]] bool is_concrete() const { return known && source == kNoSource; }
  [[nodiscard]] std::optional<int64_t> constant_value() const {
    return is_concrete() && low == high ? std::optional(low) : std::nullopt;
  }
  bool operator==(const AffineInterval&) const = default;
};

/// What the operation gives; unknown when nothing can be said.
AffineInterval evaluate(const OpView& op, const std::array<AffineInterval, 3>& operands);
/// Holds what either holds.
AffineInterval join(const AffineInterval& a, const AffineInterval& b);
AffineInterval add(const AffineInterval& a, const AffineInterval& b);
AffineInterval multiply(const AffineInterval& a, const AffineInterval& b);
/// The smallest choice for the source with which even the least number of the range is `target`; nothing when
/// the range does not grow with it.
std::optional<int64_t> source_for_low(const AffineInterval& range, int64_t target);
/// The largest choice with which no number of the range is over `limit`.
std::optional<int64_t> source_for_high(const AffineInterval& range, int64_t limit);

}  // namespace pto::driver
