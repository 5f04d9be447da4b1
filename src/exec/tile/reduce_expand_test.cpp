// Reductions, expansion and partial operations against element-by-element models.
#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

double rounded(Elem elem, double v) { return num::to_f64(elem, num::from_f64(elem, v)); }
double sample(int64_t r, int64_t c) {
  return static_cast<double>((r * 37 + c * 11) % 23 - 9) * 0.375 + (c % 5 == 0 ? 0.1 : 0.0);
}

using Step = std::function<double(double, double)>;

void check_reduction(std::string_view name, Elem elem, bool rows, bool wide, const Step& step,
                     Layout layout = kNd) {
  INFO(name << " " << to_string(elem));
  Bench bench;
  const Shape shape(16, 32, 13, 29);
  const Arg src = bench.tile(elem, shape, layout);
  const Arg dst = rows ? bench.tile(elem, {16, 1, 13, 1}, kDn) : bench.tile(elem, {1, 32, 1, 29});
  bench.fill(src, [&](int64_t r, int64_t c) {
    return is_integer(elem) ? std::floor(sample(r, c) * 9) : sample(r, c);
  });
  bench.fill(dst, [](int64_t, int64_t) { return 77; });
  bench.run(name, rows || name == "pto.tcolsum" ? std::vector<Arg>{src, Bench::none(), dst}
                                                : std::vector<Arg>{src, dst});
  REQUIRE(bench.faults.empty());
  const int64_t outer = rows ? 13 : 29;
  const int64_t inner = rows ? 29 : 13;
  for (int64_t i = 0; i < outer; ++i) {
    const auto at = [&](int64_t j) { return rows ? bench.get(src, i, j) : bench.get(src, j, i); };
    double running = at(0);
    for (int64_t j = 1; j < inner; ++j) {
      running = step(running, at(j));
      if (!is_integer(elem)) running = rounded(wide ? Elem::f32 : elem, running);
    }
    CHECK(same_value(rows ? bench.get(dst, i, 0) : bench.get(dst, 0, i), rounded(elem, running)));
  }
  CHECK(bench.get(dst, rows ? 13 : 0, rows ? 0 : 29) == 77.0);
}
}  // namespace

TEST_CASE("reductions run in order with the stated running format",
          "[tile][reduce][N-sum-order][N-sum-round]") {
  const Step add = [](double a, double b) { return a + b; }, mul = [](double a, double b) { return a * b; };
  const Step greater = [](double a, double b) { return b > a ? b : a; },
             less = [](double a, double b) { return b < a ? b : a; };
  for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32, Elem::i16, Elem::i32, Elem::i8}) {
    check_reduction("pto.trowsum", elem, true, true, add);
    check_reduction("pto.tcolsum", elem, false, false, add);
    check_reduction("pto.trowmax", elem, true, false, greater);
    check_reduction("pto.trowmin", elem, true, false, less);
    check_reduction("pto.tcolmax", elem, false, false, greater);
    check_reduction("pto.tcolmin", elem, false, false, less);
    if (is_integer(elem)) continue;
    check_reduction("pto.trowprod", elem, true, false, mul);
    check_reduction("pto.tcolprod", elem, false, false, mul);
  }
  check_reduction("pto.trowsum", Elem::f32, true, true, add, kDn);
}

TEST_CASE("integer products wrap", "[tile][reduce][N-sum-wrap]") {
  Bench bench;
  const Arg src = bench.tile(Elem::i32, {1, 40});
  const Arg dst = bench.tile(Elem::i32, {1, 8, 1, 1});
  bench.fill(src, [](int64_t, int64_t) { return 3; });
  bench.run("pto.trowprod", {src, Bench::none(), dst});
  uint32_t want = 1;
  for (int i = 0; i < 40; ++i) want *= 3;
  CHECK(bench.bits(dst, 0, 0) == want);
}

