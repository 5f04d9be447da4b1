// Comparison, selection and conversion.
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;
constexpr int64_t kOn = 0, kOff = 1, kDefault = -1;
constexpr int64_t kNone = 0, kRint = 1, kRound = 2, kFloor = 3, kCeil = 4, kTrunc = 5, kOdd = 6;

/// Converts one value.
double convert(Elem from, Elem to, double value, int64_t mode = kRint, int64_t saturation = kDefault,
               Target target = Target::a2a3) {
  Bench bench;
  bench.machine.target = target;
  const Arg a = bench.tile(from, {1, 32});
  const Arg d = bench.tile(to, {1, 32});
  bench.fill(a, [&](int64_t, int64_t) { return value; });
  std::map<unsigned, int64_t> attrs{{0, mode}};
  if (saturation != kDefault) attrs[1] = saturation;
  bench.run("pto.tcvt", {a, d}, attrs);
  CHECK(bench.faults.empty());
  return bench.get(d, 0, 31);
}
}  // namespace

TEST_CASE("comparison packs bits, lowest first, and clears the rest of the mask",
          "[tile][select][N-cmp-mask]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f32, {3, 24, 3, 19});
  const Arg b = bench.tile(Elem::f32, {3, 24, 3, 19});
  const Arg mask = bench.tile(Elem::i8, {4, 32, 4, 3});
  const double nan = std::nan("");
  const double values[] = {0.0, -0.0, 1, nan, HUGE_VAL, -HUGE_VAL, 2};
  bench.fill(a, [&](int64_t r, int64_t c) { return values[(r + c) % 7]; });
  bench.fill(b, [&](int64_t r, int64_t c) { return values[(r * 3 + c * 2) % 7]; });
  const std::function<bool(double, double)> tests[] = {
      [](double x, double y) { return x == y; }, [](double x, double y) { return x != y; },
      [](double x, double y) { return x < y; },  [](double x, double y) { return x <= y; },
      [](double x, double y) { return x > y; },  [](double x, double y) { return x >= y; }};
  for (int64_t mode = 0; mode < 6; ++mode) {
    for (const bool scalar : {false, true}) {
      if (scalar)
        bench.run("pto.tcmps", {a, bench.f32(1.0f), mask}, {{0, mode}});
      else
        bench.run("pto.tcmp", {a, b, mask}, {{0, mode}});
      for (int64_t r = 0; r < 4; ++r) {
        for (int64_t bit = 0; bit < 32 * 8; ++bit) {
          const bool got = bench.bits(mask, r, bit / 8) >> (bit % 8) & 1;
          REQUIRE(got == (r < 3 && bit < 19 &&
                          tests[mode](bench.get(a, r, bit), scalar ? 1.0 : bench.get(b, r, bit))));
        }
      }
    }
  }
}

TEST_CASE("a scalar comparison into a wider mask is one stream of bytes over the valid columns of the mask",
          "[tile][select][N-cmp-mask-stream]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f32, {4, 16, 3, 13});
  const Arg mask = bench.tile(Elem::ui8, {4, 32, 4, 5});
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>((r * 5 + c * 3) % 7); });
  bench.run("pto.tcmps", {a, bench.f32(3.0f), mask}, {{0, 4}});
  for (int64_t byte = 0; byte < 20; ++byte) {
    for (int64_t bit = 0; bit < 8; ++bit) {
      const int64_t r = byte / 2;
      const int64_t c = byte % 2 * 8 + bit;
      CHECK((bench.bits(mask, byte / 5, byte % 5) >> bit & 1) ==
            (r < 3 && c < 13 && bench.get(a, r, c) > 3.0 ? 1u : 0u));
    }
  }
}

