// Layout of the cube's operand memories: 512-byte fractals of 16 rows by 32 bytes.
//
// L0A: fractal (m1, k1) at (k1 * M1 + m1) * 512, row-major inside. L0B: fractal (k1, n1) at (k1 * N1 + n1) *
// 512, column-major inside (16 columns of 32 bytes). L0C: 16 columns per block, block n1 holds all rows. An
// L1 matrix in NZ has its 32-byte column blocks outermost. Facts: docs/reference/numerics.md, section
// "Cube".
#pragma once

#include <cstdint>

#include "isa/mx_scales.hpp"
#include "pto/machine.hpp"
#include "pto/type.hpp"
#include "support/rounding.hpp"

namespace pto::exec::cube_layout {

using isa::kMxGroup, isa::mx_address, isa::value_bits;

inline constexpr uint64_t kFractal = 512, kRowBytes = 32, kRows = 16;

/// Values per 32-byte row.
inline uint64_t values_per_row(Elem elem) { return kRowBytes * 8 / value_bits(elem); }

/// MX scales: one byte per row (column) and 32 values of K, in 32-byte fragments of 16 rows (columns) by 2
/// groups, fragments of one row block one after the other.
inline constexpr uint64_t kMxFragment = 32;
/// Fragments per row block.
constexpr uint64_t mx_fragments(uint64_t k) { return ceil_div(k, 2 * kMxGroup); }

/// FB pointers: the pre-quantisation table starts at 0, the ReLU table at 0x10000; both share the physical
/// buffer.
inline uint64_t fb_address(uint64_t pointer, const Machine& machine) {
  constexpr uint64_t kReluTable = 0x10000;
  if (pointer < kReluTable) return pointer;
  return machine.bytes[static_cast<size_t>(Space::fb)] / 2 + (pointer - kReluTable);
}

}  // namespace pto::exec::cube_layout
