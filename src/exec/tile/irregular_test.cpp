// Over 500 lines: one test for each of many small instructions.
// Padding, transposition, concatenation, sequences, sorting, gathering, quantisation, random words.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string_view>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;
double mark(int64_t r, int64_t c) { return static_cast<double>((r * 61 + c * 7) % 251) - 120; }
}  // namespace

TEST_CASE("fill: pad values by target, whole storage, in place", "[tile][fill][N-pad-value]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const uint8_t pad : {uint8_t{1}, uint8_t{2}, uint8_t{3}}) {
      Bench bench;
      bench.machine.target = target;
      const Arg src = bench.tile(Elem::f16, {16, 32, 13, 27});
      const Arg dst = bench.tile(Elem::f16, {16, 32}, kNd, Space::ub, pad);
      bench.fill(src, mark);
      bench.run("pto.tfillpad", {src, dst});
      const double limit = target == Target::a5 ? 65504.0 : HUGE_VAL;
      const double want = pad == 1 ? 0.0 : pad == 2 ? limit : -limit;
      for (int64_t r = 0; r < 16; ++r) {
        for (int64_t c = 0; c < 32; ++c)
          REQUIRE(bench.get(dst, r, c) == (r < 13 && c < 27 ? mark(r, c) : want));
      }
      Arg same = src;
      same.type.pad = pad;
      bench.run("pto.tfillpad_inplace", {src, same});
      CHECK(bench.get(src, 12, 26) == mark(12, 26));
      CHECK(bench.get(src, 15, 31) == want);
    }
  }
  Bench bench;
  bench.machine.target = Target::a5;
  const Arg narrow = bench.tile(Elem::f32, {4, 32, 3, 9});
  const Arg wide = bench.tile(Elem::f32, {4, 32}, kNd, Space::ub, 1);
  bench.run("pto.tfillpad", {narrow, wide});
  CHECK(bench.bits(wide, 0, 9) == 0);  // zero is +0 where the valid region grows, too
  CHECK(bench.bits(wide, 3, 31) == 0);
  const Arg src = bench.tile(Elem::ui8, {4, 32, 3, 9});
  const Arg dst = bench.tile(Elem::ui8, {8, 64}, kNd, Space::ub, 2);
  bench.run("pto.tfillpad_expand", {src, dst});
  CHECK(bench.get(dst, 7, 63) == 255.0);
  const Arg unpadded = bench.tile(Elem::ui8, {8, 64});
  bench.run("pto.tfillpad", {src, unpadded});
  REQUIRE(bench.faults.size() == 1);
}

