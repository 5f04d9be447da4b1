// On-chip memory of each target: the verifier's, and the simulator's where a configuration does not
// say otherwise.
#pragma once

#include <cstdint>

#include "pto/type.hpp"

namespace pto::isa {

/// Bytes of one core's memory; 0 for gm (not limited here). cpu: the larger of both chips.
uint64_t on_chip_bytes(Target target, Space space);
/// Alignment of tile base addresses in bytes: a block, in L0 a fractal.
inline constexpr uint32_t kTileAlignment = 32, kL0Alignment = 512;
inline uint32_t tile_alignment(Space space) {
  return space == Space::l0a || space == Space::l0b || space == Space::l0c ? kL0Alignment : kTileAlignment;
}

/// Where a tile lies. Scales of MX operands (f8E8M0 in scaling) lie in memories of the cube's operands: those
/// by rows in the left one's, those by columns in the right one's.
inline Space storage_space(const Type& tile) {
  if (!tile.is_tile() || tile.space != Space::fb || tile.elem != Elem::f8e8m0) return tile.space;
  return tile.slayout == SLayout::col_major ? Space::l0b_mx : Space::l0a_mx;
}

/// Bytes from one slot of a multi_tile to the next: a tile, up to the next address that may hold one.
uint64_t slot_stride(const Type& multi_tile);

}  // namespace pto::isa
