// pto.tcvt: conversion between element formats. The table of the family has pto.tquant.mx, too.
#include <array>
#include <cmath>

#include "exec/cube/mx_quant.hpp"
#include "exec/float_kernels.hpp"
#include "exec/lane_convert.hpp"
#include "exec/tile/map.hpp"

namespace pto::exec {
namespace {

using num::Overflow;
using num::Round;

constexpr unsigned kAttrRound = 0, kAttrSaturation = 1, kAttrSaturationToday = 2;

/// The rounding attribute (pto.round_mode). NONE means the default of the kind: truncation to integers, else
/// nearest even.
Round round_mode(const Context& context, Elem from, Elem to) {
  if (to == Elem::hif8)
    return Round::round;  // the hardware has no other for this format (pto-isa a5/TCvt.hpp)
  switch (context.attr(kAttrRound)) {
    case 2:
      return Round::round;
    case 3:
      return Round::floor;
    case 4:
      return Round::ceil;
    case 5:
      return Round::trunc;
    case 6:
      return Round::odd;
    case 0:
      return is_float(from) && is_integer(to) ? Round::trunc : Round::rint;
    default:
      return Round::rint;
  }
}

/// Conversions that wrap unless told to saturate (pto-isa tests of TCVT); all others saturate.
bool wraps_by_default(Elem from, Elem to) {
  const Elem target = signless(to);
  if (from == Elem::f16) return target == Elem::i8 || target == Elem::i16;
  if (from == Elem::f32) return target == Elem::i16;
  const auto is_signed = [](Elem elem, Elem plain) { return signless(elem) == plain && !is_unsigned(elem); };
  return (is_signed(from, Elem::i64) && is_signed(to, Elem::i32)) ||
         (is_signed(from, Elem::i32) && is_signed(to, Elem::i16));
}

Overflow overflow_mode(const Context& context, Elem from, Elem to) {
  for (const unsigned spelling : {kAttrSaturation, kAttrSaturationToday}) {
    if (context.attr_set(spelling)) return context.attr(spelling) == 0 ? Overflow::saturate : Overflow::ieee;
  }
  if (is_integer(to)) return wraps_by_default(from, to) ? Overflow::ieee : Overflow::saturate;
  if (bit_width(to) <= 8)
    return to == Elem::hif8 ? Overflow::ieee : Overflow::saturate;  // hif8 has an infinity
  // A5's library and template switch saturation on for these pairs; elsewhere they have infinities to
  // overflow to.
  const bool narrows = (to == Elem::f16 && (from == Elem::f32 || from == Elem::bf16)) ||
                       (to == Elem::bf16 && from == Elem::f32);
  return on_a5(context) && narrows ? Overflow::saturate : Overflow::ieee;
}

/// An integer as f64 without losing what a later rounding needs: inexact values get an odd last bit.
double wide_integer(Elem elem, uint64_t bits) {
  const int64_t value = num::int_value(elem, bits);
  const bool negative = value < 0 && elem != Elem::ui64;
  uint64_t size = negative ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  if (size >> 53) size = (size >> 11 << 11) | (size & 0x7ff ? uint64_t{1} << 11 : 0);
  const auto result = static_cast<double>(size);
  return negative ? -result : result;
}

uint64_t integer_to_integer(Elem from, Elem to, uint64_t bits, Overflow overflow) {
  if (overflow == Overflow::ieee) return static_cast<uint64_t>(num::int_value(from, bits));
  const uint32_t width = bit_width(to);
  const bool is_signed = !is_unsigned(to);
  const uint64_t highest = ~uint64_t{0} >> (64 - width + (is_signed ? 1 : 0));
  const int64_t value = num::int_value(from, bits);
  if (from == Elem::ui64 || value >= 0) return std::min(static_cast<uint64_t>(value), highest);
  if (!is_signed) return 0;
  const int64_t lowest = -static_cast<int64_t>(highest) - 1;
  return static_cast<uint64_t>(std::max(value, lowest));
}

/// Without saturation the value goes through the next wider step, which does saturate, and loses its high
/// bits: infinity becomes all ones, as in the two-step sequence of A2/A3 (pto-isa a2a3/TCvt.hpp).
uint64_t float_to_integer(Elem to, double value, Round round, Overflow overflow) {
  if (overflow == Overflow::saturate) return num::from_f64(to, value, round, overflow);
  const Elem step = bit_width(to) <= 16 ? Elem::i32 : Elem::i64;
  return num::from_f64(step, value, round, Overflow::saturate);
}

/// One conversion, fixed per instruction.
struct Conversion {
  Elem from, to;
  Round round;
  Overflow overflow;
  bool by_vector_unit;  ///< A5: a saturating conversion between floats is vcvt's