TEST_CASE("transposition, concatenation, sequences, triangles", "[tile][irregular][N-concat-count]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f32, {16, 24, 13, 21});
  const Arg dst = bench.tile(Elem::f32, {24, 16, 21, 13});
  bench.fill(src, mark);
  bench.fill(dst, [](int64_t, int64_t) { return 500; });
  bench.run("pto.ttrans", {src, Bench::none(), dst});
  for (int64_t r = 0; r < 24; ++r) {
    for (int64_t c = 0; c < 16; ++c) REQUIRE(bench.get(dst, r, c) == (r < 21 && c < 13 ? mark(c, r) : 500.0));
  }
  const Arg a = bench.tile(Elem::i16, {3, 16, 3, 9});
  const Arg b = bench.tile(Elem::i16, {3, 16, 3, 5});
  const Arg both = bench.tile(Elem::i16, {3, 32, 3, 14});
  bench.fill(a, mark);
  bench.fill(b, [](int64_t r, int64_t c) { return mark(c, r); });
  bench.run("pto.tconcat", {a, b, both});
  for (int64_t c = 0; c < 14; ++c) CHECK(bench.get(both, 2, c) == (c < 9 ? mark(2, c) : mark(c - 9, 2)));
  const Arg na = bench.tile(Elem::i32, {3, 8, 3, 1});
  const Arg nb = bench.tile(Elem::i32, {3, 8, 3, 1});
  bench.fill(na, [](int64_t r, int64_t) { return static_cast<double>(4 * r); });
  bench.fill(nb, [](int64_t, int64_t) { return 8; });
  bench.fill(both, [](int64_t, int64_t) { return 7; });
  bench.run("pto.tconcatidx", {a, b, na, nb, both});
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < 14; ++c)
      CHECK(bench.get(both, r, c) == (c < r ? mark(r, c) : c < r + 2 ? mark(c - r, r) : 7.0));
  }
  const Arg total = bench.tile(Elem::i32, {3, 8, 3, 1});  // pto-isa npu/a2a3/TConcat.hpp
  bench.run("pto.tconcatidx", {a, b, na, nb, both, total}, {}, nullptr, 1);
  for (int64_t r = 0; r < 3; ++r) CHECK(static_cast<int64_t>(bench.get(total, r, 0)) == 4 * r + 8);
  const Arg line = bench.tile(Elem::i16, {1, 16});
  bench.run("pto.tci", {bench.i32(32766), line}, {{0, 0}});
  CHECK(bench.get(line, 0, 3) == -32767.0);
  bench.run("pto.tci", {bench.i32(-3), line}, {{0, 1}});
  CHECK(bench.get(line, 0, 15) == -18.0);
  const Arg square = bench.tile(Elem::f16, {16, 16, 11, 13});
  for (const int32_t diagonal : {0, 3, -4, 100, -100}) {
    for (const int64_t upper : {0, 1}) {
      bench.run("pto.ttri", {bench.i32(diagonal), square}, {{0, upper}});
      for (int64_t r = 0; r < 11; ++r) {
        for (int64_t c = 0; c < 13; ++c)
          REQUIRE(bench.get(square, r, c) == ((upper ? c >= r + diagonal : c <= r + diagonal) ? 1.0 : 0.0));
      }
    }
  }
}

TEST_CASE("single elements by linear offset", "[tile][irregular]") {
  Bench bench;
  const Arg t = bench.tile(Elem::i16, {4, 16});
  bench.fill(t, mark);
  const Arg result = bench.scalar(Elem::i16, 0);
  bench.run("pto.tgetval", {t, bench.index(37)}, {}, &result);
  CHECK(static_cast<int64_t>(bench.result[0]) == static_cast<int64_t>(mark(2, 5)));
  bench.run("pto.tsetval", {t, bench.index(37), bench.i32(-9)});
  CHECK(bench.get(t, 2, 5) == -9.0);
  bench.run("pto.tsetval", {t, bench.index(64), bench.i32(1)});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::out_of_bounds);
}

TEST_CASE("sort32: descending runs of 32, ties by index, both record forms", "[tile][sort]") {
  for (const Elem elem : {Elem::f32, Elem::f16}) {
    Bench bench;
    const int64_t coef = elem == Elem::f32 ? 2 : 4;
    const Arg src = bench.tile(elem, {2, 96});
    const Arg index = bench.tile(Elem::ui32, {2, 96});
    const Arg dst = bench.tile(elem, {2, 96 * coef});
    std::mt19937 random(5);
    bench.fill(src,
               [&](int64_t, int64_t c) { return c == 40 ? HUGE_VAL : static_cast<double>(random() % 9); });
    bench.fill(index, [](int64_t r, int64_t c) { return static_cast<double>(r * 100000 + c); });
    bench.run("pto.tsort32", {src, index, Bench::none(), dst});
    for (int64_t r = 0; r < 2; ++r) {
      for (int64_t run = 0; run < 96; run += 32) {
        std::vector<std::pair<double, uint32_t>> want;
        for (int64_t c = run; c < run + 32; ++c)
          want.emplace_back(-bench.get(src, r, c), static_cast<uint32_t>(bench.bits(index, r, c)));
        std::sort(want.begin(), want.end());
        for (int64_t i = 0; i < 32; ++i) {
          const int64_t at = (run + i) * coef;
          REQUIRE(bench.get(dst, r, at) == -want[static_cast<size_t>(i)].first);
          const uint64_t got = elem == Elem::f32
                                   ? bench.bits(dst, r, at + 1)
                                   : bench.bits(dst, r, at + 2) | bench.bits(dst, r, at + 3) << 16;
          REQUIRE(got == want[static_cast<size_t>(i)].second);
        }
      }
    }
  }
}

