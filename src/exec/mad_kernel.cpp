#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/mad_kernel.cpp"
#include "exec/mad_kernel.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace pto::exec {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vector targets without a fused multiply-add would round twice: they use std::fma.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SSSE3 || \
    HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_WASM
constexpr bool kFused = false;
#else
constexpr bool kFused = true;
#endif

/// One column tail (or everything, without fma): plain scalar chains.
void columns_scalar(const Gemm& s, const float* a, const float* b, float* c, size_t first) {
  for (size_t i = 0; i < s.m; ++i) {
    for (size_t j = first; j < s.n; ++j) {
      float sum = c[i * s.ldc + j];
      for (size_t k = 0; k < s.k; ++k) sum = std::fma(a[i * s.lda + k], b[k * s.ldb + j], sum);
      c[i * s.ldc + j] = sum;
    }
  }
}

template <size_t kRows, size_t kVectors, class D>
void block(D d, size_t depth, size_t lda, size_t ldb, size_t ldc, const float* a, const float* b, float* c) {
  using V = hn::Vec<D>;
  const size_t lanes = hn::Lanes(d);
  V sum[kRows][kVectors];
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kVectors; ++j) sum[i][j] = hn::LoadU(d, c + i * ldc + j * lanes);
  }
  for (size_t k = 0; k < depth; ++k) {
    V right[kVectors];
    for (size_t j = 0; j < kVectors; ++j) right[j] = hn::LoadU(d, b + k * ldb + j * lanes);
    for (size_t i = 0; i < kRows; ++i) {
      const V left = hn::Set(d, a[i * lda + k]);
      for (size_t j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(left, right[j], sum[i][j]);
    }
  }
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kVectors; ++j) hn::StoreU(sum[i][j], d, c + i * ldc + j * lanes);
  }
}

template <size_t kVectors, class D>
void column_panel(D d, const Gemm& s, const float* a, const float* b, float* c) {
  constexpr size_t kRows = 4;
  size_t i = 0;
  for (; i + kRows <= s.m; i += kRows)
    block<kRows, kVectors>(d, s.k, s.lda, s.ldb, s.ldc, a + i * s.lda, b, c + i * s.ldc);
  for (; i < s.m; ++i) block<1, kVectors>(d, s.k, s.lda, s.ldb, s.ldc, a + i * s.lda, b, c + i * s.ldc);
}

void gemm_f32(const Gemm& s, const float* a, const float* b, float* c) {
  if constexpr (!kFused) {
    columns_scalar(s, a, b, c, 0);
  } else {
    const hn::ScalableTag<float> d;
    const size_t lanes = hn::Lanes(d);
    size_t j = 0;
    for (; j + 2 * lanes <= s.n; j += 2 * lanes) column_panel<2>(d, s, a, b + j, c + j);
    for (; j + lanes <= s.n; j += lanes) column_panel<1>(d, s, a, b + j, c + j);
    if (j < s.n) columns_scalar(s, a, b, c, j);
  }
}

// ---- blocks of 16 columns

void blocks_scalar(const BlockGemm& s, const float* a, const float* b, float* c) {
  constexpr size_t kWide = BlockGemm::kColumns;
  for (size_t i = 0; i < s.m; ++i) {
    for (size_t j = 0; j < s.n; ++j) {
      float& to = c[i * s.c_row + j / kWide * s.c_block + j % kWide];
      const float* const right = b + j / kWide * s.k * kWide + j % kWide;
      float sum = s.from_zero ? 0.0f : to;
      for (size_t k = 0; k < s.k; ++k) sum = std::fma(a[i * s.k + k], right[k * kWide], sum);
      to = sum == sum ? sum : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

/// kRows rows of kBlocks blocks.
template <size_t kRows, size_t kBlocks, class D>
void tile_of_blocks(D d, const BlockGemm& s, const float* a, const float* b, float* c) {
  using V = hn::Vec<D>;
  constexpr size_t kWide = BlockGemm::kColumns;
  const size_t lanes = hn::Lanes(d);
  const V nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  for (size_t part = 0; part < kWide; part += lanes) {
    V sum[kRows][kBlocks];
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = 0; j < kBlocks; ++j)
        sum[i][j] = s.from_zero ? hn::Zero(d) : hn::LoadU(d, c + i * s.c_row + j * s.c_block + part);
    }
    const float* right_row = b + part;
    for (size_t k = 0; k < s.k; ++k, right_row += kWide) {
      V right[kBlocks];
      for (size_t j = 0; j < kBlocks; ++j) right[j] = hn::LoadU(d, right_row + j * s.k * kWide);
      for (size_t i = 0; i < kRows; ++i) {
        const V left = hn::Set(d, a[i * s.k + k]);
        for (size_t j = 0; j < kBlocks; ++j) sum[i][j] = hn::MulAdd(left, right[j], sum[i][j]);
      }
    }
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = 0; j < kBlocks; ++j)
        hn::StoreU(hn::IfThenElse(hn::Eq(sum[i][j], sum[i][j]), sum[i][j], nan), d,
                   c + i * s.c_row + j * s.c_block + part);
    }
  }
}

