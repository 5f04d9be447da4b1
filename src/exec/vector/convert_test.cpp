// Conversions and reductions against the number-format layer and straightforward loops.
#include <cmath>
#include <limits>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

uint64_t any_f32(unsigned i) {
  constexpr uint32_t kSpecial[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x477fe000, 0x477ff000, 0xc77fefff, 1,
                                   0x80000001, 0x33000001, 0x3effffff, 0x3f000000, 0x3fc00000, 0x40200000};
  return i < 13 ? kSpecial[i] : std::bit_cast<uint32_t>((static_cast<float>(i) - 40.25F) * 1.37F);
}

TEST_CASE("f32 to f16: placement, saturation, NaN", "[micro][M-cvt-parts][N-cvt-overflow]") {
  MicroBench b;
  for (const bool sat : {true, false}) {
    for (const char* part : {"EVEN", "ODD"}) {
      const Arg mask = MicroBench::mask(4, [](unsigned i) { return i % 7 != 3; });
      b.run("pto.vcvt", {MicroBench::vreg(Elem::f32, any_f32), mask}, {MicroBench::vreg_type(Elem::f16)},
            {{"rnd", "R"}, {"sat", sat ? "SAT" : "NOSAT"}, {"part", part}});
      for (unsigned i = 0; i < 128; ++i) {
        const unsigned source = i / 2;
        const bool here = i % 2 == (part[0] == 'O');
        uint64_t want = 0;
        const double value = num::to_f64(Elem::f32, any_f32(source));
        if (here && source % 7 != 3 && !(std::isnan(value) && sat))
          want = num::from_f64(Elem::f16, value, num::Round::rint,
                               sat ? num::Overflow::saturate : num::Overflow::ieee);
        INFO(part << " lane " << i << " of " << value);
        if (here && std::isnan(value) && !sat)
          CHECK(std::isnan(num::to_f64(Elem::f16, b.lane(i))));
        else
          CHECK(b.lane(i) == want);
      }
    }
  }
}

TEST_CASE("f32 to integers in every rounding mode", "[micro][M-cvt-nan]") {
  MicroBench b;
  const std::map<std::string, num::Round> modes = {{"R", num::Round::rint},
                                                   {"A", num::Round::round},
                                                   {"F", num::Round::floor},
                                                   {"C", num::Round::ceil},
                                                   {"Z", num::Round::trunc}};
  const auto halves = [](unsigned i) -> uint64_t {
    return std::bit_cast<uint32_t>((static_cast<float>(i) - 32.0F) * 0.5F);
  };
  for (const auto& [name, mode] : modes) {
    b.run("pto.vcvt", {MicroBench::vreg(Elem::f32, halves), MicroBench::all(4)},
          {MicroBench::vreg_type(Elem::si32)}, {{"rnd", name}, {"sat", "SAT"}});
    for (unsigned i = 0; i < 64; ++i) {
      const double x = (static_cast<double>(i) - 32) * 0.5;
      const double down = std::floor(x);
      double want = down;  // written out: no library rounding
      if (x != down) {
        if (mode == num::Round::ceil || (mode == num::Round::trunc && x < 0))
          want = down + 1;
        else if (mode == num::Round::round)
          want = x > 0 ? down + 1 : down;
        else if (mode == num::Round::rint)
          want = std::fmod(down, 2) == 0 ? down : down + 1;
      }
      CHECK(static_cast<int32_t>(b.lane(i)) == want);
    }
  }
  const auto huge = [](unsigned i) -> uint64_t {
    return std::bit_cast<uint32_t>(i % 4 == 0 ? 4e9F : i % 4 == 1 ? -kInf : i % 4 == 2 ? kNan : 70000.0F);
  };
  b.run("pto.vcvt", {MicroBench::vreg(Elem::f32, huge), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::si16)}, {{"rnd", "Z"}, {"sat", "SAT"}, {"part", "EVEN"}});
  CHECK(b.lane(0) == 0x7fff);
  CHECK(b.lane(2) == 0x8000);
  CHECK(b.lane(4) == 0);
  b.run("pto.vcvt", {MicroBench::vreg(Elem::f32, huge), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::si16)}, {{"rnd", "Z"}, {"sat", "NOSAT"}, {"part", "EVEN"}});
  CHECK(b.lane(6) == (70000 & 0xffff));
}

