// Structs of scalars, tiles in L1 gathered by indices in GM: from text to values.
#include <fmt/format.h>

#include "driver/run_fixture.hpp"
#include "testing/reference_f16.hpp"

namespace {

using namespace pto;
using namespace pto::test;

TEST_CASE("Members of structs change in place, nested ones too", "[struct]") {
  std::vector<Argument> arguments{buffer("out", std::vector<int32_t>(8, -1))};
  const SimResult result = run_text(R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%out: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %i7 = arith.constant 7 : i32
  %i8 = arith.constant 8 : i32
  %i16 = arith.constant -9 : i16
  %s = pto.declare_struct -> !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>>
  %fresh = pto.struct_get %s[1] : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>> -> i32
  pto.struct_set %s[0, 0], %i7 : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>>, i32
  pto.struct_set %s[0, 1], %i16 : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>>, i16
  scf.for %i = %c0 to %c3 step %c1 {
    %old = pto.struct_get %s[1] : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>> -> i32
    %new = arith.addi %old, %i8 : i32
    pto.struct_set %s[1], %new : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>>, i32
  }
  %a = pto.struct_get %s[0, 0] : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>> -> i32
  %b16 = pto.struct_get %s[0, 1] : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>> -> i16
  %b = arith.extsi %b16 : i16 to i32
  %c = pto.struct_get %s[1] : !pto.struct<!pto.struct<i32, i16>, i32, !pto.ptr<i32, gm>> -> i32
  pto.store_scalar %a, %out[%c0] : !pto.ptr<i32>, i32
  pto.store_scalar %b, %out[%c1] : !pto.ptr<i32>, i32
  pto.store_scalar %c, %out[%c2] : !pto.ptr<i32>, i32
  pto.store_scalar %fresh, %out[%c3] : !pto.ptr<i32>, i32
  return
}
}
)",
                                    arguments);
  expect_clean(result);
  CHECK(values_of<int32_t>(arguments[0]) == std::vector<int32_t>{7, -9, 24, 0, -1, -1, -1, -1});
}

constexpr int kTableRows = 64, kRows = 32, kCols = 32;

/// The tile in L1 goes through the identity of the cube, so that every element is seen.
std::string gather(bool by_row, std::string_view outside) {
  const std::string_view left =
      "!pto.tile_buf<loc=left, dtype=f16, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, "
      "slayout=row_major, fractal=512, pad=0>";
  const std::string_view mat =
      "!pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=32, v_row=32, v_col=32, blayout=col_major, "
      "slayout=row_major, fractal=512, pad=0>";
  const std::string_view right =
      "!pto.tile_buf<loc=right, dtype=f16, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, "
      "slayout=col_major, fractal=512, pad=0>";
  const std::string_view acc =
      "!pto.tile_buf<loc=acc, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=col_major, "
      "slayout=row_major, fractal=1024, pad=0>";
  const int index_rows = by_row ? 1 : kRows;
  return fmt::format(
      R"(module attributes {{pto.target_arch = "a2a3"}} {{
func.func @k(%table: !pto.ptr<f16>, %idx: !pto.ptr<i32>, %one: !pto.ptr<f16>, %out: !pto.ptr<f32>, %gm: !pto.ptr<f16>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %rows = arith.constant {0} : index
  %irows = arith.constant {1} : index
  %tv = pto.make_tensor_view %table, shape = [%rows, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf16>
  %tp = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%rows, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<{0}x32xf16>
  %iv = pto.make_tensor_view %idx, shape = [%irows, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xi32>
  %ip = pto.partition_view %iv, offsets = [%c0, %c0], sizes = [%irows, %c32] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<{1}x32xi32>
  %ov = pto.make_tensor_view %one, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf16>
  %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x32xf16>
  %sv = pto.make_tensor_view %gm, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf16>
  %sp = pto.partition_view %sv, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x32xf16>
  %dv = pto.make_tensor_view %out, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
  %dp = pto.partition_view %dv, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x32xf32>
  %a = pto.alloc_tile : {2}
  %b = pto.alloc_tile : {2}
  %l = pto.alloc_tile : {3}
  %r = pto.alloc_tile : {4}
  %acc = pto.alloc_tile : {5}
  pto.mgather ins(%tp, %ip{6} : !pto.partition_tensor_view<{0}x32xf16>, !pto.partition_tensor_view<{1}x32xi32>{7}) outs(%a : {2}) {{coalesce = #pto<coalesce {8}>, gatherOob = #pto<gather_oob {9}>}}
  pto.tload ins(%op : !pto.partition_tensor_view<32x32xf16>) outs(%b : {2})
  pto.tmov ins(%a : {2}) outs(%l : {3})
  pto.tmov ins(%b : {2}) outs(%r : {4})
  pto.tmatmul ins(%l, %r : {3}, {4}) outs(%acc : {5})
  pto.tstore ins(%acc : {5}) outs(%dp : !pto.partition_tensor_view<32x32xf32>)
  return
}}
}}
)",
      kTableRows, index_rows, mat, left, right, acc, by_row ? "" : ", %sp",
      by_row ? "" : ", !pto.partition_tensor_view<32x32xf16>", by_row ? "row" : "elem", outside);
}

TEST_CASE("Rows or elements of GM into L1, at indices that lie in GM", "[mgather]") {
  for (const bool by_row : {true, false}) {
    for (const std::string_view outside : {"undefined", "clamp", "wrap", "zero"}) {
      CAPTURE(by_row, outside);
      const int64_t count = by_row ? kTableRows : kTableRows * kCols;
      std::vector<int32_t> index;
      for (int i = 0; i < (by_row ? kRows : kRows * kCols); ++i)
        index.push_back(outside != "undefined" && i % 5 == 2 ? static_cast<int32_t>(count) + i
                                                             : static_cast<int32_t>(i * 37 % count));
      constexpr int64_t kValues = 2039;  // so many whole numbers are exact in f16
      std::vector<uint16_t> table, one(32 * 32, half_of(0));
      for (int i = 0; i < kTableRows * kCols; ++i) table.push_back(half_of(i % kValues));
      for (size_t i = 0; i < 32; ++i) one[i * 33] = half_of(1);
      std::vector<float> want;
      for (int r = 0; r < kRows; ++r) {
        for (int c = 0; c < kCols; ++c) {
          int64_t at = index[static_cast<size_t>(by_row ? r : r * kCols + c)];
          const bool beyond = at >= count;
          if (beyond) at = outside == "clamp" ? count - 1 : at % count;
          const int64_t element = by_row ? at * kCols + c : at;
          want.push_back(beyond && outside == "zero" ? 0.0F : static_cast<float>(element % kValues));
        }
      }
      std::vector<Argument> arguments{buffer("table", table), buffer("idx", index), buffer("one", one),
                                      buffer("out", std::vector<float>(want.size(), -1)),
                                      buffer("gm", std::vector<uint16_t>(want.size()))};
      expect_clean(run_text(gather(by_row, outside), arguments));
      CHECK(values_of<float>(arguments[3]) == want);
    }
  }
}

}  // namespace
