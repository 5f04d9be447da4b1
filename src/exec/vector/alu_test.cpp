// Lane arithmetic against models written from the definitions: wider arithmetic, one rounding.
#include <array>
#include <cmath>
#include <limits>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
/// Values at the edges of f32, repeated over the lanes with different periods so that all pairs meet.
const std::array<float, 16> kEdges = {
    0.0F,   -0.0F,   1.0F,    -1.5F,  kInf,     -kInf,    kNan,  std::numeric_limits<float>::denorm_min(),
    1e-40F, -1e-40F, 3.4e38F, -3e38F, 0.33333F, 65504.0F, 1e-8F, -7.25F};
float edge_a(unsigned i) { return kEdges[i % 16]; }
float edge_b(unsigned i) { return kEdges[(i * 7 + i / 16) % 16]; }

bool same(float a, float b) {
  return (a != a && b != b) || std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

void check_f32(MicroBench& b, const char* name, const std::function<double(double, double)>& model) {
  const Arg mask = MicroBench::mask(4, [](unsigned i) { return i % 5 != 0; });
  b.run(name, {MicroBench::vreg_f32(edge_a), MicroBench::vreg_f32(edge_b), mask},
        {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) {
    INFO(name << " lane " << i << ": " << edge_a(i) << ", " << edge_b(i));
    if (i % 5 == 0)
      CHECK(b.lane(i) == 0);  // +0 bits
    else
      CHECK(same(b.lane_f32(i), static_cast<float>(model(edge_a(i), edge_b(i)))));
  }
}
double ieee_max(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == 0 && b == 0) return std::signbit(a) && std::signbit(b) ? -0.0 : 0.0;
  return a > b ? a : b;
}

TEST_CASE("f32 binary operations are one rounding of the exact result",
          "[micro][M-lane-inactive][N-max-nan][N-lrelu-select]") {
  MicroBench b;
  check_f32(b, "pto.vadd", [](double x, double y) { return x + y; });
  check_f32(b, "pto.vsub", [](double x, double y) { return x - y; });
  check_f32(b, "pto.vmul", [](double x, double y) { return x * y; });
  check_f32(b, "pto.vdiv", [](double x, double y) { return x / y; });
  check_f32(b, "pto.vmax", ieee_max);
  check_f32(b, "pto.vmin", [](double x, double y) { return -ieee_max(-x, -y); });
  check_f32(b, "pto.vprelu", [](double x, double slope) { return x >= 0 ? x : x * slope; });
}

TEST_CASE("produced NaNs are the canonical one", "[micro][N-arith-nan]") {
  MicroBench b;
  const Arg odd_nan =
      MicroBench::vreg(Elem::f32, [](unsigned i) { return i % 2 ? 0xffc12345U : 0x7f800000U; });
  const Arg minus_inf = MicroBench::vreg_f32([](unsigned) { return -kInf; });
  b.run("pto.vadd", {odd_nan, minus_inf, MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == 0x7fc00000U);
}

TEST_CASE("absolute value and negation keep payloads", "[micro][M-lane-nan]") {
  for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32}) {
    const uint64_t sign = uint64_t{1} << (8 * byte_width(elem) - 1);
    const uint64_t nan = elem == Elem::f16 ? 0x7c01 : elem == Elem::bf16 ? 0x7f81 : 0x7f800001;
    MicroBench b;
    const Arg input = MicroBench::vreg(elem, [&](unsigned i) { return i % 2 ? nan | sign : nan; });
    b.run("pto.vabs", {input, MicroBench::all(byte_width(elem))}, {MicroBench::vreg_type(elem)});
    CHECK((b.lane(0) == nan && b.lane(1) == nan));
    b.run("pto.vneg", {input, MicroBench::all(byte_width(elem))}, {MicroBench::vreg_type(elem)});
    CHECK((b.lane(0) == (nan | sign) && b.lane(1) == nan));
  }
}

