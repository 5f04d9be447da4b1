// Loads, stores, moves and quantisation, byte by byte against the page's mapping.
// Over 500 lines: one list of mappings, with the tiles and windows that all of these cases share.
#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

double mark(int64_t r, int64_t c) { return static_cast<double>((r * 61 + c * 7) % 251) - 120; }

/// Fills a GM view's elements in order of their offsets.
void fill_gm(Bench& bench, const Arg& view, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = num::from_f64(view.type.elem, static_cast<double>(i % 1000));
    std::memcpy(bench.gm(view, i), &bits, byte_width(view.type.elem));
  }
}
double gm_value(Bench& bench, const Arg& view, int64_t offset) {
  uint64_t bits = 0;
  std::memcpy(&bits, bench.gm(view, offset), byte_width(view.type.elem));
  return num::to_f64(view.type.elem, bits);
}
uint64_t quant_word(float scale, unsigned offset, bool is_signed) {
  return std::bit_cast<uint32_t>(scale) | uint64_t{offset} << 37 | uint64_t{is_signed} << 46;
}
}  // namespace

TEST_CASE("a window of boxes goes into boxes within vec", "[tile][move]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f16, {32, 32}, kNz);
  const Arg dst = bench.tile(Elem::f16, {64, 64}, kNz);
  bench.fill(src, [](int64_t r, int64_t c) { return static_cast<double>(r * 32 + c); });
  bench.fill(dst, [](int64_t, int64_t) { return -1.0; });
  bench.run("pto.tinsert", {src, bench.index(7), bench.index(16), dst});
  CHECK(bench.faults.empty());
  for (int64_t r = 0; r < 64; ++r) {
    for (int64_t c = 0; c < 64; ++c) {
      const bool descendants = r >= 7 && r < 39 && c >= 16 && c < 48;
      REQUIRE(bench.get(dst, r, c) == (descendants ? static_cast<double>((r - 7) * 32 + c - 16) : -1.0));
    }
  }
}

TEST_CASE("loads: nd into every layout, dn, nz, five dimensions", "[tile][load]") {
  for (const Layout layout : {kNd, kDn, kNz, kZn, kZz}) {
    Bench bench;
    const Arg view = bench.view(Elem::f16, {32, 48}, {100, 1});
    const Arg tile = bench.tile(Elem::f16, {32, 48}, layout);
    fill_gm(bench, view, 3200);
    bench.run("pto.tload", {view, tile});
    for (int64_t r = 0; r < 32; ++r) {
      for (int64_t c = 0; c < 48; ++c)
        REQUIRE(bench.get(tile, r, c) == static_cast<double>((r * 100 + c) % 1000));
    }
  }
  Bench bench;
  const Arg dn = bench.view(Elem::f32, {8, 24}, {1, 8}, 1);
  const Arg dn_tile = bench.tile(Elem::f32, {8, 24}, kDn);
  fill_gm(bench, dn, 192);
  bench.run("pto.tload", {dn, dn_tile});
  CHECK(bench.get(dn_tile, 3, 5) == 43.0);
  const Arg nz = bench.view(Elem::f16, {1, 3, 2, 16, 16}, {1536, 512, 256, 16, 1}, 2);
  const Arg nz_tile = bench.tile(Elem::f16, {32, 48}, kNz);
  fill_gm(bench, nz, 1536);
  bench.run("pto.tload", {nz, nz_tile});
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t c = 0; c < 48; ++c)
      REQUIRE(bench.get(nz_tile, r, c) ==
              static_cast<double>((c / 16 * 512 + r / 16 * 256 + r % 16 * 16 + c % 16) % 1000));
  }
  const Arg five = bench.view(Elem::i32, {2, 1, 2, 3, 8}, {200, 0, 60, 20, 1});
  const Arg flat = bench.tile(Elem::i32, {12, 8});
  fill_gm(bench, five, 400);
  bench.run("pto.tload", {five, flat});
  for (int64_t r = 0; r < 12; ++r)
    CHECK(bench.get(flat, r, 7) == static_cast<double>(r / 6 * 200 + r / 3 % 2 * 60 + r % 3 * 20 + 7));
  CHECK(bench.faults.empty());
}

