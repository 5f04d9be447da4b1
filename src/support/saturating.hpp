// Saturating sums and products: a result that does not fit is the end of its range.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace pto {

template <std::integral T>
constexpr T sat_add(T a, T b) {
  T sum{};
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <std::integral T>
constexpr T sat_mul(T a, T b) {
  T product{};
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

/// |a|, where the least number has the greatest one.
constexpr int64_t magnitude(int64_t a) {
  return a == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max() : a < 0 ? -a : a;
}

}  // namespace pto
