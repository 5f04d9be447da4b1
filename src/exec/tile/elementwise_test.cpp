// Elementwise instructions against models in f64 (16-bit formats are exact there) and 64-bit integers.
#include <bit>
#include <cmath>
#include <limits>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

const std::vector<double> kEdges = {0.0,  -0.0,  1.0,   -1.0,     2.5,       -2.5,         0.1, 3.0e4, -6.5e4,
                                    1e-7, -6e-8, 5e-39, HUGE_VAL, -HUGE_VAL, std::nan(""), 7.0, -3.0};
const std::vector<double> kWhole = {
    0, 1, -1, 2, -2, 3, 100, -100, 127, -128, 32767, -32768, 2147483647.0, -2147483648.0, 5, -7};

double edge(int64_t i, bool whole) {
  const auto& list = whole ? kWhole : kEdges;
  return list[static_cast<size_t>(i) % list.size()];
}

using Model = std::function<double(double, double)>;
double rounded(Elem elem, double v) { return num::to_f64(elem, num::from_f64(elem, v)); }

/// Every pair of edge values, odd valid region, the rest of dst untouched.
void check_binary(std::string_view name, Elem elem, const Model& model, unsigned dst_slot = 2,
                  Target target = Target::a5) {
  INFO(name << " " << to_string(elem));
  Bench bench;
  bench.machine.target = target;
  const Shape shape(20, 32, 17, 19);
  const Arg a = bench.tile(elem, shape);
  const Arg b = bench.tile(elem, shape);
  const Arg d = bench.tile(elem, shape);
  const bool whole = is_integer(elem);
  bench.fill(a, [&](int64_t r, int64_t) { return edge(r, whole); });
  bench.fill(b, [&](int64_t, int64_t c) { return edge(c, whole); });
  bench.fill(d, [](int64_t, int64_t) { return 42.0; });
  std::vector<Arg> operands{a, b};
  if (dst_slot == 3) operands.push_back(Bench::none());
  operands.push_back(d);
  bench.run(name, operands);
  unsigned wrong = 0;
  for (int64_t r = 0; r < 20; ++r) {
    for (int64_t c = 0; c < 32; ++c) {
      const bool inside = r < 17 && c < 19;
      double want = 42.0;
      if (inside) {
        const double exact = model(bench.get(a, r, c), bench.get(b, r, c));
        want = whole ? num::to_f64(elem, num::from_f64(elem, exact)) : rounded(elem, exact);
      }
      const double got = bench.get(d, r, c);
      if (!same_value(got, want) && wrong++ < 3) {
        CAPTURE(r, c, bench.get(a, r, c), bench.get(b, r, c), got, want);
        CHECK(same_value(got, want));
      }
    }
  }
  CHECK(wrong == 0);
}

/// A NaN operand gives NaN; +0 is above -0.
double ieee_maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

int64_t as_int(double v) { return static_cast<int64_t>(v); }

}  // namespace