TEST_CASE("loads pad to the 32-byte block and no further", "[tile][load][N-load-pad][N-pad-value]") {
  for (const auto& [pad, want] :
       {std::pair<uint8_t, double>{1, 0.0}, {2, HUGE_VAL}, {3, -HUGE_VAL}, {0, 5.0}}) {
    Bench bench;
    const Arg view = bench.view(Elem::f16, {3, 19}, {19, 1});
    const Arg tile = bench.tile(Elem::f16, {4, 64, 3, 19}, kNd, Space::ub, pad);
    fill_gm(bench, view, 57);
    bench.fill(tile, [](int64_t, int64_t) { return 5; });
    bench.run("pto.tload", {view, tile});
    CHECK(bench.get(tile, 2, 18) == 56.0);
    for (int64_t c = 19; c < 32; ++c) CHECK(bench.get(tile, 1, c) == want);
    CHECK(bench.get(tile, 1, 32) == 5.0);
    CHECK(bench.get(tile, 3, 0) == 5.0);
    // Two blocks that are full need no padding.
    const Arg even = bench.view(Elem::f16, {3, 32}, {32, 1});
    const Arg full = bench.tile(Elem::f16, {4, 64, 3, 32}, kNd, Space::ub, pad);
    bench.fill(full, [](int64_t, int64_t) { return 5; });
    bench.run("pto.tload", {even, full});
    for (int64_t c = 32; c < 64; ++c) CHECK(bench.get(full, 1, c) == 5.0);
  }
}

TEST_CASE("loads into boxes of L1 put zeros behind rows or columns, up to 32 bytes",
          "[tile][load][N-load-tail]") {
  for (const bool by_rows : {false, true}) {
    for (const Elem elem : {Elem::f16, Elem::f32, Elem::i8}) {
      INFO(by_rows << " " << byte_width(elem));
      Bench bench;
      const int64_t block = 32 / byte_width(elem);
      const int64_t part = block + 3;
      const auto shape = [&](int64_t across, int64_t along) {
        return by_rows ? Shape{96, 96, across, along} : Shape{96, 96, along, across};
      };
      const Arg view =
          by_rows ? bench.view(elem, {part, 5}, {1, part}, 1) : bench.view(elem, {5, part}, {part, 1});
      const Arg tile = bench.tile(elem, shape(part, 5), by_rows ? kZn : kNz, Space::l1);
      bench.memory.own = 0;
      fill_gm(bench, view, 5 * part);
      bench.fill(
          tile, [](int64_t, int64_t) { return 7; }, 0);
      bench.run("pto.tload", {view, tile});
      CHECK(bench.faults.empty());
      const auto at = [&](int64_t across, int64_t along) {
        return by_rows ? bench.get(tile, across, along, 0) : bench.get(tile, along, across, 0);
      };
      for (int64_t along = 0; along < 6; ++along) {
        for (int64_t across = 0; across < 2 * block + 2; ++across) {
          const double want = along == 5 || across >= 2 * block ? 7
                              : across >= part                  ? 0
                                               : static_cast<double>((along * part + across) % 1000);
          CHECK(at(across, along) ==
                (elem == Elem::i8 ? static_cast<double>(static_cast<int8_t>(static_cast<int64_t>(want)))
                                  : want));
        }
      }
    }
  }
}

