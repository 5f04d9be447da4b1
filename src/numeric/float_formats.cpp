// Scalar conversions. A float format is one FloatFormat row; rounding happens once, on the 53-bit significand
// of the f64. Layouts and special values of each format: docs/reference/numerics.md.
#include "numeric/float_formats.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace pto::num {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr uint32_t kNoCode = 0xffffffff;

/// How a format spends its bits. Codes are magnitudes, without the sign.
struct FloatFormat {
  int mantissa;      ///< explicit mantissa bits
  int min_exponent;  ///< of the smallest normal number; its biased exponent is 1
  int sign_bit;
  uint32_t max_code;  ///< largest finite magnitude
  uint32_t inf, nan;  ///< kNoCode: the format has none
};
constexpr FloatFormat kF16 = {10, -14, 15, 0x7bff, 0x7c00, 0x7e00};
constexpr FloatFormat kBf16 = {7, -126, 15, 0x7f7f, 0x7f80, 0x7fc0};
constexpr FloatFormat kF32 = {23, -126, 31, 0x7f7fffff, 0x7f800000, 0x7fc00000};
constexpr FloatFormat kE4M3 = {3, -6, 7, 0x7e, kNoCode, 0x7f};
constexpr FloatFormat kE5M2 = {2, -14, 7, 0x7b, 0x7c, 0x7e};
constexpr FloatFormat kE1M2 = {2, 0, 3, 0x7, kNoCode, kNoCode};
constexpr FloatFormat kE2M1 = {1, 0, 3, 0x7, kNoCode, kNoCode};

const FloatFormat* format_of(Elem elem) {
  switch (elem) {
    case Elem::f16:
      return &kF16;
    case Elem::bf16:
      return &kBf16;
    case Elem::f32:
      return &kF32;
    case Elem::f8e4m3:
      return &kE4M3;
    case Elem::f8e5m2:
      return &kE5M2;
    case Elem::f4e1m2x2:
      return &kE1M2;
    case Elem::f4e2m1x2:
      return &kE2M1;
    default:
      return nullptr;
  }
}

/// A positive finite f64 as significand * 2^exponent with bit 52 set (zero and f64 denormals: less).
struct Split {
  uint64_t significand;
  int exponent;                                            ///< of the lowest significand bit
  [[nodiscard]] int top() const { return exponent + 52; }  ///< floor(log2(value)) for normal values
};
Split split(double magnitude) {
  const uint64_t bits = std::bit_cast<uint64_t>(magnitude);
  const int biased = static_cast<int>(bits >> 52);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (biased != 0) return {fraction | (uint64_t{1} << 52), biased - 1075};
  return {fraction, -1074};
}

/// significand * 2^(exponent - quantum) rounded to an integer; the sign matters for floor and ceil only.
uint64_t round_to_quantum(Split value, int quantum, bool negative, Round round) {
  const int shift = quantum - value.exponent;
  if (shift <= 0) return value.significand << -shift;
  const uint64_t whole = shift > 63 ? 0 : value.significand >> shift;
  const uint64_t rest = shift > 63 ? value.significand : value.significand & ((uint64_t{1} << shift) - 1);
  if (rest == 0) return whole;
  const uint64_t half =
      shift > 63 ? ~uint64_t{0} : uint64_t{1} << (shift - 1);  // rest < 2^53, so > 54 is below half
  bool up = false;
  switch (round) {
    case Round::rint:
      up = rest > half || (rest == half && (whole & 1));
      break;
    case Round::round:
      up = rest >= half;
      break;
    case Round::floor:
      up = negative;
      break;
    case Round::ceil:
      up = !negative;
      break;
    case Round::trunc:
      break;
    case Round::odd:
      return whole | 1;
  }
  return whole + (up ? 1 : 0);
}

/// Whether a value above the largest finite number becomes infinity (IEEE 754 7.4; odd keeps the odd largest
/// number).
bool overflows_to_infinity(Round round, bool negative) {
  switch (round) {
    case Round::rint:
    case Round::round:
      return true;
    case Round::floor:
      return negative;
    case Round::ceil:
      return !negative;
    default:
      return false;
  }
}