TEST_CASE("vector lanes flush denormals when the machine says so", "[micro][N-float-denormal]") {
  for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32}) {
    const uint64_t sign = uint64_t{1} << (8 * byte_width(elem) - 1);
    const uint64_t normal = elem == Elem::f16 ? 0x400 : elem == Elem::bf16 ? 0x80 : 0x800000;
    const uint64_t values[] = {normal, normal | sign, normal - 1, (normal - 1) | sign, 2 * normal, 1};
    MicroBench b;
    const Arg input = MicroBench::vreg(elem, [&](unsigned i) { return values[i % 6]; });
    const auto lane = [&](std::string_view name, const Arg& other, unsigned i) {
      b.run(name, {input, other, MicroBench::all(byte_width(elem))}, {MicroBench::vreg_type(elem)});
      return b.lane(i);
    };
    const Arg one = MicroBench::scalar(elem, num::from_f64(elem, 1.0));
    const Arg half = MicroBench::scalar(elem, num::from_f64(elem, 0.5));
    CHECK(lane("pto.vmuls", one, 2) == normal - 1);
    CHECK(lane("pto.vmuls", half, 0) == normal / 2);
    b.machine.flush_denormals = true;
    CHECK(lane("pto.vmuls", one, 0) == normal);
    CHECK(lane("pto.vmuls", one, 2) == 0);
    CHECK(lane("pto.vmuls", one, 3) == sign);
    CHECK(lane("pto.vmuls", half, 0) == 0);
    CHECK(lane("pto.vmuls", half, 1) == sign);
    CHECK(lane("pto.vmuls", half, 4) == normal);
    CHECK(lane("pto.vmaxs", MicroBench::scalar(elem, 1), 5) == 0);
    b.run("pto.vcadd",
          {input, MicroBench::mask(byte_width(elem), [](unsigned i) { return i == 2 || i == 5; })},
          {MicroBench::vreg_type(elem)});
    CHECK(b.lane(0) == 0);
  }
}

TEST_CASE("16-bit floats round once", "[micro]") {
  for (const Elem elem : {Elem::f16, Elem::bf16}) {
    MicroBench b;
    const auto bits_a = [](unsigned i) { return (i * 2654435761U) >> 16 & 0xffff; };
    const auto bits_b = [](unsigned i) { return (i * 40503U + 12345U) & 0xffff; };
    const auto check = [&](const char* name, const std::function<double(double, double)>& model) {
      b.run(name, {MicroBench::vreg(elem, bits_a), MicroBench::vreg(elem, bits_b), MicroBench::all(2)},
            {MicroBench::vreg_type(elem)});
      for (unsigned i = 0; i < 128; ++i) {
        const double want = model(num::to_f64(elem, bits_a(i)), num::to_f64(elem, bits_b(i)));
        INFO(name << " lane " << i);
        if (std::isnan(want))
          CHECK(std::isnan(num::to_f64(elem, b.lane(i))));
        else
          CHECK(b.lane(i) == num::from_f64(elem, want));
      }
    };
    check("pto.vadd", [](double x, double y) { return x + y; });
    check("pto.vmul", [](double x, double y) { return x * y; });
    if (elem == Elem::f16) check("pto.vdiv", [](double x, double y) { return x / y; });
  }
}

TEST_CASE("integers wrap in every width and signedness",
          "[micro][M-lane-layout][M-arith-wrap][N-shift-count]") {
  MicroBench b;
  for (const Elem elem : {Elem::i8, Elem::ui8, Elem::i16, Elem::ui16, Elem::i32, Elem::ui32, Elem::i64}) {
    const unsigned width = byte_width(elem);
    const unsigned bits = 8 * width;
    const uint64_t keep = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const auto a = [&](unsigned i) {
      return (i % 4 == 0   ? keep >> 1
              : i % 4 == 1 ? uint64_t{1} << (bits - 1)
                           : i * 0x9e3779b97f4a7c15U) &
             keep;
    };
    const auto c = [&](unsigned i) { return (i % 3 == 0 ? keep : i * 0xc2b2ae3d27d4eb4fU) & keep; };
    const auto check = [&](const char* name, const std::function<uint64_t(uint64_t, uint64_t)>& model) {
      b.run(name, {MicroBench::vreg(elem, a), MicroBench::vreg(elem, c), MicroBench::all(width)},
            {MicroBench::vreg_type(elem)});
      for (unsigned i = 0; i < 256 / width; ++i) {
        INFO(name << " " << to_string(elem) << " lane " << i);
        CHECK(b.lane(i) == (model(a(i), c(i)) & keep));
      }
    };
    check("pto.vadd", [](uint64_t x, uint64_t y) { return x + y; });
    check("pto.vsub", [](uint64_t x, uint64_t y) { return x - y; });
    check("pto.vmul", [](uint64_t x, uint64_t y) { return x * y; });
    check("pto.vand", [](uint64_t x, uint64_t y) { return x & y; });
    check("pto.vmax", [&](uint64_t x, uint64_t y) {
      if (is_unsigned(elem)) return std::max(x, y);
      return num::int_value(elem, x) > num::int_value(elem, y) ? x : y;
    });
    const auto amount = [&](uint64_t y) { return bits == 64 ? y % 64 : y; };
    check("pto.vshr", [&](uint64_t x, uint64_t y) {
      const uint64_t n = std::min<uint64_t>(amount(y), 63);
      return is_unsigned(elem) ? x >> n : static_cast<uint64_t>(num::int_value(elem, x) >> n);
    });
    check("pto.vshl", [&](uint64_t x, uint64_t y) { return amount(y) < bits ? x << amount(y) : 0; });
  }
}