TEST_CASE("sort32: one row of indices serves all rows", "[tile][sort][N-sort-index]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f32, {3, 32});
  const Arg index = bench.tile(Elem::ui32, {1, 32});
  const Arg dst = bench.tile(Elem::f32, {3, 64});
  bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>((c * 7 + r) % 32); });
  bench.fill(index, [](int64_t, int64_t c) { return static_cast<double>(1000 + c); });
  bench.run("pto.tsort32", {src, index, Bench::none(), dst});
  CHECK(bench.faults.empty());
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t i = 0; i < 32; ++i) {
      const auto at = static_cast<int64_t>(bench.bits(dst, r, 2 * i + 1)) - 1000;
      REQUIRE((at >= 0 && at < 32));
      CHECK(bench.get(dst, r, 2 * i) == 31.0 - static_cast<double>(i));
      CHECK(bench.get(src, r, at) == 31.0 - static_cast<double>(i));
    }
  }
}

TEST_CASE("mrgsort: blocks in fours, lists with counts, exhaustion", "[tile][sort]") {
  Bench bench;
  const auto descending = [&](const Arg& t, int64_t first, int64_t records, double top, double step) {
    for (int64_t i = 0; i < records; ++i) {
      bench.put(t, 0, first + 2 * i,
                std::bit_cast<uint32_t>(static_cast<float>(top - static_cast<double>(i) * step)));
      bench.put(t, 0, first + 2 * i + 1, static_cast<uint64_t>(first + i));
    }
  };
  const Arg blocks = bench.tile(Elem::f32, {1, 80});
  const Arg merged = bench.tile(Elem::f32, {1, 80});
  for (int64_t b = 0; b < 5; ++b) descending(blocks, b * 16, 8, 100 + static_cast<double>(b) / 8, 1.5);
  bench.fill(merged, [](int64_t, int64_t) { return -7; });
  bench.run("pto.tmrgsort", {blocks, bench.i32(16), merged});
  for (int64_t i = 0; i + 1 < 32; ++i)
    REQUIRE(bench.get(merged, 0, 2 * i) >= bench.get(merged, 0, 2 * i + 2));
  CHECK(bench.get(merged, 0, 0) == 100.375);
  CHECK(bench.get(merged, 0, 64) == -7.0);  // a fifth block stays out
  const Arg a = bench.tile(Elem::f32, {1, 16});
  const Arg b = bench.tile(Elem::f32, {1, 16});
  const Arg out = bench.tile(Elem::f32, {1, 32});
  descending(a, 0, 8, 10, 1);
  descending(b, 0, 8, 9, 2);
  for (const int64_t exhausted : {0, 1}) {
    bench.fill(out, [](int64_t, int64_t) { return -7; });
    bench.run_lists("pto.tmrgsort", {a, b}, out, exhausted);
    std::vector<double> want;
    size_t i = 0, j = 0;
    while (i < 8 || j < 8) {
      const double x = i < 8 ? 10 - static_cast<double>(i) : -HUGE_VAL;
      const double y = j < 8 ? 9 - 2 * static_cast<double>(j) : -HUGE_VAL;
      if (y > x) {
        want.push_back(y);
        ++j;
      } else {
        want.push_back(x);
        ++i;
      }
      if (exhausted && (i == 8 || j == 8)) break;
    }
    for (size_t k = 0; k < 16; ++k)
      CHECK(bench.get(out, 0, static_cast<int64_t>(2 * k)) == (k < want.size() ? want[k] : -7.0));
    CHECK((bench.control.vms4_sr & 0xffff) == i);
    CHECK((bench.control.vms4_sr >> 16 & 0xffff) == j);
  }
}

