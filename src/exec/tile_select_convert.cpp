// Comparison into packed masks, selection by them, and conversion between element formats.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "exec/tile_map.hpp"

namespace pto::exec {
namespace {

using num::Overflow;
using num::Round;

enum class Compare : int64_t { eq = 0, ne = 1, lt = 2, le = 3, gt = 4, ge = 5 };

template <typename T>
bool holds(Compare mode, T a, T b) {
  switch (mode) {
    case Compare::eq: return a == b;
    case Compare::ne: return a != b;
    case Compare::lt: return a < b;
    case Compare::le: return a <= b;
    case Compare::gt: return a > b;
    case Compare::ge: return a >= b;
  }
  return false;
}

/// Packs one row of comparisons, lowest bit first; `right(col)` gives the other side.
template <typename T, typename Left, typename Right>
void pack_row(const Tile& mask, uint64_t row, uint64_t cols, Compare mode, Left&& left, Right&& right) {
  const uint64_t bits = mask.size() * 8, words = std::min<uint64_t>((cols + bits - 1) / bits, mask.cols());
  for (uint64_t word = 0; word < words; ++word) {
    uint64_t packed = 0;
    for (uint64_t bit = 0; bit < bits && word * bits + bit < cols; ++bit) {
      const uint64_t col = word * bits + bit;
      packed |= uint64_t{holds<T>(mode, left(col), right(col))} << bit;
    }
    mask.put_bits(row, word, packed);
  }
}

void clear(const Tile& tile) {
  for (uint64_t row = 0; row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); ++col) tile.put_bits(row, col, 0);
  }
}

/// The comparison of a tile with a tile (`other` good) or a scalar. The whole mask tile is written: 0 outside.
void compare(Context& context, const Tile& src, const Tile* other, uint64_t scalar, Compare mode) {
  const Tile mask = Tile::whole(context, 2, Access::write);
  if (!mask.good() || mask.empty()) return;
  clear(mask);
  const uint64_t rows = std::min(src.rows(), mask.rows());
  const Elem elem = src.elem();
  for (uint64_t row = 0; row < rows; ++row) {
    if (is_float(elem)) {
      const auto value = [&](const Tile& tile) { return [&tile, row, elem](uint64_t col) { return num::to_f64(elem, tile.bits(row, col)); }; };
      const double constant = num::to_f64(elem, scalar);
      if (other) pack_row<double>(mask, row, src.cols(), mode, value(src), value(*other));
      else pack_row<double>(mask, row, src.cols(), mode, value(src), [constant](uint64_t) { return constant; });
    } else {
      const bool known = with_integer(elem, [&](auto zero) {
        using T = decltype(zero);
        const auto value = [&](const Tile& tile) { return [&tile, row](uint64_t col) { return tile.get<T>(row, col); }; };
        if (other) pack_row<T>(mask, row, src.cols(), mode, value(src), value(*other));
        else pack_row<T>(mask, row, src.cols(), mode, value(src), [scalar](uint64_t) { return static_cast<T>(scalar); });
      });
      if (!known) return refuse_type(context, elem);
    }
  }
}

Compare compare_mode(const Context& context) { return static_cast<Compare>(context.attr(0)); }

void tcmp(Context& context) {
  const Tile src(context, 0, Access::read);
  if (!src.good() || src.empty() || !covers(context, 1, src.rows(), src.cols())) return;
  const Tile other(context, 1, Access::read, src.rows(), src.cols());
  if (other.good()) compare(context, src, &other, 0, compare_mode(context));
}

void tcmps(Context& context) {
  const Tile src(context, 0, Access::read);
  if (!src.good() || src.empty()) return;
  compare(context, src, nullptr, scalar_bits(context, 1, src.elem()), compare_mode(context));
}

/// The mask of a row: bit `col` of the row's words.
bool mask_bit(const Tile& mask, uint64_t row, uint64_t col) {
  const uint64_t bits = mask.size() * 8;
  return mask.bits(row, col / bits) >> (col % bits) & 1;
}