TEST_CASE("tile with tile: arithmetic on every pair of edge values",
          "[tile][elementwise][N-arith-round][N-max-nan][N-lrelu-select][N-fmod-sign][N-rem-sign]") {
  for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32}) {
    check_binary("pto.tadd", elem, [](double a, double b) { return a + b; });
    check_binary("pto.tsub", elem, [](double a, double b) { return a - b; });
    check_binary("pto.tmul", elem, [](double a, double b) { return a * b; });
    check_binary("pto.tdiv", elem, [](double a, double b) { return a / b; });
    check_binary(
        "pto.tmax", elem, [](double a, double b) { return a < b ? b : a; }, 2, Target::a2a3);
    check_binary(
        "pto.tmin", elem, [](double a, double b) { return b < a ? b : a; }, 2, Target::a2a3);
    check_binary("pto.tmax", elem, ieee_maximum);
    check_binary("pto.tmin", elem, [](double a, double b) { return -ieee_maximum(-a, -b); });
    check_binary("pto.tfmod", elem, [](double a, double b) { return std::fmod(a, b); });
    check_binary(
        "pto.tprelu", elem, [](double a, double b) { return a > 0 ? a : a * b; }, 3, Target::a2a3);
    check_binary(
        "pto.tprelu", elem, [](double a, double b) { return a >= 0 ? a : a * b; }, 3);
    check_binary(
        "pto.trem", elem,
        [](double a, double b) {
          const double q = std::fmod(a, b);
          return q != 0 && std::signbit(q) != std::signbit(b) ? q + b : q;
        },
        3);
  }
  for (const Elem elem : {Elem::i8, Elem::i16, Elem::i32, Elem::ui8, Elem::ui16, Elem::ui32}) {
    check_binary("pto.tadd", elem, [](double a, double b) { return a + b; });
    check_binary("pto.tsub", elem, [](double a, double b) { return a - b; });
    check_binary("pto.tmax", elem, [](double a, double b) { return std::max(a, b); });
    check_binary("pto.tmin", elem, [](double a, double b) { return std::min(a, b); });
    if (elem != Elem::ui32 && elem != Elem::i32)
      check_binary("pto.tmul", elem, [](double a, double b) { return a * b; });
    check_binary("pto.tand", elem,
                 [](double a, double b) { return static_cast<double>(as_int(a) & as_int(b)); });
    check_binary("pto.tor", elem,
                 [](double a, double b) { return static_cast<double>(as_int(a) | as_int(b)); });
    check_binary(
        "pto.txor", elem, [](double a, double b) { return static_cast<double>(as_int(a) ^ as_int(b)); }, 3);
  }
}

TEST_CASE("sums below zero become zero", "[tile][elementwise][N-relu-nan]") {
  for (const Elem elem : {Elem::f16, Elem::f32})
    check_binary(
        "pto.taddrelu", elem, [=](double a, double b) { return rounded(Elem::f32, a + b) < 0 ? 0.0 : a + b; },
        2, Target::a2a3);
  check_binary(
      "pto.taddrelu", Elem::i16,
      [](double a, double b) {
        return static_cast<double>(
            std::max<int16_t>(static_cast<int16_t>(static_cast<int>(a) + static_cast<int>(b)), 0));
      },
      2, Target::a2a3);
}

TEST_CASE("integer division: truncation, remainders, zero divisors by target",
          "[tile][elementwise][N-div-round][N-div-zero]") {
  for (const Elem elem : {Elem::i8, Elem::i16, Elem::i32, Elem::ui16, Elem::ui32}) {
    const double ones = is_unsigned(elem) ? std::ldexp(1.0, static_cast<int>(bit_width(elem))) - 1 : -1.0;
    check_binary("pto.tdiv", elem, [=](double a, double b) { return b == 0 ? ones : std::trunc(a / b); });
    check_binary("pto.tfmod", elem,
                 [=](double a, double b) { return b == 0 ? ones : std::fmod(a, b) + 0.0; });
    check_binary(
        "pto.trem", elem, [=](double a, double b) { return b == 0 ? ones : a - std::floor(a / b) * b; }, 3);
    check_binary(
        "pto.tdiv", elem, [=](double a, double b) { return b == 0 ? 0 : std::trunc(a / b); }, 2, Target::cpu);
  }
  Bench bench;
  bench.machine.target = Target::cpu;
  const Arg a = bench.tile(Elem::i32, {8, 8});
  const Arg b = bench.tile(Elem::i32, {8, 8});
  const Arg d = bench.tile(Elem::i32, {8, 8});
  bench.fill(a, [](int64_t, int64_t) { return 5; });
  bench.fill(b, [](int64_t r, int64_t) { return static_cast<double>(r); });
  bench.run("pto.tdiv", {a, b, d});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::divide_by_zero);
}

