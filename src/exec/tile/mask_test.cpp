// Masks: what a comparison writes is what a selection reads, row by row.
#include <tuple>
#include <utility>
#include <vector>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

double left_value(int64_t r, int64_t c) { return static_cast<double>((r * 7 + c * 5) % 11); }
double right_value(int64_t r, int64_t c) { return static_cast<double>((r * 3 + c * 8) % 11); }

struct Chain {
  Bench bench;
  Arg a, b, out, mask;
  int64_t rows = 3, cols;
  Chain(Target target, int64_t columns, int64_t valid_cols, int64_t mask_cols) : cols(valid_cols) {
    bench.machine.target = target;
    a = bench.tile(Elem::f32, {rows, columns, rows, valid_cols});
    b = bench.tile(Elem::f32, {rows, columns, rows, valid_cols});
    out = bench.tile(Elem::f32, {rows, columns, rows, valid_cols});
    mask = bench.tile(Elem::ui8, {rows, 32, rows, mask_cols});
    bench.fill(a, left_value);
    bench.fill(b, right_value);
  }
  void check_selected(auto chosen, auto otherwise) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < cols; ++c)
        REQUIRE(bench.get(out, r, c) == (chosen(r, c) ? left_value(r, c) : otherwise(r, c)));
    }
    CHECK(bench.faults.empty());
  }
};
}  // namespace

TEST_CASE("a comparison and the selection by its mask agree, whatever the valid columns",
          "[tile][mask][N-cmp-mask][N-sel-mask]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const auto& [columns, valid] :
         {std::pair<int64_t, int64_t>{8, 7}, {8, 8}, {16, 9}, {64, 33}, {64, 54}, {64, 64}}) {
      Chain chain(target, columns, valid, (valid + 7) / 8);
      chain.bench.run("pto.tcmp", {chain.a, chain.b, chain.mask}, {{0, 4}});
      chain.bench.run("pto.tsel", {chain.mask, chain.a, chain.b, Bench::none(), chain.out});
      chain.check_selected([](int64_t r, int64_t c) { return left_value(r, c) > right_value(r, c); },
                           right_value);
    }
  }
}

TEST_CASE("the same against a scalar, and a mask as wide as the tile's own columns",
          "[tile][mask][N-cmp-mask-scalar][N-sel-mask-scalar]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const auto& [columns, valid, width] : {std::tuple<int64_t, int64_t, int64_t>{8, 7, 1},
                                                {16, 9, 2},
                                                {64, 33, 5},
                                                {64, 54, 8},
                                                {64, 20, 8}}) {
      Chain chain(target, columns, valid, width);
      chain.bench.run("pto.tcmps", {chain.a, chain.bench.f32(4.0f), chain.mask}, {{0, 4}});
      for (int64_t r = 0; r < chain.rows; ++r) {
        for (int64_t bit = 0; bit < 256; ++bit) {
          const bool set = chain.bench.bits(chain.mask, r, bit / 8) >> (bit % 8) & 1;
          REQUIRE(set == (bit < valid && left_value(r, bit) > 4));
        }
      }
      chain.bench.run("pto.tsels", {chain.mask, chain.a, Bench::none(), chain.bench.f32(-1.0f), chain.out});
      chain.check_selected([](int64_t r, int64_t c) { return left_value(r, c) > 4; },
                           [](int64_t, int64_t) { return -1.0; });
      chain.bench.run("pto.tsel", {chain.mask, chain.a, chain.b, Bench::none(), chain.out});
      chain.check_selected([](int64_t r, int64_t c) { return left_value(r, c) > 4; }, right_value);
    }
  }
}
