// Moves that the public library and the templates of the back end for micro instructions make differently on
// A5.
#include <fmt/format.h>

#include "driver/run_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kSide = 16;

std::vector<float> numbers() {
  std::vector<float> built(kSide * kSide);
  for (size_t i = 0; i < built.size(); ++i) built[i] = static_cast<float>(i);
  return built;
}
std::vector<float> identity() {
  std::vector<float> built(kSide * kSide, 0);
  for (size_t i = 0; i < kSide; ++i) built[i * kSide + i] = 1;
  return built;
}

/// c = a b, where `left` fills the left operand and `right` the right one, and `out` moves the accumulator.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::string_view left,
                           std::string_view right, std::string_view out) {
  constexpr std::string_view kText = R"(module attributes {{pto.target_arch = "a5"}} {{
!mat = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 16x16xf32, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!vec = !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major, fractal=512>
!view = !pto.tensor_view<16x16xf32>
!part = !pto.partition_tensor_view<16x16xf32>
func.func @k(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %c: !pto.ptr<f32>) attributes {{pto.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c0_i64 = arith.constant 0 : i64
  %c16_i64 = arith.constant 16 : i64
  %c64_i64 = arith.constant 64 : i64
  %c1024_i64 = arith.constant 1024 : i64
  %va = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %vb = pto.make_tensor_view %b, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %vc = pto.make_tensor_view %c, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %pa = pto.partition_view %va, offsets = [%c0, %c0], sizes = [%c16, %c16] : !view -> !part
  %pb = pto.partition_view %vb, offsets = [%c0, %c0], sizes = [%c16, %c16] : !view -> !part
  %pc = pto.partition_view %vc, offsets = [%c0, %c0], sizes = [%c16, %c16] : !view -> !part
  %l1a = pto.alloc_tile addr = %c0_i64 : !mat
  %l1b = pto.alloc_tile addr = %c1024_i64 : !mat
  %l0a = pto.alloc_tile addr = %c0_i64 : !left
  %l0b = pto.alloc_tile addr = %c0_i64 : !right
  %l0c = pto.alloc_tile addr = %c0_i64 : !acc
  %ub = pto.alloc_tile addr = %c0_i64 : !vec
  %pl1a = pto.tile_buf_addr %l1a : !mat -> !pto.ptr<f32, l1>
  %pl0a = pto.tile_buf_addr %l0a : !left -> !pto.ptr<f32, l0a>
  %pub = pto.tile_buf_addr %ub : !vec -> !pto.ptr<f32, ub>
  pto.section.cube {{
    pto.tload ins(%pa : !part) outs(%l1a : !mat)
    pto.tload ins(%pb : !part) outs(%l1b : !mat)
    pto.barrier #pto.pipe<PIPE_ALL>
    {}
    {}
    pto.barrier #pto.pipe<PIPE_ALL>
    pto.tmatmul ins(%l0a, %l0b : !left, !right) outs(%l0c : !acc)
    pto.barrier #pto.pipe<PIPE_ALL>
    {}
}}
}}
)";
  std::vector<Argument> arguments{buffer("a", a), buffer("b", b), buffer("c", std::vector<float>(a.size()))};
  expect_clean(run_text(fmt::format(kText, left, right, out), arguments));
  return values_of<float>(arguments[2]);
}

constexpr std::string_view kTile = "pto.tmov ins(%l1a : !mat) outs(%l0a : !left)",
                           kMicro =
                               "pto.mte_l1_l0a %pl1a, %pl0a, %c16_i64, %c16_i64, %c0_i64, %c0_i64 : "
                               "!pto.ptr<f32, l1>, !pto.ptr<f32, l0a>, i64, i64, i64, i64",
                           kExtract =
                               "pto.textract ins(%l1b, %c0, %c0 : !mat, index, index) outs(%l0b : !right)",
                           kMove = "pto.tmov ins(%l1b : !mat) outs(%l0b : !right)",
                           kStore = "pto.tstore ins(%l0c : !acc) outs(%pc : !part)\n}\nreturn";

TEST_CASE("textract to the right operand turns a window where templates make it",
          "[tile][move][N-move-transpose]") {
  std::vector<float> turned(kSide * kSide);
  for (size_t r = 0; r < kSide; ++r)
    for (size_t c = 0; c < kSide; ++c) turned[r * kSide + c] = numbers()[c * kSide + r];
  CHECK(product(identity(), numbers(), kTile, kExtract, kStore) == numbers());
  CHECK(product(identity(), numbers(), kMicro, kExtract, kStore) == turned);
  CHECK(product(identity(), numbers(), kMicro, kMove, kStore) == numbers());
}

/// The accumulator into UB by tinsert, then UB as it stands to GM.
constexpr std::string_view kInsert = R"(pto.tinsert ins(%l0c, %c0, %c0 : !acc, index, index) outs(%ub : !vec)
    pto.set_intra_block <PIPE_FIX>, 1
  }
  pto.section.vector {
    %which = pto.get_subblock_idx
    %first = arith.cmpi eq, %which, %c0_i64 : i64
    scf.if %first {
      pto.wait_intra_block <PIPE_MTE3>, 1
      pto.mte_ub_gm %pub, %c, %c64_i64 nburst(%c16_i64, %c64_i64, %c64_i64)
        : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
    }
  }
  return)";

TEST_CASE("f32 leaves the accumulator in its boxes where templates make the move",
          "[tile][move][N-move-boxes]") {
  // One box of 16 columns: in UB rows stand one behind the other.
  CHECK(product(numbers(), identity(), kMicro, kMove, kInsert) == numbers());
}

}  // namespace