/// src1 is converted twice and back once, src0 there and back (pto-isa include/pto/npu/a2a3/TRem.hpp:74..93).
TEST_CASE("remainders of i32 on A2/A3 leave f32 in the divisors' tile", "[tile][elementwise][N-rem-update]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    Bench bench;
    bench.machine.target = target;
    const auto tile = [&] { return bench.tile(Elem::i32, {3, 16, 2, 13}); };
    const Arg a = tile();
    const Arg b = tile();
    const Arg d = tile();
    const int32_t dividends[] = {16777217, -16777219, 7, -7, 2147483647}, divisors[] = {3, -5, 16777217};
    const auto put = [&](const Arg& to, auto&& values) {
      for (int64_t r = 0; r < 3; ++r) {
        for (int64_t c = 0; c < 16; ++c)
          bench.put(to, r, c,
                    static_cast<uint32_t>(values[static_cast<size_t>(r * 16 + c) % std::size(values)]));
      }
    };
    for (const bool scalar : {false, true}) {
      put(a, dividends);
      put(b, divisors);
      if (scalar)
        bench.run("pto.trems", {a, bench.i32(3), Bench::none(), d});
      else
        bench.run("pto.trem", {a, b, Bench::none(), d});
      for (int64_t r = 0; r < 3; ++r) {
        for (int64_t c = 0; c < 16; ++c) {
          const bool converted = target == Target::a2a3 && r < 2 && c < 13;
          const int32_t dividend = dividends[(r * 16 + c) % 5];
          const int32_t divisor = divisors[(r * 16 + c) % 3];
          const int32_t kept = dividend == 16777217 ? 16777216 : dividend == -16777219 ? -16777220 : dividend;
          CHECK(bench.bits(a, r, c) == static_cast<uint32_t>(converted ? kept : dividend));
          CHECK(bench.bits(b, r, c) == (converted && !scalar
                                            ? std::bit_cast<uint32_t>(static_cast<float>(divisor))
                                            : static_cast<uint32_t>(divisor)));
        }
      }
    }
  }
}

/// pto-isa tests/npu/a5/src/st/testcase/tdiv/gen_data.py: 0 where the divisor is.
TEST_CASE("64-bit division on A5: towards zero, by zero 0", "[tile][elementwise][N-div-round][N-div-zero]") {
  constexpr uint64_t kMin = uint64_t{1} << 63;
  const uint64_t values[] = {0, 1, 2, 3, 7, kMin, kMin - 1, ~uint64_t{0}, ~uint64_t{6}, 0x123456789abcdef};
  constexpr int64_t kCount = std::size(values);
  for (const Elem elem : {Elem::i64, Elem::ui64}) {
    Bench bench;
    bench.machine.target = Target::a5;
    const Arg a = bench.tile(elem, {kCount, 16, kCount, kCount});
    const Arg b = bench.tile(elem, {kCount, 16, kCount, kCount});
    const Arg d = bench.tile(elem, {kCount, 16, kCount, kCount});
    for (int64_t r = 0; r < kCount; ++r) {
      for (int64_t c = 0; c < kCount; ++c) {
        bench.put(a, r, c, values[r]);
        bench.put(b, r, c, values[c]);
      }
    }
    const auto signed_quotient = [](uint64_t x, uint64_t y) {
      if (y == ~uint64_t{0}) return uint64_t{0} - x;
      return static_cast<uint64_t>(static_cast<int64_t>(x) / static_cast<int64_t>(y));
    };
    bench.run("pto.tdiv", {a, b, d});
    for (int64_t r = 0; r < kCount; ++r) {
      for (int64_t c = 0; c < kCount; ++c) {
        const uint64_t x = values[r];
        const uint64_t y = values[c];
        CHECK(bench.bits(d, r, c) == (y == 0 ? 0 : elem == Elem::ui64 ? x / y : signed_quotient(x, y)));
      }
    }
    CHECK(bench.faults.empty());
  }
}