TEST_CASE("A2/A3 selection reads a wider mask as one stream over the valid elements",
          "[tile][select][N-sel-mask-stream]") {
  Bench bench;
  bench.machine.target = Target::a2a3;
  const Arg a = bench.tile(Elem::f32, {3, 16, 3, 13});
  const Arg d = bench.tile(Elem::f32, {3, 16, 3, 13});
  const Arg mask = bench.tile(Elem::ui8, {2, 32, 2, 3});
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(r * 16 + c); });
  for (int64_t i = 0; i < 6; ++i) bench.put(mask, i / 3, i % 3, static_cast<uint64_t>(0x35 + 41 * i));
  bench.run("pto.tsel", {mask, a, a, Bench::none(), d});
  const Arg minus = bench.tile(Elem::f32, {3, 16, 3, 13});
  bench.fill(minus, [](int64_t, int64_t) { return -1; });
  bench.run("pto.tsel", {mask, a, minus, Bench::none(), d});
  for (int64_t i = 0; i < 39; ++i) {
    const int64_t byte = i / 8;
    const bool chosen = (0x35 + 41 * byte) >> (i % 8) & 1;
    CHECK(bench.get(d, i / 13, i % 13) == (chosen ? bench.get(a, i / 13, i % 13) : -1.0));
  }
}

TEST_CASE("selection by mask bits of any word size", "[tile][select][N-sel-mask-scalar]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg a = bench.tile(Elem::f16, {4, 48, 4, 37});
  const Arg b = bench.tile(Elem::f16, {4, 48, 4, 37});
  const Arg d = bench.tile(Elem::f16, {4, 48, 4, 37});
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(r * 48 + c); });
  bench.fill(b, [](int64_t r, int64_t c) { return -static_cast<double>(r * 48 + c); });
  for (const Elem elem : {Elem::i8, Elem::ui16, Elem::i32}) {
    const Arg mask = bench.tile(elem, {4, 32});
    const int64_t bits = bit_width(elem);
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t w = 0; w < 8; ++w) bench.put(mask, r, w, 0xa5c396f1u >> ((r * 3 + w) % 8));
    }
    const auto chosen = [&](int64_t r, int64_t c) { return bench.bits(mask, r, c / bits) >> (c % bits) & 1; };
    bench.run("pto.tsel", {mask, a, b, Bench::none(), d});
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t c = 0; c < 37; ++c) REQUIRE(bench.get(d, r, c) == bench.get(chosen(r, c) ? a : b, r, c));
    }
    bench.run("pto.tsels", {mask, a, Bench::none(), bench.f32(0.5f), d});
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t c = 0; c < 37; ++c)
        REQUIRE(bench.get(d, r, c) == (chosen(r, c) ? bench.get(a, r, c) : 0.5));
    }
  }
}

TEST_CASE("float to integer: rounding modes", "[tile][convert][N-none-round][N-cvt-integral]") {
  for (const Elem from : {Elem::f32, Elem::f16, Elem::bf16}) {
    CHECK(convert(from, Elem::i32, 2.5, kRint) == 2);
    CHECK(convert(from, Elem::i32, 2.5, kRound) == 3);
    CHECK(convert(from, Elem::i32, -2.5, kFloor) == -3);
    CHECK(convert(from, Elem::i32, -2.5, kCeil) == -2);
    CHECK(convert(from, Elem::i32, -2.75, kTrunc) == -2);
    CHECK(convert(from, Elem::i32, -2.75, kNone) == -2);
    CHECK(convert(from, Elem::i32, 2.25, kOdd) == 3);
    CHECK(convert(from, Elem::i32, 3.75, kOdd) == 3);
  }
  CHECK(convert(Elem::f32, Elem::f32, 2.5, kRint) == 2);
  CHECK(convert(Elem::f32, Elem::f32, -0.25, kCeil) == 0);
  CHECK(std::signbit(convert(Elem::f32, Elem::f32, -0.25, kCeil)));
  CHECK(std::isnan(convert(Elem::f32, Elem::f32, std::nan(""), kFloor)));
}

TEST_CASE("float to integer: both saturation forms and the defaults of the pairs",
          "[tile][convert][N-cvt-default-int][N-cvt-wrap]") {
  CHECK(convert(Elem::f32, Elem::i32, 3e9) == 2147483647);
  CHECK(convert(Elem::f32, Elem::i32, -HUGE_VAL) == -2147483648.0);
  CHECK(convert(Elem::f32, Elem::i32, std::nan("")) == 0);
  CHECK(convert(Elem::f32, Elem::i64, 1e30) == 9223372036854775807.0);
  CHECK(convert(Elem::f32, Elem::i16, 40000) == -25536);  // wraps by default
  CHECK(convert(Elem::f32, Elem::i16, 40000, kRint, kOn) == 32767);
  CHECK(convert(Elem::f16, Elem::i8, 200) == -56);
  CHECK(convert(Elem::f16, Elem::i8, 200, kRint, kOn) == 127);
  CHECK(convert(Elem::f16, Elem::i8, HUGE_VAL, kRint, kOff) ==
        -1);  // through i32: its maximum loses its high bits
  CHECK(convert(Elem::f16, Elem::i8, -HUGE_VAL, kRint, kOff) == 0);
  CHECK(convert(Elem::f16, Elem::ui8, HUGE_VAL, kRint, kOff) == 255);
  CHECK(convert(Elem::f16, Elem::ui8, -3, kRint, kOn) == 0);
  CHECK(convert(Elem::f32, Elem::i32, HUGE_VAL, kRint, kOff) == -1);
}

