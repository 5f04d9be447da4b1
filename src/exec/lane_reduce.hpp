// Reductions over the lanes of a vector register: the vector instructions vcadd, vcmax, .. and the tile
// instructions made of them. Order of a sum: a binary tree over neighbouring lanes, ((l0+l1)+(l2+l3))+..,
// rounded to the lane's format at every node.
#pragma once

#include <limits>
#include <span>

#include "exec/vector/lanes.hpp"

namespace pto::exec::vec {

/// A value of compute type T rounded to the lane's format. Selects only, so that loops over lanes vectorise.
template <typename T>
Compute<T> round_to_lane(Compute<T> value) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>)
    return num::rounded(kElem<T>, value);
  else
    return value;
}

/// kCount values rounded to the lane's format: by the bulk conversions where they are worth a call.
template <typename T, unsigned kCount>
void round_to_lanes(std::array<Compute<T>, kCount>& values) {
  if constexpr (std::is_same_v<T, F16> && kCount >= 8) {
    std::array<uint16_t, kCount> bits;
    num::f32_to_f16(values, bits.data());
    num::f16_to_f32(bits, values.data());
  } else {
    for (Compute<T>& value : values) value = round_to_lane<T>(value);
  }
}

/// Tree sums of groups of kGroup (a power of two) out of kCount values. The extents are constants so that
/// every level unrolls, and no level overwrites its input so that it vectorises.
template <typename T, unsigned kCount = kLanes<T>, unsigned kGroup = kLanes<T>>
std::array<Compute<T>, kCount / kGroup> tree_sums(const Compute<T>* values) {
  std::array<Compute<T>, kCount / 2> half;
  for (unsigned i = 0; i < kCount / 2; ++i) {
    if constexpr (kIsFloat<T>)
      half[i] = Add::f(values[2 * i], values[2 * i + 1]);
    else
      half[i] = Add::i(values[2 * i], values[2 * i + 1]);
  }
  round_to_lanes<T, kCount / 2>(half);
  if constexpr (kGroup > 2) {
    return tree_sums<T, kCount / 2, kGroup / 2>(half.data());
  } else {
    for (Compute<T>& value : half) value = canonical(value);
    return half;
  }
}

/// The value of an inactive lane in a maximum or minimum.
template <typename T, bool kMax>
constexpr T neutral() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return kMax ? -Limits::infinity() : Limits::infinity();
  else
    return kMax ? Limits::lowest() : Limits::max();
}

template <typename T>
struct Extremum {
  T value;   ///< NaN left out
  bool nan;  ///< there was one
};
/// Several chains at once: the loop vectorises.
template <typename T, bool kMax>
Extremum<T> extremum_of_numbers(const T* values, unsigned n) {
  constexpr unsigned kChains = 8;
  const auto better = [](T a, T b) { return (kMax ? a > b : a < b) ? a : b; };
  std::array<T, kChains> best;
  std::array<bool, kChains> nan{};
  best.fill(neutral<T, kMax>());
  unsigned i = 0;
  for (; i + kChains <= n; i += kChains) {
    for (unsigned j = 0; j < kChains; ++j) {
      best[j] = better(values[i + j], best[j]);
      nan[j] |= values[i + j] != values[i + j];
    }
  }
  for (; i < n; ++i) {
    best[0] = better(values[i], best[0]);
    nan[0] |= values[i] != values[i];
  }
  for (unsigned j = 1; j < kChains; ++j) {
    best[0] = better(best[j], best[0]);
    nan[0] |= nan[j];
  }
  return {best[0], nan[0]};
}

/// Index of the first extremum of values[0, n). A NaN beats every number, the first NaN beats the later ones.
template <typename T, bool kMax>
unsigned extremum(const T* values, unsigned n) {
  const Extremum<T> best = extremum_of_numbers<T, kMax>(values, n);
  unsigned i = 0;
  if (best.nan)
    while (values[i] == values[i]) ++i;
  else
    while (values[i] != best.value) ++i;
  return i;
}

/// The value there. Only of equal zeros does it matter which is the first.
template <typename T, bool kMax>
T extremum_value(const T* values, unsigned n) {
  const Extremum<T> best = extremum_of_numbers<T, kMax>(values, n);
  if (best.nan) return std::numeric_limits<T>::quiet_NaN();
  return best.value == 0 ? values[extremum<T, kMax>(values, n)] : best.value;
}

}  // namespace pto::exec::vec