Tile mask_for(Context& context, const Tile& dst) {
  const uint64_t bits = byte_width(context.type(0).elem) * 8, words = (dst.cols() + bits - 1) / bits;
  if (!covers(context, 0, dst.rows(), words)) return {};
  return Tile(context, 0, Access::read, dst.rows(), words);
}

void tsel(Context& context) {
  const Tile dst(context, 4, Access::write);
  if (!dst.good() || dst.empty() || !covers(context, 1, dst.rows(), dst.cols()) || !covers(context, 2, dst.rows(), dst.cols())) return;
  const Tile mask = mask_for(context, dst);
  const Tile a(context, 1, Access::read, dst.rows(), dst.cols()), b(context, 2, Access::read, dst.rows(), dst.cols());
  if (!mask.good() || !a.good() || !b.good()) return;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, (mask_bit(mask, row, col) ? a : b).bits(row, col));
  }
}

void tsels(Context& context) {
  const Tile dst(context, 4, Access::write);
  if (!dst.good() || dst.empty() || !covers(context, 1, dst.rows(), dst.cols())) return;
  const Tile mask = mask_for(context, dst);
  const Tile src(context, 1, Access::read, dst.rows(), dst.cols());
  if (!mask.good() || !src.good()) return;
  const uint64_t scalar = scalar_bits(context, 3, dst.elem());
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, mask_bit(mask, row, col) ? src.bits(row, col) : scalar);
  }
}

// ---- tcvt

constexpr unsigned kAttrRound = 0, kAttrSaturation = 1;

bool packed(Elem elem) { return elem == Elem::f4e1m2x2 || elem == Elem::f4e2m1x2; }

/// The rounding attribute (pto.round_mode). NONE means the default of the kind: truncation to integers, else nearest even.
Round round_mode(const Context& context, Elem from, Elem to) {
  if (to == Elem::hif8) return Round::round;   // the hardware has no other for this format (pto-isa a5/TCvt.hpp)
  switch (context.attr(kAttrRound)) {
    case 2: return Round::round;
    case 3: return Round::floor;
    case 4: return Round::ceil;
    case 5: return Round::trunc;
    case 6: return Round::odd;
    case 0: return is_float(from) && is_integer(to) ? Round::trunc : Round::rint;
    default: return Round::rint;
  }
}

/// Conversions that wrap unless told to saturate (pto-isa tests of TCVT); all others saturate.
bool wraps_by_default(Elem from, Elem to) {
  const Elem target = signless(to);
  if (from == Elem::f16) return target == Elem::i8 || target == Elem::i16;
  if (from == Elem::f32) return target == Elem::i16;
  const auto is_signed = [](Elem elem, Elem plain) { return signless(elem) == plain && !is_unsigned(elem); };
  return (is_signed(from, Elem::i64) && is_signed(to, Elem::i32)) || (is_signed(from, Elem::i32) && is_signed(to, Elem::i16));
}

