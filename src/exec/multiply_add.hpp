// a * b + c with one rounding, for rows of elements.
#pragma once

#include <cstddef>

#include "pto/type.hpp"

namespace pto::exec {

/// to[i] = a[i] * b[i] + c[i] rounded once to `elem` (f32, f16 or bf16). The 16-bit formats are given and taken as f32 whose
/// rounding to the format gives that result. NaN results are whatever the host makes of them.
void multiply_add(Elem elem, const float* a, const float* b, const float* c, float* to, size_t n);

}  // namespace pto::exec