TEST_CASE("gather: indices, mask patterns, comparison", "[tile][gather][N-gather-outside]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f16, {4, 32});
  const Arg index = bench.tile(Elem::i32, {2, 16});
  const Arg dst = bench.tile(Elem::f16, {2, 16});
  bench.fill(src, mark);
  bench.fill(index, [](int64_t r, int64_t c) {
    return c == 15 ? (r ? -1.0 : 128.0) : static_cast<double>((r * 16 + c) * 37 % 128);
  });
  bench.run("pto.tgather", {src, dst, Bench::none(), index});
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t c = 0; c < 16; ++c) {
      const auto flat = static_cast<int64_t>(bench.get(index, r, c));
      CHECK(bench.get(dst, r, c) == (c == 15 ? 0.0 : mark(flat / 32, flat % 32)));
    }
  }
  REQUIRE(bench.beyond.size() == 1);
  CHECK(bench.beyond[0] ==
        "index 128 at (0, 15) of the index tile: the source has 128 elements; 2 of 32 lie beyond it");
  const Arg odd = bench.tile(Elem::f16, {4, 16});
  bench.run("pto.tgather", {src, odd}, {{0, 2}});
  for (int64_t i = 0; i < 64; ++i) CHECK(bench.get(odd, i / 16, i % 16) == mark(i / 16, i % 16 * 2 + 1));
  const Arg found = bench.tile(Elem::i32, {4, 32});
  const Arg counts = bench.tile(Elem::i32, {4, 8, 4, 1});
  bench.run("pto.tgather", {src, found, counts, Bench::none(), Bench::none(), bench.f32(0)},
            {{1, 4}, {2, 100}});
  for (int64_t r = 0; r < 4; ++r) {
    int64_t n = 0;
    for (int64_t c = 0; c < 32; ++c) {
      if (mark(r, c) > 0) CHECK(bench.get(found, r, n++) == static_cast<double>(c + 100));
    }
    CHECK(bench.get(counts, r, 0) == static_cast<double>(n));
  }
}

TEST_CASE("gather: every mask pattern reads right to left, every comparison is the language's",
          "[tile][gather]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f16, {2, 32});
  const Arg packed = bench.tile(Elem::f16, {2, 32});
  bench.fill(src, mark);
  int64_t number = 0;
  for (const std::string_view pattern : {"0101", "1010", "0001", "0010", "0100", "1000", "1111"}) {
    bench.run("pto.tgather", {src, packed}, {{0, ++number}});
    int64_t at = 0;
    for (int64_t i = 0; i < 64; ++i) {
      if (pattern[static_cast<size_t>(3 - i % 4)] != '1') continue;
      CHECK(bench.get(packed, at / 32, at % 32) == mark(i / 32, i % 32));
      ++at;
    }
  }
  const Arg found = bench.tile(Elem::i32, {2, 32});
  const Arg counts = bench.tile(Elem::i32, {2, 8, 2, 1});
  const double value = mark(1, 5);  // one element equals it
  const std::function<bool(double)> holds[] = {
      [&](double x) { return x == value; }, [&](double x) { return x != value; },
      [&](double x) { return x < value; },  [&](double x) { return x <= value; },
      [&](double x) { return x > value; },  [&](double x) { return x >= value; }};
  for (int64_t mode = 0; mode < 6; ++mode) {
    bench.run("pto.tgather",
              {src, found, counts, Bench::none(), Bench::none(), bench.f32(static_cast<float>(value))},
              {{1, mode}, {2, 0}});
    for (int64_t r = 0; r < 2; ++r) {
      int64_t n = 0;
      for (int64_t c = 0; c < 32; ++c) {
        if (holds[mode](mark(r, c))) CHECK(bench.get(found, r, n++) == static_cast<double>(c));
      }
      CHECK(bench.get(counts, r, 0) == static_cast<double>(n));
    }
  }
  CHECK(bench.faults.empty());
}