TEST_CASE("extreme values: NaN counts only as first element, ties keep the first index",
          "[tile][reduce][N-extreme-nan][N-extreme-tie]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f32, {4, 8});
  const Arg value = bench.tile(Elem::f32, {4, 1}, kDn);
  const Arg index = bench.tile(Elem::i32, {4, 1}, kDn);
  const double nan = std::nan("");
  const double rows[4][8] = {{nan, 5, 1, 2, 3, 4, 5, 6},
                             {1, nan, 3, 3, nan, 2, 3, 0},
                             {-0.0, 0.0, -0.0, 0, 0, 0, 0, 0},
                             {-HUGE_VAL, -1, HUGE_VAL, 3, HUGE_VAL, 0, 0, 0}};
  bench.fill(src, [&](int64_t r, int64_t c) { return rows[r][c]; });
  bench.run("pto.trowmax", {src, Bench::none(), value});
  bench.run("pto.trowargmax", {src, Bench::none(), index});
  CHECK(std::isnan(bench.get(value, 0, 0)));
  CHECK(bench.get(value, 1, 0) == 3.0);
  CHECK(same_value(bench.get(value, 2, 0), -0.0));
  CHECK(bench.get(value, 3, 0) == HUGE_VAL);
  CHECK(bench.get(index, 0, 0) == 0.0);
  CHECK(bench.get(index, 1, 0) == 2.0);
  CHECK(bench.get(index, 2, 0) == 0.0);
  CHECK(bench.get(index, 3, 0) == 2.0);
  bench.run("pto.trowargmin", {src, Bench::none(), index});
  CHECK(bench.get(index, 1, 0) == 7.0);
  const Arg column = bench.tile(Elem::i32, {1, 8});
  bench.run("pto.tcolargmax", {src, Bench::none(), column});
  CHECK(bench.get(column, 0, 0) == 0.0);  // NaN first: never replaced
  CHECK(bench.get(column, 0, 2) == 3.0);
  bench.run("pto.tcolargmin", {src, Bench::none(), column});
  CHECK(bench.get(column, 0, 7) == 1.0);
}

TEST_CASE("extreme values with their positions: the first one counts, NaN as the positions say",
          "[tile][reduce][N-extreme-nan][N-extreme-tie]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    Bench bench;
    bench.machine.target = target;
    const Arg src = bench.tile(Elem::f16, {3, 16, 3, 5});
    const Arg tmp = bench.tile(Elem::f16, {3, 16});
    const double rows[3][5] = {{1, 9, 9, -2, 0}, {-7, -7, -8, -9, -7}, {3, 2, 1, 0, 4}};
    bench.fill(src, [&](int64_t r, int64_t c) { return c < 5 ? rows[r][c] : 77; });
    const Arg value = bench.tile(Elem::f16, {3, 16, 3, 1});
    const Arg index = bench.tile(Elem::i16, {16, 1, 3, 1}, kDn);
    bench.run("pto.trowargmax", {src, tmp, value, index}, {}, nullptr, 1);
    const double most[3] = {9, -7, 4}, least[3] = {-2, -9, 0};
    const double at_most[3] = {1, 0, 4}, at_least[3] = {3, 3, 3};
    for (int64_t r = 0; r < 3; ++r) {
      CHECK(bench.get(value, r, 0) == most[r]);
      CHECK(bench.get(index, r, 0) == at_most[r]);
    }
    bench.run("pto.trowargmin", {src, tmp, value, index}, {}, nullptr, 1);
    for (int64_t r = 0; r < 3; ++r) {
      CHECK(bench.get(value, r, 0) == least[r]);
      CHECK(bench.get(index, r, 0) == at_least[r]);
    }
    const Arg top = bench.tile(Elem::f16, {1, 16, 1, 5});
    const Arg where = bench.tile(Elem::i16, {1, 16, 1, 5});
    const double columns[5] = {3, 9, 9, 0, 4}, lines[5] = {2, 0, 0, 2, 2};
    bench.run("pto.tcolargmax", {src, tmp, top, where}, {}, nullptr, 1);
    for (int64_t c = 0; c < 5; ++c) {
      CHECK(bench.get(top, 0, c) == columns[c]);
      CHECK(bench.get(where, 0, c) == lines[c]);
    }
    bench.run("pto.tcolargmin", {src, tmp, top, where}, {}, nullptr, 1);
    CHECK(bench.get(top, 0, 0) == -7.0);
    CHECK(bench.get(where, 0, 0) == 1.0);
    CHECK(bench.get(top, 0, 4) == -7.0);
  }
}

