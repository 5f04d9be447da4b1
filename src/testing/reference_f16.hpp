// A reference implementation of f16 for tests, by exact arithmetic in f64.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pto {

/// The nearest f16, ties to even; what is beyond the range is infinite.
inline uint16_t half_of(double value) {
  constexpr double kBeyond = 65520;
  constexpr int kFraction = 10, kMin = -14;
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::abs(value);
  if (size >= kBeyond) return static_cast<uint16_t>(sign | 0x7c00);
  const int exponent = size == 0 ? kMin : std::max(std::ilogb(size), kMin);
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, kFraction - exponent)));
  return static_cast<uint16_t>(sign | ((static_cast<uint32_t>(exponent - kMin) << kFraction) + steps));
}

}  // namespace pto