TEST_CASE("block gather and scatter", "[tile][gather][N-gather-outside][N-scatter-index][N-scatter-tie]") {
  Bench bench;
  const Arg src = bench.tile(Elem::i16, {2, 64});
  const Arg offsets = bench.tile(Elem::i32, {1, 8, 1, 4});
  const Arg dst = bench.tile(Elem::i16, {1, 64});
  bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>(r * 64 + c); });
  const double starts[] = {64, 0, 4096, 224};
  bench.fill(offsets, [&](int64_t, int64_t c) { return c < 4 ? starts[c] : 0; });
  bench.fill(dst, [](int64_t, int64_t) { return -1; });
  bench.run("pto.tgatherb", {src, offsets, dst});
  for (int64_t i = 0; i < 64; ++i)
    CHECK(bench.get(dst, 0, i) == (i / 16 == 2 ? -1.0 : starts[i / 16] / 2 + static_cast<double>(i % 16)));
  REQUIRE(bench.beyond.size() == 1);
  CHECK(bench.beyond[0] ==
        "byte offset 4096 at (0, 2) of the offset tile: the source has 256 bytes in blocks "
        "of 32; 1 of 4 lie beyond it");
  const Arg values = bench.tile(Elem::f32, {1, 8});
  const Arg where = bench.tile(Elem::i32, {1, 8});
  const Arg target = bench.tile(Elem::f32, {2, 8});
  bench.fill(values, [](int64_t, int64_t c) { return static_cast<double>(c + 1); });
  bench.fill(where, [](int64_t, int64_t c) { return c < 4 ? static_cast<double>(15 - c) : 3.0; });
  bench.fill(target, [](int64_t, int64_t) { return 0; });
  bench.run("pto.tscatter", {values, where, target});
  CHECK(bench.get(target, 1, 7) == 1.0);
  CHECK(bench.get(target, 0, 3) == 8.0);  // the last writer stays
  bench.fill(where, [](int64_t, int64_t) { return 16; });
  bench.run("pto.tscatter", {values, where, target});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::out_of_bounds);
}

/// Expected: goldens of the board tests start from zeros (pto-isa
/// tests/npu/a5/src/st/testcase/tscatter/gen_data.py:45-51); pto-isa cpu/TScatter.hpp writes elements only.
TEST_CASE("scatter by index clears its destination on the chips", "[tile][gather][N-scatter-clear]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    for (const Elem elem : {Elem::f32, Elem::i16}) {
      Bench bench;
      bench.machine.target = target;
      const Arg values = bench.tile(elem, {1, 16});
      const Arg where = bench.tile(elem == Elem::f32 ? Elem::i32 : Elem::i16, {1, 16});
      const Arg dst = bench.tile(elem, {4, 16, 2, 12});
      bench.fill(values, [](int64_t, int64_t c) { return static_cast<double>(c + 1); });
      bench.fill(where, [](int64_t, int64_t c) { return static_cast<double>(3 * c); });
      bench.fill(dst, [](int64_t, int64_t) { return -7; });
      bench.run("pto.tscatter", {values, where, dst});
      CHECK(bench.faults.empty());
      for (int64_t i = 0; i < 64; ++i) {
        const bool hit = i % 3 == 0 && i < 48;
        CHECK(bench.get(dst, i / 16, i % 16) == (hit                     ? static_cast<double>(i / 3 + 1)
                                                 : target == Target::cpu ? -7.0
                                                                         : 0.0));
      }
    }
  }
}

