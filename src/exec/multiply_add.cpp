#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/multiply_add.cpp"
#include "exec/multiply_add.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace pto::exec {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void multiply_add_f32(const float* a, const float* b, const float* c, float* to, size_t n) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SSSE3 && HWY_TARGET != HWY_SSE4 && \
    HWY_TARGET != HWY_SSE2
  const hn::ScalableTag<float> d;  // targets without a fused multiply-add would round twice: they use std::fma
  const size_t lanes = hn::Lanes(d);
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i)), d, to + i);
  }
#endif
  for (; i < n; ++i) to[i] = std::fma(a[i], b[i], c[i]);
}

/// The product of two f16 is exact in f32; the sum is rounded to odd, so its rounding to f16 is the only one that counts.
HWY_ATTR void multiply_add_f16(const float* a, const float* b, const float* c, float* to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float product = a[i] * b[i], sum = product + c[i], back = sum - product;
    const float error = (product - (sum - back)) + (c[i] - back);
    const uint32_t bits = std::bit_cast<uint32_t>(sum);
    const uint32_t opposite = (std::bit_cast<uint32_t>(error) ^ bits) >> 31;
    const bool inexact = std::fabs(error) > 0;  // false for the NaN that an infinite sum leaves
    to[i] = std::bit_cast<float>(inexact && (bits & 1) == 0 ? bits + 1 - 2 * opposite : bits);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::exec {
namespace {

HWY_EXPORT(multiply_add_f32);
HWY_EXPORT(multiply_add_f16);

/// x + y rounded to odd: an inexact sum gets an odd last bit, so a later rounding to fewer bits is as if from the exact sum.
double add_to_odd(double x, double y) {
  const double sum = x + y;
  if (!std::isfinite(sum)) return sum;
  const double back = sum - x;
  const double error = (x - (sum - back)) + (y - back);
  if (error == 0 || (std::bit_cast<uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

/// The f32 next to `value`, rounded to odd: a later rounding to 22 bits or fewer is as if from `value`.
float narrow_to_odd(double value) {
  const float near = static_cast<float>(value);
  const uint32_t bits = std::bit_cast<uint32_t>(near);
  const bool keep = static_cast<double>(near) == value || !std::isfinite(near) || (bits & 1) != 0;
  const bool below = std::fabs(static_cast<double>(near)) < std::fabs(value);
  return std::bit_cast<float>(keep ? bits : below ? bits + 1 : bits - 1);
}

}  // namespace

void multiply_add(Elem elem, const float* a, const float* b, const float* c, float* to, size_t n) {
  switch (elem) {
    case Elem::f16:
      return HWY_DYNAMIC_DISPATCH(multiply_add_f16)(a, b, c, to, n);
    case Elem::bf16:  // a product may leave f32's range: f64 holds it exactly
      for (size_t i = 0; i < n; ++i)
        to[i] = narrow_to_odd(add_to_odd(static_cast<double>(a[i]) * static_cast<double>(b[i]), static_cast<double>(c[i])));
      return;
    default:
      return HWY_DYNAMIC_DISPATCH(multiply_add_f32)(a, b, c, to, n);
  }
}

}  // namespace pto::exec
#endif