Overflow overflow_mode(const Context& context, Elem from, Elem to) {
  if (context.attr_set(kAttrSaturation)) return context.attr(kAttrSaturation) == 0 ? Overflow::saturate : Overflow::ieee;
  if (is_integer(to)) return wraps_by_default(from, to) ? Overflow::ieee : Overflow::saturate;
  return bit_width(to) > 8 ? Overflow::ieee : Overflow::saturate;   // f16, bf16 have infinities to overflow to
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

/// Without saturation the value goes through the next wider step, which does saturate, and loses its high bits: infinity
/// becomes all ones, as in the two-step sequence of A2/A3 (pto-isa a2a3/TCvt.hpp).
uint64_t float_to_integer(Elem to, double value, Round round, Overflow overflow) {
  if (overflow == Overflow::saturate) return num::from_f64(to, value, round, overflow);
  const Elem step = bit_width(to) <= 16 ? Elem::i32 : Elem::i64;
  return num::from_f64(step, value, round, Overflow::saturate);
}

uint64_t convert(Elem from, Elem to, uint64_t bits, Round round, Overflow overflow) {
  if (is_integer(from) && is_integer(to)) return integer_to_integer(from, to, bits, overflow);
  if (is_integer(from)) return num::from_f64(to, wide_integer(from, bits), round, overflow);
  const double value = num::to_f64(from, bits);
  if (is_integer(to)) return float_to_integer(to, value, round, overflow);
  if (from == to && from == Elem::f32) return num::from_f64(to, num::round_to_integral(value, round));
  return num::from_f64(to, value, round, overflow);
}

/// Conversions with a bulk form: nearest even between f32 and the 16-bit floats.
bool convert_bulk(Tile& src, Tile& dst, Round round, Overflow overflow) {
  const Elem from = src.elem(), to = dst.elem();
  const bool widening = to == Elem::f32 && (from == Elem::f16 || from == Elem::bf16);
  const bool narrowing = from == Elem::f32 && (to == Elem::f16 || to == Elem::bf16) && round == Round::rint && overflow == Overflow::ieee;
  if (!widening && !narrowing) return false;
  normalise(src, dst);
  FloatReader in(src, false);
  FloatWriter out(dst, false);
  for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
    const float* from_values = in.chunk(row, col, n);
    std::copy(from_values, from_values + n, out.chunk(row, col));
    out.done(row, col, n);
  });
  return true;
}

/// Two-value bytes: element 2i is the low nibble.
uint64_t nibble(const Tile& tile, uint64_t row, uint64_t col) { return tile.bits(row, col / 2) >> (col % 2 * 4) & 0xf; }

void convert_packed(Context& context, const Tile& src, const Tile& dst, Round round, Overflow overflow) {
  const Elem from = src.elem(), to = dst.elem();
  if (packed(from)) {
    for (uint64_t row = 0; row < dst.rows(); ++row) {
      for (uint64_t col = 0; col < std::min(dst.cols(), src.cols() * 2); ++col) {
        dst.put_bits(row, col, convert(from, to, nibble(src, row, col), round, overflow));
      }
    }
    return;
  }
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < std::min(dst.cols(), src.cols() / 2); ++col) {
      const uint64_t low = convert(from, to, src.bits(row, 2 * col), round, overflow);
      const uint64_t high = convert(from, to, src.bits(row, 2 * col + 1), round, overflow);
      dst.put_bits(row, col, low | high << 4);
    }
  }
  static_cast<void>(context);
}

void tcvt(Context& context) {
  const Elem from = context.type(0).elem, to = context.type(1).elem;
  const Round round = round_mode(context, from, to);
  const Overflow overflow = overflow_mode(context, from, to);
  Tile src(context, 0, Access::read);
  if (!src.good() || src.empty()) return;
  if (packed(from) != packed(to)) {
    const Tile dst(context, 1, Access::write);
    if (dst.good() && !dst.empty() && covers(context, 1, src.rows(), 1)) convert_packed(context, src, dst, round, overflow);
    return;
  }
  if (!covers(context, 1, src.rows(), src.cols())) return;
  Tile dst(context, 1, Access::write, src.rows(), src.cols());
  if (!dst.good() || convert_bulk(src, dst, round, overflow)) return;
  normalise(src, dst);
  with_bits(src.size(), [&](auto source) {
    with_bits(dst.size(), [&](auto target) {
      std::array<decltype(source), kChunk> in;
      std::array<decltype(target), kChunk> out;
      for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
        const auto* values = src.read(row, col, n, in.data());
        auto* results = dst.write(row, col, out.data());
        for (uint64_t i = 0; i < n; ++i) results[i] = static_cast<decltype(target)>(convert(from, to, values[i], round, overflow));
        dst.written(row, col, n, out.data());
      });
    });
  });
}

constexpr Semantics kTable[] = {
    {"pto.tcmp", tcmp}, {"pto.tcmps", tcmps}, {"pto.tsel", tsel}, {"pto.tsels", tsels}, {"pto.tcvt", tcvt},
};

}  // namespace

std::span<const Semantics> tile_select_convert() { return kTable; }

}  // namespace pto::exec
