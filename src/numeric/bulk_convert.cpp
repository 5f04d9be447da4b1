// Bulk conversions between the 16-bit formats and f32, compiled once per instruction set and chosen at run
// time. Every variant gives the bits of the scalar functions in float_formats.cpp.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numeric/bulk_convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cstddef>

#include "numeric/float_formats.hpp"

HWY_BEFORE_NAMESPACE();
namespace pto::num {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86  // these targets have F16C, whose results are exactly ours
size_t f16_to_f32_body(const uint16_t* from, float* to, size_t n) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from + i))), d,
               to + i);
  }
  return i;
}
size_t f32_to_f16_body(const float* from, uint16_t* to, size_t n) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::DemoteTo(half, hn::LoadU(d, from + i)), half, reinterpret_cast<hwy::float16_t*>(to + i));
  }
  return i;
}
#else
size_t f16_to_f32_body(const uint16_t*, float*, size_t) { return 0; }
size_t f32_to_f16_body(const float*, uint16_t*, size_t) { return 0; }
#endif

void f16_to_f32_bulk(const uint16_t* from, float* to, size_t n) {
  for (size_t i = f16_to_f32_body(from, to, n); i < n; ++i) to[i] = f16_to_f32(from[i]);
}
void f32_to_f16_bulk(const float* from, uint16_t* to, size_t n) {
  for (size_t i = f32_to_f16_body(from, to, n); i < n; ++i) to[i] = f32_to_f16(from[i]);
}

/// Plain loop over integers: the compiler vectorises it for each target.
HWY_ATTR void f32_to_bf16_bulk(const float* from, uint16_t* to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(from[i]);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const uint32_t quiet = bits >> 16 | 0x40u;
    to[i] = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::num
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::num {
HWY_EXPORT(f16_to_f32_bulk);
HWY_EXPORT(f32_to_f16_bulk);
HWY_EXPORT(f32_to_bf16_bulk);

void f16_to_f32(std::span<const uint16_t> from, float* to) {
  HWY_DYNAMIC_DISPATCH(f16_to_f32_bulk)(from.data(), to, from.size());
}
void f32_to_f16(std::span<const float> from, uint16_t* to) {
  HWY_DYNAMIC_DISPATCH(f32_to_f16_bulk)(from.data(), to, from.size());
}
void f32_to_bf16(std::span<const float> from, uint16_t* to) {
  HWY_DYNAMIC_DISPATCH(f32_to_bf16_bulk)(from.data(), to, from.size());
}
// Of one number, here as it becomes part of the loop.
float bf16_to_f32(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
void bf16_to_f32(std::span<const uint16_t> from, float* to) {
  for (size_t i = 0; i < from.size(); ++i) to[i] = bf16_to_f32(from[i]);
}
}  // namespace pto::num
#endif