TEST_CASE("the right operand gets whole fractals of the summed dimension", "[tile][move][N-move-block]") {
  for (const int64_t valid : {1, 45, 48, 62}) {
    Bench bench;
    bench.memory.own = 0;
    const Arg src = bench.tile(Elem::f16, {64, 32, valid, 32}, kNz, Space::l1);
    const Arg dst = bench.tile(Elem::f16, {64, 32, valid, 32}, kZn, Space::l0b);
    bench.fill(
        src, [](int64_t r, int64_t c) { return static_cast<double>(r * 4 + c); }, 0);
    bench.fill(
        dst, [](int64_t, int64_t) { return -1; }, 0);
    bench.run("pto.tmov", {src, dst});
    CHECK(bench.faults.empty());
    for (int64_t r = 0; r < 64; ++r)
      CHECK(bench.get(dst, r, 9, 0) == (r < (valid + 15) / 16 * 16 ? static_cast<double>(r * 4 + 9) : -1.0));
  }
}

TEST_CASE("stores write the valid region only, through the view's strides, and add atomically",
          "[tile][store]") {
  for (const Layout layout : {kNd, kNz}) {
    Bench bench;
    const Arg tile = bench.tile(Elem::f16, {32, 32, 21, 19}, layout);
    const Arg view = bench.view(Elem::f16, {21, 19}, {40, 1});
    bench.fill(tile, mark);
    for (int64_t i = 0; i < 840; ++i) {
      const uint16_t seven = num::f32_to_f16(7);
      std::memcpy(bench.gm(view, i), &seven, 2);
    }
    bench.run("pto.tstore", {tile, view});
    for (int64_t r = 0; r < 20; ++r) {
      for (int64_t c = 0; c < 40; ++c)
        REQUIRE(gm_value(bench, view, r * 40 + c) == (c < 19 ? mark(r, c) : 7.0));
    }
    bench.run("pto.tstore", {tile, view}, {{1, 1}});
    CHECK(gm_value(bench, view, 45) == 2 * mark(1, 5));
  }
  Bench bench;
  const Arg bytes = bench.tile(Elem::i8, {1, 32});
  const Arg target = bench.view(Elem::i8, {1, 32}, {32, 1});
  bench.fill(bytes, [](int64_t, int64_t) { return 100; });
  bench.run("pto.tstore", {bytes, target});
  bench.run("pto.tstore", {bytes, target}, {{1, 1}});
  CHECK(gm_value(bench, target, 31) == -56.0);  // wraps
}

TEST_CASE("accumulator stores: conversion, quantisation, relu",
          "[tile][store][quant][N-quant-i8][N-quant-i32-f16][N-quant-i16]") {
  Bench bench;
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg iacc = bench.tile(Elem::i32, {16, 16}, kAccLayout, Space::l0c);
  bench.fill(acc, [](int64_t r, int64_t c) { return static_cast<double>(r * 16 + c - 128) * 0.75; });
  bench.fill(iacc, [](int64_t r, int64_t c) { return static_cast<double>((r * 16 + c - 128) * 1000); });
  const auto source = [&](int64_t i) { return static_cast<double>(i - 128); };
  const Arg half = bench.view(Elem::f16, {16, 16}, {16, 1});
  const Arg byte = bench.view(Elem::i8, {16, 16}, {16, 1});
  const Arg ubyte = bench.view(Elem::ui8, {16, 16}, {16, 1});
  const Arg word = bench.view(Elem::i16, {16, 16}, {16, 1});
  bench.run("pto.tstore", {acc, half}, {{2, 1}});
  for (int64_t i = 0; i < 256; ++i) REQUIRE(gm_value(bench, half, i) == std::max(0.0, source(i) * 0.75));
  bench.run("pto.tstore", {acc, byte, bench.scalar(Elem::i64, quant_word(2.0f, 5, true))});
  for (int64_t i = 0; i < 256; ++i)
    REQUIRE(gm_value(bench, byte, i) == std::clamp(std::nearbyint(source(i) * 1.5 + 5), -128.0, 127.0));
  bench.run("pto.tstore", {iacc, ubyte, bench.scalar(Elem::i64, quant_word(0.01f, 0, false))});
  for (int64_t i = 0; i < 256; ++i) {
    REQUIRE(gm_value(bench, ubyte, i) ==
            std::clamp(std::nearbyint(static_cast<double>(static_cast<float>(source(i) * 1000) * 0.01f)), 0.0,
                       255.0));
  }
  bench.run("pto.tstore", {iacc, half, bench.scalar(Elem::i64, quant_word(1.0f, 0, true))});
  CHECK(gm_value(bench, half, 0) == -65504.0);  // clamps
  bench.run("pto.tstore", {iacc, word, bench.scalar(Elem::i64, uint64_t{1} << 32)});
  for (int64_t i = 0; i < 256; ++i)
    REQUIRE(gm_value(bench, word, i) == std::clamp(std::floor(source(i) * 250), -32768.0, 32767.0));
  bench.run("pto.tstore", {acc, half}, {{2, 3}});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::unsupported);
}