  [[nodiscard]] uint64_t run(uint64_t bits) const {
    if (is_integer(from) && is_integer(to)) return integer_to_integer(from, to, bits, overflow);
    if (is_integer(from)) return num::from_f64(to, wide_integer(from, bits), round, overflow);
    const double value = num::to_f64(from, bits);
    if (is_integer(to)) return float_to_integer(to, value, round, overflow);
    if (from == to && from == Elem::f32)
      return num::from_f64(to, canonical(num::round_to_integral(value, round)));
    if (by_vector_unit && !is_float4(to))
      return float_to_float(to, value, round, overflow == Overflow::saturate);
    return num::from_f64(to, value, round, overflow);
  }
};

/// f32 to a 16-bit float, nearest even.
void narrow_bulk(const Tile& src, const Tile& dst, bool saturating) {
  std::array<float, kChunk> in;
  std::array<uint16_t, kChunk> out;
  for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
    const std::span<const float> from(src.read(row, col, n, in.data()), n);
    uint16_t* const to = dst.write(row, col, out.data());
    if (dst.elem() == Elem::f16)
      num::f32_to_f16(from, to);
    else
      num::f32_to_bf16(from, to);
    if (saturating) kernel::saturate(dst.elem(), to, n);
    dst.written(row, col, n, out.data());
  });
}

/// A 16-bit float to f32.
void widen_bulk(const Tile& src, const Tile& dst) {
  FloatReader in(src, false);
  FloatWriter out(dst, false);
  for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
    const float* values = in.chunk(row, col, n);
    std::copy(values, values + n, out.chunk(row, col));
    out.done(row, col, n);
  });
}

/// Conversions with a bulk form: nearest even between f32 and the 16-bit floats.
bool convert_bulk(Tile& src, Tile& dst, const Conversion& how) {
  const bool to_narrow = how.to == Elem::f16 || how.to == Elem::bf16;
  const bool from_narrow = how.from == Elem::f16 || how.from == Elem::bf16;
  const bool saturating = how.overflow == Overflow::saturate;
  if (how.to == Elem::f32 && from_narrow) {
    normalise(src, dst);
    widen_bulk(src, dst);
    return true;
  }
  if (how.from != Elem::f32 || !to_narrow || how.round != Round::rint || (saturating && !how.by_vector_unit))
    return false;
  normalise(src, dst);
  narrow_bulk(src, dst, saturating);
  return true;
}

/// Two-value bytes: element 2i is the low nibble.
uint64_t nibble(const Tile& tile, uint64_t row, uint64_t col) {
  return tile.bits(row, col / 2) >> (col % 2 * 4) & 0xf;
}

void convert_packed(const Tile& src, const Tile& dst, const Conversion& how) {
  if (is_float4(how.from)) {
    for (uint64_t row = 0; row < dst.rows(); ++row) {
      for (uint64_t col = 0; col < std::min(dst.cols(), src.cols() * 2); ++col)
        dst.put_bits(row, col, how.run(nibble(src, row, col)));
    }
    return;
  }
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < std::min(dst.cols(), src.cols() / 2); ++col) {
      dst.put_bits(row, col, how.run(src.bits(row, 2 * col)) | how.run(src.bits(row, 2 * col + 1)) << 4);
    }
  }
}

void tcvt(Context& context) {
  const Elem from = context.type(0).elem;
  const Elem to = context.type(1).elem;
  const Conversion how{from, to, round_mode(context, from, to), overflow_mode(context, from, to),
                       on_a5(context)};
  Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty()) return;
  if (is_float4(from) != is_float4(to)) {
    const Tile dst(context, 1, AccessMode::write);
    if (dst.good() && !dst.empty() && covers(context, 1, src.rows(), 1) && !context.no_values)
      convert_packed(src, dst, how);
    return;
  }
  if (!covers(context, 1, src.rows(), src.cols())) return;
  Tile dst(context, 1, AccessMode::write, src.rows(), src.cols());
  if (!dst.good() || context.no_values || convert_bulk(src, dst, how)) return;
  normalise(src, dst);
  with_bits(src.size(), [&](auto source) {
    with_bits(dst.size(), [&](auto target) {
      std::array<decltype(source), kChunk> in;
      std::array<decltype(target), kChunk> out;
      for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
        const auto* values = src.read(row, col, n, in.data());
        auto* results = dst.write(row, col, out.data());
        for (uint64_t i = 0; i < n; ++i) results[i] = static_cast<decltype(target)>(how.run(values[i]));
        dst.written(row, col, n, out.data());
      });
    });
  });
}

constexpr Semantics kTileConvertSemantics[] = {{"pto.tcvt", tcvt}, {"pto.tquant.mx", quant_mx}};

}  // namespace

std::span<const Semantics> tile_convert() { return kTileConvertSemantics; }

}  // namespace pto::exec
