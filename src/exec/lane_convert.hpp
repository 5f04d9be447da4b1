// Conversion of one value from format to format, as vcvt and the conversions of threads make it.
#pragma once

#include <bit>
#include <cstdint>

#include "numeric/float_formats.hpp"

namespace pto::exec {

/// With saturation NaN becomes 0 and infinity the largest finite value; without, both pass.
inline uint64_t float_to_float(Elem to, double value, num::Round round, bool saturate) {
  if (value != value) return saturate ? 0 : num::from_f64(to, value);
  return num::from_f64(to, value, round, saturate ? num::Overflow::saturate : num::Overflow::ieee);
}

/// One conversion, fixed per instruction.
struct Conversion {
  Elem from, to;
  num::Round round;
  bool saturate;

  [[nodiscard]] uint64_t run(uint64_t bits) const {
    if (is_integer(from) && is_integer(to)) return integer_to_integer(num::int_value(from, bits));
    if (from == Elem::i64 || from == Elem::si64 || from == Elem::ui64) return wide_integer_to_float(bits);
    const double value = num::to_f64(from, bits);
    if (is_integer(to)) return float_to_integer(value);
    return to_float(value);
  }

 private:
  [[nodiscard]] uint64_t integer_to_integer(int64_t value) const {
    const unsigned width = bit_width(to);
    if (!saturate || width == 64) return static_cast<uint64_t>(value);
    if (from == Elem::ui64 && value < 0) return upper(width);  // above every narrower range
    const int64_t high = static_cast<int64_t>(upper(width));
    const int64_t low = is_unsigned(to) ? 0 : -high - 1;
    return static_cast<uint64_t>(value < low ? low : value > high ? high : value);
  }
  [[nodiscard]] uint64_t upper(unsigned width) const {
    return (uint64_t{1} << (width - (is_unsigned(to) ? 0 : 1))) - 1;
  }

  /// i64 beyond 2^53 reaches f64 rounded to odd, so the second rounding is the only one that shows.
  [[nodiscard]] uint64_t wide_integer_to_float(uint64_t bits) const {
    const bool negative = from != Elem::ui64 && static_cast<int64_t>(bits) < 0;
    uint64_t magnitude = negative ? 0 - bits : bits;
    if ((magnitude >> 53) != 0) {
      const int drop = 64 - std::countl_zero(magnitude) - 53;
      const uint64_t lost = magnitude & ((uint64_t{1} << drop) - 1);
      magnitude = (magnitude - lost) | (lost != 0 ? uint64_t{1} << drop : 0);
    }
    const double value = static_cast<double>(magnitude);
    return to_float(negative ? -value : value);
  }
  [[nodiscard]] uint64_t float_to_integer(double value) const {
    if (value != value) return 0;
    return num::from_f64(to, value, round, saturate ? num::Overflow::saturate : num::Overflow::ieee);
  }
  [[nodiscard]] uint64_t to_float(double value) const { return float_to_float(to, value, round, saturate); }
};

}  // namespace pto::exec