TEST_CASE("integers to integers saturate or wrap, four parts", "[micro]") {
  MicroBench b;
  const auto wide = [](unsigned i) -> uint64_t { return i % 3 == 0 ? 0xfffffff0U + i : i * 40; };
  for (unsigned part = 0; part < 4; ++part) {
    b.run("pto.vcvt", {MicroBench::vreg(Elem::ui32, wide), MicroBench::all(4)},
          {MicroBench::vreg_type(Elem::ui8)}, {{"sat", "SAT"}, {"part", "P" + std::to_string(part)}});
    for (unsigned i = 0; i < 256; ++i)
      CHECK(b.lane(i) == (i % 4 == part ? std::min<uint64_t>(wide(i / 4) & 0xffffffffU, 255) : 0));
  }
  b.run("pto.vcvt", {MicroBench::vreg(Elem::si32, wide), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::si16)}, {{"sat", "NOSAT"}, {"part", "ODD"}});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(2 * i + 1) == (wide(i) & 0xffff));
  b.run("pto.vcvt",
        {MicroBench::vreg(Elem::si8, [](unsigned i) -> uint64_t { return i; }), MicroBench::all(1)},
        {MicroBench::vreg_type(Elem::si32)}, {{"part", "P2"}});
  for (unsigned i = 0; i < 64; ++i) CHECK(static_cast<int32_t>(b.lane(i)) == static_cast<int8_t>(4 * i + 2));
}

/// The magnitudes of the codes 0 to 7 of both 4-bit formats.
constexpr float kE2M1[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6},
                kE1M2[] = {0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F};

/// The code of a value by looking at its neighbours in the table of magnitudes.
unsigned nibble_of(const float (&table)[8], float value, char mode) {
  const float size = std::fabs(value);
  unsigned low = 7;
  while (table[low] > size) --low;
  unsigned code = low;
  if (low < 7 && table[low] != size) {
    const float below = size - table[low];
    const float above = table[low + 1] - size;
    const bool negative = std::signbit(value);
    const bool away = mode == 'C' ? !negative : negative;
    if (mode == 'R') code += below > above || (below == above && low % 2 == 1);
    if (mode == 'A') code += below >= above;
    if (mode == 'C' || mode == 'F') code += away;
  }
  return code | (std::signbit(value) ? 8U : 0U);
}

TEST_CASE("bf16 to pairs of 4-bit floats and back", "[micro][M-cvt-pairs]") {
  const auto value = [](unsigned i) { return (static_cast<float>(i) - 64.0F) / 8.0F; };
  const auto bits = [&](unsigned i) -> uint64_t { return std::bit_cast<uint32_t>(value(i)) >> 16; };
  for (const bool e2m1 : {true, false}) {
    const auto& table = e2m1 ? kE2M1 : kE1M2;
    const Elem elem = e2m1 ? Elem::f4e2m1x2 : Elem::f4e1m2x2;
    for (unsigned part = 0; part < 4; ++part) {
      for (const char mode : {'R', 'A', 'F', 'C', 'Z'}) {
        MicroBench b;
        b.run(
            "pto.vcvt",
            {MicroBench::vreg(Elem::bf16, bits), MicroBench::mask(2, [](unsigned i) { return i % 5 != 2; })},
            {MicroBench::vreg_type(elem)},
            {{"rnd", std::string(1, mode)}, {"part", "P" + std::to_string(part)}});
        for (unsigned i = 0; i < 256; ++i) {
          unsigned want = 0;
          for (unsigned half = 0; half < 2; ++half) {
            const unsigned lane = i / 4 * 2 + half;
            if (i % 4 == part && lane % 5 != 2) want |= nibble_of(table, value(lane), mode) << (4 * half);
          }
          INFO("byte " << i << " of part " << part << " rounding " << mode);
          CHECK(b.lane(i) == want);
        }
      }
      MicroBench b;
      b.run("pto.vcvt",
            {MicroBench::vreg(elem, [](unsigned i) -> uint64_t { return i; }),
             MicroBench::mask(1, [](unsigned i) { return i % 3 != 1; })},
            {MicroBench::vreg_type(Elem::bf16)}, {{"part", "P" + std::to_string(part)}});
      for (unsigned lane = 0; lane < 128; ++lane) {
        const unsigned byte = lane / 2 * 4 + part;
        const unsigned code = byte >> (lane % 2 * 4) & 15;
        const float size = table[code & 7];
        const float want = byte % 3 == 1 ? 0 : (code & 8) != 0 ? -size : size;
        CHECK(b.lane(lane) == std::bit_cast<uint32_t>(want) >> 16);
      }
    }
  }
}

