// Element formats of values in memory and registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pto {

/// Element formats. iN is signless, siN/uiN carry a sign; arithmetic treats signless as signed.
enum class Elem : uint8_t {
  none,
  i1,
  i4,
  i8,
  i16,
  i32,
  i64,
  si8,
  si16,
  si32,
  si64,
  ui8,
  ui16,
  ui32,
  ui64,
  index,
  f16,
  bf16,
  f32,
  f64,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  hif8,
  hif8x2,
  f4e1m2x2,
  f4e2m1x2,
  bf16x2,
};
inline constexpr Elem kLastElem = Elem::bf16x2;
inline constexpr size_t kElemCount = static_cast<size_t>(kLastElem) + 1;  ///< `none` included
std::string_view to_string(Elem elem);   ///< as programs spell it: "f8E4M3FN", "!pto.hif8", "ui8", ..
std::string_view short_name(Elem elem);  ///< in rows and case files: "f8e4m3", "hif8", "u8", "s8", ..
/// The element with this spelling in programs (also "f8E4M3", the older name: the chip has one format with
/// four exponent bits), or with this short name; none when there is none.
Elem elem_spelled(std::string_view text);
Elem elem_named(std::string_view short_name);
std::vector<std::string_view> elem_spellings();  ///< all that elem_spelled() knows
uint32_t bit_width(Elem elem);  ///< storage bits of one element: i1 8, i4 4, f4e*x2 8 (two values), index 64
inline uint32_t byte_width(Elem elem) { return (bit_width(elem) + 7) / 8; }
bool is_float(Elem elem);  ///< every floating format including fp8/fp4/hif8
/// Two values of four bits in a byte.
constexpr bool is_float4(Elem elem) { return elem == Elem::f4e1m2x2 || elem == Elem::f4e2m1x2; }
bool is_integer(Elem elem);   ///< iN, siN, uiN, index
bool is_unsigned(Elem elem);  ///< uiN only
/// Elem without the sign annotation: si8/ui8 -> i8.
Elem signless(Elem elem);

}  // namespace pto
