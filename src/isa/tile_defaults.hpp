// Defaults of tile types for keys that the text leaves out, and the accepted values.
#pragma once

#include <cstdint>

#include "isa/memory_spaces.hpp"
#include "pto/type.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto {

/// The boxes of the accumulator are 16x16 for every element type.
constexpr uint16_t default_fractal(Space space) { return space == Space::l0c ? 1024 : 512; }

/// One of the tiles of a multi_tile.
inline Type slot_type(Type multi_tile) {
  multi_tile.kind = TypeKind::tile_buf;
  multi_tile.dims[2] = 0;
  return multi_tile;
}

/// The bytes a tile takes in its memory, or all slots of a multi_tile: the cube writes whole boxes of the
/// accumulator, however few rows it has.
inline uint64_t occupied_bytes(const Type& tile) {
  if (tile.kind == TypeKind::multi_tile)
    return sat_mul(isa::slot_stride(tile), static_cast<uint64_t>(tile.dims[2] - 1)) +
           occupied_bytes(slot_type(tile));
  if (tile.space != Space::l0c || tile.rows() <= 0) return tile_bytes(tile);
  const uint64_t rows = static_cast<uint64_t>(tile.rows()),
                 high = static_cast<uint64_t>(inner_box(tile).rows);
  return sat_mul(tile_bytes(tile) / rows, round_up(rows, high));
}

}  // namespace pto