TEST_CASE("integer to integer wraps or saturates; integer to float rounds once",
          "[tile][convert][N-cvt-wide]") {
  CHECK(convert(Elem::i32, Elem::i16, 40000) == -25536);
  CHECK(convert(Elem::i32, Elem::i16, 40000, kRint, kOn) == 32767);
  CHECK(convert(Elem::i32, Elem::ui8, -5) == 0);
  CHECK(convert(Elem::i32, Elem::ui8, 300, kRint, kOff) == 44);
  CHECK(convert(Elem::i64, Elem::i32, 3000000000.0) == -1294967296.0);
  CHECK(convert(Elem::ui32, Elem::i16, 4e9) == 32767);
  CHECK(convert(Elem::i8, Elem::i16, -128) == -128);
  CHECK(convert(Elem::ui8, Elem::f16, 255) == 255);
  CHECK(convert(Elem::i32, Elem::f32, 16777217, kRint) == 16777216.0);
  CHECK(convert(Elem::i32, Elem::f32, 16777217, kCeil) == 16777218.0);
  CHECK(convert(Elem::i32, Elem::f16, 70000) == HUGE_VAL);
  Bench bench;
  const Arg a = bench.tile(Elem::i64, {1, 8});
  const Arg d = bench.tile(Elem::f32, {1, 8});
  bench.put(
      a, 0, 0,
      (uint64_t{1} << 62) + (uint64_t{1} << 38) + 1);  // just above half way: f64 alone would lose the 1
  bench.put(a, 0, 1, ~((uint64_t{1} << 62) + (uint64_t{1} << 38) + 1) + 1);
  bench.run("pto.tcvt", {a, d}, {{0, kRint}});
  CHECK(bench.get(d, 0, 0) == std::ldexp(1.0, 62) + std::ldexp(1.0, 39));
  CHECK(bench.get(d, 0, 1) == -std::ldexp(1.0, 62) - std::ldexp(1.0, 39));
}

TEST_CASE("A5 saturates f32 to f16 and bf16 unless told not to",
          "[tile][convert][N-cvt-default-float][N-cvt-saturate]") {
  for (const int64_t mode : {kRint, kRound, kTrunc}) {
    for (const double sign : {1.0, -1.0}) {
      CHECK(convert(Elem::f32, Elem::f16, sign * 1e6, mode, kDefault, Target::a5) == sign * 65504);
      CHECK(convert(Elem::f32, Elem::f16, sign * HUGE_VAL, mode, kDefault, Target::a5) == sign * 65504);
      CHECK(convert(Elem::f32, Elem::bf16, sign * HUGE_VAL, mode, kDefault, Target::a5) == sign * 0x1.fep127);
      CHECK(convert(Elem::bf16, Elem::f16, sign * 1e6, mode, kDefault, Target::a5) == sign * 65504);
      CHECK(convert(Elem::f32, Elem::f16, sign * HUGE_VAL, mode, kOff, Target::a5) == sign * HUGE_VAL);
      CHECK(convert(Elem::f32, Elem::f16, sign * HUGE_VAL, mode, kDefault, Target::a2a3) == sign * HUGE_VAL);
      CHECK(convert(Elem::f32, Elem::f16, sign * HUGE_VAL, mode, kDefault, Target::cpu) == sign * HUGE_VAL);
    }
  }
  CHECK(convert(Elem::f32, Elem::bf16, 3.4e38, kRint, kDefault, Target::a5) == 0x1.fep127);
  CHECK(convert(Elem::f32, Elem::f16, 1e6, kRint, kOff, Target::a5) == HUGE_VAL);
  CHECK(convert(Elem::f32, Elem::f16, std::nan(""), kRint, kDefault, Target::a5) == 0);
  CHECK(std::isnan(convert(Elem::f32, Elem::f16, std::nan(""), kRint, kOff, Target::a5)));
  CHECK(std::isnan(convert(Elem::f32, Elem::f16, std::nan(""), kRint, kOn, Target::a2a3)));
  CHECK(convert(Elem::f16, Elem::bf16, HUGE_VAL, kRint, kDefault, Target::a5) == HUGE_VAL);
}

