// Pad values of tiles.
#pragma once

#include "exec/tile/rows.hpp"

namespace pto::exec {

/// Bits of a pad value (0 null, 1 zero, 2 max, 3 min): infinities where the format has them, else the range's
/// end.
inline uint64_t pad_bits(Elem elem, int pad) {
  if (pad != 2 && pad != 3) return 0;
  const double infinity = pad == 2 ? HUGE_VAL : -HUGE_VAL;
  const bool has_infinity = elem == Elem::f16 || elem == Elem::bf16 || elem == Elem::f32 ||
                            elem == Elem::f8e5m2 || elem == Elem::hif8;
  return num::from_f64(elem, infinity, num::Round::rint,
                       has_infinity ? num::Overflow::ieee : num::Overflow::saturate);
}

/// Every element of a granted tile.
inline void fill(const Tile& tile, uint64_t bits) {
  with_bits(tile.size(), [&](auto zero) {
    using T = decltype(zero);
    std::array<T, kChunk> buffer;
    buffer.fill(static_cast<T>(bits));
    for_chunks(tile, [&](uint64_t row, uint64_t col, uint64_t n) {
      T* const to = tile.write(row, col, buffer.data());
      if (to != buffer.data()) std::fill(to, to + n, static_cast<T>(bits));
      tile.written(row, col, n, buffer.data());
    });
  });
}

}  // namespace pto::exec
