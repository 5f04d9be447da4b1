// pto.tquant.mx and the move of its exponents, beside powers of two computed with ldexp and ilogb; pto.tquant
// with scratch.
#include <cmath>
#include <cstring>
#include <limits>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

constexpr unsigned kType = 0, kAlg = 1, kStore = 2, kAxis = 3, kPaired = 4;
constexpr int64_t kFp8 = 2, kFp4 = 3;
const double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = HUGE_VAL;

/// Values of many magnitudes and both signs; group `g` has its own size.
double sample(int64_t g, int64_t i) {
  const double size = std::ldexp(1.0, static_cast<int>(g * 13 % 50) - 25);
  return (static_cast<double>(i * 7 % 32) - 15.5) * size * (g % 3 == 0 ? 1.25 : 1.0);
}

/// Scale and exponent byte of a group, by definition: ocp takes the exponent of the maximum less that of the
/// format's largest value; nv the least power of two that maximum / largest value does not exceed.
struct Expected {
  double scale;
  int exponent;
};
Expected of_group(double max, bool four, bool nv) {
  int e = 0;
  if (nv) {
    const float ratio = static_cast<float>(max) * (1.0f / (four ? 6.0f : 448.0f));
    e = std::ilogb(ratio);
    if (static_cast<double>(ratio) > std::ldexp(1.0, e)) ++e;
  } else {
    e = std::ilogb(max) - (four ? 2 : 8);
  }
  return {std::ldexp(1.0, -e), e + 127};
}
uint64_t element(double value, double scale, bool four) {
  return num::from_f64(four ? Elem::f4e2m1x2 : Elem::f8e4m3, value * scale, num::Round::rint,
                       num::Overflow::saturate);
}
uint64_t nibble(Bench& bench, const Arg& tile, int64_t r, int64_t c) {
  return bench.bits(tile, r, c / 2) >> (c % 2 * 4) & 0xf;
}

struct Tiles {
  Arg src, dst, exp, max, scale;
};
}  // namespace