TEST_CASE("the offset of a quantised accumulator: sign and place by target",
          "[tile][store][quant][N-quant-i8][N-quant-word]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    Bench bench;
    bench.machine.target = target;
    const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
    const Arg byte = bench.view(Elem::i8, {16, 16}, {16, 1});
    const double values[] = {0.5, 1.5, 2.5, -0.5, -7.25, 300, -300, 6.5};
    bench.fill(acc, [&](int64_t, int64_t c) { return values[c % 8]; });
    for (const int offset : {0, 3, -3, 255, -256}) {
      for (const bool relu : {false, true}) {
        const auto field = static_cast<unsigned>(offset) & 0x1ff;
        bench.run("pto.tstore", {acc, byte, bench.scalar(Elem::i64, quant_word(1.0f, field, true))},
                  relu ? std::map<unsigned, int64_t>{{2, 1}} : std::map<unsigned, int64_t>{});
        for (int64_t c = 0; c < 8; ++c) {
          double want =
              std::nearbyint(values[c] + (target == Target::cpu ? static_cast<int>(field) : offset));
          if (target == Target::a5) want = std::nearbyint(values[c]) + offset;
          want = std::clamp(want, relu ? 0.0 : -128.0, 127.0);
          INFO(c << " offset " << offset << " relu " << relu);
          CHECK(gm_value(bench, byte, c) == want);
        }
      }
    }
  }
}

TEST_CASE("vector quantisation takes one word per column", "[tile][store][quant][N-quant-column]") {
  Bench bench;
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg words = bench.tile(Elem::ui64, {1, 16}, kNd, Space::fb);
  const Arg mat = bench.tile(Elem::i8, {16, 32, 16, 16}, kNz, Space::l1);
  const Arg view = bench.view(Elem::i8, {16, 16}, {16, 1});
  bench.fill(acc, [](int64_t r, int64_t) { return static_cast<double>(r); });
  for (int64_t c = 0; c < 16; ++c) bench.put(words, 0, c, quant_word(static_cast<float>(c), 1, true));
  bench.run("pto.tmov.fp", {acc, words, mat});
  bench.run("pto.tstore_fp", {acc, words, view});
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 0; c < 16; ++c) {
      REQUIRE(bench.get(mat, r, c) == std::min(127.0, static_cast<double>(r * c + 1)));
      REQUIRE(gm_value(bench, view, r * 16 + c) == std::min(127.0, static_cast<double>(r * c + 1)));
    }
  }
  CHECK(bench.faults.empty());
}