TEST_CASE("expansion: rows, columns, both broadcast forms, operand order", "[tile][expand][N-expdif-round]") {
  Bench bench;
  for (const Elem elem : {Elem::f16, Elem::f32}) {
    const int64_t block = 32 / byte_width(elem);
    const Arg full = bench.tile(elem, {8, 32, 7, 21});
    const Arg column = bench.tile(elem, {8, 1, 7, 1}, kDn);
    const Arg wide = bench.tile(elem, {8, block, 7, block});
    const Arg row = bench.tile(elem, {1, 32, 1, 21});
    const Arg dst = bench.tile(elem, {8, 32, 7, 21});
    bench.fill(full, [](int64_t r, int64_t c) { return static_cast<double>(r + c + 1); });
    bench.fill(column, [](int64_t r, int64_t) { return static_cast<double>(r + 2); });
    bench.fill(wide, [](int64_t r, int64_t c) { return static_cast<double>(r * 3 + c + 1); });
    bench.fill(row, [](int64_t, int64_t c) { return static_cast<double>(c + 3); });
    const auto expect = [&](const std::function<double(int64_t, int64_t)>& want) {
      bool good = bench.faults.empty();
      for (int64_t r = 0; r < 8; ++r) {
        for (int64_t c = 0; c < 32; ++c)
          good = good && same_value(bench.get(dst, r, c), r < 7 && c < 21 ? rounded(elem, want(r, c)) : 9.0);
      }
      CHECK(good);
      bench.fill(dst, [](int64_t, int64_t) { return 9; });
    };
    bench.fill(dst, [](int64_t, int64_t) { return 9; });
    const auto f = [&](int64_t r, int64_t c) { return bench.get(full, r, c); };
    const Arg none = Bench::none();
    bench.run("pto.trowexpand", {column, dst});
    expect([&](int64_t r, int64_t) { return bench.get(column, r, 0); });
    bench.run("pto.trowexpand", {wide, dst});
    expect([&](int64_t r, int64_t) { return bench.get(wide, r, 0); });
    bench.run("pto.tcolexpand", {row, dst});
    expect([&](int64_t, int64_t c) { return bench.get(row, 0, c); });
    bench.run("pto.trowexpandsub", {full, column, none, dst});
    expect([&](int64_t r, int64_t c) { return f(r, c) - bench.get(column, r, 0); });
    bench.run("pto.trowexpandsub", {column, full, none, dst});
    expect([&](int64_t r, int64_t c) { return bench.get(column, r, 0) - f(r, c); });
    bench.run("pto.trowexpanddiv", {full, wide, none, dst});
    expect([&](int64_t r, int64_t c) { return f(r, c) / bench.get(wide, r, c % block); });
    bench.run("pto.trowexpandexpdif", {full, column, none, dst});
    expect([&](int64_t r, int64_t c) { return std::exp(rounded(elem, f(r, c) - bench.get(column, r, 0))); });
    bench.run("pto.tcolexpandmul", {full, row, dst});
    expect([&](int64_t r, int64_t c) { return f(r, c) * bench.get(row, 0, c); });
    bench.run("pto.tcolexpandmax", {full, row, dst});
    expect([&](int64_t r, int64_t c) { return std::max(f(r, c), bench.get(row, 0, c)); });
  }
}