TEST_CASE("shift amounts from the width on: every bit leaves, of 64 bits the amount modulo 64",
          "[micro][N-shift-count]") {
  MicroBench b;
  for (const Elem elem : {Elem::i8, Elem::ui8, Elem::i16, Elem::ui16, Elem::i32, Elem::ui32}) {
    const unsigned width = byte_width(elem);
    const unsigned bits = 8 * width;
    const uint64_t keep = (uint64_t{1} << bits) - 1;
    const uint64_t value = uint64_t{0xa5} << (bits - 8);
    for (const uint64_t amount :
         {uint64_t{0}, uint64_t{1}, uint64_t{bits - 1}, uint64_t{bits}, uint64_t{bits + 1}, uint64_t{31},
          uint64_t{32}, uint64_t{64}, uint64_t{127}, keep}) {
      const Arg lanes = MicroBench::vreg(elem, [&](unsigned) { return value; });
      const uint64_t ones = is_unsigned(elem) ? 0 : keep;  // the value is negative
      const uint64_t left = amount < bits ? value << amount & keep : 0;
      const uint64_t sign = amount == 0 ? 0 : ones << (bits - std::min<uint64_t>(amount, bits)) & keep;
      const uint64_t right = amount < bits ? value >> amount | sign : ones;
      for (const bool by_scalar : {false, true}) {
        if (by_scalar && amount > 32767) continue;
        const Arg second = by_scalar ? MicroBench::scalar(Elem::i16, amount)
                                     : MicroBench::vreg(elem, [&](unsigned) { return amount; });
        for (const bool to_left : {true, false}) {
          b.run(std::string(to_left ? "pto.vshl" : "pto.vshr") + (by_scalar ? "s" : ""),
                {lanes, second, MicroBench::all(width)}, {MicroBench::vreg_type(elem)});
          CAPTURE(to_string(elem), amount, by_scalar, to_left);
          CHECK(b.lane(256 / width - 1) == (to_left ? left : right));
        }
      }
    }
  }
}

/// The public software division is exact; a zero divisor gives -1 (PTOAS lib/SoftOps/div_int.py).
TEST_CASE("vdiv of signed integers: towards zero, by zero all bits", "[micro][N-div-round][N-div-zero]") {
  MicroBench b;
  for (const Elem elem : {Elem::i16, Elem::si16, Elem::i32, Elem::si32}) {
    const unsigned width = byte_width(elem);
    const unsigned bits = 8 * width;
    const int64_t top = int64_t{1} << (bits - 1);
    const int64_t values[] = {0,  1,   -1,    2,     -2,      3,       -3,   7,
                              -7, 133, -1024, 12345, top - 1, top - 2, -top, 1 - top};
    constexpr size_t kCount = std::size(values);
    for (size_t first = 0; first < kCount * kCount; first += 256 / width) {
      const auto pair = [&](unsigned i) { return (first + i) % (kCount * kCount); };
      const auto a = [&](unsigned i) { return values[pair(i) / kCount]; };
      const auto c = [&](unsigned i) { return values[pair(i) % kCount]; };
      b.run("pto.vdiv",
            {MicroBench::vreg(elem, [&](unsigned i) { return static_cast<uint64_t>(a(i)); }),
             MicroBench::vreg(elem, [&](unsigned i) { return static_cast<uint64_t>(c(i)); }),
             MicroBench::mask(width, [](unsigned i) { return i % 5 != 4; })},
            {MicroBench::vreg_type(elem)});
      CHECK(b.faults.empty());
      for (unsigned i = 0; i < 256 / width; ++i) {
        const int64_t want = i % 5 == 4 ? 0 : c(i) == 0 ? -1 : a(i) / c(i);  // -top / -1 wraps below
        CAPTURE(to_string(elem), a(i), c(i));
        CHECK(b.lane(i) == (static_cast<uint64_t>(want) & ((uint64_t{1} << bits) - 1)));
      }
    }
  }
}