TEST_CASE("quantised windows and stores take words, scalars, relu and the vector core",
          "[tile][store][quant][N-quant-window]") {
  Bench bench;
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg words = bench.tile(Elem::ui64, {1, 16}, kNd, Space::fb);
  const Arg mat = bench.tile(Elem::i8, {16, 32, 16, 16}, kNz, Space::l1);
  const Arg part = bench.tile(Elem::i8, {8, 32, 8, 8}, kNz, Space::l1);
  const Arg view = bench.view(Elem::i8, {16, 16}, {16, 1});
  const Arg row = bench.scalar(Elem::i64, 4);
  const Arg col = bench.scalar(Elem::i64, 8);
  const Arg zero = bench.scalar(Elem::i64, 0);
  const uint64_t word = quant_word(2.0F, 1, true);
  const Arg scalar = bench.scalar(Elem::i64, word);
  bench.fill(acc, [](int64_t r, int64_t c) { return static_cast<double>(r - c); });
  for (int64_t c = 0; c < 16; ++c) bench.put(words, 0, c, quant_word(static_cast<float>(c), 1, true));
  const auto by_vector = [](int64_t r, int64_t c) {
    return std::clamp<double>(static_cast<double>((r - c) * c) + 1.0, -128, 127);
  };
  const auto by_scalar = [](int64_t r, int64_t c) { return static_cast<double>(r - c) * 2.0 + 1; };
  for (const int64_t relu : {0, 1}) {
    const auto rectified = [&](double v) { return relu ? std::max(v, 0.0) : v; };
    bench.run("pto.textract", {acc, row, col, part, scalar}, {{1, relu}}, nullptr, 1);
    for (int64_t r = 0; r < 8; ++r)
      for (int64_t c = 0; c < 8; ++c) CHECK(bench.get(part, r, c) == rectified(by_scalar(r + 4, c + 8)));
    bench.run("pto.textract", {acc, row, col, part, words}, {{1, relu}}, nullptr, 2);
    for (int64_t r = 0; r < 8; ++r)
      for (int64_t c = 0; c < 8; ++c) CHECK(bench.get(part, r, c) == rectified(by_vector(r + 4, c + 8)));
    bench.run("pto.tinsert", {acc, zero, zero, mat, scalar}, {{1, relu}}, nullptr, 1);
    for (int64_t r = 0; r < 16; ++r)
      for (int64_t c = 0; c < 16; ++c) CHECK(bench.get(mat, r, c) == rectified(by_scalar(r, c)));
    bench.run("pto.tinsert", {acc, zero, zero, mat, words}, {{1, relu}}, nullptr, 2);
    for (int64_t r = 0; r < 16; ++r)
      for (int64_t c = 0; c < 16; ++c) CHECK(bench.get(mat, r, c) == rectified(by_vector(r, c)));
    bench.run("pto.tstore", {acc, words, view}, {{2, relu}}, nullptr, 1);
    for (int64_t r = 0; r < 16; ++r)
      for (int64_t c = 0; c < 16; ++c) CHECK(gm_value(bench, view, r * 16 + c) == rectified(by_vector(r, c)));
  }
  CHECK(bench.faults.empty());
}

TEST_CASE("a vector scales f32 on its way to every float", "[tile][store][quant][N-quant-f16]") {
  Bench bench;
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg words = bench.tile(Elem::ui64, {1, 16}, kNd, Space::fb);
  bench.fill(acc, [](int64_t r, int64_t) { return static_cast<double>(r) - 4; });
  for (int64_t c = 0; c < 16; ++c) bench.put(words, 0, c, quant_word(static_cast<float>(c) * 0.5f, 0, true));
  for (const Elem to : {Elem::f16, Elem::bf16, Elem::f32, Elem::f8e4m3}) {
    const Arg view = bench.view(to, {16, 16}, {16, 1});
    const Arg mat = bench.tile(to, {16, 64, 16, 16}, kNz, Space::l1);
    bench.run("pto.tstore_fp", {acc, words, view});
    bench.run("pto.tmov.fp", {acc, words, mat});
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 16; ++c) {
        const double want = num::to_f64(to, num::from_f64(to, static_cast<double>((r - 4) * c) * 0.5));
        REQUIRE(gm_value(bench, view, r * 16 + c) == want);
        REQUIRE(bench.get(mat, r, c) == want);
      }
    }
    bench.run("pto.tmov", {acc, mat, words});
    REQUIRE(bench.get(mat, 15, 15) == num::to_f64(to, num::from_f64(to, 82.5)));
  }
  // An i32 accumulator to bf16, and a product beyond f16: it saturates, an infinity passes.
  const Arg iacc = bench.tile(Elem::i32, {16, 16}, kAccLayout, Space::l0c);
  const Arg wide = bench.view(Elem::bf16, {16, 16}, {16, 1});
  bench.fill(iacc, [](int64_t, int64_t) { return 6; });
  bench.run("pto.tstore_fp", {iacc, words, wide});
  CHECK(gm_value(bench, wide, 3) == 9.0);
  const Arg half = bench.view(Elem::f16, {16, 16}, {16, 1});
  bench.fill(acc, [](int64_t r, int64_t) { return r == 0 ? HUGE_VAL : -60000; });
  bench.run("pto.tstore_fp", {acc, words, half});
  CHECK(gm_value(bench, half, 15) == HUGE_VAL);
  CHECK(gm_value(bench, half, 16 + 15) == -65504.0);
  CHECK(bench.faults.empty());
}

