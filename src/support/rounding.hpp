// Divisions and multiples that round up.
#pragma once

#include <concepts>
#include <type_traits>

namespace pto {

template <std::integral A, std::integral B>
constexpr std::common_type_t<A, B> ceil_div(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return (static_cast<Common>(a) + static_cast<Common>(b) - 1) / static_cast<Common>(b);
}

/// The least multiple of `unit` that is not below `value`.
template <std::integral A, std::integral B>
constexpr std::common_type_t<A, B> round_up(A value, B unit) {
  return ceil_div(value, unit) * static_cast<std::common_type_t<A, B>>(unit);
}

}  // namespace pto
