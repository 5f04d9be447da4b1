// Reductions over the lanes of a vector register: the vector instructions vcadd, vcmax, .. and the tile instructions made
// of them. Order of a sum: a binary tree over neighbouring lanes, ((l0+l1)+(l2+l3))+.., rounded to the lane's format at
// every node.
#pragma once

#include <limits>
#include <span>

#include "exec/vector_lanes.hpp"

namespace pto::exec::vec {

/// Rounds `n` f32 values to the lane's format.
template <typename T>
void round_to_lanes(Compute<T>* values, unsigned n) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    std::array<uint16_t, kLanes<T>> bits;
    const std::span<const float> from(values, n);
    if constexpr (std::is_same_v<T, F16>) {
      num::f32_to_f16(from, bits.data());
      num::f16_to_f32(std::span<const uint16_t>(bits.data(), n), values);
    } else {
      num::f32_to_bf16(from, bits.data());
      num::bf16_to_f32(std::span<const uint16_t>(bits.data(), n), values);
    }
  }
}

/// Sums of neighbours: n values become n/2, in place. A NaN is the host's: the caller makes it canonical.
template <typename T>
void add_neighbours(Compute<T>* values, unsigned n) {
  for (unsigned i = 0; i < n / 2; ++i) {
    if constexpr (kIsFloat<T>)
      values[i] = Add::f(values[2 * i], values[2 * i + 1]);
    else
      values[i] = Add::i(values[2 * i], values[2 * i + 1]);
  }
  round_to_lanes<T>(values, n / 2);
}

/// Tree sums of groups of `group` (a power of two) out of `n` values, left in values[0, n / group).
template <typename T>
void tree_sums(Compute<T>* values, unsigned n, unsigned group) {
  for (; group > 1; group /= 2, n /= 2) add_neighbours<T>(values, n);
  for (unsigned i = 0; i < n; ++i) values[i] = canonical(values[i]);
}

/// What an inactive lane counts as in a maximum or minimum.
template <typename T, bool kMax>
constexpr T neutral() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return kMax ? -Limits::infinity() : Limits::infinity();
  else
    return kMax ? Limits::lowest() : Limits::max();
}

/// The extremum of values[0, n), NaN left out. Several chains at once: the loop vectorises.
template <typename T, bool kMax>
T extremum_of_numbers(const T* values, unsigned n) {
  constexpr unsigned kChains = 8;
  const auto better = [](T a, T b) { return (kMax ? a > b : a < b) ? a : b; };
  std::array<T, kChains> best;
  best.fill(neutral<T, kMax>());
  unsigned i = 0;
  for (; i + kChains <= n; i += kChains) {
    for (unsigned j = 0; j < kChains; ++j) best[j] = better(values[i + j], best[j]);
  }
  for (; i < n; ++i) best[0] = better(values[i], best[0]);
  for (unsigned j = 1; j < kChains; ++j) best[0] = better(best[j], best[0]);
  return best[0];
}

/// Index of the first extremum of values[0, n). A NaN beats every number, the first NaN beats the later ones.
template <typename T, bool kMax>
unsigned extremum(const T* values, unsigned n) {
  const T best = extremum_of_numbers<T, kMax>(values, n);
  unsigned nan = 0;
  for (unsigned i = 0; i < n; ++i) nan |= values[i] != values[i] ? 1U : 0U;
  unsigned i = 0;
  if (nan != 0)
    while (values[i] == values[i]) ++i;
  else
    while (values[i] != best) ++i;
  return i;
}

}  // namespace pto::exec::vec