TEST_CASE("mx quantisation along columns", "[tile][quant][N-mx-ocp][N-mx-nv][N-mx-scale][N-mx-element]") {
  for (const Elem from : {Elem::f32, Elem::f16, Elem::bf16}) {
    for (const bool four : {false, true}) {
      for (const bool nv : {false, true}) {
        if (from == Elem::f32 && four) continue;
        INFO(to_string(from) << (four ? " to 4 bits" : " to 8 bits") << (nv ? " by nv" : " by ocp"));
        Bench bench;
        bench.machine.target = Target::a5;
        const Elem to = four ? Elem::f4e2m1x2 : Elem::i8;
        const Tiles t{bench.tile(from, {64, 32}), bench.tile(to, {64, four ? 16 : 32}),
                      bench.tile(Elem::ui8, {2, 32}), bench.tile(from, {2, 32}), bench.tile(from, {2, 32})};
        const auto value = [&](int64_t r, int64_t c) {
          const double v =
              sample(from == Elem::f16 ? 0 : r / 32 * 32 + c, r % 32) * (from == Elem::f16 ? 4e7 : 1);
          return num::to_f64(from, num::from_f64(from, v));
        };
        bench.fill(t.src, value);
        bench.run("pto.tquant.mx", {t.src, t.dst, t.exp, t.max, t.scale},
                  {{kType, four ? kFp4 : kFp8}, {kAlg, nv}, {kAxis, 0}});
        REQUIRE(bench.faults.empty());
        for (int64_t g = 0; g < 2; ++g) {
          for (int64_t c = 0; c < 32; ++c) {
            double max = 0;
            for (int64_t i = 0; i < 32; ++i) max = std::max(max, std::fabs(value(g * 32 + i, c)));
            const Expected want = of_group(max, four, nv);
            const auto stored = [&](const Arg& tile, bool as_is) {
              const uint64_t bits = bench.bits(tile, g, c);
              return num::to_f64(as_is ? from : Elem::bf16, bits);
            };
            const bool as_is = from != Elem::f16;
            CHECK(bench.bits(t.exp, g, c) == static_cast<uint64_t>(want.exponent));
            CHECK(stored(t.scale, as_is) == want.scale);
            if (as_is || nv) CHECK(stored(t.max, true) == max);
            for (int64_t i = 0; i < 32; ++i) {
              const int64_t r = g * 32 + i;
              CHECK((four ? nibble(bench, t.dst, r, c) : bench.bits(t.dst, r, c)) ==
                    element(value(r, c), want.scale, four));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("mx quantisation along rows, exponents in one row", "[tile][quant][N-mx-place]") {
  for (const int64_t rows : {4, 16}) {  // more than 1024 values of f32: each scale is there twice
    Bench bench;
    bench.machine.target = Target::a5;
    const int64_t groups = rows * 4;
    const Arg src = bench.tile(Elem::f32, {rows, 128});
    const Arg dst = bench.tile(Elem::i8, {rows, 128});
    const Arg exp = bench.tile(Elem::ui8, {1, 128, 1, groups});
    const Arg max = bench.tile(Elem::f32, {1, 64, 1, groups});
    const Arg scale = bench.tile(Elem::f32, {1, 128, 1, groups});
    const auto value = [](int64_t r, int64_t c) {
      return static_cast<double>(static_cast<float>(sample(r * 4 + c / 32, c % 32)));
    };
    bench.fill(src, value);
    bench.run("pto.tquant.mx", {src, dst, exp, max, scale}, {{kType, kFp8}, {kAxis, 1}});
    REQUIRE(bench.faults.empty());
    const int64_t copies = rows == 16 ? 2 : 1;
    for (int64_t g = 0; g < groups; ++g) {
      double top = 0;
      for (int64_t i = 0; i < 32; ++i) top = std::max(top, std::fabs(value(g / 4, g % 4 * 32 + i)));
      const Expected want = of_group(top, false, false);
      CHECK(bench.bits(exp, 0, g) == static_cast<uint64_t>(want.exponent));
      CHECK(bench.get(max, 0, g) == top);
      for (int64_t copy = 0; copy < copies; ++copy)
        CHECK(bench.get(scale, 0, g * copies + copy) == want.scale);
      for (int64_t i = 0; i < 32; ++i)
        CHECK(bench.bits(dst, g / 4, g % 4 * 32 + i) ==
              element(value(g / 4, g % 4 * 32 + i), want.scale, false));
    }
  }
}

TEST_CASE("mx quantisation along rows, a row of exponents per row", "[tile][quant][N-mx-place]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg src = bench.tile(Elem::f32, {4, 128, 4, 96});
  const Arg dst = bench.tile(Elem::i8, {4, 128, 4, 96});
  const Arg exp = bench.tile(Elem::ui8, {4, 32, 4, 3});
  const Arg max = bench.tile(Elem::f32, {1, 16, 1, 12});
  const Arg scale = bench.tile(Elem::f32, {1, 16, 1, 12});
  bench.fill(src, [](int64_t r, int64_t c) {
    return std::ldexp(c % 32 == 5 ? -1.0 : 0.25, static_cast<int>(r * 3 + c / 32));
  });
  bench.run("pto.tquant.mx", {src, dst, exp, max, scale}, {{kType, kFp8}, {kAxis, 1}});
  REQUIRE(bench.faults.empty());
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t g = 0; g < 3; ++g) {
      const int e = static_cast<int>(r * 3 + g);
      CHECK(bench.bits(exp, r, g) == static_cast<uint64_t>(127 + e - 8));
      CHECK(bench.get(max, 0, r * 3 + g) == std::ldexp(1.0, e));
      CHECK(bench.get(scale, 0, r * 3 + g) == std::ldexp(1.0, 8 - e));
      CHECK(bench.bits(dst, r, g * 32 + 5) == 0xf8);  // -256
      CHECK(bench.bits(dst, r, g * 32) == 0x68);      // 64
    }
    CHECK(bench.bits(dst, r, 96) == 0xcd);
  }
}

/// Shapes of the board tests (pto-isa tests/npu/a5/src/st/testcase/tquant/gen_data.py): columns that are not
/// valid are zero, and count for the group that they end.
TEST_CASE("mx quantisation of 16 bits along rows: flat and row by row, parts of groups",
          "[tile][quant][N-mx-valid][N-mx-element]") {
  struct Shape2 {
    int64_t rows, cols, stored_rows, stride;
    bool flat;
  };
  constexpr Shape2 kShapes[] = {{14, 16, 14, 32, true}, {7, 48, 7, 64, true},   {18, 138, 18, 160, true},
                                {1, 198, 1, 224, true}, {5, 256, 5, 256, true}, {2, 256, 2, 256, true},
                                {3, 33, 3, 512, true},  {1, 64, 3, 128, false}, {2, 128, 4, 128, false},
                                {3, 40, 4, 64, false},  {4, 320, 4, 384, false}};
  for (const Elem from : {Elem::f16, Elem::bf16}) {
    for (const bool four : {false, true}) {
      for (const bool nv : {false, true}) {
        for (const Shape2& s : kShapes) {
          INFO(to_string(from) << (four ? " 4" : " 8") << (nv ? " nv " : " ocp ") << s.rows << "x" << s.cols
                               << " of " << s.stored_rows << "x" << s.stride << (s.flat ? " flat" : ""));
          Bench bench;
          bench.machine.target = Target::a5;
          const int64_t per_row = s.flat ? s.stride / 32 : (s.cols + 31) / 32;
          const int64_t groups = s.rows * per_row;
          const Arg src = bench.tile(from, {s.stored_rows, s.stride, s.rows, s.cols});
          const Arg dst =
              bench.tile(four ? Elem::f4e2m1x2 : Elem::i8, {s.stored_rows, four ? s.stride / 2 : s.stride});
          const Arg exp = s.flat ? bench.tile(Elem::ui8, {1, 512, 1, groups})
                                 : bench.tile(Elem::ui8, {s.stored_rows, 32, s.rows, per_row});
          const Arg max = bench.tile(from, {1, 512, 1, groups});
          const Arg scale = bench.tile(from, {1, 512, 1, groups});
          const auto value = [&](int64_t r, int64_t c) {
            const double v =
                c < s.cols ? sample(from == Elem::f16 ? c / 32 % 2 : r * 16 + c / 32, r * 32 + c) : 0;
            return num::to_f64(from, num::from_f64(from, v * (from == Elem::f16 ? 1e7 : 1)));
          };
          bench.fill(src, value);
          bench.fill(dst, [](int64_t, int64_t) { return 0; });
          for (int64_t r = 0; r < s.rows; ++r) {
            for (int64_t c = s.cols; c < s.stride; ++c) bench.put(src, r, c, 0x1234);  // what was there
          }
          bench.run("pto.tquant.mx", {src, dst, exp, max, scale},
                    {{kType, four ? kFp4 : kFp8}, {kAlg, nv}, {kAxis, 1}});
          REQUIRE(bench.faults.empty());
          for (int64_t r = 0; r < s.rows; ++r) {
            for (int64_t c = s.cols; c < s.stride; ++c) REQUIRE(bench.bits(src, r, c) == 0);
            for (int64_t g = 0; g < (s.cols + 31) / 32; ++g) {
              double top = 0;
              for (int64_t i = 0; i < 32; ++i) top = std::max(top, std::fabs(value(r, g * 32 + i)));
              const Expected want = of_group(top, four, nv);
              CAPTURE(r, g);
              REQUIRE((s.flat ? bench.bits(exp, 0, r * per_row + g) : bench.bits(exp, r, g)) ==
                      static_cast<uint64_t>(want.exponent));
              REQUIRE(num::to_f64(Elem::bf16, bench.bits(scale, 0, r * per_row + g)) == want.scale);
              for (int64_t i = 0; i < 32 && g * 32 + i < s.stride; ++i) {
                const int64_t c = g * 32 + i;
                REQUIRE((four ? nibble(bench, dst, r, c) : bench.bits(dst, r, c)) ==
                        element(value(r, c), want.scale, four));
              }
            }
          }
        }
      }
    }
  }
}

/// The board test tmov_zz places the values on their source.
TEST_CASE("mx quantisation onto its source", "[tile][quant][N-mx-element]") {
  for (const Elem from : {Elem::f32, Elem::f16}) {
    Bench bench;
    bench.machine.target = Target::a5;
    const Arg src = bench.tile(from, {13, 64});
    const Arg apart = bench.tile(Elem::i8, {13, 64});
    const Arg exp = bench.tile(Elem::ui8, {1, 32, 1, 26});
    const Arg max = bench.tile(from, {1, 64, 1, 26});
    const Arg scale = bench.tile(from, {1, 64, 1, 26});
    Arg onto = apart;
    decode::TileDesc place = Bench::desc(onto);
    place.addr = Bench::desc(src).addr;
    std::memcpy(onto.words.data(), &place, sizeof place);
    const auto value = [](int64_t r, int64_t c) { return sample(r % 3, c) * 1e6; };
    for (const Arg& dst : {apart, onto}) {
      bench.fill(src, value);
      bench.run("pto.tquant.mx", {src, dst, exp, max, scale}, {{kType, kFp8}, {kAxis, 1}});
    }
    REQUIRE(bench.faults.empty());
    for (int64_t r = 0; r < 13; ++r) {
      for (int64_t c = 0; c < 64; ++c) REQUIRE(bench.bits(onto, r, c) == bench.bits(apart, r, c));
    }
  }
}

TEST_CASE("mx groups with zeros, denormals, infinities and NaN", "[tile][quant][N-mx-special]") {
  struct Case {
    Elem from;
    bool four, nv;
    double largest;
    uint64_t exponent, scale, result;  ///< of the largest value
  };
  const double tiny = std::ldexp(1.0, -149);
  const Case cases[] = {
      {Elem::f32, false, false, 0, 0, 0x7f000000, 0},
      {Elem::f32, false, false, tiny, 0, 0x7f000000, 0},
      {Elem::f32, false, false, kInf, 247, 7u << 23, 0x7e},
      {Elem::f32, false, false, kNan, 255, 0x7fc00000, 0x7f},
      {Elem::f32, false, true, 0, 0, 0x7f000000, 0},
      {Elem::f32, false, true, kInf, 254, 0x400000, 0x7e},
      {Elem::f32, false, true, kNan, 255, 0x7fc00000, 0x7f},
      {Elem::bf16, false, false, 0, 0, 0x7f00, 0},
      {Elem::bf16, false, false, kInf, 247, 7u << 7, 0x7e},
      {Elem::bf16, false, false, kNan, 255, 0x7f81, 0x7f},
      {Elem::f16, false, false, kInf, 247, 7u << 7, 0x7e},
      {Elem::f16, false, true, kInf, 254, 0x40, 0x7e},
      {Elem::f16, false, true, kNan, 255, 0x7f81, 0x7f},
      {Elem::f16, true, false, kInf, 253, 1u << 7, 0x7},
      {Elem::f16, true, false, kNan, 255, 0x7fc0, 0x7},
      {Elem::bf16, true, false, 0, 0, 0x7f00, 0},
      {Elem::bf16, true, false, kNan, 255, 0x7fc0, 0x7},
      {Elem::bf16, true, true, kInf, 254, 0x40, 0x7},
      {Elem::bf16, true, true, kNan, 255, 0x7fc0, 0x7},
  };
  for (const Case& c : cases) {
    INFO(to_string(c.from) << (c.four ? " to 4" : " to 8") << (c.nv ? " nv " : " ocp ") << c.largest);
    Bench bench;
    bench.machine.target = Target::a5;
    const Arg src = bench.tile(c.from, {32, 32});
    const Arg dst = bench.tile(c.four ? Elem::f4e2m1x2 : Elem::i8, {32, c.four ? 16 : 32});
    const Arg exp = bench.tile(Elem::ui8, {1, 32});
    const Arg max = bench.tile(c.from, {1, 32});
    const Arg scale = bench.tile(c.from, {1, 32});
    bench.fill(src, [&](int64_t r, int64_t) { return r == 3 ? c.largest : 0.0; });
    bench.run("pto.tquant.mx", {src, dst, exp, max, scale},
              {{kType, c.four ? kFp4 : kFp8}, {kAlg, c.nv}, {kAxis, 0}});
    CHECK(bench.bits(exp, 0, 1) == c.exponent);
    CHECK(bench.bits(scale, 0, 1) == c.scale);
    CHECK((c.four ? nibble(bench, dst, 3, 1) : bench.bits(dst, 3, 1)) == c.result);
  }
}

TEST_CASE("mx: interleaved exponents, boxes, and what happens to padding", "[tile][quant][N-mx-place]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg src = bench.tile(Elem::f16, {64, 32, 64, 16});
  const Arg dst = bench.tile(Elem::i8, {64, 32, 64, 16});
  const Arg exp = bench.tile(Elem::ui8, {1, 64, 1, 32});
  const Arg max = bench.tile(Elem::f16, {2, 32, 2, 16});
  const Arg scale = bench.tile(Elem::f16, {2, 32, 2, 16});
  bench.fill(src, [](int64_t r, int64_t c) { return std::ldexp(1.0, static_cast<int>(c % 8 + r / 32)); });
  bench.run("pto.tquant.mx", {src, dst, exp, max, scale}, {{kType, kFp8}, {kAxis, 0}, {kPaired, 1}});
  REQUIRE(bench.faults.empty());
  for (int64_t c = 0; c < 16; ++c) {
    CHECK(bench.bits(exp, 0, 2 * c) == static_cast<uint64_t>(127 - 8 + c % 8));
    CHECK(bench.bits(exp, 0, 2 * c + 1) == static_cast<uint64_t>(127 - 8 + c % 8 + 1));
  }
  CHECK(bench.bits(src, 5, 15) != 0);
  CHECK(bench.bits(src, 5, 16) == 0);  // the library zeroes the columns that are not valid
  CHECK(bench.bits(src, 63, 31) == 0);

  const Arg wide = bench.tile(Elem::f32, {16, 64});
  const Arg bytes = bench.tile(Elem::i8, {16, 64});
  const Arg row = bench.tile(Elem::ui8, {1, 32});
  const Arg most = bench.tile(Elem::f32, {1, 32});
  const Arg scales = bench.tile(Elem::f32, {1, 64, 1, 32});
  const Arg boxes = bench.tile(Elem::ui8, {1, 32});
  bench.fill(wide, [](int64_t r, int64_t c) { return std::ldexp(1.0, static_cast<int>(r * 2 + c / 32)); });
  bench.run("pto.tquant.mx", {wide, bytes, row, most, scales, boxes},
            {{kType, kFp8}, {kStore, 1}, {kAxis, 1}});
  REQUIRE(bench.faults.empty());
  for (int64_t i = 0; i < 32; ++i) CHECK(bench.bits(boxes, 0, i) == bench.bits(row, 0, i));  // one box: 16x2
}

TEST_CASE("exponents move into boxes of 16x2", "[tile][move][N-mx-boxes]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg tmp = bench.tile(Elem::ui8, {1, 256});
  const auto number = [](int64_t r, int64_t c) { return static_cast<double>((r * 37 + c * 5) % 251); };
  const Arg down = bench.tile(Elem::ui8, {4, 32});
  const Arg boxes = bench.tile(Elem::ui8, {1, 128});
  bench.fill(down, number);
  bench.run("pto.tmov", {down, boxes, tmp}, {{2, 0}});
  for (int64_t r = 0; r < 4; ++r) {  // box (c / 16, r / 2), in it 16 columns by turns of two rows
    for (int64_t c = 0; c < 32; ++c)
      CHECK(bench.get(boxes, 0, (c / 16 * 2 + r / 2) * 32 + c % 16 * 2 + r % 2) == number(r, c));
  }
  const Arg rows = bench.tile(Elem::ui8, {32, 4});
  const Arg of_rows = bench.tile(Elem::ui8, {32, 4, 20, 4}, kZz);
  bench.fill(rows, number);
  bench.run("pto.tmov", {rows, of_rows, tmp}, {{2, 1}});
  REQUIRE(bench.faults.empty());
  const std::byte* to = bench.memory.bytes(Space::ub).data() + Bench::desc(of_rows).addr;
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t c = 0; c < 4; ++c) {
      const auto got = static_cast<double>(to[(r / 16 * 2 + c / 2) * 32 + r % 16 * 2 + c % 2]);
      CHECK(got == (r < 20 ? number(r, c) : 0));  // rows up to a multiple of 16 are zeros, in the source too
      if (r >= 20) CHECK(bench.bits(rows, r, c) == 0);
    }
  }
}

TEST_CASE("quantisation with scratch gives what it gives without", "[tile][quant]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    Bench bench;
    bench.machine.target = target;
    const Arg src = bench.tile(Elem::f32, {2, 8});
    const Arg scale = bench.tile(Elem::f32, {2, 1}, kDn);
    const Arg offset = bench.tile(Elem::f32, {2, 1}, kDn);
    const Arg tmp = bench.tile(Elem::f32, {2, 8});
    const Arg dst = bench.tile(Elem::ui8, {2, 32, 2, 8});
    const double values[] = {-100, 0.25, 0.75, 70, 1e9, HUGE_VAL, std::nan(""), 3000};
    const double expected[2][8] = {{0, 10, 12, 150, 255, 255, 0, 255}, {0, 11, 12, 220, 255, 255, 0, 255}};
    bench.fill(src, [&](int64_t, int64_t c) { return values[c]; });
    bench.fill(scale, [](int64_t r, int64_t) { return r == 0 ? 2.0 : 3.0; });  // 0.5 is to even, 2.25 to 2
    bench.fill(offset, [](int64_t, int64_t) { return 10.0; });
    bench.run("pto.tquant", {src, scale, offset, dst, tmp}, {{0, 1}}, nullptr, 1);
    REQUIRE(bench.faults.empty());
    for (int64_t r = 0; r < 2; ++r) {
      for (int64_t c = 0; c < 8; ++c) {
        INFO(r << ", " << c);
        CHECK(bench.get(dst, r, c) == expected[r][c]);
      }
    }
  }
}
