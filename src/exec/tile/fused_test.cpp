#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;
double rounded(Elem elem, double v) { return num::to_f64(elem, num::from_f64(elem, v)); }
}  // namespace

TEST_CASE("powers: floats through f64, integers wrap", "[tile][fused]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f16, {2, 16});
  const Arg b = bench.tile(Elem::f16, {2, 16});
  const Arg d = bench.tile(Elem::f16, {2, 16});
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(c - 4) * (r ? 0.5 : 1); });
  bench.fill(b, [](int64_t, int64_t c) { return static_cast<double>(c % 5) - 2; });
  bench.run("pto.tpow", {a, b, Bench::none(), d});
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t c = 0; c < 16; ++c)
      CHECK(same_value(bench.get(d, r, c),
                       rounded(Elem::f16, std::pow(bench.get(a, r, c), bench.get(b, r, c)))));
  }
  const Arg base = bench.tile(Elem::i16, {1, 16});
  const Arg result = bench.tile(Elem::i16, {1, 16});
  bench.fill(base, [](int64_t, int64_t c) { return static_cast<double>(c - 3); });
  bench.run("pto.tpows", {base, bench.i32(11), Bench::none(), result});
  for (int64_t c = 0; c < 16; ++c) {
    uint16_t want = 1;
    for (int i = 0; i < 11; ++i) want = static_cast<uint16_t>(want * static_cast<uint32_t>(c - 3));
    CHECK(bench.bits(result, 0, c) == want);
  }
  bench.run("pto.tpows", {base, bench.i32(-3), Bench::none(), result});
  CHECK(bench.get(result, 0, 2) == -1.0);
  CHECK(bench.get(result, 0, 4) == 1.0);
  CHECK(bench.get(result, 0, 5) == 0.0);
}

TEST_CASE("two steps in one: where they round", "[tile][fused][N-fma-round]") {
  for (const Elem elem : {Elem::f16, Elem::f32}) {
    Bench bench;
    const Arg a = bench.tile(elem, {1, 16});
    const Arg b = bench.tile(elem, {1, 16});
    const Arg d = bench.tile(elem, {1, 16});
    const auto prepare = [&] {
      bench.fill(a, [](int64_t, int64_t c) { return 1 + static_cast<double>(c) / 1024; });
      bench.fill(b, [](int64_t, int64_t c) { return static_cast<double>(c) * 0.37 - 3; });
      bench.fill(d, [](int64_t, int64_t c) { return 1.5 + static_cast<double>(c) / 512; });
    };
    prepare();
    std::vector<double> x, y, z;
    for (int64_t c = 0; c < 16; ++c) {
      x.push_back(bench.get(a, 0, c));
      y.push_back(bench.get(b, 0, c));
      z.push_back(bench.get(d, 0, c));
    }
    bench.run("pto.tmuladddst", {a, b, d});
    for (size_t c = 0; c < 16; ++c)
      CHECK(bench.get(d, 0, static_cast<int64_t>(c)) == rounded(elem, rounded(elem, x[c] * y[c]) + z[c]));
    prepare();
    bench.run("pto.tfusedmuladdrelu", {a, b, d});
    for (size_t c = 0; c < 16; ++c)
      CHECK(bench.get(d, 0, static_cast<int64_t>(c)) ==
            std::max(0.0, rounded(elem, rounded(elem, x[c] * z[c]) + y[c])));
    prepare();
    bench.run("pto.tfusedmuladd", {a, b, d});
    for (size_t c = 0; c < 16; ++c)
      CHECK(bench.get(d, 0, static_cast<int64_t>(c)) ==
            rounded(elem, rounded(Elem::f32, rounded(elem, x[c] * z[c]) + y[c])));
    bench.run("pto.tsubrelu", {b, a, d});
    CHECK(bench.get(d, 0, 0) == 0.0);
    CHECK(bench.get(d, 0, 15) == rounded(elem, y[15] - x[15]));
  }
  Bench bench;
  const Arg a = bench.tile(Elem::i32, {1, 16});
  const Arg b = bench.tile(Elem::i32, {1, 16});
  const Arg half = bench.tile(Elem::f16, {1, 16});
  const Arg byte = bench.tile(Elem::i8, {1, 32, 1, 16});
  bench.fill(a, [](int64_t, int64_t c) { return static_cast<double>(c * 30 - 100); });
  bench.fill(b, [](int64_t, int64_t) { return 1; });
  bench.run("pto.tadddeqrelu", {a, b, bench.f32(0.5f), Bench::none(), half});
  for (int64_t c = 0; c < 16; ++c)
    CHECK(bench.get(half, 0, c) == std::max(0.0, static_cast<double>(c * 30 - 99) * 0.5));
  bench.run("pto.taddreluconv", {a, b, byte});
  for (int64_t c = 0; c < 16; ++c)
    CHECK(bench.get(byte, 0, c) == std::clamp(static_cast<double>(c * 30 - 99), 0.0, 127.0));
}