template <size_t kBlocks, class D>
void rows_of_blocks(D d, const BlockGemm& s, const float* a, const float* b, float* c) {
  constexpr size_t kRows = 4;
  size_t i = 0;
  for (; i + kRows <= s.m; i += kRows) tile_of_blocks<kRows, kBlocks>(d, s, a + i * s.k, b, c + i * s.c_row);
  for (; i < s.m; ++i) tile_of_blocks<1, kBlocks>(d, s, a + i * s.k, b, c + i * s.c_row);
}

void gemm_f32_blocks(const BlockGemm& s, const float* a, const float* b, float* c) {
  if constexpr (!kFused) {
    blocks_scalar(s, a, b, c);
  } else {
    constexpr size_t kWide = BlockGemm::kColumns;
    const hn::CappedTag<float, kWide> d;
    const size_t block = s.k * kWide;
    size_t j = 0;
    for (; j + 2 <= s.n / kWide; j += 2) rows_of_blocks<2>(d, s, a, b + j * block, c + j * s.c_block);
    if (j < s.n / kWide) rows_of_blocks<1>(d, s, a, b + j * block, c + j * s.c_block);
  }
}

HWY_ATTR void gemm_i32(const Gemm& s, const int32_t* a, const int32_t* b, int32_t* c) {
  for (size_t i = 0; i < s.m; ++i) {
    auto* to = reinterpret_cast<uint32_t*>(c + i * s.ldc);
    for (size_t k = 0; k < s.k; ++k) {
      const auto left = static_cast<uint32_t>(a[i * s.lda + k]);
      const auto* right = reinterpret_cast<const uint32_t*>(b + k * s.ldb);
      for (size_t j = 0; j < s.n; ++j) to[j] += left * right[j];
    }
  }
}

HWY_ATTR void gemm_f64_product(const Gemm& s, const double* a, const double* b, float* c) {
  for (size_t i = 0; i < s.m; ++i) {
    float* to = c + i * s.ldc;
    for (size_t k = 0; k < s.k; ++k) {
      const double left = a[i * s.lda + k];
      const double* right = b + k * s.ldb;
      for (size_t j = 0; j < s.n; ++j)
        to[j] = static_cast<float>(static_cast<double>(to[j]) + left * right[j]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::exec {
HWY_EXPORT(gemm_f32);
HWY_EXPORT(gemm_f32_blocks);
HWY_EXPORT(gemm_i32);
HWY_EXPORT(gemm_f64_product);

void gemm_f32(const Gemm& shape, const float* a, const float* b, float* c) {
  HWY_DYNAMIC_DISPATCH(gemm_f32)(shape, a, b, c);
}
void gemm_f32_blocks(const BlockGemm& shape, const float* a, const float* b, float* c) {
  HWY_DYNAMIC_DISPATCH(gemm_f32_blocks)(shape, a, b, c);
}
void gemm_i32(const Gemm& shape, const int32_t* a, const int32_t* b, int32_t* c) {
  HWY_DYNAMIC_DISPATCH(gemm_i32)(shape, a, b, c);
}
void gemm_f64_product(const Gemm& shape, const double* a, const double* b, float* c) {
  HWY_DYNAMIC_DISPATCH(gemm_f64_product)(shape, a, b, c);
}
}  // namespace pto::exec
#endif