TEST_CASE("float to float: directed rounding, overflow, eight-bit formats",
          "[tile][convert][N-cvt-default-float][N-cvt-hif8]") {
  const double above = 1.0 + std::ldexp(1.0, -20);
  CHECK(convert(Elem::f32, Elem::f16, above, kFloor) == 1.0);
  CHECK(convert(Elem::f32, Elem::f16, above, kCeil) == 1.0 + std::ldexp(1.0, -10));
  CHECK(convert(Elem::f32, Elem::f16, above, kOdd) == 1.0 + std::ldexp(1.0, -10));
  CHECK(convert(Elem::f32, Elem::f16, 1e6) == HUGE_VAL);
  CHECK(convert(Elem::f32, Elem::f16, 1e6, kRint, kOn) == 65504);
  CHECK(convert(Elem::f32, Elem::bf16, 3.4e38) == HUGE_VAL);
  CHECK(convert(Elem::f32, Elem::f8e4m3, 1e6) == 448);
  CHECK(std::isnan(convert(Elem::f32, Elem::f8e4m3, 1e6, kRint, kOff)));
  CHECK(convert(Elem::f32, Elem::f8e5m2, 1e6, kRint, kOff) == HUGE_VAL);
  CHECK(convert(Elem::f32, Elem::hif8, 1.0625) == 1.125);  // ties away, whatever the mode says
  CHECK(convert(Elem::hif8, Elem::f32, 1.125) == 1.125);
  CHECK(convert(Elem::f8e4m3, Elem::f32, -448) == -448);
  CHECK(convert(Elem::bf16, Elem::f16, 1e-30) == 0.0);
}

TEST_CASE("two values per byte: even element in the low nibble", "[tile][convert]") {
  Bench bench;
  const Arg wide = bench.tile(Elem::bf16, {2, 32, 2, 14});
  const Arg packed = bench.tile(Elem::f4e2m1x2, {2, 32, 2, 7});
  const Arg back = bench.tile(Elem::bf16, {2, 32, 2, 14});
  const double grid[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -6, 5, 7, 100, -2.5};
  bench.fill(wide, [&](int64_t, int64_t c) { return c < 14 ? grid[c] : 0; });
  bench.run("pto.tcvt", {wide, packed}, {{0, kRint}});
  CHECK(bench.bits(packed, 0, 0) == 0x10);
  bench.run("pto.tcvt", {packed, back}, {{0, kRint}});
  const double want[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -6, 4, 6, 6, -2};
  for (int64_t c = 0; c < 14; ++c) CHECK(bench.get(back, 1, c) == want[c]);
}

/// The code of a 4-bit float whose positive values are given, from their grid alone: nearest, ties to the
/// even code; away or toward zero; down; up. Beyond the grid its largest value.
uint64_t nearest_code(const std::array<double, 8>& grid, double value, int64_t mode) {
  const double size = std::fabs(value);
  const bool negative = std::signbit(value);
  if (std::isnan(value) || size >= grid[7]) return (negative ? 8 : 0) | 7;
  unsigned below = 0;
  while (below < 7 && grid[below + 1] <= size) ++below;
  const double low = size - grid[below];
  const double high = grid[below + 1] - size;
  bool up = false;
  if (mode == kRint) up = high < low || (high == low && below % 2 == 1);
  if (mode == kRound) up = high <= low;
  if (mode == kFloor) up = negative && low > 0;
  if (mode == kCeil) up = !negative && low > 0;
  return (negative ? 8 : 0) | (below + (up ? 1 : 0));
}