TEST_CASE("a window of boxes goes into an NZ tile box by box, whether or not its view says nz",
          "[tile][load][N-load-nz]") {
  for (const uint64_t layout : {0, 2}) {
    Bench bench;
    // 2 x 1 columns of boxes, 2 boxes high, each 16 x 16.
    const Arg view = bench.view(Elem::f16, {1, 2, 2, 16, 16}, {1024, 512, 256, 16, 1}, layout);
    const Arg tile = bench.tile(Elem::f16, {32, 32}, kNz);
    fill_gm(bench, view, 1024);
    bench.run("pto.tload", {view, tile});
    for (int64_t r = 0; r < 32; ++r) {
      for (int64_t c = 0; c < 32; ++c)
        REQUIRE(bench.get(tile, r, c) == static_cast<double>((c / 16 * 512 + r * 16 + c % 16) % 1000));
    }
    const Arg back = bench.view(Elem::f16, {1, 2, 2, 16, 16}, {1024, 512, 256, 16, 1}, layout);
    bench.run("pto.tstore", {tile, back});
    for (int64_t i = 0; i < 1024; ++i) REQUIRE(gm_value(bench, back, i) == static_cast<double>(i % 1000));
    CHECK(bench.faults.empty());
  }
}

/// Boxes as the board tests lay them (pto-isa tests/npu/a5/src/st/testcase/tload_mx_NZ/gen_data.py): of the
/// left operand 16 rows by 2 groups, of the right one 2 groups by 16 columns. Shapes are those tests' windows
/// and tiles.
TEST_CASE("scales are loaded by boxes, whole, as window of boxes or of rows and columns",
          "[tile][load][N-load-scales]") {
  struct Case {
    int64_t d0, d1, d2;  // of boxes
    int64_t w0, w1, w2;  // of the tensor they are cut from
    int64_t rows, cols;  // of the tile
    int64_t valid_rows, valid_cols;
  };
  const auto check = [](const Case& at, bool left, bool by_boxes, uint64_t layout) {
    Bench bench;
    bench.memory.own = 0;
    Layout boxes = left ? kZz : kNn;
    boxes.fractal = 32;
    const int64_t rows = left ? at.rows : at.cols;
    const int64_t cols = left ? at.cols : at.rows;
    const Arg tile =
        bench.tile(Elem::f8e8m0,
                   {rows, cols, left ? at.valid_rows : at.valid_cols, left ? at.valid_cols : at.valid_rows},
                   boxes, Space::l1);
    const int64_t box = at.w2 * 32;
    const int64_t outer = at.w1 * box;
    const int64_t total = at.w0 * outer;
    const Arg view =
        by_boxes ? bench.view(Elem::f8e8m0, {at.d0, at.d1, at.d2, 16, 2}, {outer, box, 32, 2, 1}, layout)
        : left   ? bench.view(Elem::f8e8m0, {at.valid_rows, at.valid_cols}, {at.valid_cols, 1}, layout)
                 : bench.view(Elem::f8e8m0, {at.valid_cols, at.valid_rows}, {at.valid_rows, 1}, layout);
    for (int64_t i = 0; i < total; ++i) *bench.gm(view, i) = static_cast<std::byte>(i * 7 % 251 + 1);
    for (int64_t r = 0; r < tile.type.rows(); ++r) {
      for (int64_t c = 0; c < tile.type.cols(); ++c) bench.put(tile, r, c, 0, 0);
    }
    bench.run("pto.tload", {view, tile});
    CHECK(bench.faults.empty());
    for (int64_t across = 0; across < at.rows; ++across) {  // rows of the left, columns of the right operand
      for (int64_t group = 0; group < at.cols; ++group) {
        const int64_t b = across / 16;
        const bool inside = b < at.d0 * at.d1 && group / 2 < at.d2;
        const int64_t offset =
            b / at.d1 * outer + b % at.d1 * box + group / 2 * 32 + across % 16 * 2 + group % 2;
        CAPTURE(left, by_boxes, layout, across, group);
        REQUIRE(bench.bits(tile, left ? across : group, left ? group : across, 0) ==
                (inside ? static_cast<uint64_t>(offset * 7 % 251 + 1) : 0));
      }
    }
  };
  for (const bool left : {true, false}) {
    for (const uint64_t layout : {uint64_t{0}, uint64_t{left ? 3U : 4U}}) {
      check({1, 1, 2, 1, 2, 3, 16, 4, 16, 4}, left, true, layout);
      check({1, 2, 2, 1, 2, 3, 48, 10, 32, 4}, left, true, layout);
      check({3, 1, 2, 3, 2, 3, 48, 4, 48, 4}, left, true, layout);
      check({1, 8, 1, 1, 8, 1, 128, 2, 115, 2}, left, true, layout);  // part of a box is valid
      check({1, 4, 2, 1, 4, 2, 64, 4, 63, 4}, left, false, layout);   // 63 rows, padded to 64
      check({1, 2, 3, 1, 2, 3, 32, 6, 32, 5}, left, false, layout);   // 5 groups, padded to 6
    }
  }
  Bench bench;
  bench.memory.own = 0;
  const Arg window = bench.view(Elem::f8e8m0, {1, 1, 2, 16, 2}, {64, 64, 32, 2, 1}, 4);
  bench.run("pto.tload", {window, bench.tile(Elem::f8e8m0, {16, 4}, {kZz.b, kZz.s, 32}, Space::l1)});
  bench.run("pto.tload", {window, bench.tile(Elem::f8e8m0, {32, 32, 32, 2})});
  REQUIRE(bench.faults.size() == 2);
  for (const auto& fault : bench.faults) CHECK(fault.second.find("mx_b_nn") != std::string::npos);
  bench.run("pto.tstore", {bench.tile(Elem::f8e8m0, {32, 32, 32, 2}), window});
  CHECK(bench.faults.size() == 3);
}

