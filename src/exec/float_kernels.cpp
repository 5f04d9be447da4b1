#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/float_kernels.cpp"
#include "exec/float_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exec/lane_ops.hpp"

HWY_BEFORE_NAMESPACE();
namespace pto::exec::kernel {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
V canonical_lanes(D d, V values) {
  return hn::IfThenElse(hn::IsNaN(values), hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), 0x7fc00000u)),
                        values);
}

// The binary operations on vectors and, for what is left over, on single values.
struct AddLanes {
  template <class D, class V>
  static V run(D d, V a, V b) {
    return canonical_lanes(d, hn::Add(a, b));
  }
  static float run(float a, float b) { return canonical(a + b); }
};
struct SubLanes {
  template <class D, class V>
  static V run(D d, V a, V b) {
    return canonical_lanes(d, hn::Sub(a, b));
  }
  static float run(float a, float b) { return canonical(a - b); }
};
struct MulLanes {
  template <class D, class V>
  static V run(D d, V a, V b) {
    return canonical_lanes(d, hn::Mul(a, b));
  }
  static float run(float a, float b) { return canonical(a * b); }
};
struct DivLanes {
  template <class D, class V>
  static V run(D d, V a, V b) {
    return canonical_lanes(d, hn::Div(a, b));
  }
  static float run(float a, float b) { return canonical(a / b); }
};
/// a where it is greater (less), else b.
template <bool kMax, class V>
V better(V a, V b) {
#if HWY_ARCH_X86
  return kMax ? hn::Max(a, b) : hn::Min(a, b);  // the instruction's own rule for NaN and zeros
#else
  return hn::IfThenElse(kMax ? hn::Gt(a, b) : hn::Lt(a, b), a, b);
#endif
}
/// Both orders give the same bits, but for zeros, whose signs meet, and NaN: b and a, which together are a
/// NaN again.
template <bool kMax>
struct ExtremeLanes {
  template <class D, class V>
  static V run(D d, V a, V b) {
    const V first = better<kMax>(a, b);
    const V second = better<kMax>(b, a);
    const V either = hn::Or(first, second);
    if constexpr (!kMax) return canonical_lanes(d, either);
    return hn::IfThenElse(hn::IsNaN(either), canonical_lanes(d, either), hn::And(first, second));
  }
  static float run(float a, float b) { return canonical(extreme<kMax>(a, b)); }
};

template <typename Op>
void binary(const float* a, const float* b, float* to, size_t n) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(Op::run(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
  for (; i < n; ++i) to[i] = Op::run(a[i], b[i]);
}

void add(const float* a, const float* b, float* to, size_t n) { binary<AddLanes>(a, b, to, n); }
void sub(const float* a, const float* b, float* to, size_t n) { binary<SubLanes>(a, b, to, n); }
void mul(const float* a, const float* b, float* to, size_t n) { binary<MulLanes>(a, b, to, n); }
void div(const float* a, const float* b, float* to, size_t n) { binary<DivLanes>(a, b, to, n); }
void max(const float* a, const float* b, float* to, size_t n) { binary<ExtremeLanes<true>>(a, b, to, n); }
void min(const float* a, const float* b, float* to, size_t n) { binary<ExtremeLanes<false>>(a, b, to, n); }

void rectify(const float* a, float* to, size_t n) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto value = hn::LoadU(d, a + i);
    const auto positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value);
    hn::StoreU(hn::IfThenElse(hn::IsNaN(value), canonical_lanes(d, value), positive), d, to + i);
  }
  for (; i < n; ++i) to[i] = canonical(maximum(a[i], 0.0F));
}

void multiply_add_f32(const float* a, const float* b, const float* c, float* to, size_t n) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SSSE3 && HWY_TARGET != HWY_SSE4
  const hn::ScalableTag<float>
      d;  // targets without a fused multiply-add would round twice: they use std::fma
  const size_t lanes = hn::Lanes(d);
  for (; i + lanes <= n; i += lanes) {
    const auto sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i));
    hn::StoreU(canonical_lanes(d, sum), d, to + i);
  }
#endif
  for (; i < n; ++i) to[i] = canonical(std::fma(a[i], b[i], c[i]));
}

/// The product of two f16 is exact in f32; the sum is rounded to odd, so its rounding to f16 is the only one
/// that counts.
HWY_ATTR void multiply_add_f16(const float* a, const float* b, const float* c, float* to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float product = a[i] * b[i];
    const float sum = product + c[i];
    const float back = sum - product;
    const float error = (product - (sum - back)) + (c[i] - back);
    const uint32_t bits = std::bit_cast<uint32_t>(sum);
    const uint32_t opposite = (std::bit_cast<uint32_t>(error) ^ bits) >> 31;
    const bool inexact = std::fabs(error) > 0;  // false for the NaN that an infinite sum leaves
    const uint32_t odd = inexact && (bits & 1) == 0 ? bits + 1 - 2 * opposite : bits;
    to[i] = sum == sum ? std::bit_cast<float>(odd) : std::numeric_limits<float>::quiet_NaN();
  }
}

/// Plain loop over integers: the compiler vectorises it for each target.
HWY_ATTR void saturate_above(int16_t infinity, uint16_t* bits, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const auto value = static_cast<int16_t>(bits[i]);
    const auto magnitude = static_cast<int16_t>(value & 0x7fff);
    const auto finite = static_cast<int16_t>(magnitude == infinity ? value - 1 : value);
    bits[i] = static_cast<uint16_t>(magnitude > infinity ? int16_t{0} : finite);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::exec::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::exec::kernel {
namespace {

HWY_EXPORT(add);
HWY_EXPORT(sub);
HWY_EXPORT(mul);
HWY_EXPORT(div);
HWY_EXPORT(max);
HWY_EXPORT(min);
HWY_EXPORT(rectify);
HWY_EXPORT(multiply_add_f32);
HWY_EXPORT(multiply_add_f16);
HWY_EXPORT(saturate_above);

/// x + y rounded to odd: an inexact sum gets an odd last bit, so a later rounding to fewer bits is as if from
/// the exact sum.
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

/// A product of bf16 may leave f32's range: f64 holds it exactly.
void multiply_add_bf16(const float* a, const float* b, const float* c, float* to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    to[i] = canonical(narrow_to_odd(add_to_odd(product, static_cast<double>(c[i]))));
  }
}

}  // namespace

void add(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(add)(a, b, to, n); }
void sub(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(sub)(a, b, to, n); }
void mul(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(mul)(a, b, to, n); }
void div(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(div)(a, b, to, n); }
void max(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(max)(a, b, to, n); }
void min(const float* a, const float* b, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(min)(a, b, to, n); }
void rectify(const float* a, float* to, size_t n) { HWY_DYNAMIC_DISPATCH(rectify)(a, to, n); }

void multiply_add(Elem elem, const float* a, const float* b, const float* c, float* to, size_t n) {
  if (elem == Elem::f16) return HWY_DYNAMIC_DISPATCH(multiply_add_f16)(a, b, c, to, n);
  if (elem == Elem::bf16) return multiply_add_bf16(a, b, c, to, n);
  HWY_DYNAMIC_DISPATCH(multiply_add_f32)(a, b, c, to, n);
}

void saturate(Elem elem, uint16_t* bits, size_t n) {
  HWY_DYNAMIC_DISPATCH(saturate_above)(elem == Elem::f16 ? 0x7c00 : 0x7f80, bits, n);
}

}  // namespace pto::exec::kernel
#endif