TEST_CASE("every bf16 as a 4-bit float, two per byte",
          "[tile][convert][N-f4e2m1-encoding][N-f4e1m2-encoding]") {
  const std::map<Elem, std::array<double, 8>> grids = {
      {Elem::f4e1m2x2, {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75}},
      {Elem::f4e2m1x2, {0, 0.5, 1, 1.5, 2, 3, 4, 6}}};
  for (const auto& [elem, grid] : grids) {
    for (const int64_t mode : {kRint, kRound, kFloor, kCeil, kTrunc}) {
      Bench bench;
      const Arg wide = bench.tile(Elem::bf16, {64, 1024});
      const Arg packed = bench.tile(elem, {64, 512});
      const auto bits = [](int64_t r, int64_t c) { return static_cast<uint16_t>(r * 1024 + c); };
      for (int64_t r = 0; r < 64; ++r) {
        for (int64_t c = 0; c < 1024; ++c) bench.put(wide, r, c, bits(r, c));
      }
      bench.run("pto.tcvt", {wide, packed}, {{0, mode}});
      CHECK(bench.faults.empty());
      for (int64_t r = 0; r < 64; ++r) {
        for (int64_t c = 0; c < 1024; ++c) {
          const float value = std::bit_cast<float>(static_cast<uint32_t>(bits(r, c)) << 16);
          const uint64_t code = bench.bits(packed, r, c / 2) >> (c % 2 * 4) & 0xf;
          INFO(to_string(elem) << " mode " << mode << " of " << value);
          if (std::isnan(value)) {
            REQUIRE((code & 7) == 7);
          } else {
            REQUIRE(code == nearest_code(grid, static_cast<double>(value), mode));
          }
        }
      }
    }
  }
}

TEST_CASE("4-bit floats as bf16", "[tile][convert]") {
  for (const Elem elem : {Elem::f4e1m2x2, Elem::f4e2m1x2}) {
    Bench bench;
    const Arg packed = bench.tile(elem, {16, 32});
    const Arg wide = bench.tile(Elem::bf16, {16, 64});
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 32; ++c) bench.put(packed, r, c, static_cast<uint64_t>(r | (c % 16) << 4));
    }
    bench.run("pto.tcvt", {packed, wide}, {{0, kRint}});
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 64; ++c) {
        const int64_t code = c % 2 == 0 ? r : c / 2 % 16;
        const double size = elem == Elem::f4e1m2x2 ? static_cast<double>(code % 8) / 4
                            : code % 8 < 4         ? static_cast<double>(code % 8) / 2
                                           : static_cast<double>(2 + code % 2) * (code % 8 < 6 ? 1 : 2);
        REQUIRE(bench.get(wide, r, c) == (code < 8 ? size : -size));
      }
    }
  }
}

TEST_CASE("exceptional values into 8-bit floats", "[tile][convert][N-cvt-default-hif8][N-cvt-saturate]") {
  const double inf = HUGE_VAL;
  const double nan = std::nan("");
  struct Expected {
    Elem to;
    std::map<unsigned, int64_t> attrs;  ///< sat_mode: 0 ON, 1 OFF
    uint64_t plus, minus, not_a_number;
  };
  const Expected cases[] = {{Elem::hif8, {}, 0x6f, 0xef, 0x80},
                            {Elem::hif8, {{1, 0}}, 0x6e, 0xee, 0x00},
                            {Elem::f8e4m3, {}, 0x7e, 0xfe, 0x00},
                            {Elem::f8e5m2, {}, 0x7b, 0xfb, 0x00},
                            {Elem::f8e5m2, {{1, 1}}, 0x7c, 0xfc, 0x7e}};
  for (const Elem from : {Elem::f32, Elem::f16}) {
    for (const Expected& e : cases) {
      Bench bench;
      bench.machine.target = Target::a5;
      const Arg src = bench.tile(from, {1, 32});
      const Arg dst = bench.tile(e.to, {1, 32});
      bench.fill(src, [&](int64_t, int64_t c) { return c == 0 ? inf : c == 1 ? -inf : c == 2 ? nan : 1.0; });
      bench.run("pto.tcvt", {src, dst}, e.attrs);
      CHECK(bench.bits(dst, 0, 0) == e.plus);
      CHECK(bench.bits(dst, 0, 1) == e.minus);
      CHECK((bench.bits(dst, 0, 2) & (e.to == Elem::hif8 ? 0xff : 0x7f)) ==
            (e.to == Elem::hif8 ? e.not_a_number : e.not_a_number & 0x7f));
      CHECK(bench.get(dst, 0, 3) == 1.0);
    }
  }
}
