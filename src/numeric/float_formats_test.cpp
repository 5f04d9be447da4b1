// Encodings against independent models: decoded values from the formats' definitions in exact f64 arithmetic,
// roundings by search in the sorted list of all values of a format.
#include "numeric/float_formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "testing/catch_main.hpp"

namespace {
using namespace pto;
using num::Overflow;
using num::Round;

constexpr Round kAllRounds[] = {Round::rint, Round::round, Round::floor,
                                Round::ceil, Round::trunc, Round::odd};

struct Definition {
  Elem elem;
  int exponent_bits, mantissa_bits, bias;
  bool has_inf;  ///< the largest exponent field is inf/NaN (IEEE); otherwise only all-ones may be NaN
  bool all_ones_nan;
};
constexpr Definition kDefinitions[] = {
    {Elem::f16, 5, 10, 15, true, false},     {Elem::bf16, 8, 7, 127, true, false},
    {Elem::f8e4m3, 4, 3, 7, false, true},    {Elem::f8e5m2, 5, 2, 15, true, false},
    {Elem::f4e1m2x2, 1, 2, 1, false, false}, {Elem::f4e2m1x2, 2, 1, 1, false, false},
};

double defined_value(const Definition& d, unsigned bits) {
  const unsigned width = 1u + static_cast<unsigned>(d.exponent_bits + d.mantissa_bits);
  const double sign = bits >> (width - 1) & 1 ? -1 : 1;
  const unsigned field = bits >> d.mantissa_bits & ((1u << d.exponent_bits) - 1);
  const unsigned fraction = bits & ((1u << d.mantissa_bits) - 1);
  const unsigned top = (1u << d.exponent_bits) - 1;
  const unsigned ones = (1u << d.mantissa_bits) - 1;
  if (d.has_inf && field == top) return fraction ? std::nan("") : sign * HUGE_VAL;
  if (d.all_ones_nan && field == top && fraction == ones) return std::nan("");
  const double scale = std::pow(2.0, -d.mantissa_bits);
  if (field == 0) return sign * fraction * scale * std::pow(2.0, 1 - d.bias);
  return sign * (1 + fraction * scale) * std::pow(2.0, static_cast<int>(field) - d.bias);
}

/// Magnitudes of a format in ascending order; position = code, for every format here.
struct Ladder {
  std::vector<double> value;  ///< finite magnitudes, then one virtual step above
  uint64_t sign, beyond, largest;
};

Ladder ladder_of(const Definition& d) {
  Ladder ladder;
  const unsigned width = 1u + static_cast<unsigned>(d.exponent_bits + d.mantissa_bits);
  for (unsigned code = 0; code < 1u << (width - 1); ++code) {
    const double value = defined_value(d, code);
    if (std::isfinite(value)) ladder.value.push_back(value);
  }
  ladder.largest = ladder.value.size() - 1;
  ladder.sign = uint64_t{1} << (width - 1);
  ladder.beyond = d.has_inf || d.all_ones_nan ? ladder.largest + 1 : ladder.largest;
  const double step = ladder.value.back() - ladder.value[ladder.value.size() - 2];
  ladder.value.push_back(ladder.value.back() + step);
  return ladder;
}

uint64_t model(const Ladder& ladder, double value, Round round, Overflow overflow) {
  const bool negative = std::signbit(value);
  const double size = std::fabs(value);
  const uint64_t sign = negative ? ladder.sign : 0;
  if (std::isinf(value)) return sign | (overflow == Overflow::saturate ? ladder.largest : ladder.beyond);
  const auto above = std::upper_bound(ladder.value.begin(), ladder.value.end(), size);
  uint64_t low = static_cast<uint64_t>(above - ladder.value.begin()) - 1;
  uint64_t code = low;
  if (low + 1 >= ladder.value.size()) {
    code = round == Round::trunc || round == Round::odd || (round == Round::floor && !negative) ||
                   (round == Round::ceil && negative)
               ? ladder.largest
               : ladder.largest + 1;
  } else if (size != ladder.value[low]) {
    const double below = size - ladder.value[low];
    const double over = ladder.value[low + 1] - size;
    bool up = false;
    switch (round) {
      case Round::rint:
        up = over < below || (over == below && (low & 1));
        break;
      case Round::round:
        up = over <= below;
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
        up = !(low & 1);
        break;
    }
    code = low + (up ? 1 : 0);
    if (round == Round::odd && code > ladder.largest) code = ladder.largest;
  } else if (low > ladder.largest) {
    code = round == Round::trunc || round == Round::odd || (round == Round::floor && !negative) ||
                   (round == Round::ceil && negative)
               ? ladder.largest
               : ladder.largest + 1;
  }
  if (code > ladder.largest) code = overflow == Overflow::saturate ? ladder.largest : ladder.beyond;
  return sign | code;
}

void check_point(const Definition& d, const Ladder& ladder, double value) {
  for (const double signed_value : {value, -value}) {
    for (const Round round : kAllRounds) {
      for (const Overflow overflow : {Overflow::saturate, Overflow::ieee}) {
        const uint64_t got = num::from_f64(d.elem, signed_value, round, overflow);
        const uint64_t want = model(ladder, signed_value, round, overflow);
        if (got != want) {
          INFO(to_string(d.elem) << " value " << signed_value << " round " << int(round) << " overflow "
                                 << int(overflow));
          REQUIRE(got == want);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every encoding decodes to its defined value",
          "[numeric][N-f16-encoding][N-bf16-encoding][N-f8e4m3-encoding]"
          "[N-f8e5m2-encoding][N-f4e2m1-encoding][N-f4e1m2-encoding]") {
  for (const Definition& d : kDefinitions) {
    const unsigned width = 1u + static_cast<unsigned>(d.exponent_bits + d.mantissa_bits);
    unsigned wrong = 0;
    for (unsigned bits = 0; bits < 1u << width; ++bits) {
      const double want = defined_value(d, bits);
      const double got = num::to_f64(d.elem, bits);
      wrong += !(std::isnan(want) ? std::isnan(got) : want == got && std::signbit(want) == std::signbit(got));
    }
    INFO(to_string(d.elem));
    CHECK(wrong == 0);
  }
}

TEST_CASE(
    "every value, every midpoint and their neighbours round as a search over all values says",
    "[numeric][N-float-round][N-rint-round][N-directed-round][N-odd-round][N-cvt-saturate][N-cvt-overflow]") {
  for (const Definition& d : kDefinitions) {
    const Ladder ladder = ladder_of(d);
    for (size_t i = 0; i + 1 < ladder.value.size(); ++i) {
      const double middle = (ladder.value[i] + ladder.value[i + 1]) / 2;
      check_point(d, ladder, ladder.value[i]);
      check_point(d, ladder, middle);
      if (d.elem == Elem::f16 && i % 7) continue;  // neighbours of a seventh of the 16-bit codes: time
      if (d.elem == Elem::bf16 && i % 7) continue;
      check_point(d, ladder, std::nextafter(ladder.value[i], HUGE_VAL));
      check_point(d, ladder, std::nextafter(middle, 0));
      check_point(d, ladder, std::nextafter(middle, HUGE_VAL));
    }
    for (const double big : {ladder.value.back(), ladder.value.back() * 1.25, 1e300, HUGE_VAL})
      check_point(d, ladder, big);
    for (const double tiny : {1e-300, 5e-324}) check_point(d, ladder, tiny);
  }
}

TEST_CASE("rounding to a 16-bit float in f32 is the conversion there and back", "[numeric]") {
  std::mt19937 random(7);
  const auto check = [](uint32_t bits) {
    const float value = std::bit_cast<float>(bits);
    const uint32_t half = std::bit_cast<uint32_t>(num::f16_to_f32(num::f32_to_f16(value)));
    const uint32_t brain = std::bit_cast<uint32_t>(num::bf16_to_f32(num::f32_to_bf16(value)));
    if (std::bit_cast<uint32_t>(num::round_to_f16(value)) == half &&
        std::bit_cast<uint32_t>(num::round_to_bf16(value)) == brain)
      return;
    CAPTURE(bits);
    CHECK(std::bit_cast<uint32_t>(num::round_to_f16(value)) == half);
    CHECK(std::bit_cast<uint32_t>(num::round_to_bf16(value)) == brain);
  };
  for (uint32_t high = 0; high < 0x10000;
       ++high) {  // every sign, exponent and upper mantissa, with lower bits that decide
    for (const uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu, 0x1000u, 0x0fffu})
      check(high << 16 | low);
  }
  for (int i = 0; i < 200000; ++i) check(static_cast<uint32_t>(random()));
}

TEST_CASE("not a number in every format", "[numeric]") {
  const double nan = std::nan("");
  for (const Elem elem :
       {Elem::f16, Elem::bf16, Elem::f32, Elem::f64, Elem::f8e4m3, Elem::f8e5m2, Elem::f8e8m0, Elem::hif8}) {
    for (const Overflow overflow : {Overflow::saturate, Overflow::ieee}) {
      CHECK(std::isnan(num::to_f64(elem, num::from_f64(elem, nan, Round::rint, overflow))));
    }
  }
  CHECK(num::from_f64(Elem::f4e2m1x2, nan) == 7);
  CHECK(num::from_f64(Elem::i32, nan, Round::rint, Overflow::saturate) == 0);
  CHECK(num::from_f64(Elem::i8, nan, Round::rint, Overflow::ieee) == 0);
}

TEST_CASE("hif8: values follow the prefix code and rounding searches the list",
          "[numeric][N-hif8-encoding][N-hif8-limits][N-hif8-zero]") {
  // Independent enumeration by the format's table: width of the exponent field -> exponents and mantissa
  // bits.
  std::vector<std::pair<double, unsigned>> list = {{0.0, 0x00}};
  for (unsigned m = 1; m < 8; ++m) list.push_back({std::pow(2.0, static_cast<int>(m) - 23), m});
  const auto add = [&](int exponent, unsigned code_base, unsigned mantissas) {
    for (unsigned m = 0; m < mantissas; ++m)
      list.push_back({std::pow(2.0, exponent) * (1.0 + m / double(mantissas)), code_base + m});
  };
  add(0, 0x08, 8);
  add(1, 0x10, 8);
  add(-1, 0x18, 8);
  for (int e = 0; e < 2; ++e) {
    add(2 + e, 0x20u + 8u * unsigned(e), 8);
    add(-2 - e, 0x30u + 8u * unsigned(e), 8);
  }
  for (int e = 0; e < 4; ++e) {
    add(4 + e, 0x40u + 4u * unsigned(e), 4);
    add(-4 - e, 0x50u + 4u * unsigned(e), 4);
  }
  for (int e = 0; e < 8; ++e) {
    add(8 + e, 0x60u + 2u * unsigned(e), 2);
    add(-8 - e, 0x70u + 2u * unsigned(e), 2);
  }
  std::sort(list.begin(), list.end());
  REQUIRE(list.size() == 128);
  REQUIRE(list.back().second == 0x6f);  // 1.5 * 2^15: the place of infinity
  for (const auto& [value, code] : list) {
    const double want = code == 0x6f ? HUGE_VAL : value;
    CHECK(num::to_f64(Elem::hif8, code) == want);
    if (code) CHECK(num::to_f64(Elem::hif8, code | 0x80) == -want);
  }
  CHECK(std::isnan(num::to_f64(Elem::hif8, 0x80)));
  for (size_t i = 0; i + 1 < list.size(); ++i) {
    const auto [low, low_code] = list[i];
    const auto [high, high_code] = list[i + 1];
    const double middle = (low + high) / 2;
    const bool overflow_step = high_code == 0x6f;
    CHECK(num::from_f64(Elem::hif8, low) == low_code);
    CHECK(num::from_f64(Elem::hif8, middle, Round::round) == high_code);
    CHECK(num::from_f64(Elem::hif8, middle, Round::trunc) == low_code);
    CHECK(num::from_f64(Elem::hif8, middle, Round::ceil) == high_code);
    CHECK(num::from_f64(Elem::hif8, std::nextafter(middle, 0), Round::rint) == low_code);
    CHECK(num::from_f64(Elem::hif8, std::nextafter(middle, 1e9), Round::rint) == high_code);
    if (low_code) CHECK(num::from_f64(Elem::hif8, -middle, Round::floor) == (high_code | 0x80));
    if (overflow_step) CHECK(num::from_f64(Elem::hif8, middle, Round::round, Overflow::saturate) == 0x6e);
  }
  CHECK(num::from_f64(Elem::hif8, -0.0) == 0);
  CHECK(num::from_f64(Elem::hif8, 1e30) == 0x6f);
  CHECK(num::from_f64(Elem::hif8, -1e30, Round::rint, Overflow::saturate) == 0xee);
}

TEST_CASE("e8m0: powers of two", "[numeric][N-f8e8m0-encoding]") {
  for (unsigned code = 0; code < 255; ++code) {
    const double value = std::pow(2.0, static_cast<int>(code) - 127);
    CHECK(num::to_f64(Elem::f8e8m0, code) == value);
    CHECK(num::from_f64(Elem::f8e8m0, value) == code);
    CHECK(num::from_f64(Elem::f8e8m0, value * 1.25, Round::trunc) == code);
    CHECK(num::from_f64(Elem::f8e8m0, value * 1.75, Round::rint, Overflow::saturate) ==
          std::min(code + 1, 254u));
  }
  CHECK(num::from_f64(Elem::f8e8m0, 0.0) == 0);
  CHECK(num::from_f64(Elem::f8e8m0, HUGE_VAL) == 0xff);
  CHECK(num::from_f64(Elem::f8e8m0, -1.0) == 0xff);
}

TEST_CASE("f32: rounding from f64 agrees with the neighbours nextafter gives", "[numeric][N-f32-encoding]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    uint64_t bits = random();
    if (i % 2)
      bits = (bits & 0x800fffffffffffffull) |
             (uint64_t{1023 - 160 + random() % 300} << 52);  // around f32's range
    const double value = std::bit_cast<double>(bits);
    if (std::isnan(value) || std::isinf(value)) continue;
    const float nearest = static_cast<float>(value);
    CHECK(num::from_f64(Elem::f32, value) == std::bit_cast<uint32_t>(nearest));
    if (std::isinf(nearest)) continue;
    const float below = static_cast<double>(nearest) > value ? std::nextafterf(nearest, -HUGE_VALF) : nearest;
    const float above = static_cast<double>(nearest) < value ? std::nextafterf(nearest, HUGE_VALF) : nearest;
    if (std::isinf(below) || std::isinf(above)) continue;
    REQUIRE(num::to_f64(Elem::f32, num::from_f64(Elem::f32, value, Round::floor)) ==
            static_cast<double>(below));
    REQUIRE(num::to_f64(Elem::f32, num::from_f64(Elem::f32, value, Round::ceil)) ==
            static_cast<double>(above));
    REQUIRE(num::to_f64(Elem::f32, num::from_f64(Elem::f32, value, Round::trunc)) ==
            static_cast<double>(value < 0 ? above : below));
    const uint64_t odd = num::from_f64(Elem::f32, value, Round::odd);
    REQUIRE(((odd & 1) || below == above));
  }
}

TEST_CASE("integers: rounding, saturation and wrapping", "[numeric][N-round-round]") {
  const auto i8 = [](double v, Round r, Overflow o) {
    return num::int_value(Elem::i8, num::from_f64(Elem::i8, v, r, o));
  };
  CHECK(i8(2.5, Round::rint, Overflow::saturate) == 2);
  CHECK(i8(3.5, Round::rint, Overflow::saturate) == 4);
  CHECK(i8(-2.5, Round::round, Overflow::saturate) == -3);
  CHECK(i8(-2.5, Round::floor, Overflow::saturate) == -3);
  CHECK(i8(-2.5, Round::ceil, Overflow::saturate) == -2);
  CHECK(i8(2.25, Round::odd, Overflow::saturate) == 3);
  CHECK(i8(127.4, Round::rint, Overflow::saturate) == 127);
  CHECK(i8(127.5, Round::rint, Overflow::saturate) == 127);
  CHECK(i8(127.5, Round::rint, Overflow::ieee) == -128);
  CHECK(i8(-129, Round::rint, Overflow::ieee) == 127);
  CHECK(i8(HUGE_VAL, Round::rint, Overflow::saturate) == 127);
  CHECK(num::from_f64(Elem::ui8, -1, Round::rint, Overflow::saturate) == 0);
  CHECK(num::from_f64(Elem::ui8, -1, Round::rint, Overflow::ieee) == 255);
  CHECK(num::from_f64(Elem::i32, 2147483648.0, Round::rint, Overflow::saturate) == 0x7fffffff);
  CHECK(num::from_f64(Elem::i64, 1e300, Round::rint, Overflow::saturate) == 0x7fffffffffffffffull);
  CHECK(num::from_f64(Elem::i64, -9223372036854775808.0, Round::rint, Overflow::saturate) ==
        0x8000000000000000ull);
  CHECK(num::from_f64(Elem::ui64, 18446744073709551616.0, Round::rint, Overflow::saturate) == ~uint64_t{0});
  CHECK(num::from_f64(Elem::i4, 9, Round::rint, Overflow::saturate) == 7);
  CHECK(num::int_value(Elem::i4, 0xf) == -1);
  CHECK(num::int_value(Elem::ui16, 0xffff) == 65535);
}

TEST_CASE("bulk conversions give the bits of the scalar ones", "[numeric]") {
  std::vector<uint16_t> codes(65536);
  for (unsigned i = 0; i < 65536; ++i) codes[i] = static_cast<uint16_t>(i);
  std::vector<float> wide(65536);
  num::f16_to_f32(codes, wide.data());
  unsigned wrong = 0;
  for (unsigned i = 0; i < 65536; ++i)
    wrong += std::bit_cast<uint32_t>(wide[i]) != std::bit_cast<uint32_t>(num::f16_to_f32(codes[i]));
  CHECK(wrong == 0);
  num::bf16_to_f32(codes, wide.data());
  for (unsigned i = 0; i < 65536; ++i) wrong += std::bit_cast<uint32_t>(wide[i]) != i << 16;
  CHECK(wrong == 0);

  std::mt19937 random(11);
  std::vector<float> values(100003);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t bits = static_cast<uint32_t>(random());
    if (i % 2)
      bits = (bits & 0x807fffffu) |
             ((100u + static_cast<uint32_t>(random()) % 45u) << 23);  // f16's range and its edges
    if (i % 5 == 0) bits &= 0xffffe000u | (static_cast<uint32_t>(random()) % 3u << 12);  // ties
    values[i] = std::bit_cast<float>(bits);
  }
  std::vector<uint16_t> narrow(values.size());
  num::f32_to_f16(values, narrow.data());
  for (size_t i = 0; i < values.size(); ++i) {
    wrong += narrow[i] != num::f32_to_f16(values[i]);
    wrong += narrow[i] != num::from_f64(Elem::f16, static_cast<double>(values[i]));
  }
  CHECK(wrong == 0);
  num::f32_to_bf16(values, narrow.data());
  for (size_t i = 0; i < values.size(); ++i) {
    wrong += narrow[i] != num::f32_to_bf16(values[i]);
    wrong += narrow[i] != num::from_f64(Elem::bf16, static_cast<double>(values[i]));
  }
  CHECK(wrong == 0);
}

TEST_CASE("TF32: mantissa rounding", "[numeric]") {
  std::mt19937 random(13);
  for (int i = 0; i < 100000; ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (!std::isfinite(value) || std::fabs(value) < 1e-37f || std::fabs(value) > 1e38f) continue;
    for (const int bits : {10, 11}) {
      int exponent = 0;
      const double fraction = std::frexp(static_cast<double>(value), &exponent);
      const double scaled = std::ldexp(fraction, bits + 1);
      REQUIRE(static_cast<double>(num::round_mantissa(value, bits, false)) ==
              std::ldexp(num::round_to_integral(scaled, Round::rint), exponent - bits - 1));
      REQUIRE(static_cast<double>(num::round_mantissa(value, bits, true)) ==
              std::ldexp(std::round(scaled), exponent - bits - 1));
    }
  }
  CHECK(std::isinf(num::round_mantissa(HUGE_VALF, 10, false)));
  CHECK(std::isnan(num::round_mantissa(std::nanf(""), 10, true)));
}