TEST_CASE("shifts: sign, zero fill, amounts from the width on", "[tile][elementwise][N-shift-count]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    Bench bench;
    bench.machine.target = target;
    const Arg a = bench.tile(Elem::i16, {1, 16});
    const Arg b = bench.tile(Elem::i16, {1, 16});
    const Arg d = bench.tile(Elem::i16, {1, 16});
    const double amounts[] = {0, 1, 8, 15, 16, 100, -1};
    for (const double value : {-32768.0, -5.0, 1.0, 32767.0}) {
      bench.fill(a, [&](int64_t, int64_t) { return value; });
      bench.fill(b, [&](int64_t, int64_t c) { return amounts[c % 7]; });
      bench.run("pto.tshr", {a, b, d});
      for (int64_t c = 0; c < 7; ++c) {
        const bool all = amounts[c] < 0 || amounts[c] > 15;
        CHECK(bench.get(d, 0, c) ==
              (all ? (value < 0 ? -1.0 : 0.0)
                   : std::floor(value / std::ldexp(1.0, static_cast<int>(amounts[c])))));
      }
      bench.run("pto.tshl", {a, b, d});
      for (int64_t c = 0; c < 7; ++c) {
        const bool all = amounts[c] < 0 || amounts[c] > 15;
        const auto shifted = static_cast<int16_t>(static_cast<uint16_t>(
            static_cast<uint32_t>(static_cast<int32_t>(value)) << (all ? 0 : static_cast<int>(amounts[c]))));
        CHECK(bench.get(d, 0, c) == (all ? 0.0 : static_cast<double>(shifted)));
      }
    }
  }
}

TEST_CASE("one source: edges", "[tile][elementwise][N-abs-sign][N-relu-nan][N-exp-round][N-sqrt-round]") {
  const std::pair<std::string_view, std::function<double(double)>> ops[] = {
      {"pto.tabs", [](double v) { return std::fabs(v); }},
      {"pto.tneg", [](double v) { return -v; }},
      {"pto.trelu", [](double v) { return v < 0 ? 0.0 : v; }},
      {"pto.texp", [](double v) { return std::exp(v); }},
      {"pto.tlog", [](double v) { return std::log(v); }},
      {"pto.tsqrt", [](double v) { return std::sqrt(v); }},
      {"pto.trsqrt", [](double v) { return 1 / std::sqrt(v); }},
      {"pto.trecip", [](double v) { return 1 / v; }},
  };
  for (const auto& [name, model] : ops) {
    for (const Elem elem : {Elem::f16, Elem::f32}) {
      Bench bench;
      const Arg a = bench.tile(elem, {3, 16, 3, 13});
      const Arg d = bench.tile(elem, {3, 16, 3, 13});
      bench.fill(a, [](int64_t r, int64_t c) { return edge(r * 5 + c, false); });
      bench.run(name, {a, d});
      for (int64_t r = 0; r < 3; ++r) {
        for (int64_t c = 0; c < 13; ++c) {
          const double want = rounded(elem, model(bench.get(a, r, c)));
          CAPTURE(name, bench.get(a, r, c), bench.get(d, r, c), want);
          REQUIRE(
              (same_value(bench.get(d, r, c), want) || (std::isnan(want) && std::isnan(bench.get(d, r, c)))));
        }
      }
    }
  }
  Bench bench;
  const Arg a = bench.tile(Elem::i8, {1, 32});
  const Arg d = bench.tile(Elem::i8, {1, 32});
  bench.fill(a, [](int64_t, int64_t c) { return c == 0 ? -128.0 : static_cast<double>(c - 16); });
  bench.run("pto.tabs", {a, d});
  CHECK(bench.get(d, 0, 0) == -128.0);
  CHECK(bench.get(d, 0, 1) == 15.0);
  bench.run("pto.tnot", {a, d});
  CHECK(bench.get(d, 0, 16) == -1.0);
}

TEST_CASE("tile with scalar: order of operands, conversion of the scalar",
          "[tile][elementwise][N-scalar-convert]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f16, {2, 16});
  const Arg d = bench.tile(Elem::f16, {2, 16});
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(r * 16 + c + 1); });
  bench.run("pto.tdivs", {a, bench.f32(3.0f), d});
  CHECK(bench.get(d, 1, 3) == rounded(Elem::f16, 20.0 / 3.0));
  bench.run("pto.tdivs", {bench.f32(3.0f), a, d});
  CHECK(bench.get(d, 1, 3) == rounded(Elem::f16, 3.0 / 20.0));
  bench.run("pto.tsubs", {a, bench.f32(0.1f), d});  // the scalar becomes f16 first
  CHECK(bench.get(d, 0, 0) == rounded(Elem::f16, 1.0 - rounded(Elem::f16, static_cast<double>(0.1f))));
  bench.run("pto.tlrelu", {a, bench.f32(0.5f), d});
  CHECK(bench.get(d, 0, 4) == 5.0);
  const Arg wide = bench.tile(Elem::i16, {1, 16});
  bench.run("pto.texpands", {bench.i32(-5), wide});
  CHECK(bench.get(wide, 0, 15) == -5.0);
  bench.run("pto.tadds", {wide, bench.i32(32767), wide});  // in place
  CHECK(bench.get(wide, 0, 7) == 32762.0);
}