/// Goldens of the board write w / 2 columns (pto-isa
/// tests/npu/a5/src/st/testcase/tpairreducesum/gen_data.py).
TEST_CASE("sums of pairs: a column without a partner has none, the rest stays", "[tile][fused][N-sum-tail]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    for (const Elem elem : {Elem::f16, Elem::f32}) {
      for (const int64_t cols : {1, 2, 13, 127, 130}) {
        Bench bench;
        bench.machine.target = target;
        const Arg src = bench.tile(elem, {3, 144, 2, cols});
        const Arg dst = bench.tile(elem, {3, 144, 2, cols});
        bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>(c + 200 * r) / 8; });
        bench.fill(dst, [](int64_t, int64_t) { return -3; });
        bench.run("pto.tpairreducesum", {src, dst});
        CHECK(bench.faults.empty());
        for (int64_t r = 0; r < 3; ++r) {
          for (int64_t c = 0; c < 144; ++c) {
            const bool cpu = target == Target::cpu;
            const double left = bench.get(src, r, 2 * c < 144 ? 2 * c : 0);
            const double right = 2 * c + 1 < cols ? bench.get(src, r, 2 * c + 1) : 0.0;
            const bool paired = r < 2 && (cpu ? 2 * c < cols : 2 * c + 1 < cols);
            REQUIRE(bench.get(dst, r, c) == (paired ? rounded(elem, left + right) : cpu ? 0.0 : -3.0));
          }
        }
      }
    }
  }
}

TEST_CASE("A5 dequantises in three steps and saturates", "[tile][fused]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg a = bench.tile(Elem::i32, {1, 16});
  const Arg b = bench.tile(Elem::i32, {1, 16});
  const Arg half = bench.tile(Elem::f16, {1, 16});
  bench.fill(a, [](int64_t, int64_t c) { return static_cast<double>(c * 30000 - 100000); });
  bench.fill(b, [](int64_t, int64_t) { return 1; });
  bench.run("pto.tadddeqrelu", {a, b, bench.f32(0.3f), Bench::none(), half});
  for (int64_t c = 0; c < 16; ++c) {
    const float sum = static_cast<float>(c * 30000 - 99999);
    const float value = sum / 131072.0f * 0.3f * 131072.0f;
    CHECK(bench.get(half, 0, c) ==
          std::min(65504.0, rounded(Elem::f16, std::max(0.0, static_cast<double>(value)))));
  }
  const Arg x = bench.tile(Elem::f32, {1, 16});
  const Arg y = bench.tile(Elem::f32, {1, 16});
  for (const auto name : {"pto.taddreluconv", "pto.tsubreluconv"}) {
    const double sign = name == std::string_view("pto.taddreluconv") ? 1 : -1;
    const double left[] = {1, -1, HUGE_VAL, HUGE_VAL, 1e6, std::nan("")},
                 right[] = {0.5, 0.25, -HUGE_VAL, 1, 1, 1}, want[] = {1.5, 0, 0, 65504, 65504, 0};
    bench.fill(x, [&](int64_t, int64_t c) { return left[c % 6]; });
    bench.fill(y, [&](int64_t, int64_t c) { return sign * right[c % 6]; });
    bench.run(name, {x, y, half});
    for (int64_t c = 0; c < 6; ++c) CHECK(bench.get(half, 0, c) == want[c]);
  }
}

TEST_CASE("exchanges of columns undo each other", "[tile][fused]") {
  Bench bench;
  const auto tile = [&] { return bench.tile(Elem::i16, {2, 16, 2, 14}); };
  const Arg a = tile();
  const Arg b = tile();
  const Arg x = tile();
  const Arg y = tile();
  const Arg p = tile();
  const Arg q = tile();
  bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(r * 100 + c); });
  bench.fill(b, [](int64_t r, int64_t c) { return static_cast<double>(-r * 100 - c - 1); });
  bench.run("pto.tinterleave", {a, b, x, y});
  for (int64_t c = 0; c < 14; ++c) {
    CHECK(bench.get(x, 1, c) == bench.get(c % 2 ? b : a, 1, c / 2));
    CHECK(bench.get(y, 1, c) == bench.get(c % 2 ? b : a, 1, 7 + c / 2));
  }
  bench.run("pto.tdeinterleave", {x, y, p, q});
  for (int64_t c = 0; c < 14; ++c) {
    CHECK(bench.get(p, 0, c) == bench.get(a, 0, c));
    CHECK(bench.get(q, 0, c) == bench.get(b, 0, c));
  }
  const Arg narrow = bench.tile(Elem::i8, {2, 32, 2, 14});
  bench.run("pto.tpack", {b, narrow});
  CHECK(bench.bits(narrow, 1, 13) == static_cast<uint8_t>(-114));
}
