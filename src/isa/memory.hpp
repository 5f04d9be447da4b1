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

/// Bytes from one slot of a multi_tile to the next: a tile, up to the next address that may hold one.
uint64_t slot_stride(const Type& multi_tile);

}  // namespace pto::isa