TEST_CASE("GM by index: modes outside the table, atomic forms, rows",
          "[tile][gather][N-mgather-index][N-scatter-tie]") {
  Bench bench;
  const Arg table = bench.view(Elem::f32, {8, 16}, {16, 1});
  const Arg index = bench.tile(Elem::i32, {1, 8});
  const Arg dst = bench.tile(Elem::f32, {1, 8});
  for (int64_t i = 0; i < 128; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(bench.gm(table, i), &value, 4);
  }
  const double wanted[] = {5, 127, 128, 130, -1, 0, 64, 200};
  bench.fill(index, [&](int64_t, int64_t c) { return wanted[c]; });
  const double clamped[] = {5, 127, 127, 127, 127, 0, 64, 127}, wrapped[] = {5, 127, 0, 2, 127, 0, 64, 72},
               zeroed[] = {5, 127, 0, 0, 0, 0, 64, 0};
  for (const auto& [mode, want] :
       {std::pair<int64_t, const double*>{1, clamped}, {2, wrapped}, {3, zeroed}}) {
    bench.run("pto.mgather", {table, index, dst}, {{0, mode}});
    for (int64_t c = 0; c < 8; ++c) CHECK(bench.get(dst, 0, c) == want[c]);
  }
  const Arg rows = bench.tile(Elem::i32, {1, 8, 1, 2});
  const Arg picked = bench.tile(Elem::f32, {2, 16});
  bench.fill(rows, [](int64_t, int64_t c) { return c == 0 ? 6 : 1; });
  bench.run("pto.mgather", {table, rows, picked}, {{0, 0}});
  CHECK(bench.get(picked, 0, 5) == 101.0);
  CHECK(bench.get(picked, 1, 15) == 31.0);
  const Arg values = bench.tile(Elem::f32, {1, 8});
  bench.fill(values, [](int64_t, int64_t) { return 10; });
  bench.fill(index, [](int64_t, int64_t c) { return c < 6 ? 3.0 : c == 6 ? 7.0 : 128.0; });
  bench.run("pto.mscatter", {values, index, table}, {{0, 1}, {1, 1}});
  float value = 0;
  std::memcpy(&value, bench.gm(table, 3), 4);
  CHECK(value == 63.0f);
  std::memcpy(&value, bench.gm(table, 7), 4);
  CHECK(value == 17.0f);
  bench.fill(values, [](int64_t, int64_t c) { return static_cast<double>(100 + c); });
  bench.run("pto.mscatter", {values, index, table}, {{0, 0}, {1, 1}});
  std::memcpy(&value, bench.gm(table, 3), 4);
  CHECK(value == 105.0f);  // the last of six equal indices
}

TEST_CASE("quantisation by row and back", "[tile][quant]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f32, {4, 16});
  const Arg scale = bench.tile(Elem::f32, {4, 8, 4, 1});
  const Arg offset = bench.tile(Elem::f32, {4, 8, 4, 1});
  const Arg sym = bench.tile(Elem::i8, {4, 32, 4, 16});
  const Arg asym = bench.tile(Elem::ui8, {4, 32, 4, 16});
  const Arg back = bench.tile(Elem::f32, {4, 16});
  bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>(r * 16 + c - 30) * 2.5; });
  bench.fill(scale, [](int64_t r, int64_t) { return static_cast<double>(r + 1); });
  bench.fill(offset, [](int64_t r, int64_t) { return static_cast<double>(r) * 10; });
  bench.run("pto.tquant", {src, scale, Bench::none(), sym}, {{0, 0}});
  bench.run("pto.tquant", {src, scale, offset, asym}, {{0, 1}});
  bench.run("pto.tdequant", {sym, scale, offset, back});
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 16; ++c) {
      const double x = bench.get(src, r, c) * static_cast<double>(r + 1);
      CHECK(bench.get(sym, r, c) == std::clamp(std::nearbyint(x), -128.0, 127.0));
      CHECK(bench.get(asym, r, c) == std::clamp(std::nearbyint(x + static_cast<double>(r) * 10), 0.0, 255.0));
      CHECK(bench.get(back, r, c) ==
            (bench.get(sym, r, c) - static_cast<double>(r) * 10) * static_cast<double>(r + 1));
    }
  }
  bench.run("pto.tquant", {src, scale, Bench::none(), asym}, {{0, 1}});
  CHECK(bench.faults.size() == 1);
}

TEST_CASE("histograms are running totals of one byte", "[tile][irregular][N-histogram-value]") {
  Bench bench;
  const Arg src = bench.tile(Elem::ui16, {2, 64, 2, 50});
  const Arg filter = bench.tile(Elem::ui8, {2, 32, 2, 1});
  const Arg dst = bench.tile(Elem::ui32, {2, 256});
  bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>((c % 3) * 256 + (r + c) % 5); });
  bench.fill(filter, [](int64_t r, int64_t) { return static_cast<double>(r); });
  for (const int64_t high : {1, 0}) {
    bench.run("pto.thistogram", {src, filter, dst}, {{0, high}});
    for (int64_t r = 0; r < 2; ++r) {
      for (const int64_t bin : {0, 1, 2, 4, 255}) {
        int64_t want = 0;
        for (int64_t c = 0; c < 50; ++c) want += high ? c % 3 <= bin : c % 3 == r && (r + c) % 5 <= bin;
        CHECK(bench.get(dst, r, bin) == static_cast<double>(want));
      }
    }
  }
}

