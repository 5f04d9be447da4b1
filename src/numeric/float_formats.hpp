// Number formats: bits <-> f64 exactly, and f64/f32 -> bits with a stated rounding and saturation. Every
// float -> format conversion of the simulator goes through here. See docs/reference/numerics.md for each
// format's layout and special values.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "pto/element.hpp"

namespace pto::num {

/// rint: nearest, ties to even. round: nearest, ties away. odd: inexact results get an odd last bit (von
/// Neumann).
enum class Round : uint8_t { rint, round, floor, ceil, trunc, odd };

/// The result for a value outside the finite range of the destination.
enum class Overflow : uint8_t {
  saturate,  ///< the nearest finite value; NaN -> 0 for integers, NaN where the format has one
  ieee,      ///< infinity (or NaN in formats without one); integers wrap modulo 2^n of the rounded value
};

/// Exact value of one element given as bits in the low end of a word. Integers convert exactly up to 2^53.
/// The packed formats (f4e1m2x2, f4e2m1x2, hif8x2) take and give one of their two values: the low nibble or
/// byte.
double to_f64(Elem elem, uint64_t bits);
/// The same for every code of a format of 8 bits or less, as f32.
std::array<float, 256> code_values(Elem elem);
/// One rounding from `value` to the format (floats and integers).
uint64_t from_f64(Elem elem, double value, Round round = Round::rint, Overflow overflow = Overflow::ieee);

float f16_to_f32(uint16_t bits);
uint16_t f32_to_f16(float value);  ///< nearest even, overflow to infinity
float bf16_to_f32(uint16_t bits);
uint16_t f32_to_bf16(float value);  ///< nearest even
/// `value` rounded to f16 and back; to bf16 and back. As the conversions, in selects that vectorise.
inline float round_to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1u)) & ~0x1fffu;
  const uint32_t finite = normal > 0x477fe000u ? 0x7f800000u : normal;  // above 65504
  const uint32_t tiny =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f - 0.5f);  // the adder rounds at 2^-24
  const uint32_t number = magnitude < 0x38800000u ? tiny : finite;
  const uint32_t nan = (magnitude & ~0x1fffu) | 0x400000u;
  return std::bit_cast<float>((bits & 0x80000000u) | (magnitude > 0x7f800000u ? nan : number));
}
inline float round_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t number = (bits + 0x7fffu + (bits >> 16 & 1u)) & ~0xffffu;
  return std::bit_cast<float>((bits & 0x7fffffffu) > 0x7f800000u ? (bits & ~0xffffu) | 0x400000u : number);
}
/// `value` rounded to the element's format where that is a 16-bit float; other formats leave it.
inline float rounded(Elem elem, float value) {
  if (elem == Elem::f16) return round_to_f16(value);
  return elem == Elem::bf16 ? round_to_bf16(value) : value;
}
/// f32 with the mantissa cut to `bits` explicit bits; ties to even or away from zero. Inf/NaN pass.
float round_mantissa(float value, int bits, bool ties_away);

/// Bulk conversions (vectorised): n elements, no overlap between source and destination.
void f16_to_f32(std::span<const uint16_t> from, float* to);
void f32_to_f16(std::span<const float> from, uint16_t* to);
void bf16_to_f32(std::span<const uint16_t> from, float* to);
void f32_to_bf16(std::span<const float> from, uint16_t* to);

/// `value` rounded to an integer in the given mode (odd: the odd neighbour when inexact); the sign of zero is
/// kept.
double round_to_integral(double value, Round round);

/// Sign-extended (or zero-extended for unsigned elements) integer value of an element's bits.
int64_t int_value(Elem elem, uint64_t bits);

}  // namespace pto::num