TEST_CASE("a window of as many elements in another shape is an error, not half a load",
          "[tile][load][N-load-extents]") {
  Bench bench;
  const Arg view = bench.view(Elem::f32, {16, 32}, {32, 1});
  const Arg tile = bench.tile(Elem::f32, {8, 64});
  bench.fill(tile, [](int64_t, int64_t) { return 7; });
  bench.run("pto.tload", {view, tile});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::bad_operand);
  CHECK(bench.faults[0].second.find("16x32") != std::string::npos);
  CHECK(bench.get(tile, 0, 0) == 7.0);
  fill_gm(bench, view, 512);
  bench.run("pto.tstore", {tile, view});
  CHECK(bench.faults.size() == 2);
  CHECK(gm_value(bench, view, 5) == 5.0);
}

TEST_CASE("loads of operands act on the bytes: what has no fractals is read as if it had", "[tile][move]") {
  Bench bench;
  bench.memory.own = 0;
  const Arg rows = bench.tile(Elem::f16, {32, 48}, kNd, Space::l1);
  const Arg left = bench.tile(Elem::f16, {32, 48}, kZz, Space::l0a);
  const Arg right = bench.tile(Elem::f16, {32, 48}, kZn, Space::l0b);
  bench.fill(rows, mark, 0);
  bench.run("pto.tmov", {rows, left});
  bench.run("pto.tmov", {rows, right});
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t c = 0; c < 48; ++c) {
      // Columns of 16 x 16: the number of the element among those that lie one behind the other.
      const int64_t number = c / 16 * (32 * 16) + r * 16 + c % 16;
      REQUIRE(bench.get(left, r, c, 0) == mark(number / 48, number % 48));
      REQUIRE(bench.get(right, r, c, 0) == mark(number / 48, number % 48));
    }
  }
}