TEST_CASE("random words: the known answer of Philox4x32-10", "[tile][irregular][N-random-layout]") {
  // Random123 kat_vectors: counter and key of pi's digits.
  const uint32_t want[] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (const Target target : {Target::a5, Target::cpu}) {
    Bench bench;
    bench.machine.target = target;
    const Arg dst = bench.tile(Elem::ui32, {1, 256});
    const auto word = [&](uint32_t v) {
      return bench.scalar(Elem::i32, static_cast<Word>(static_cast<int64_t>(static_cast<int32_t>(v))));
    };
    bench.run("pto.trandom",
              {word(0xa4093822), word(0x299f31d0), word(0x243f6a88), word(0x85a308d3), word(0x13198a2e),
               word(0x03707344), dst},
              {{0, 10}});
    for (int64_t i = 0; i < 4; ++i) CHECK(bench.bits(dst, 0, target == Target::a5 ? i : i * 64) == want[i]);
  }
}

TEST_CASE(
    "random words on A5: lane l of a chunk has counter + l, each chunk goes on where the last one stopped",
    "[tile][irregular][N-random-counter]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const auto first_words = [&](int64_t rows, int64_t cols, uint32_t counter) {
    const Arg dst = bench.tile(Elem::ui32, {rows, (cols + 7) / 8 * 8, rows, cols});
    bench.run("pto.trandom",
              {bench.i32(1), bench.i32(2), bench.i32(static_cast<int32_t>(counter)), bench.i32(0),
               bench.i32(0), bench.i32(0), dst},
              {{0, 10}});
    return dst;
  };
  const Arg row = first_words(1, 256, 7);
  const auto word_of = [&](int64_t counter, int64_t i) {
    return bench.bits(row, 0, 4 * (counter - 7) + i);
  };                                       // counters 7 to 70
  const Arg rows = first_words(2, 40, 7);  // 10 lanes are seen, (40 - 1) % 64 + 1 = 40 counters used up
  for (int64_t c = 0; c < 40; ++c) {
    CHECK(bench.bits(rows, 0, c) == word_of(7 + c / 4, c % 4));
    CHECK(bench.bits(rows, 1, c) == word_of(47 + c / 4, c % 4));
  }
  const Arg wide = first_words(1, 512, 7);
  const Arg next = first_words(1, 256, 71);
  for (int64_t c = 0; c < 256; ++c) REQUIRE(bench.bits(wide, 0, 256 + c) == bench.bits(next, 0, c));
}

TEST_CASE("patterns along a column, and spread with zeros between",
          "[tile][gather][N-gather-axis][N-scatter-pattern]") {
  // A pattern's digits are the places 3, 2, 1, 0 of four.
  const std::pair<int64_t, std::string> patterns[] = {{1, "0101"}, {2, "1010"}, {3, "0001"}, {4, "0010"},
                                                      {5, "0100"}, {6, "1000"}, {7, "1111"}};
  const auto taken = [](const std::string& pattern, int64_t at) {
    return pattern[static_cast<size_t>(3 - at % 4)] == '1';
  };
  for (const auto& [pattern, digits] : patterns) {
    INFO(digits);
    Bench bench;
    const int64_t times = digits == "1111" ? 1 : digits[0] == digits[2] && digits[1] == digits[3] ? 2 : 4;
    const Arg wide = bench.tile(Elem::i16, {8, 16});
    const Arg picked = bench.tile(Elem::i16, {8 / times, 16});
    const Arg narrow = bench.tile(Elem::i16, {8, 16, 8, 16 / times});
    const Arg spread = bench.tile(Elem::i16, {8, 16});
    bench.fill(wide, [](int64_t r, int64_t c) { return static_cast<double>(100 * r + c + 1); });
    bench.fill(narrow, [](int64_t r, int64_t c) { return static_cast<double>(-100 * r - c - 1); });
    bench.run("pto.tgather", {wide, picked}, {{0, pattern}, {3, 1}});
    for (int64_t r = 0, n = 0; r < 8; ++r) {
      if (!taken(digits, r)) continue;
      for (int64_t c = 0; c < 16; ++c) CHECK(bench.get(picked, n, c) == static_cast<double>(100 * r + c + 1));
      ++n;
    }
    bench.run("pto.tscatter", {narrow, spread}, {{0, pattern}, {1, 0}}, nullptr, 1);
    for (int64_t r = 0; r < 8; ++r) {
      for (int64_t c = 0, n = 0; c < 16; ++c)
        CHECK(bench.get(spread, r, c) == (taken(digits, c) ? static_cast<double>(-100 * r - ++n) : 0.0));
    }
    bench.run("pto.tscatter", {picked, spread}, {{0, pattern}, {1, 1}}, nullptr, 1);
    for (int64_t r = 0; r < 8; ++r) {
      for (int64_t c = 0; c < 16; ++c)
        CHECK(bench.get(spread, r, c) == (taken(digits, r) ? static_cast<double>(100 * r + c + 1) : 0.0));
    }
    CHECK(bench.faults.empty());
  }
}

