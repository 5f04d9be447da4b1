#include "timing/tile_elementwise.hpp"

namespace pto::timing {

namespace {

constexpr uint64_t kRepeatBytes = 256;

uint64_t conflicts_of(const VectorInstr& instr, const RepeatAccess& a, const RepeatAccess* b,
                      uint64_t repeats, const VectorTimeline& time) {
  if (instr.conflict == 0 || !b) return 0;
  return bank_conflicts(time.config().banks, a, *b, repeats);
}

/// Whole repeats one after the other from the given byte offsets.
void consecutive(const VectorInstr& instr, uint64_t a, const uint64_t* b, uint64_t repeats,
                 VectorTimeline& time) {
  const RepeatAccess first{a, kRepeatBytes, kRepeatBytes};
  const RepeatAccess second{b ? *b : 0, kRepeatBytes, kRepeatBytes};
  time.issue(instr, repeats, conflicts_of(instr, first, b ? &second : nullptr, repeats, time));
}

/// The whole valid region as one run of memory.
void walk_contiguous(const VectorInstr& instr, const TileView& a, const TileView* b, bool count_mode,
                     VectorTimeline& time) {
  const uint64_t count = uint64_t{a.rows} * a.cols;
  const uint64_t per_repeat = lanes(a.elem_bytes);
  const uint64_t whole = count / per_repeat;
  const uint64_t tail = count % per_repeat;
  const uint64_t* second = b ? &b->addr : nullptr;
  if (count_mode) {
    time.region(kCountMode);
    return consecutive(instr, a.addr, second, whole + (tail != 0), time);
  }
  if (whole > 0) consecutive(instr, a.addr, second, whole, time);
  if (tail == 0) return;
  if (whole == 0) time.region(kUnderMask);  // behind whole repeats the mask is written while they run
  const RepeatAccess rest{a.addr + whole * kRepeatBytes, 0, tail * a.elem_bytes};
  const RepeatAccess other{b ? b->addr + whole * kRepeatBytes : 0, 0, tail * a.elem_bytes};
  time.issue(instr, 1, conflicts_of(instr, rest, b ? &other : nullptr, 1, time));
}

/// One instruction per row.
void walk_by_row(const VectorInstr& instr, const TileView& a, const TileView* b, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(a.cols, lanes(a.elem_bytes));
  if (a.cols % lanes(a.elem_bytes) != 0) time.region(kCountMode);
  for (uint64_t row = 0; row < a.rows; ++row) {
    const uint64_t second = b ? b->addr + row * b->pitch() : 0;
    consecutive(instr, a.addr + row * a.pitch(), b ? &second : nullptr, repeats, time);
  }
}

}  // namespace

void walk_rows_as_repeats(const VectorInstr& instr, const TileView& a, const TileView* b, uint64_t b_pitch,
                          VectorTimeline& time) {
  const uint64_t per_repeat = lanes(a.elem_bytes);
  const uint64_t chunks = ceil_div(a.cols, per_repeat);
  const uint64_t limit = time.config().max_repeats;
  if (a.cols % per_repeat != 0) time.region(kUnderMask);
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const uint64_t offset = chunk * kRepeatBytes;
    const uint64_t bytes = std::min(kRepeatBytes, a.row_bytes() - offset);
    for (uint64_t row = 0; row < a.rows; row += limit) {
      const uint64_t repeats = std::min<uint64_t>(limit, a.rows - row);
      const RepeatAccess first{a.addr + offset + row * a.pitch(), a.pitch(), bytes};
      const RepeatAccess second{b ? b->addr + offset + row * b_pitch : 0, b_pitch, bytes};
      time.issue(instr, repeats, conflicts_of(instr, first, b ? &second : nullptr, repeats, time));
    }
  }
}

void walk(const VectorInstr& instr, const TileView& dst, const TileView& a, const TileView* b,
          WalkStyle style, VectorTimeline& time) {
  if (dst.rows == 0 || dst.cols == 0) return;
  const uint64_t per_repeat = lanes(dst.elem_bytes);
  const uint64_t limit = time.config().max_repeats;
  // The destination's valid region is what is processed; sources lend addresses and pitches.
  TileView first = a;
  TileView second = b ? *b : TileView{};
  first.rows = second.rows = dst.rows;
  first.cols = second.cols = dst.cols;
  first.elem_bytes = second.elem_bytes = dst.elem_bytes;
  const TileView* other = b ? &second : nullptr;

  if (style.masked_small && dst.stored_cols < per_repeat && dst.stored_rows <= limit) {
    return walk_rows_as_repeats(instr, first, other, second.pitch(), time);
  }
  const bool known =
      !style.fixed_only || (dst.fixed && a.fixed) || (dst.stored_rows == 1 && a.stored_rows == 1);
  if (known && dst.contiguous() && first.contiguous() && (!b || second.contiguous())) {
    const uint64_t repeats = ceil_div(uint64_t{dst.rows} * dst.cols, per_repeat);
    const bool aligned = dst.cols <= per_repeat || dst.cols % per_repeat == 0;
    return walk_contiguous(instr, first, other, repeats > limit || (!aligned && style.count_unaligned), time);
  }
  const uint64_t chunks = dst.stored_cols / per_repeat;
  if ((chunks > 1 && dst.stored_rows * chunks < 4) || dst.stored_rows < chunks + 1 ||
      (dst.stored_rows > limit && dst.cols >= per_repeat)) {
    return walk_by_row(instr, first, other, time);
  }
  walk_rows_as_repeats(instr, first, other, second.pitch(), time);
}

}  // namespace pto::timing
