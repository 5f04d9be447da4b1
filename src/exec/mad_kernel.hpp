// The inner product both the tile level (tmatmul) and the micro level (mad) run on.
//
// Every output is one chain: the accumulator is C's initial value and k runs in order, one fma each. The
// kernels vectorise across outputs only, so the result does not depend on the host's vector width.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::exec {

/// Row-major operands: A[m][k] with `lda` elements from row to row, B[k][n], C[m][n].
struct Gemm {
  size_t m = 0, n = 0, k = 0;
  size_t lda = 0, ldb = 0, ldc = 0;
};

/// C += A * B in f32, one fused multiply-add per step.
void gemm_f32(const Gemm& shape, const float* a, const float* b, float* c);
/// C += A * B in i32, wrapping modulo 2^32. The inputs are integers of 16 bits or less, widened.
void gemm_i32(const Gemm& shape, const int32_t* a, const int32_t* b, int32_t* c);
/// C = round_f32(C + (f64) A * B) per step: for products that f32 does not hold exactly (scaled formats).
void gemm_f64_product(const Gemm& shape, const double* a, const double* b, float* c);

}  // namespace pto::exec