TEST_CASE("bytes of wide elements are counted behind their filters", "[tile][N-histogram-byte]") {
  Bench bench;
  const Arg src = bench.tile(Elem::ui32, {2, 64});
  const Arg filter = bench.tile(Elem::ui8, {3, 64, 3, 32});
  const Arg dst = bench.tile(Elem::ui32, {2, 256});
  const auto value = [](int64_t r, int64_t c) {
    return static_cast<uint32_t>((c % 3) << 24 | (c % 2) << 16 | (c % 5) << 8 | (c + r));
  };
  const int64_t filters[] = {2, 1, 4};
  bench.fill(src, [&](int64_t r, int64_t c) { return static_cast<double>(value(r, c)); });
  bench.fill(filter, [&](int64_t r, int64_t c) { return static_cast<double>(c == 0 ? filters[r] : 99); });
  for (int64_t byte = 0; byte < 4; ++byte) {
    bench.run("pto.thistogram", {src, filter, dst}, {{1, byte}});
    for (int64_t r = 0; r < 2; ++r) {
      double total = 0;
      for (int64_t bin = 0; bin < 256; ++bin) {
        for (int64_t c = 0; c < 64; ++c) {
          bool counted = (value(r, c) >> 8 * byte & 0xff) == bin;
          for (int64_t above = 3; above > byte; --above)
            counted = counted && (value(r, c) >> 8 * above & 0xff) == filters[3 - above];
          total += counted;
        }
        CHECK(bench.get(dst, r, bin) == total);
      }
    }
  }
  CHECK(bench.faults.empty());
}

TEST_CASE("coalesce says what an index counts", "[tile][gather][N-mgather-coalesce]") {
  Bench bench;
  const Arg table = bench.view(Elem::i32, {4, 8}, {8, 1});
  const Arg dst = bench.tile(Elem::i32, {1, 8});
  const Arg index = bench.tile(Elem::i32, {1, 8});
  const Arg one = bench.tile(Elem::i32, {1, 8, 1, 1});
  for (int64_t i = 0; i < 32; ++i) {
    const auto value = static_cast<int32_t>(i);
    std::memcpy(bench.gm(table, i), &value, 4);
  }
  bench.fill(index, [](int64_t, int64_t c) { return static_cast<double>(3 * c); });
  bench.put(one, 0, 0, 2);
  bench.run("pto.mgather", {table, index, dst}, {{1, 1}});
  for (int64_t c = 0; c < 8; ++c) CHECK(bench.get(dst, 0, c) == static_cast<double>(3 * c));
  bench.run("pto.mgather", {table, one, dst}, {{1, 0}});
  for (int64_t c = 0; c < 8; ++c) CHECK(bench.get(dst, 0, c) == static_cast<double>(16 + c));
  CHECK(bench.faults.empty());
  bench.run("pto.mgather", {table, one, dst}, {{1, 1}});
  CHECK(bench.faults.size() == 1);  // one index for eight elements
}