TEST_CASE("moves between locations change the layout; the vector side is another core", "[tile][move]") {
  Bench bench;
  bench.memory.own = 0;
  const Arg mat = bench.tile(Elem::f16, {32, 32}, kNz, Space::l1);
  const Arg left = bench.tile(Elem::f16, {32, 32}, kZz, Space::l0a);
  const Arg right = bench.tile(Elem::f16, {32, 32}, kZn, Space::l0b);
  bench.fill(mat, mark, 0);
  bench.run("pto.tmov", {mat, left});
  bench.run("pto.tmov", {mat, right});
  const Arg acc = bench.tile(Elem::f32, {32, 32}, kAccLayout, Space::l0c);
  const Arg vec = bench.tile(Elem::f32, {32, 32});
  bench.fill(acc, mark, 0);
  bench.run("pto.tmov", {acc, vec}, {{0, 0}});
  bench.run("pto.tmov", {acc, vec}, {{0, 1}, {1, 1}});
  for (int64_t r = 0; r < 32; ++r) {
    for (int64_t c = 0; c < 32; ++c) {
      REQUIRE(bench.get(left, r, c, 0) == mark(r, c));
      REQUIRE(bench.get(right, r, c, 0) == mark(r, c));
      REQUIRE(bench.get(vec, r, c, 1) == mark(r, c));
      REQUIRE(bench.get(vec, r, c, 2) == std::max(0.0, mark(r, c)));
    }
  }
  const Arg top = bench.tile(Elem::f32, {16, 32});
  bench.run("pto.tmov", {acc, top}, {{0, 2}});
  CHECK(bench.get(top, 15, 31, 1) == mark(15, 31));
  CHECK(bench.get(top, 0, 3, 2) == mark(16, 3));
}

TEST_CASE("windows: extract and insert keep everything else", "[tile][move]") {
  for (const Layout layout : {kNd, kNz}) {
    Bench bench;
    const Space space = layout.s == SLayout::none_box ? Space::ub : Space::l1;
    const Arg big = bench.tile(Elem::i16, {48, 64}, layout, space);
    const Arg small = bench.tile(Elem::i16, {16, 32, 13, 17}, layout, space);
    bench.fill(big, mark);
    bench.fill(small, [](int64_t, int64_t) { return 999; });
    bench.run("pto.textract", {big, bench.index(5), bench.index(21), small});
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 32; ++c)
        REQUIRE(bench.get(small, r, c) == (r < 13 && c < 17 ? mark(r + 5, c + 21) : 999.0));
    }
    bench.fill(big, [](int64_t, int64_t) { return 1; });
    bench.run("pto.tinsert", {small, bench.index(30), bench.index(40), big});
    for (int64_t r = 0; r < 48; ++r) {
      for (int64_t c = 0; c < 64; ++c) {
        const bool descendants = r >= 30 && r < 43 && c >= 40 && c < 57;
        REQUIRE(bench.get(big, r, c) == (descendants ? mark(r - 25, c - 19) : 1.0));
      }
    }
    CHECK(bench.faults.empty());
  }
}
