// Views, pointers and tiles, observed through the scalars they give.
#include <cstring>

#include "sim/engine/sim_fixture.hpp"

namespace pto::exec {
namespace {

using sim::test::Bench;

/// Runs `body`, which defines %r : index, and gives its value.
int64_t evaluate(const std::string& body, Bench& bench) {
  bench.arguments.clear();
  bench.buffer(4096);
  const SimResult result = bench.must_run(
      "module attributes {pto.target_arch = \"a3\", pto.kernel_kind = #pto.kernel_kind<vector>} {\n  "
      "func.func @k(%p: "
      "!pto.ptr<f32>) attributes {pto.kernel} {\n"
      "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %c2 = arith.constant 2 : "
      "index\n    %c3 "
      "= arith.constant 3 : index\n"
      "    %c8 = arith.constant 8 : index\n    %c16 = arith.constant 16 : index\n    %c32 = arith.constant "
      "32 : index\n    "
      "%a512 = arith.constant 512 : i64\n" +
      body +
      "\n    %pi = pto.castptr %p : !pto.ptr<f32> -> !pto.ptr<i64>\n    %r64 = arith.index_cast %r : index "
      "to i64\n"
      "    pto.store_scalar %r64, %pi[%c0] : !pto.ptr<i64>, i64\n    return\n  }\n}");
  if (!result.findings.all().empty()) UNSCOPED_INFO(result.findings.all()[0].message);
  CHECK(result.findings.all().empty());
  int64_t value = 0;
  std::memcpy(&value, bench.arguments[0].bytes.data(), sizeof value);
  return value;
}
int64_t evaluate(const std::string& body) {
  Bench bench;
  return evaluate(body, bench);
}

const std::string kView =
    "    %v = pto.make_tensor_view %p, shape = [%c16, %c32], strides = [%c32, %c1] : "
    "!pto.tensor_view<?x?xf32>\n";
const std::string kTile =
    "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, "
    "slayout=none_box, "
    "fractal=512, pad=0>";
const std::string kOpenTile =
    "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=?, v_col=?, blayout=row_major, "
    "slayout=none_box, "
    "fractal=512, pad=0>";

}  // namespace

TEST_CASE("views keep shape and strides", "[exec][descriptor]") {
  CHECK(evaluate(kView + "    %r = pto.get_tensor_view_dim %v, %c0 : !pto.tensor_view<?x?xf32> -> index") ==
        16);
  CHECK(evaluate(kView + "    %r = pto.get_tensor_view_dim %v, %c1 : !pto.tensor_view<?x?xf32> -> index") ==
        32);
  CHECK(evaluate(kView +
                 "    %r = pto.get_tensor_view_stride %v, %c0 : !pto.tensor_view<?x?xf32> -> index") == 32);
  CHECK(evaluate(
            kView +
            "    %w = pto.partition_view %v, offsets = [%c2, %c3], sizes = [%c8, %c16] : "
            "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x16xf32>\n"
            "    %r = pto.get_tensor_view_stride %w, %c0 : !pto.partition_tensor_view<8x16xf32> -> index") ==
        32);
}

TEST_CASE("a window of a view starts at its offsets", "[exec][descriptor]") {
  // Distance in bytes of element (2, 3) of a 16x32 f32 view from its first element.
  const std::string body =
      kView +
      "    %w = pto.partition_view %v, offsets = [%c2, %c3], sizes = [%c8, %c16] : "
      "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x16xf32>\n"
      "    %q = pto.tensor_view_addr %w : !pto.partition_tensor_view<8x16xf32> -> !pto.ptr<f32>\n"
      "    %x = pto.castptr %q : !pto.ptr<f32> -> i64\n    %y = pto.castptr %p : !pto.ptr<f32> -> i64\n"
      "    %d = arith.subi %x, %y : i64\n    %r = arith.index_cast %d : i64 to index";
  CHECK(evaluate(body) == (2 * 32 + 3) * 4);
}

TEST_CASE("pointers advance by elements", "[exec][descriptor]") {
  const std::string body =
      "    %q = pto.addptr %p, %c3 : !pto.ptr<f32> -> !pto.ptr<f32>\n    %x = pto.castptr %q : !pto.ptr<f32> "
      "-> i64\n"
      "    %y = pto.castptr %p : !pto.ptr<f32> -> i64\n    %d = arith.subi %x, %y : i64\n    %r = "
      "arith.index_cast %d : i64 "
      "to index";
  CHECK(evaluate(body) == 12);
}

TEST_CASE("valid extents: from the type, from operands, changed later", "[exec][descriptor]") {
  CHECK(evaluate("    %t = pto.alloc_tile addr = %a512 : " + kTile +
                 "\n    %r = pto.tile_valid_cols %t : " + kTile + " -> index") == 32);
  const std::string open =
      "    %t = pto.alloc_tile addr = %a512 valid_row = %c3 valid_col = %c8 : " + kOpenTile + "\n";
  CHECK(evaluate(open + "    %r = pto.tile_valid_rows %t : " + kOpenTile + " -> index") == 3);
  CHECK(evaluate(open + "    pto.set_validshape %t, %c2, %c16 : " + kOpenTile +
                 "\n    %r = pto.tile_valid_cols %t : " + kOpenTile + " -> index") == 16);
}

TEST_CASE("a subview starts inside its parent", "[exec][descriptor]") {
  const auto offset = [](const std::string& parent, const std::string& window, const std::string& row,
                         const std::string& col) {
    return evaluate("    %t = pto.alloc_tile addr = %a512 : " + parent + "\n    %s = pto.subview %t[" + row +
                    ", " + col + "] sizes [8, 16] : " + parent + " -> " + window +
                    "\n    %q = pto.tile_buf_addr %s : " + window +
                    " -> !pto.ptr<f32, ub>\n    %x = pto.castptr %q : !pto.ptr<f32, ub> -> i64\n"
                    "    %d = arith.subi %x, %a512 : i64\n    %r = arith.index_cast %d : i64 to index");
  };
  const std::string window =
      "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, "
      "slayout=none_box, "
      "fractal=512, pad=0>";
  CHECK(offset(kTile, window, "%c8", "%c16") == (8 * 32 + 16) * 4);
}

TEST_CASE("a subview outside of its parent is a finding", "[exec][descriptor]") {
  const auto leaves = [](int row, int col) {
    Bench bench;
    bench.buffer(64);
    const SimResult result = bench.must_run(
        "module attributes {pto.target_arch = \"a3\", pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
        "  func.func @k(%p: !pto.ptr<f32>) attributes {pto.kernel} {\n"
        "    %c0 = arith.constant 0 : i64\n    %row = arith.constant " +
        std::to_string(row) + " : index\n    %col = arith.constant " + std::to_string(col) +
        " : index\n    %t = pto.alloc_tile addr = %c0 : " + kTile +
        "\n    %s = pto.subview %t[%row, %col] sizes [8, 16] : " + kTile +
        " -> !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, "
        "slayout=none_box, fractal=512, pad=0>\n    return\n  }\n}");
    return sim::test::finding(result, FindingId::bounds) != nullptr;
  };
  CHECK_FALSE(leaves(8, 16));  // the last that fits into 16x32
  CHECK(leaves(9, 16));
  CHECK(leaves(8, 17));
  CHECK(leaves(16, 16));
}

}  // namespace pto::exec
