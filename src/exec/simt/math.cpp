// SIMT: conversions, integer products, byte operations, sine and cosine. Functions that the math
// dialect also has are in exec/scalar/math.cpp and exec/scalar/arith.cpp.
#include <cmath>
#include <cstring>
#include <optional>

#include "exec/elementwise_ops.hpp"
#include "exec/fault_sink.hpp"
#include "exec/integer_ops.hpp"
#include "exec/lane_convert.hpp"
#include "exec/lane_ops.hpp"
#include "exec/simt/simt_family.hpp"

namespace pto::exec {
namespace {

// ---- convert: rounding, saturation, signedness

enum Attribute : unsigned { kRounding, kSaturation, kSignedness };
constexpr int64_t kHybrid = 6;

constexpr num::Round kRounds[] = {num::Round::rint, num::Round::round, num::Round::floor,
                                  num::Round::ceil, num::Round::trunc, num::Round::odd};

Elem with_sign(Elem elem, bool is_unsigned_word) {
  if (elem == Elem::i32) return is_unsigned_word ? Elem::ui32 : Elem::si32;
  if (elem == Elem::i64) return is_unsigned_word ? Elem::ui64 : Elem::si64;
  return elem;
}

/// Values in one element of a packed format, and elements of a type.
unsigned packed_values(Elem elem) { return elem == Elem::hif8x2 || is_float4(elem) ? 2 : 1; }
unsigned value_bits(Elem elem) {
  return elem == Elem::hif8x2 ? 8 : packed_values(elem) == 2 ? 4 : bit_width(elem);
}
unsigned values_of(const Type& type) {
  const auto elements = type.kind == TypeKind::vector ? static_cast<unsigned>(type.dims[0]) : 1U;
  return elements * packed_values(type.elem);
}

/// Value number i of a scalar, a vector or a packed pair, in its frame.
uint64_t value_at(const std::byte* bytes, Elem elem, unsigned i) {
  const unsigned bits = value_bits(elem);
  const unsigned bit = i * bits;
  uint64_t value = 0;
  std::memcpy(&value, bytes + bit / 8, (bits + 7) / 8);
  if (bits < 8) value = value >> bit % 8 & 15;
  return value;
}
void put_value(std::byte* bytes, Elem elem, unsigned i, uint64_t value) {
  const unsigned bits = value_bits(elem);
  const unsigned bit = i * bits;
  if (bits < 8)
    bytes[bit / 8] |= static_cast<std::byte>((value & 15) << bit % 8);
  else
    std::memcpy(bytes + bit / 8, &value, (bits + 7) / 8);
}

/// Nothing public says how hybrid rounding chooses: it is carried out where there is nothing to choose.
std::optional<uint64_t> convert_value(const Context& c, Elem from, Elem to, uint64_t bits) {
  const bool saturate = c.attr(kSaturation) != 0;
  const int64_t mode = c.attr(kRounding);
  if (mode != kHybrid) return Conversion{from, to, kRounds[mode], saturate}.run(bits);
  const uint64_t down = Conversion{from, to, num::Round::trunc, saturate}.run(bits);
  const uint64_t near = Conversion{from, to, num::Round::round, saturate}.run(bits);
  if (down != near) return std::nullopt;
  return near;
}

void convert(Context& c) {
  const bool is_unsigned_word = c.attr_set(kSignedness) && c.attr(kSignedness) != 0;
  const Type& source = c.type(0);
  const Type& target = c.result_type();
  const Elem from = with_sign(source.elem, is_unsigned_word);
  const Elem to = with_sign(target.elem, is_unsigned_word);
  const unsigned count = values_of(source);
  if (count != values_of(target)) return c.fault(Fault::bad_operand, "as many values as there are results");
  const auto* in = reinterpret_cast<const std::byte*>(&c.as<Word>(0));
  std::array<Word, 4> built{};
  if (words_of(target) > built.size()) return c.fault(Fault::unsupported, "a vector of so many elements");
  for (unsigned i = 0; i < count; ++i) {
    const std::optional<uint64_t> value = convert_value(c, from, to, value_at(in, from, i));
    if (!value)
      return c.fault(Fault::unsupported, "hybrid rounding of a value between two others is not supported");
    put_value(reinterpret_cast<std::byte*>(built.data()), to, i, *value);
  }
  if (target.kind == TypeKind::scalar && is_integer(target.elem)) built[0] = int_word(target.elem, built[0]);
  std::memcpy(&c.result<Word>(), built.data(), words_of(target) * sizeof(Word));
}

// ---- integers

bool is_unsigned_product(const Context& c) { return c.attr(0) != 0; }

unsigned __int128 product(const Context& c) {
  const Elem elem = c.type(0).elem;
  if (is_unsigned_product(c))
    return static_cast<unsigned __int128>(unsigned_value(elem, c.word(0))) * unsigned_value(elem, c.word(1));
  return static_cast<unsigned __int128>(static_cast<__int128>(signed_value(elem, c.word(0))) *
                                        signed_value(elem, c.word(1)));
}
void mulhi(Context& c) {
  const Elem elem = c.type(0).elem;
  c.set(int_word(elem, static_cast<uint64_t>(product(c) >> int_bits(elem))));
}
void mul_wide(Context& c) { c.set(static_cast<uint64_t>(product(c))); }

/// Byte k of the result is the byte that nibble k of the selector names: 0 to 3 of the second operand, 4 to 7
/// of the first. The upper bit of a nibble counts for nothing.
void prmt(Context& c) {
  const uint64_t bytes = (c.word(1) & 0xffffffff) | c.word(0) << 32;
  uint64_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned which = c.word(2) >> 4 * k & 7;
    result |= (bytes >> 8 * which & 0xff) << 8 * k;
  }
  c.set(int_word(Elem::i32, result));
}

// ---- sine and cosine, as the public software makes them: every step rounds to f32

struct Angle {
  float reduced = 0;
  int quadrant = 0;
};

Angle reduce(float value) {
  const float quarters = std::round(value * static_cast<float>(0.6366197723675814));
  const float turned = quarters * static_cast<float>(1.5707963267948966);
  const float whole = 4.0F * std::round(quarters * 0.25F);
  float quadrant = quarters - whole;
  if (quadrant < 0) quadrant += 4.0F;
  return {value - turned, quadrant == 1.0F ? 1 : quadrant == 2.0F ? 2 : quadrant == 3.0F ? 3 : 0};
}
/// Horner's scheme over the reciprocals of factorials with alternating signs, the last coefficient last.
template <size_t kCount>
float polynomial(const std::array<double, kCount>& coefficients, float x2) {
  auto sum = static_cast<float>(coefficients[0]);
  for (size_t i = 1; i < kCount; ++i) sum = std::fma(sum, x2, static_cast<float>(coefficients[i]));
  return sum;
}
float sine_near_zero(float x) {
  constexpr std::array kCoefficients{-1.0 / 6227020800.0, 1.0 / 39916800.0, -1.0 / 362880.0,
                                     1.0 / 5040.0,        -1.0 / 120.0,     1.0 / 6.0};
  const float x2 = x * x;
  const float x3 = x * x2;
  const float lost = x3 * polynomial(kCoefficients, x2);
  return x - lost;
}
float cosine_near_zero(float x) {
  constexpr std::array kCoefficients{-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0, 1.0 / 40320.0,
                                     -1.0 / 720.0,         1.0 / 24.0,        -1.0 / 2.0,       1.0};
  return polynomial(kCoefficients, x * x);
}

/// A quarter turn further is the cosine.
template <int kIteration>
void circular(Context& c) {
  const auto value = std::bit_cast<float>(static_cast<uint32_t>(c.word(0)));
  const Angle angle = reduce(value);
  const int quadrant = (angle.quadrant + kIteration) % 4;
  const float near = quadrant % 2 == 0 ? sine_near_zero(angle.reduced) : cosine_near_zero(angle.reduced);
  c.set(std::bit_cast<uint32_t>(canonical(quadrant >= 2 ? 0.0F - near : near)));
}

constexpr Semantics kSimtMathSemantics[] = {
    {"pto.convert", convert}, {"pto.mulhi", mulhi},     {"pto.mul_i32toi64", mul_wide},
    {"pto.prmt", prmt},       {"pto.sin", circular<0>}, {"pto.cos", circular<1>},
};

}  // namespace

std::span<const Semantics> thread_math() { return kSimtMathSemantics; }

}  // namespace pto::exec