TEST_CASE("axpy and the three-source forms: where 16-bit results are rounded",
          "[tile][elementwise][N-axpy-round][N-addc-round]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f16, {1, 16});
  const Arg d = bench.tile(Elem::f16, {1, 16});
  const Arg c = bench.tile(Elem::f16, {1, 16});
  const Arg e = bench.tile(Elem::f16, {1, 16});
  bench.fill(a, [](int64_t, int64_t i) { return 1.0 + static_cast<double>(i) / 1024; });
  bench.fill(d, [](int64_t, int64_t i) { return -static_cast<double>(i); });
  bench.run("pto.taxpy", {a, bench.scalar(Elem::f16, num::f32_to_f16(1.001f)), d});
  for (int64_t i = 0; i < 16; ++i) {
    const double product =
        rounded(Elem::f16, (1.0 + static_cast<double>(i) / 1024) * rounded(Elem::f16, 1.001));
    CHECK(bench.get(d, 0, i) == rounded(Elem::f16, product - static_cast<double>(i)));
  }
  bench.fill(c, [](int64_t, int64_t) { return 2048; });
  bench.fill(a, [](int64_t, int64_t) { return 1; });
  bench.fill(d, [](int64_t, int64_t) { return 1; });
  bench.run("pto.taddc", {c, a, d, e});
  CHECK(bench.get(e, 0, 0) == 2050.0);  // one rounding: 2048 + 1 alone would stay 2048
  bench.run("pto.tsubc", {c, a, d, e});
  CHECK(bench.get(e, 0, 0) == 2048.0);
  bench.run("pto.taddsc", {c, bench.f32(1), a, e});
  CHECK(bench.get(e, 0, 0) == 2050.0);
}

TEST_CASE("no NaN is the host's own: 0/0, inf - inf, sqrt and log of -1",
          "[tile][elementwise][N-arith-nan]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32}) {
      const uint64_t nan = elem == Elem::f16 ? 0x7e00 : elem == Elem::bf16 ? 0x7fc0 : 0x7fc00000;
      Bench bench;
      bench.machine.target = target;
      const auto tile = [&](double value) {
        const Arg t = bench.tile(elem, {2, 32});
        bench.fill(t, [=](int64_t, int64_t) { return value; });
        return t;
      };
      const Arg zero = tile(0);
      const Arg infinity = tile(HUGE_VAL);
      const Arg minus = tile(-1);
      const Arg d = tile(3);
      const Arg row = bench.tile(elem, {2, 1}, kDn);
      const Arg both = tile(HUGE_VAL);
      for (int64_t c = 0; c < 32; c += 2) bench.put(both, 0, c, num::from_f64(elem, -HUGE_VAL));
      const std::pair<std::string_view, std::vector<Arg>> cases[] = {
          {"pto.tdiv", {zero, zero, d}},
          {"pto.tsub", {infinity, infinity, d}},
          {"pto.tmul", {zero, infinity, d}},
          {"pto.tsqrt", {minus, d}},
          {"pto.tlog", {minus, d}},
          {"pto.trsqrt", {minus, d}},
          {"pto.tfmod", {infinity, zero, d}},
          {"pto.tcolsum", {both, Bench::none(), d}},
          {"pto.tpartmul", {zero, infinity, d}},
          {"pto.tmuls", {zero, bench.scalar(elem, num::from_f64(elem, HUGE_VAL)), d}}};
      for (const auto& [name, operands] : cases) {
        INFO(name << " " << to_string(elem));
        if (name == "pto.tcolsum") bench.put(both, 1, 0, num::from_f64(elem, HUGE_VAL));
        bench.run(name, operands);
        CHECK(bench.bits(d, 0, 0) == nan);
      }
      bench.run("pto.trowsum", {both, Bench::none(), row});
      CHECK(bench.bits(row, 0, 0) == nan);
      bench.run("pto.tneg", {row, row});
      CHECK(bench.bits(row, 0, 0) ==
            (nan | uint64_t{1} << (8 * byte_width(elem) - 1)));  // a sign is not arithmetic
    }
  }
}