TEST_CASE("partial operations: both, one or no source valid", "[tile][part][N-part-valid]") {
  Bench bench;
  const Arg a = bench.tile(Elem::f16, {8, 16, 5, 16});
  const Arg b = bench.tile(Elem::f16, {8, 16, 8, 9});
  const Arg d = bench.tile(Elem::f16, {8, 16});
  bench.fill(a, sample);
  bench.fill(b, [](int64_t r, int64_t c) { return sample(c, r) + 1; });
  const std::pair<std::string_view, Step> ops[] = {
      {"pto.tpartadd", [](double x, double y) { return x + y; }},
      {"pto.tpartmul", [](double x, double y) { return x * y; }},
      {"pto.tpartmax", [](double x, double y) { return std::max(x, y); }},
      {"pto.tpartmin", [](double x, double y) { return std::min(x, y); }}};
  for (const auto& [name, op] : ops) {
    bench.run(name, {a, b, d});
    for (int64_t r = 0; r < 8; ++r) {
      for (int64_t c = 0; c < 16; ++c) {
        const bool in_a = r < 5;
        const bool in_b = c < 9;
        const double x = bench.get(a, r, c);
        const double y = bench.get(b, r, c);
        REQUIRE(bench.get(d, r, c) == (in_a && in_b ? rounded(Elem::f16, op(x, y))
                                       : in_a       ? x
                                       : in_b       ? y
                                                    : 0.0));
      }
    }
  }
}

TEST_CASE("partial extremes carry their indices; who wins ties, and beside NaN", "[tile][part][N-part-tie]") {
  const double kNan = std::nan("");
  const double first[] = {1, 2, 3, 0.0, kNan, 1, kNan, -5}, second[] = {1, 3, 2, -0.0, 1, kNan, kNan, -5};
  // Of each pair: does the first source win? Columns 4 to 6 have NaN: A2/A3 then take the second source, A5
  // the first, the CPU simulator the second.
  const std::string_view greatest[] = {"10110001", "10111111", "00100000"},
                         least[] = {"11010001", "11011111", "01000000"};
  const Target targets[] = {Target::a2a3, Target::a5, Target::cpu};
  for (size_t t = 0; t < std::size(targets); ++t) {
    for (const Elem elem : {Elem::f16, Elem::f32}) {
      Bench bench;
      bench.machine.target = targets[t];
      const auto tile = [&](Elem type, int64_t valid) { return bench.tile(type, {2, 16, 2, valid}); };
      const Arg a = tile(elem, 16);
      const Arg b = tile(elem, 8);
      const Arg ai = tile(Elem::i32, 16);
      const Arg bi = tile(Elem::i32, 8);
      const Arg d = tile(elem, 16);
      const Arg di = tile(Elem::i32, 16);
      bench.fill(a, [&](int64_t, int64_t c) { return first[c % 8]; });
      bench.fill(b, [&](int64_t, int64_t c) { return second[c % 8]; });
      bench.fill(ai, [](int64_t r, int64_t c) { return static_cast<double>(r * 16 + c); });
      bench.fill(bi, [](int64_t r, int64_t c) { return static_cast<double>(100 + r * 16 + c); });
      for (const bool max : {true, false}) {
        bench.run(max ? "pto.tpartargmax" : "pto.tpartargmin", {a, b, ai, bi, d, di});
        for (int64_t c = 0; c < 16; ++c) {
          const bool wins = c >= 8 || (max ? greatest : least)[t][static_cast<size_t>(c)] == '1';
          CAPTURE(to_string(targets[t]), to_string(elem), max, c);
          CHECK(bench.bits(d, 1, c) == bench.bits(wins ? a : b, 1, c));
          CHECK(bench.get(di, 1, c) == static_cast<double>(wins ? 16 + c : 116 + c));
        }
      }
    }
  }
}

TEST_CASE("A5 extremes where no source is valid: the end of the range that loses",
          "[tile][part][N-part-valid]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg a = bench.tile(Elem::f16, {2, 16, 1, 16});
  const Arg b = bench.tile(Elem::f16, {2, 16, 2, 8});
  const Arg d = bench.tile(Elem::f16, {2, 16});
  bench.run("pto.tpartmax", {a, b, d});
  CHECK(bench.get(d, 1, 15) == -65504.0);
  bench.run("pto.tpartmin", {a, b, d});
  CHECK(bench.get(d, 1, 15) == 65504.0);
  bench.run("pto.tpartadd", {a, b, d});
  CHECK(bench.get(d, 1, 15) == 0.0);
}
