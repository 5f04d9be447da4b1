// Comparison into packed masks, selection by them, and conversion between element formats.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

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

/// One row of comparisons; `right(col)` gives the other side. Calls put(col, holds).
template <typename Right, typename Put>
bool compare_row(const Tile& src, uint64_t row, Compare mode, Right&& right, Put&& put) {
  const Elem elem = src.elem();
  if (is_float(elem)) {
    for (uint64_t col = 0; col < src.cols(); ++col) {
      put(col, holds<double>(mode, num::to_f64(elem, src.bits(row, col)), num::to_f64(elem, right(col))));
    }
    return true;
  }
  return with_integer(elem, [&](auto zero) {
    using T = decltype(zero);
    for (uint64_t col = 0; col < src.cols(); ++col) put(col, holds<T>(mode, src.get<T>(row, col), static_cast<T>(right(col))));
  });
}

/// The words of a mask tile, cleared; written back as a whole.
class MaskWords {
 public:
  explicit MaskWords(const Tile& tile) : tile_(tile), words_(tile.rows() * tile.cols()) {}
  [[nodiscard]] uint64_t bits() const { return tile_.size() * uint64_t{8}; }
  void set(uint64_t row, uint64_t word, uint64_t bit) { words_[row * tile_.cols() + word] |= uint64_t{1} << bit; }
  void store() const {
    for (uint64_t row = 0; row < tile_.rows(); ++row) {
      for (uint64_t col = 0; col < tile_.cols(); ++col) tile_.put_bits(row, col, words_[row * tile_.cols() + col]);
    }
  }

 private:
  const Tile& tile_;
  std::vector<uint64_t> words_;
};

Compare compare_mode(const Context& context) { return static_cast<Compare>(context.attr(0)); }

/// The whole mask tile is written: row r holds the bits of row r, lowest first, 0 elsewhere.
void tcmp(Context& context) {
  const Tile src(context, 0, Access::read);
  if (!src.good() || src.empty() || !covers(context, 1, src.rows(), src.cols())) return;
  const Tile other(context, 1, Access::read, src.rows(), src.cols()), mask = Tile::whole(context, 2, Access::write);
  if (!other.good() || !mask.good() || mask.empty()) return;
  MaskWords words(mask);
  const uint64_t limit = std::min<uint64_t>(mask.cols(), context.tile(2).valid_cols) * words.bits();
  for (uint64_t row = 0; row < std::min(src.rows(), mask.rows()); ++row) {
    const auto right = [&](uint64_t col) { return other.bits(row, col); };
    const auto put = [&](uint64_t col, bool yes) { if (yes && col < limit) words.set(row, col / words.bits(), col % words.bits()); };
    if (!compare_row(src, row, compare_mode(context), right, put)) return refuse_type(context, src.elem());
  }
  words.store();
}

/// The bits of all rows, each padded to the bytes of the tile's static width, are one stream of bytes, which fills the
/// valid columns of the mask tile row after row: one byte per element. The rest of the mask tile is 0.
void tcmps(Context& context) {
  const Tile src(context, 0, Access::read);
  if (!src.good() || src.empty()) return;
  const Tile mask = Tile::whole(context, 2, Access::write);
  const uint64_t width = std::min<uint64_t>(mask.cols(), context.tile(2).valid_cols);
  if (!mask.good() || width == 0) return;
  MaskWords words(mask);
  const uint64_t scalar = scalar_bits(context, 1, src.elem()), row_bytes = (static_cast<uint64_t>(context.type(0).cols()) + 7) / 8;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    const auto put = [&](uint64_t col, bool yes) {
      const uint64_t byte = row * row_bytes + col / 8;
      if (yes && byte / width < mask.rows()) words.set(byte / width, byte % width, col % 8);
    };
    if (!compare_row(src, row, compare_mode(context), [scalar](uint64_t) { return scalar; }, put)) return refuse_type(context, src.elem());
  }
  words.store();
}

/// The mask of a row: bit `col` of the row's words.
bool mask_bit(const Tile& mask, uint64_t row, uint64_t col) {
  const uint64_t bits = mask.size() * uint64_t{8};
  return mask.bits(row, col / bits) >> (col % bits) & 1;
}

Tile mask_for(Context& context, const Tile& dst) {
  const uint64_t bits = byte_width(context.type(0).elem) * 8, words = (dst.cols() + bits - 1) / bits;
  if (!covers(context, 0, dst.rows(), words)) return {};
  return Tile(context, 0, Access::read, dst.rows(), words);
}

/// The mask of pto.tsel. A5 takes the bits row by row. A2/A3 take them as one stream over the valid elements: a row of the
/// mask ends after its valid columns, wherever the data's row ends (pto-isa TSEL).
class SelectMask {
 public:
  SelectMask(Context& context, const Tile& dst) : cols_(dst.cols()) {
    const TileDesc& desc = context.tile(0);
    width_ = desc.valid_cols;
    stream_ = context.machine != nullptr && context.machine->target != Target::a5 && byte_width(context.type(0).elem) == 1 && width_ > 0;
    if (!stream_) {
      tile_ = mask_for(context, dst);
      return;
    }
    const uint64_t bytes = (dst.rows() * dst.cols() + 7) / 8, rows = (bytes + width_ - 1) / width_;
    if (covers(context, 0, rows, width_)) tile_ = Tile(context, 0, Access::read, rows, std::min(width_, bytes));
  }
  [[nodiscard]] bool good() const { return tile_.good(); }
  [[nodiscard]] bool operator()(uint64_t row, uint64_t col) const {
    if (!stream_) return mask_bit(tile_, row, col);
    const uint64_t bit = row * cols_ + col, byte = bit / 8;
    return tile_.bits(byte / width_, byte % width_) >> (bit % 8) & 1;
  }

 private:
  Tile tile_;
  uint64_t cols_, width_ = 0;
  bool stream_ = false;
};

void tsel(Context& context) {
  const Tile dst(context, 4, Access::write);
  if (!dst.good() || dst.empty() || !covers(context, 1, dst.rows(), dst.cols()) || !covers(context, 2, dst.rows(), dst.cols())) return;
  const SelectMask mask(context, dst);
  const Tile a(context, 1, Access::read, dst.rows(), dst.cols()), b(context, 2, Access::read, dst.rows(), dst.cols());
  if (!mask.good() || !a.good() || !b.good()) return;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, (mask(row, col) ? a : b).bits(row, col));
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
