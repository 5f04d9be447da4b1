#include "exec/tile/layout.hpp"

#include <algorithm>
#include <set>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

struct Case {
  Elem elem;
  Shape shape;
  Layout layout;
};
const Case kCases[] = {
    {Elem::f32, {8, 16}, kNd},
    {Elem::f16, {16, 32}, kDn},
    {Elem::f16, {32, 48}, kNz},
    {Elem::i8, {64, 64}, kZn},
    {Elem::f32, {32, 24}, kZz},
    {Elem::bf16, {48, 32}, kNn},
    {Elem::f32, {32, 48}, kAccLayout},
    {Elem::f8e8m0, {32, 4}, {BLayout::row_major, SLayout::row_major, 32}},
    {Elem::f8e8m0, {4, 32}, {BLayout::col_major, SLayout::col_major, 32}},
    {Elem::f16, {1, 64}, kZz},
    {Elem::f32, {16, 1}, kDn},
};
}  // namespace

TEST_CASE("tile offsets follow the layout formulas", "[tile][layout]") {
  for (const Case& test : kCases) {
    Bench bench;
    const Arg value = bench.tile(test.elem, test.shape, test.layout);
    const TileMap map(value.type, static_cast<uint64_t>(test.shape.rows),
                      static_cast<uint64_t>(test.shape.cols));
    std::set<int64_t> seen;
    for (int64_t r = 0; r < test.shape.rows; ++r) {
      for (int64_t c = 0; c < test.shape.cols; ++c) {
        const int64_t got = map.offset(static_cast<uint64_t>(r), static_cast<uint64_t>(c));
        REQUIRE(got == defined_offset(value.type, r, c));
        seen.insert(got);
      }
    }
    CHECK(seen.size() == static_cast<size_t>(test.shape.rows * test.shape.cols));
  }
}

TEST_CASE(
    "a footprint is the elements of its window, in the tile, and more only where boxes are cut both ways",
    "[tile][layout]") {
  for (const Case& test : kCases) {
    Bench bench;
    const Arg value = bench.tile(test.elem, test.shape, test.layout);
    const auto rows = static_cast<uint64_t>(test.shape.rows);
    const auto cols = static_cast<uint64_t>(test.shape.cols);
    const TileMap map(value.type, rows, cols);
    for (const uint64_t row : {uint64_t{0}, rows / 2}) {
      for (const uint64_t col : {uint64_t{0}, cols / 3}) {
        for (const uint64_t height : {uint64_t{1}, (rows - row + 1) / 2, rows - row}) {
          for (const uint64_t width : {uint64_t{1}, (cols - col + 1) / 2, cols - col}) {
            const TileMap::Footprint print = map.footprint(row, col, height, width);
            std::set<int64_t> held;
            size_t size = 0;
            for (const TileMap::Blocks& part : print.all()) {
              for (uint64_t block = 0; block < part.blocks; ++block) {
                const int64_t start = part.start + static_cast<int64_t>(block) * part.pitch;
                for (uint64_t i = 0; i < part.block; ++i) held.insert(start + static_cast<int64_t>(i));
                size += part.block;
              }
            }
            REQUIRE(held.size() == size);  // nothing twice
            std::set<int64_t> window;
            for (uint64_t r = row; r < row + height; ++r) {
              for (uint64_t c = col; c < col + width; ++c) window.insert(map.offset(r, c));
            }
            REQUIRE(std::ranges::includes(held, window));
            const Layout& layout = test.layout;
            if (layout.s == SLayout::none_box ||
                (layout.b == BLayout::col_major) != (layout.s == SLayout::col_major))
              REQUIRE(held == window);
            if (rows % 16 == 0) REQUIRE(*held.rbegin() < static_cast<int64_t>(rows * cols));
            REQUIRE(*held.begin() >= 0);
          }
        }
      }
    }
  }
}

TEST_CASE("reading and writing rows gives the elements of every layout", "[tile][layout]") {
  for (const Case& test : kCases) {
    Bench bench;
    Arg from = bench.tile(Elem::i16, test.shape, kNd);
    Arg to = bench.tile(Elem::i16, test.shape, kNd);
    if (test.layout.fractal != 32 && test.shape.rows % 16 == 0 && test.shape.cols % 16 == 0)
      to = bench.tile(Elem::i16, test.shape, test.layout);
    bench.fill(from, [](int64_t r, int64_t c) { return static_cast<double>(r * 100 + c); });
    bench.run("pto.tmov", {from, to}, {{1, 0}});
    CHECK(bench.faults.empty());
    for (int64_t r = 0; r < test.shape.rows; ++r) {
      for (int64_t c = 0; c < test.shape.cols; ++c)
        REQUIRE(bench.get(to, r, c) == static_cast<double>(r * 100 + c));
    }
  }
}

TEST_CASE("an access beyond the storage is a finding, not an access", "[tile][layout]") {
  Bench bench;
  const Arg src = bench.tile(Elem::f32, {4, 8});
  const Arg dst = bench.tile(Elem::f32, {8, 8});
  bench.run("pto.tabs", {src, dst});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::bad_operand);
  bench.faults.clear();
  bench.run("pto.textract", {dst, bench.index(6), bench.index(0), src});
  REQUIRE(bench.faults.size() == 1);
  CHECK(bench.faults[0].first == Fault::out_of_bounds);
}