TEST_CASE("unary operations at their edges", "[micro][N-relu-nan]") {
  MicroBench b;
  const auto run = [&](const char* name, Elem elem, const std::function<uint64_t(unsigned)>& f) {
    b.run(name, {MicroBench::vreg(elem, f), MicroBench::all(byte_width(elem))},
          {MicroBench::vreg_type(elem)});
  };
  const auto edges = [](unsigned i) -> uint64_t { return std::bit_cast<uint32_t>(edge_a(i)); };
  run("pto.vabs", Elem::f32, edges);
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == (edges(i) & 0x7fffffffU));
  run("pto.vneg", Elem::f32, edges);
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == (edges(i) ^ 0x80000000U));
  run("pto.vrelu", Elem::f32, edges);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(same(b.lane_f32(i), std::isnan(edge_a(i)) ? kNan : edge_a(i) > 0 ? edge_a(i) : 0.0F));
  run("pto.vexp", Elem::f32, edges);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(same(b.lane_f32(i), static_cast<float>(std::exp(static_cast<double>(edge_a(i))))));
  run("pto.vln", Elem::f32, edges);
  CHECK(b.lane_f32(0) == -kInf);
  CHECK(std::isnan(b.lane_f32(3)));
  run("pto.vsqrt", Elem::f32, edges);
  CHECK(b.lane(1) == 0x80000000U);  // sqrt(-0) = -0
  CHECK(std::isnan(b.lane_f32(3)));
  run("pto.vabs", Elem::i16, [](unsigned i) -> uint64_t { return i == 0 ? 0x8000 : 0xffff - i; });
  CHECK(b.lane(0) == 0x8000);  // |INT_MIN| wraps
  CHECK(b.lane(1) == 2);
  run("pto.vnot", Elem::ui8, [](unsigned i) -> uint64_t { return i; });
  for (unsigned i = 0; i < 256; ++i) CHECK(b.lane(i) == 255 - i);
  CHECK(b.faults.empty());
}