uint64_t encode_nan(const FloatFormat& format, double value) {
  if (format.nan == kNoCode) return format.max_code;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t code = format.nan;
  if (format.mantissa >= 7)
    code |= (bits >> (52 - format.mantissa)) & ((uint64_t{1} << (format.mantissa - 1)) - 1);
  return code | (bits >> 63 << format.sign_bit);
}

uint64_t encode(const FloatFormat& format, double value, Round round, Overflow overflow) {
  if (std::isnan(value)) return encode_nan(format, value);
  const bool negative = std::signbit(value);
  const uint64_t sign = uint64_t{negative} << format.sign_bit;
  const uint64_t beyond = format.inf != kNoCode   ? format.inf
                          : format.nan != kNoCode ? format.nan
                                                  : format.max_code;
  if (std::isinf(value)) return sign | (overflow == Overflow::saturate ? format.max_code : beyond);
  if (value == 0) return sign;
  const Split parts = split(std::fabs(value));
  const bool normal = parts.top() >= format.min_exponent;
  const int quantum = (normal ? parts.top() : format.min_exponent) - format.mantissa;
  uint64_t code = round_to_quantum(parts, quantum, negative, round);
  // A carry out of the significand raises the exponent field by itself.
  if (normal) code += static_cast<uint64_t>(parts.top() - format.min_exponent) << format.mantissa;
  if (code <= format.max_code) return sign | code;
  const bool to_infinity = overflow == Overflow::ieee && overflows_to_infinity(round, negative);
  return sign | (to_infinity ? beyond : format.max_code);
}

double decode(const FloatFormat& format, uint64_t bits) {
  const uint64_t code = bits & ((uint64_t{1} << format.sign_bit) - 1);
  const bool negative = bits >> format.sign_bit & 1;
  double magnitude = kNan;
  if (code == format.inf) {
    magnitude = kInf;
  } else if (code <= format.max_code) {
    const int field = static_cast<int>(code >> format.mantissa);
    const uint64_t fraction = code & ((uint64_t{1} << format.mantissa) - 1);
    const uint64_t significand = field ? fraction | (uint64_t{1} << format.mantissa) : fraction;
    magnitude = std::ldexp(static_cast<double>(significand),
                           format.min_exponent + (field ? field - 1 : 0) - format.mantissa);
  }
  return negative ? -magnitude : magnitude;
}

// ---- hif8: sign, a prefix code for the exponent's width, a sign-magnitude exponent, the mantissa in what is
// left.

constexpr uint64_t kHif8Nan = 0x80, kHif8Inf = 0x6f, kHif8Max = 0x6e;

double decode_hif8(uint64_t bits) {
  if ((bits & 0xff) == kHif8Nan) return kNan;
  const double sign = bits & 0x80 ? -1.0 : 1.0;
  const unsigned code = bits & 0x7f;
  if (code == 0) return 0.0;
  if (code == kHif8Inf) return sign * kInf;
  if (code < 8)
    return sign * std::ldexp(1.0, static_cast<int>(code) - 23);  // no mantissa: powers of two below 2^-15
  int exponent_bits = 0, mantissa_bits = 3;
  if (code >= 0x20) {
    exponent_bits = static_cast<int>(code >> 5) + 1;
    mantissa_bits = 5 - exponent_bits;
  } else if (code >= 0x10) {
    exponent_bits = 1;
  }
  int exponent = 0;
  if (exponent_bits > 0) {
    const unsigned field = (code >> mantissa_bits) & ((1u << exponent_bits) - 1);
    const unsigned sign_mask = 1u << (exponent_bits - 1);
    exponent = static_cast<int>(
        field | sign_mask);  // the leading one of the magnitude is implied in the sign's place
    if (field & sign_mask) exponent = -exponent;
  }
  const unsigned fraction = code & ((1u << mantissa_bits) - 1);
  return sign * std::ldexp(static_cast<double>(fraction | (1u << mantissa_bits)), exponent - mantissa_bits);
}

int hif8_mantissa(int exponent) {
  const int size = std::abs(exponent);
  if (exponent < -15) return 0;
  return size < 4 ? 3 : size < 8 ? 2 : 1;
}

