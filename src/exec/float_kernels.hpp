// Rows of f32 at a time, compiled once per instruction set and chosen at run time. Every result is that of
// the scalar operation of lane_ops.hpp, every NaN the canonical one, on every host. `to` may be one of the
// operands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pto/type.hpp"

namespace pto::exec::kernel {

void add(const float* a, const float* b, float* to, size_t n);
void sub(const float* a, const float* b, float* to, size_t n);
void mul(const float* a, const float* b, float* to, size_t n);
void div(const float* a, const float* b, float* to, size_t n);
/// A NaN operand gives NaN, +0 is above -0.
void max(const float* a, const float* b, float* to, size_t n);
void min(const float* a, const float* b, float* to, size_t n);
/// The maximum with +0.
void rectify(const float* a, float* to, size_t n);

/// to[i] = a[i] * b[i] + c[i] rounded once to `elem` (f32, f16 or bf16). The 16-bit formats are given and
/// taken as f32 whose rounding to the format gives that result.
void multiply_add(Elem elem, const float* a, const float* b, const float* c, float* to, size_t n);

/// Saturation of 16-bit floats that were rounded without: infinity becomes the largest number, NaN 0.
void saturate(Elem elem, uint16_t* bits, size_t n);

}  // namespace pto::exec::kernel
