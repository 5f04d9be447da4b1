// How A2/A3 tile operations walk a tile with one vector instruction: the paths of the public binary,
// binary-scalar and unary tile templates (docs/timing.md, "Walks").
#pragma once

#include "support/rounding.hpp"
#include "timing/tile_model.hpp"

namespace pto::timing {

/// Where the templates differ.
struct WalkStyle {
  bool masked_small = false;  ///< tiles narrower than a repeat go row by row under a mask, contiguous or not
  bool fixed_only = false;    ///< contiguous only where the tiles' types say so; `valid=?x?` goes by row
  bool count_unaligned =
      true;  ///< contiguous tiles with c > E, c % E != 0 use count mode; else a masked tail
};
inline constexpr WalkStyle kBinaryWalk = {true, false, true};
inline constexpr WalkStyle kScalarWalk = {false, true, true};
inline constexpr WalkStyle kSpreadWalk = {false, false, true};
inline constexpr WalkStyle kUnaryWalk = {false, false, false};

/// One instruction over the destination's valid region. Sources that are read; `b` may be null.
void walk(const VectorInstr& instr, const TileView& dst, const TileView& a, const TileView* b,
          WalkStyle style, VectorTimeline& time);

/// Row r of the tile is repeat r, in column chunks of one repeat; b may have pitch 0 (broadcast).
void walk_rows_as_repeats(const VectorInstr& instr, const TileView& a, const TileView* b, uint64_t b_pitch,
                          VectorTimeline& time);

/// Elements one repeat processes.
inline uint32_t lanes(uint32_t elem_bytes) { return 256 / elem_bytes; }

}  // namespace pto::timing