TEST_CASE("denormals of a 16-bit format are flushed after their rounding",
          "[tile][elementwise][N-float-denormal]") {
  Bench bench;
  bench.machine.flush_denormals = true;
  const Arg a = bench.tile(Elem::f16, {1, 16});
  const Arg d = bench.tile(Elem::f16, {1, 16});
  const Arg e = bench.tile(Elem::f16, {1, 16});
  const uint64_t inputs[] = {0x0400, 0x8400, 0x03ff, 0x83ff, 0x0800, 0x7c00, 0x7e00, 0x3c00};
  for (int64_t c = 0; c < 8; ++c) bench.put(a, 0, c, inputs[c]);
  bench.run("pto.tmuls", {a, bench.f32(1), d});
  const uint64_t same[] = {0x0400, 0x8400, 0x0000, 0x8000, 0x0800, 0x7c00, 0x7e00, 0x3c00};
  for (int64_t c = 0; c < 8; ++c) CHECK(bench.bits(d, 0, c) == same[c]);
  bench.run("pto.tmuls", {a, bench.f32(0.5f), d});
  const uint64_t halves[] = {0x0000, 0x8000, 0x0000, 0x8000, 0x0400, 0x7c00, 0x7e00, 0x3800};
  for (int64_t c = 0; c < 8; ++c) CHECK(bench.bits(d, 0, c) == halves[c]);
  bench.run("pto.tcolsum", {a, Bench::none(), e});
  CHECK(bench.bits(e, 0, 2) == 0);
  bench.put(a, 0, 0, 0x03ff);
  bench.run("pto.tcvt", {a, d}, {{0, 1}});
  CHECK(bench.bits(d, 0, 0) == 0x03ff);  // conversions keep them
}

TEST_CASE("denormals are flushed when the machine says so", "[tile][elementwise][N-float-denormal]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f32, {1, 8});
  const Arg d = bench.tile(Elem::f32, {1, 8});
  bench.fill(a, [](int64_t, int64_t c) { return c % 2 ? -1e-40 : 1e-40; });
  bench.run("pto.tmuls", {a, bench.f32(1), d});
  CHECK(bench.get(d, 0, 0) == static_cast<double>(1e-40f));
  bench.machine.flush_denormals = true;
  bench.run("pto.tmuls", {a, bench.f32(1), d});
  CHECK(same_value(bench.get(d, 0, 0), 0.0));
  CHECK(same_value(bench.get(d, 0, 1), -0.0));
}

TEST_CASE("an empty valid region writes nothing and column-major tiles work alike", "[tile][elementwise]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f32, {8, 8, 0, 8});
  const Arg d = bench.tile(Elem::f32, {8, 8, 0, 8});
  bench.fill(d, [](int64_t, int64_t) { return 3; });
  bench.run("pto.tadd", {a, a, d});
  CHECK(bench.get(d, 0, 0) == 3.0);
  CHECK(bench.faults.empty());
  const Arg x = bench.tile(Elem::f32, {8, 6, 5, 3}, kDn);
  const Arg y = bench.tile(Elem::f32, {8, 8, 5, 3});
  const Arg z = bench.tile(Elem::f32, {8, 6, 5, 3}, kDn);
  bench.fill(x, [](int64_t r, int64_t c) { return static_cast<double>(r * 10 + c); });
  bench.fill(y, [](int64_t r, int64_t c) { return static_cast<double>(c * 10 + r); });
  bench.fill(z, [](int64_t, int64_t) { return -1; });
  for (const Arg& second : {x, y}) {
    bench.run("pto.tadd", {x, second, z});
    for (int64_t r = 0; r < 8; ++r) {
      for (int64_t c = 0; c < 6; ++c)
        REQUIRE(bench.get(z, r, c) == (r < 5 && c < 3 ? bench.get(x, r, c) + bench.get(second, r, c) : -1.0));
    }
  }
}