TEST_CASE("vector-scalar operations broadcast the scalar", "[micro]") {
  MicroBench b;
  const Arg x = MicroBench::vreg_f32(edge_a);
  b.run("pto.vadds", {x, MicroBench::f32(0.1F), MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(same(b.lane_f32(i), edge_a(i) + 0.1F));
  b.run("pto.vlrelu", {x, MicroBench::f32(0.25F), MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(same(b.lane_f32(i), edge_a(i) >= 0 ? edge_a(i) : edge_a(i) * 0.25F));
  b.run("pto.vadds",
        {MicroBench::vreg(Elem::si16, [](unsigned i) -> uint64_t { return 0x7ff0 + i; }),
         MicroBench::scalar(Elem::i16, 0x20), MicroBench::all(2)},
        {MicroBench::vreg_type(Elem::si16)});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == 0x8010 + i);
}

TEST_CASE("carry chains: carry out is an unsigned overflow, borrow clears it", "[micro][M-addc-carry]") {
  MicroBench b;
  const auto a = [](unsigned i) -> uint64_t { return i % 2 ? 0xffffffffU : i; };
  const auto c = [](unsigned i) -> uint64_t { return i % 3; };
  const Arg mask = MicroBench::mask(4, [](unsigned i) { return i != 7; });
  const Arg in = MicroBench::mask(4, [](unsigned i) { return i % 4 == 1; });
  const std::vector<Type> results = {MicroBench::vreg_type(Elem::ui32), MicroBench::mask_type(4)};
  const auto check = [&](const char* name, bool carry_in,
                         const std::function<uint64_t(uint64_t, uint64_t, uint64_t)>& model,
                         const std::function<bool(uint64_t, uint64_t, uint64_t)>& out) {
    std::vector<Slot> slots = {MicroBench::vreg(Elem::ui32, a), MicroBench::vreg(Elem::ui32, c)};
    if (carry_in) slots.push_back({in});
    slots.push_back({mask});
    b.run(name, slots, results);
    for (unsigned i = 0; i < 64; ++i) {
      const uint64_t carry = i % 4 == 1;
      INFO(name << " lane " << i);
      CHECK(b.lane(i) == (i == 7 ? 0 : model(a(i), c(i), carry) & 0xffffffffU));
      CHECK(b.bit(4 * i, 1) == (i != 7 && out(a(i), c(i), carry)));
    }
  };
  check(
      "pto.vaddc", false, [](uint64_t x, uint64_t y, uint64_t) { return x + y; },
      [](uint64_t x, uint64_t y, uint64_t) { return x + y > 0xffffffffU; });
  check(
      "pto.vsubc", false, [](uint64_t x, uint64_t y, uint64_t) { return x - y; },
      [](uint64_t x, uint64_t y, uint64_t) { return x >= y; });
  check(
      "pto.vaddcs", true, [](uint64_t x, uint64_t y, uint64_t k) { return x + y + k; },
      [](uint64_t x, uint64_t y, uint64_t k) { return x + y + k > 0xffffffffU; });
  check(
      "pto.vsubcs", true, [](uint64_t x, uint64_t y, uint64_t k) { return x - y - (1 - k); },
      [](uint64_t x, uint64_t y, uint64_t k) { return x >= y + (1 - k); });
}

TEST_CASE("multiply-add rounds once", "[micro][N-fma-round]") {
  MicroBench b;
  // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: the last term survives only without an intermediate rounding.
  const float x = 1.0F + std::ldexp(1.0F, -12);
  const Arg v = MicroBench::vreg_f32([&](unsigned) { return x; });
  const Arg minus_one = MicroBench::vreg_f32([](unsigned) { return -1.0F; });
  b.run("pto.vmula", {minus_one, v, v, MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(0) == std::ldexp(1.0F, -11) + std::ldexp(1.0F, -24));
  b.run("pto.vaxpy", {v, minus_one, MicroBench::f32(x), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.lane_f32(5) == std::ldexp(1.0F, -11) + std::ldexp(1.0F, -24));
  // bf16: the product is exactly between two neighbours, and a tiny accumulator decides.
  const auto bf = [](double value) { return [value](unsigned) { return num::from_f64(Elem::bf16, value); }; };
  const double factor = 1.0 + std::ldexp(1.0, -7);  // square: 1 + 2^-6 + 2^-14
  b.run("pto.vmula",
        {MicroBench::vreg(Elem::bf16, bf(-std::ldexp(1.0, -14) + std::ldexp(1.0, -8))),
         MicroBench::vreg(Elem::bf16, bf(factor)), MicroBench::vreg(Elem::bf16, bf(factor)),
         MicroBench::all(2)},
        {MicroBench::vreg_type(Elem::bf16)});
  const double acc =
      num::to_f64(Elem::bf16, num::from_f64(Elem::bf16, -std::ldexp(1.0, -14) + std::ldexp(1.0, -8)));
  CHECK(b.lane(0) == num::from_f64(Elem::bf16, factor * factor + acc));
  b.run("pto.vmull",
        {MicroBench::vreg(Elem::i32, [](unsigned) -> uint64_t { return 0x80000000U; }),
         MicroBench::vreg(Elem::i32, [](unsigned i) -> uint64_t { return i; }), MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::i32), MicroBench::vreg_type(Elem::i32)});
  for (unsigned i = 0; i < 64; ++i) {
    const auto want = static_cast<uint64_t>(int64_t{-2147483648LL} * i);
    CHECK(b.lane(i, 0) == (want & 0xffffffffU));
    CHECK(b.lane(i, 1) == want >> 32);
  }
}

TEST_CASE("comparisons make predicates and never match NaN", "[micro][M-cmp-nan]") {
  MicroBench b;
  const std::map<std::string, std::function<bool(float, float)>> modes = {
      {"eq", [](float x, float y) { return x == y; }}, {"ne", [](float x, float y) { return x != y; }},
      {"lt", [](float x, float y) { return x < y; }},  {"le", [](float x, float y) { return x <= y; }},
      {"gt", [](float x, float y) { return x > y; }},  {"ge", [](float x, float y) { return x >= y; }}};
  const Arg seed = MicroBench::mask(4, [](unsigned i) { return i % 6 != 1; });
  for (const auto& [mode, model] : modes) {
    b.run("pto.vcmp", {MicroBench::vreg_f32(edge_a), MicroBench::vreg_f32(edge_b), seed},
          {MicroBench::mask_type(4)}, {{"cmp_mode", mode}});
    for (unsigned byte = 0; byte < 256; ++byte) {
      const unsigned i = byte / 4;
      CHECK(b.bit(byte) == (byte % 4 == 0 && i % 6 != 1 && model(edge_a(i), edge_b(i))));
    }
  }
  b.run("pto.vcmps",
        {MicroBench::vreg(Elem::ui8, [](unsigned i) -> uint64_t { return i; }),
         MicroBench::scalar(Elem::i8, static_cast<Word>(int64_t{-56})), MicroBench::all(1)},
        {MicroBench::mask_type(1)}, {{"cmp_mode", "ge"}});
  for (unsigned i = 0; i < 256; ++i) CHECK(b.bit(i) == (i >= 200));  // -56 is 200 unsigned
}

TEST_CASE("selection, broadcast and index vectors", "[micro]") {
  MicroBench b;
  const auto a = [](unsigned i) -> uint64_t { return 1000 + i; };
  const auto c = [](unsigned i) -> uint64_t { return 2000 + i; };
  const Arg third = MicroBench::mask(2, [](unsigned i) { return i % 3 == 0; });
  b.run("pto.vsel", {MicroBench::vreg(Elem::i16, a), MicroBench::vreg(Elem::i16, c), third},
        {MicroBench::vreg_type(Elem::i16)});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == (i % 3 == 0 ? a(i) : c(i)));
  b.run("pto.vselr",
        {MicroBench::vreg(Elem::i16, a),
         MicroBench::vreg(Elem::i16, [](unsigned i) -> uint64_t { return 127 - i; })},
        {MicroBench::vreg_type(Elem::i16)});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == a(127 - i));
  b.run("pto.vbr", {MicroBench::scalar(Elem::i8, 0xab)}, {MicroBench::vreg_type(Elem::i8)});
  for (unsigned i = 0; i < 256; ++i) CHECK(b.lane(i) == 0xab);
  b.run("pto.vdup", {MicroBench::vreg(Elem::i16, a), third}, {MicroBench::vreg_type(Elem::i16)},
        {{"position", "HIGHEST"}});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == (i % 3 == 0 ? 1127 : 0));
  b.run("pto.vci", {MicroBench::scalar(Elem::i32, 5)}, {MicroBench::vreg_type(Elem::si32)},
        {{"order", "DESC"}});
  for (unsigned i = 0; i < 64; ++i) CHECK(static_cast<int32_t>(b.lane(i)) == 5 - static_cast<int>(i));
}

TEST_CASE("rearrangement moves lanes as documented", "[micro]") {
  MicroBench b;
  const auto a = [](unsigned i) -> uint64_t { return i; };
  const auto c = [](unsigned i) -> uint64_t { return 500 + i; };
  const std::vector<Type> two = {MicroBench::vreg_type(Elem::i32), MicroBench::vreg_type(Elem::i32)};
  b.run("pto.vintlv", {MicroBench::vreg(Elem::i32, a), MicroBench::vreg(Elem::i32, c)}, two);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(b.lane(i, 0) == (i % 2 ? c(i / 2) : a(i / 2)));
    CHECK(b.lane(i, 1) == (i % 2 ? c(32 + i / 2) : a(32 + i / 2)));
  }
  const Arg low = b.result(0);
  const Arg high = b.result(1);
  b.run("pto.vdintlv", {low, high}, two);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(b.lane(i, 0) == a(i));
    CHECK(b.lane(i, 1) == c(i));
  }
  b.run("pto.vpack", {MicroBench::vreg(Elem::i32, [](unsigned i) -> uint64_t { return 0x10000U * i + i; })},
        {MicroBench::vreg_type(Elem::ui16)}, {{"part", "HIGHER"}});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == (i < 64 ? 0 : i - 64));
  b.run("pto.vsunpack",
        {MicroBench::vreg(Elem::i16, [](unsigned i) -> uint64_t { return 0xff00U + i; }),
         MicroBench::scalar(Elem::index, 1)},
        {MicroBench::vreg_type(Elem::i32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == 0xffffff00U + 64 + i);
  const Arg odd = MicroBench::mask(4, [](unsigned i) { return i % 2 == 1; });
  b.run("pto.vsqz", {MicroBench::vreg(Elem::i32, c), odd}, {MicroBench::vreg_type(Elem::i32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == (i < 32 ? c(2 * i + 1) : 0));
  CHECK(b.control.sqzn == 128);
  b.run("pto.vusqz", {MicroBench::vreg(Elem::si32, a), odd}, {MicroBench::vreg_type(Elem::si32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == i / 2);
}

}  // namespace
}  // namespace pto::exec::test