TEST_CASE("64-bit integers to f32 round once", "[micro]") {
  MicroBench b;
  // Just above the midpoint of two f32 values, by less than f64 can hold.
  const int64_t value = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  b.run("pto.vcvt",
        {MicroBench::vreg(Elem::si64,
                          [&](unsigned i) { return static_cast<uint64_t>(i % 2 ? -value : value); }),
         MicroBench::all(8)},
        {MicroBench::vreg_type(Elem::f32)}, {{"rnd", "R"}, {"part", "EVEN"}});
  const float up = std::ldexp(1.0F, 60) + std::ldexp(1.0F, 37);
  CHECK(b.lane_f32(0) == up);
  CHECK(b.lane_f32(2) == -up);
}

TEST_CASE("vtrc keeps the type and the sign of zero", "[micro]") {
  MicroBench b;
  const auto x = [](unsigned i) { return (static_cast<float>(i) - 32.0F) * 0.5F; };
  b.run("pto.vtrc", {MicroBench::vreg_f32(x), MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)},
        {{"round_mode", "C"}});
  CHECK(b.lane(31) == 0x80000000U);  // ceil(-0.5) = -0
  CHECK(b.lane_f32(33) == 1.0F);
  b.run("pto.vexpdif",
        {MicroBench::vreg_f32(x), MicroBench::vreg_f32([](unsigned) { return 2.5F; }), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::f32)}, {{"part", "ODD"}});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(b.lane_f32(i) == static_cast<float>(std::exp(static_cast<double>(x(i)) - 2.5)));
}

TEST_CASE("sums run as a tree over neighbours",
          "[micro][N-sum-lanes][M-sum-width][M-sum-groups][M-sum-pairs]") {
  MicroBench b;
  const auto x = [](unsigned i) {
    return std::ldexp(static_cast<float>(i * 37 % 64) - 31.3F, static_cast<int>(i % 24));
  };
  const auto on = [](unsigned i) { return i % 5 != 2; };
  std::function<float(unsigned, unsigned)> tree = [&](unsigned first, unsigned n) -> float {
    if (n == 1) return on(first) ? x(first) : 0.0F;
    return tree(first, n / 2) + tree(first + n / 2, n / 2);
  };
  const Arg mask = MicroBench::mask(4, on);
  b.run("pto.vcadd", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(0) == tree(0, 64));
  for (unsigned i = 1; i < 64; ++i) CHECK(b.lane(i) == 0);
  b.run("pto.vcgadd", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane_f32(i) == (i < 8 ? tree(8 * i, 8) : 0.0F));
  b.run("pto.vcpadd", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane_f32(i) == (i < 32 ? tree(2 * i, 2) : 0.0F));
  b.run("pto.vcadd",
        {MicroBench::vreg(Elem::ui8, [](unsigned) -> uint64_t { return 255; }), MicroBench::all(1)},
        {MicroBench::vreg_type(Elem::ui16)});
  CHECK(b.lane(0) == 255 * 256);
}

TEST_CASE("extrema: first index wins, inactive lanes do not count", "[micro][M-extreme-lanes]") {
  MicroBench b;
  const auto x = [](unsigned i) {
    return i == 20 || i == 41 ? 9.0F : i == 3 ? 100.0F : -static_cast<float>(i % 9);
  };
  const Arg mask = MicroBench::mask(4, [](unsigned i) { return i != 3; });
  b.run("pto.vcmax", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(0) == 9.0F);
  CHECK(b.lane(1) == 20);
  b.run("pto.vcmin", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(0) == -8.0F);
  CHECK(b.lane(1) == 8);
  b.run("pto.vcgmax", {MicroBench::vreg_f32(x), mask}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned g = 0; g < 8; ++g) {
    float want = -kInf;
    for (unsigned i = 8 * g; i < 8 * g + 8; ++i) want = i == 3 ? want : std::max(want, x(i));
    CHECK(b.lane_f32(g) == want);
  }
  const Arg none = MicroBench::mask(4, [](unsigned) { return false; });
  b.run("pto.vcmax", {MicroBench::vreg_f32(x), none}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(0) == -kInf);
  b.run("pto.vcmin",
        {MicroBench::vreg(Elem::i16, [](unsigned i) -> uint64_t { return i; }),
         MicroBench::mask(2, [](unsigned) { return false; })},
        {MicroBench::vreg_type(Elem::i16)});
  CHECK(b.lane(0) == 0x7fff);
}

}  // namespace
}  // namespace pto::exec::test