/// Code of significand * 2^quantum, which is a value of the format (or 1.5 * 2^15, whose code is infinity's).
uint64_t hif8_code(uint64_t significand, int quantum) {
  const int top = static_cast<int>(std::bit_width(significand)) - 1 + quantum;
  if (top < -15) return static_cast<uint64_t>(top + 23);
  const int mantissa = hif8_mantissa(top);
  const int shift = static_cast<int>(std::bit_width(significand)) - 1 - mantissa;
  const uint64_t scaled = shift > 0 ? significand >> shift : significand << -shift;
  const uint64_t fraction = scaled & ((uint64_t{1} << mantissa) - 1);
  const unsigned size = static_cast<unsigned>(std::abs(top));
  const int exponent_bits = static_cast<int>(std::bit_width(size));
  if (exponent_bits == 0) return 0x08 | fraction;
  const uint64_t field =
      (size & ((1u << (exponent_bits - 1)) - 1)) | (top < 0 ? 1u << (exponent_bits - 1) : 0u);
  const uint64_t prefix = exponent_bits == 1 ? 0x10 : static_cast<uint64_t>(exponent_bits - 1) << 5;
  return prefix | field << mantissa | fraction;
}

uint64_t encode_hif8(double value, Round round, Overflow overflow) {
  if (std::isnan(value)) return kHif8Nan;
  const bool negative = std::signbit(value);
  const uint64_t sign = negative ? 0x80 : 0;
  if (std::isinf(value)) return sign | (overflow == Overflow::saturate ? kHif8Max : kHif8Inf);
  if (value == 0) return 0;  // one zero only: the code of -0 is NaN
  const Split parts = split(std::fabs(value));
  const int quantum = parts.top() < -22 ? -22 : parts.top() - hif8_mantissa(parts.top());
  const uint64_t significand = round_to_quantum(parts, quantum, negative, round);
  if (significand == 0) return 0;
  if (std::ldexp(static_cast<double>(significand), quantum) <= 32768.0)
    return sign | hif8_code(significand, quantum);
  // 1.5 * 2^15 has infinity's code, so `odd` cannot mean the odd neighbour here: it keeps the largest number.
  const bool to_infinity = overflow == Overflow::ieee && overflows_to_infinity(round, negative);
  return sign | (to_infinity ? kHif8Inf : kHif8Max);
}

// ---- e8m0: a power of two, no sign, no zero.

double decode_e8m0(uint64_t bits) {
  const int code = static_cast<int>(bits & 0xff);
  return code == 0xff ? kNan : std::ldexp(1.0, code - 127);
}

uint64_t encode_e8m0(double value, Round round, Overflow overflow) {
  constexpr uint64_t kNanCode = 0xff, kMaxCode = 0xfe;
  if (std::isnan(value)) return kNanCode;
  if (value < 0) return overflow == Overflow::saturate ? 0 : kNanCode;
  if (std::isinf(value)) return overflow == Overflow::saturate ? kMaxCode : kNanCode;
  const Split parts = split(value);
  if (parts.top() < -127 || value == 0) return 0;
  const uint64_t one_or_two = round == Round::odd ? 1 : round_to_quantum(parts, parts.top(), false, round);
  const int exponent = parts.top() + static_cast<int>(one_or_two) - 1;
  if (exponent <= 127) return static_cast<uint64_t>(exponent + 127);
  return overflow == Overflow::saturate || !overflows_to_infinity(round, false) ? kMaxCode : kNanCode;
}

// ---- integers

uint64_t low_bits(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

/// A whole f64 modulo 2^64.
uint64_t wrap_to_u64(double whole) {
  const double magnitude = std::fabs(whole);
  if (!(magnitude < kInf)) return 0;
  const Split parts = split(magnitude);
  uint64_t result = 0;
  if (parts.exponent <= 0) {
    result = parts.exponent < -63 ? 0 : parts.significand >> -parts.exponent;
  } else if (parts.exponent < 64) {
    result = parts.significand << parts.exponent;
  }
  return whole < 0 ? ~result + 1 : result;
}

uint64_t encode_integer(Elem elem, double value, Round round, Overflow overflow) {
  const uint32_t width = elem == Elem::i1 ? 1 : bit_width(elem);
  if (elem == Elem::i1) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  const double whole = round_to_integral(value, round);
  if (overflow == Overflow::ieee) return wrap_to_u64(whole) & low_bits(width);
  const bool is_signed = !is_unsigned(elem);
  const double limit =
      std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));  // first value too large
  if (whole >= limit) return is_signed ? low_bits(width) >> 1 : low_bits(width);
  const double lowest = is_signed ? -limit : 0.0;
  if (whole < lowest) return is_signed ? uint64_t{1} << (width - 1) : 0;
  return wrap_to_u64(whole) & low_bits(width);
}

}  // namespace

