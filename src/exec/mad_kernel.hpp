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
  uint64_t m = 0, n = 0, k = 0;
  uint64_t lda = 0, ldb = 0, ldc = 0;
};

/// C += A * B in f32, one fused multiply-add per step.
void gemm_f32(const Gemm& shape, const float* a, const float* b, float* c);
/// Operands as the cube keeps them: A[m][k] is row-major; B and C are blocks of 16 columns, B[n / 16][k][16]
/// and rows of C `c_row` elements apart, blocks `c_block`.
struct BlockGemm {
  static constexpr size_t kColumns = 16;
  uint64_t m = 0, n = 0, k = 0;  ///< n: a multiple of 16
  size_t c_row = 0, c_block = 0;
  bool from_zero = false;  ///< C's values do not matter
};
/// C += A * B as above; every NaN in C is the canonical one.
void gemm_f32_blocks(const BlockGemm& shape, const float* a, const float* b, float* c);
/// C += A * B in i32, wrapping modulo 2^32. The inputs are integers of 16 bits or less, widened.
void gemm_i32(const Gemm& shape, const int32_t* a, const int32_t* b, int32_t* c);
/// C = round_f32(C + (f64) A * B) per step: for products that f32 does not hold exactly (scaled formats).
void gemm_f64_product(const Gemm& shape, const double* a, const double* b, float* c);

}  // namespace pto::exec
