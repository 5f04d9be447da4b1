// Address arithmetic of program operands. Addresses do not wrap: one that overflows 64 bits is out
// of bounds.
#pragma once

#include <cstdint>

namespace pto::exec {

/// No memory has it, and moving on from it leads nowhere.
inline constexpr uint64_t kNowhere = uint64_t{1} << 63;

/// The address `count` steps of `step` bytes on. An address before 0 is negative; a pointer may pass through
/// it.
constexpr uint64_t moved(uint64_t addr, int64_t count, int64_t step = 1) {
  int64_t bytes = 0, end = 0;
  if (addr == kNowhere || __builtin_mul_overflow(count, step, &bytes) ||
      __builtin_add_overflow(static_cast<int64_t>(addr), bytes, &end))
    return kNowhere;
  return static_cast<uint64_t>(end);
}

/// The same within a tile, all of which lies behind its first byte: when that is negative, so is the rest.
constexpr uint64_t within(uint64_t tile, int64_t count, int64_t step = 1) {
  return static_cast<int64_t>(tile) < 0 ? tile : moved(tile, count, step);
}

}  // namespace pto::exec