double round_to_integral(double value, Round round) {
  switch (round) {
    case Round::rint: {
      // Independent of the rounding mode of the host's floating-point environment.
      const double truncated = std::trunc(value);
      const double rest = std::fabs(value - truncated);
      if (!(rest >= 0.5)) return truncated;
      const double away = truncated + std::copysign(1.0, value);
      return rest > 0.5 || std::fmod(truncated, 2.0) != 0 ? away : truncated;
    }
    case Round::round:
      return std::round(value);
    case Round::floor:
      return std::floor(value);
    case Round::ceil:
      return std::ceil(value);
    case Round::trunc:
      return std::trunc(value);
    case Round::odd: {
      const double truncated = std::trunc(value);
      if (truncated == value || std::isnan(value)) return value;
      return std::fmod(truncated, 2.0) == 0 ? truncated + std::copysign(1.0, value) : truncated;
    }
  }
  return value;
}

int64_t int_value(Elem elem, uint64_t bits) {
  const uint32_t width = elem == Elem::i1 ? 1 : bit_width(elem);
  if (width >= 64) return static_cast<int64_t>(bits);
  const uint64_t value = bits & low_bits(width);
  const bool negative = elem != Elem::i1 && !is_unsigned(elem) && (value >> (width - 1) & 1);
  return static_cast<int64_t>(negative ? value | ~low_bits(width) : value);
}

double to_f64(Elem elem, uint64_t bits) {
  switch (elem) {
    case Elem::f64:
      return std::bit_cast<double>(bits);
    case Elem::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Elem::f16:
      return static_cast<double>(f16_to_f32(static_cast<uint16_t>(bits)));
    case Elem::bf16:
      return static_cast<double>(bf16_to_f32(static_cast<uint16_t>(bits)));
    case Elem::hif8:
    case Elem::hif8x2:
      return decode_hif8(bits);
    case Elem::f8e8m0:
      return decode_e8m0(bits);
    case Elem::ui64:
      return static_cast<double>(bits);
    default:
      break;
  }
  if (const FloatFormat* format = format_of(elem)) return decode(*format, bits);
  return static_cast<double>(int_value(elem, bits));
}

std::array<float, 256> code_values(Elem elem) {
  std::array<float, 256> values{};
  for (unsigned code = 0; code < values.size(); ++code) values[code] = static_cast<float>(to_f64(elem, code));
  return values;
}

uint64_t from_f64(Elem elem, double value, Round round, Overflow overflow) {
  switch (elem) {
    case Elem::f64:
      return std::bit_cast<uint64_t>(value);
    case Elem::hif8:
    case Elem::hif8x2:
      return encode_hif8(value, round, overflow);
    case Elem::f8e8m0:
      return encode_e8m0(value, round, overflow);
    default:
      break;
  }
  if (const FloatFormat* format = format_of(elem)) return encode(*format, value, round, overflow);
  return encode_integer(elem, value, round, overflow);
}

// ---- the two 16-bit formats against f32, on the bits

float f16_to_f32(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00) {  // infinity; NaN keeps its payload and becomes quiet
    return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13 |
                                (magnitude > 0x7c00 ? 0x400000u : 0u));
  }
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
}

uint16_t f32_to_f16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t sign = bits >> 16 & 0x8000u;
  uint32_t code = 0;
  if (magnitude > 0x7f800000u) {
    code = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520: half way to 2^16
    code = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // below 2^-14: let the f32 adder round at 2^-24
    code = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  } else {
    code = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  }
  return static_cast<uint16_t>(sign | code);
}

uint16_t f32_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

float round_mantissa(float value, int bits, bool ties_away) {
  const uint32_t word = std::bit_cast<uint32_t>(value);
  const int drop = 23 - bits;
  if (drop <= 0 || (word & 0x7f800000u) == 0x7f800000u) return value;
  const uint32_t half = 1u << (drop - 1);
  const uint32_t increment = ties_away ? half : half - 1 + (word >> drop & 1u);
  return std::bit_cast<float>((word + increment) & ~((1u << drop) - 1));
}

}  // namespace pto::num
