// Sizes and numbers that are chosen for small kernels, against sizes worked out by hand.
#include "analysis/argument_inference.hpp"

#include <string>

#include "analysis/affine_interval.hpp"
#include "ir/call_graph.hpp"
#include "pto/prepare.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::driver {
namespace {

/// For the only launch of a program.
std::vector<InferredArgument> chosen_for(const std::string& text) {
  static Prepared kept;  // types stay valid
  auto built = prepare(text, {});
  REQUIRE(built.ok());
  UNSCOPED_INFO(messages(built->diagnostics));
  REQUIRE(built->ready);
  kept = std::move(*built);
  const Functions functions(kept.program);
  const auto all = launches(kept.program, functions, CallGraph(kept.program, functions));
  REQUIRE(all.size() == 1);
  return infer_arguments(kept.program, functions, all.front());
}

const std::string kModule = "module attributes {pto.target_arch = \"a5\"} {\n";

std::string function(const std::string& signature, const std::string& kind, const std::string& body) {
  return "  func.func @" + signature + " attributes {pto.kernel_kind = #pto.kernel_kind<" + kind + ">} {\n" +
         R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
)" + body +
         "\n    return\n  }\n";
}

std::vector<InferredArgument> chosen(const std::string& parameters, const std::string& body) {
  return chosen_for(kModule + function("k(" + parameters + ")", "vector", body) + "}\n");
}

const std::string kView = R"(
    %v = pto.make_tensor_view %a, shape = [%c64, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
)";

/// A load of [8, 8] at row `row` of the view.
std::string load(const std::string& row, const std::string& rows = "%c8") {
  return R"(
      %t = pto.alloc_tile valid_row = )" +
         rows +
         R"( valid_col = %c8 : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
      %p = pto.partition_view %v, offsets = [)" +
         row + ", %c0], sizes = [" + rows +
         R"(, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x8xf32>
      pto.tload ins(%p : !pto.partition_tensor_view<?x8xf32>) outs(%t : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
)";
}

}  // namespace

TEST_CASE("a buffer is as large as the view over it", "[sizing]") {
  const auto args = chosen("%a: !pto.ptr<f32>", kView + load("%c8"));
  REQUIRE(args.size() == 1);
  CHECK(args[0].name == "a");
  CHECK(args[0].bytes == 64 * 8 * 4);
  CHECK(args[0].shape == std::vector<int64_t>{64, 8});
}

TEST_CASE("a window beyond the view counts", "[sizing]") {
  // Rows 64 to 71 of 8 floats, in a branch: what certainly leaves its view is E0362.
  const auto args = chosen("%a: !pto.ptr<f32>", kView + R"(
    %block = pto.get_block_idx
    %number = arith.index_cast %block : i64 to index
    %first = arith.cmpi eq, %number, %c0 : index
    %c65 = arith.addi %c64, %c1 : index
    scf.if %first {
      scf.for %behind = %c64 to %c65 step %c1 {
)" + load("%behind") + "      }\n    }\n");
  CHECK(args[0].bytes == 72 * 8 * 4);
  CHECK(args[0].shape.empty());
}

TEST_CASE("a view with gaps ends with its last row", "[sizing]") {
  // 64 rows, 64 apart, of which 8 are used: 63 * 64 + 8 elements.
  const auto args = chosen("%a: !pto.ptr<f32>", R"(
    %v = pto.make_tensor_view %a, shape = [%c64, %c8], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>)" +
                                                    load("%c0"));
  CHECK(args[0].bytes == (63 * 64 + 8) * 4);
  CHECK(args[0].shape.empty());
}

TEST_CASE("elements that the scalar unit reads in a loop", "[sizing]") {
  // 0, 4, .., 60 times 8, plus 1: the last is element 481.
  const auto args = chosen("%a: !pto.ptr<i32>", R"(
    scf.for %i = %c0 to %c64 step %c4 {
      %x = arith.muli %i, %c8 : index
      %y = arith.addi %x, %c1 : index
      %n = pto.load_scalar %a[%y] : !pto.ptr<i32> -> i32
    })");
  CHECK(args[0].bytes == 482 * 4);
}

TEST_CASE("a loop bound lets the loop turn four times", "[sizing]") {
  const auto args = chosen("%a: !pto.ptr<f32>, %n: index", kView + R"(
    scf.for %i = %c0 to %n step %c8 {)" + load("%i") + "    }");
  REQUIRE(args.size() == 2);
  CHECK(args[1].value == 32);
  CHECK(args[1].why == "loop bound");
}

TEST_CASE("fewer turns where four would leave the view", "[sizing]") {
  // Windows of 8 rows, 64 apart: the second one is outside.
  const auto args = chosen("%a: !pto.ptr<f32>, %n: index", kView + R"(
    scf.for %i = %c0 to %n step %c1 {
      %r = arith.muli %i, %c64 : index)" + load("%r") + "    }");
  CHECK(args[1].value == 1);
  CHECK(args[0].bytes == 64 * 8 * 4);
}

TEST_CASE("a length fills the tiles of every turn", "[sizing]") {
  // min(n - 8 i, 8) is 8 in all of the turns 0 .. 3.
  const auto args = chosen("%a: !pto.ptr<f32>, %n: i32, %turns: index", kView + R"(
    scf.for %i = %c0 to %turns step %c1 {
      %x = arith.muli %i, %c8 : index
      %m = arith.index_cast %n : i32 to index
      %l = arith.subi %m, %x : index
      %r = arith.minsi %l, %c8 : index)" + load("%x", "%r") + "    }");
  CHECK(args[2].value == 4);
  CHECK(args[1].value == 32);
  CHECK(args[1].why == "extent");
}

TEST_CASE("what is taken from a number to be chosen is an offset", "[sizing]") {
  // (n - first + 7) / 8 turns: 4 from n = 25 on, as first is 0.
  const auto args = chosen("%a: !pto.ptr<f32>, %n: index, %first: i32", kView + R"(
    %c7 = arith.constant 7 : index
    %f = arith.index_cast %first : i32 to index
    %x = arith.subi %n, %f : index
    %y = arith.addi %x, %c7 : index
    %turns = arith.divsi %y, %c8 : index
    scf.for %i = %c0 to %turns step %c1 {
      %r = arith.muli %i, %c8 : index)" + load("%r") + "    }");
  CHECK(args[2].value == 0);
  CHECK(args[2].why == "offset");
  CHECK(args[1].value >= 25);
  CHECK(args[1].value <= 32);
  CHECK(args[1].why == "loop bound");
}

TEST_CASE("steps are 1, offsets 0, valid rows those of the tile", "[sizing]") {
  const auto args = chosen("%a: !pto.ptr<f32>, %block: i32, %blocks: i32, %rows: index", kView + R"(
    %first = arith.index_cast %block : i32 to index
    %by = arith.index_cast %blocks : i32 to index
    scf.for %i = %first to %c4 step %by {
      %x = arith.muli %i, %c8 : index)" + load("%x", "%rows") + "    }");
  CHECK(args[1].value == 0);
  CHECK(args[2].value == 1);
  CHECK(args[3].value == 8);
}

TEST_CASE("loaded numbers are chosen like scalars", "[sizing]") {
  // Table entry times 8, minus 8, is a row: 1 is the least that is not negative. The count bounds a loop.
  const auto args = chosen("%a: !pto.ptr<f32>, %table: !pto.ptr<i32>, %count: !pto.ptr<i32>", kView + R"(
    %n = pto.load_scalar %count[%c0] : !pto.ptr<i32> -> i32
    %turns = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %turns step %c1 {
      %e = pto.load_scalar %table[%i] : !pto.ptr<i32> -> i32
      %f = arith.index_cast %e : i32 to index
      %g = arith.muli %f, %c8 : index
      %r = arith.subi %g, %c8 : index)" + load("%r") + "    }");
  REQUIRE(args.size() == 3);
  CHECK(args[1].value == 1);
  CHECK(args[1].bytes == 4 * 4);
  CHECK(args[2].value == 4);
  CHECK(args[2].bytes == 4);
}

TEST_CASE("both functions of a launch say what its arguments are", "[sizing]") {
  // The vector function turns n times; the cube function reads element 8 n. Vector core 1 reads element 67.
  const std::string cube = function("k_aic(%a: !pto.ptr<f32>, %b: !pto.ptr<i32>, %n: index)", "cube", R"(
    %x = arith.muli %n, %c8 : index
    %v = pto.load_scalar %a[%x] : !pto.ptr<f32> -> f32
    %w = pto.load_scalar %b[%c8] : !pto.ptr<i32> -> i32)");
  const std::string vector =
      function("k_aiv(%p: !pto.ptr<f32>, %q: !pto.ptr<i32>, %turns: index, %lane: i32)", "vector", R"(
    %l = arith.index_cast %lane : i32 to index
    %x = arith.muli %l, %c64 : index
    scf.for %i = %c0 to %turns step %c1 {
      %y = arith.addi %x, %i : index
      %v = pto.load_scalar %q[%y] : !pto.ptr<i32> -> i32
    })");
  for (const std::string& text : {cube + vector, vector + cube}) {
    const auto args = chosen_for(kModule + text + "}\n");
    REQUIRE(args.size() == 3);
    CHECK(args[0].name == "a");
    CHECK(args[0].bytes == 33 * 4);
    CHECK(args[1].name == "b");
    CHECK(args[1].bytes == 68 * 4);
    CHECK(args[2].name == "n");
    CHECK(args[2].value == 4);
    CHECK(args[2].why == "loop bound");
  }
}

TEST_CASE("a view's shape is kept in elements of the argument", "[sizing]") {
  // The vector function sees 64 x 8 floats where the cube function's parameter counts halves.
  const auto args = chosen_for(kModule + function("k_aic(%h: !pto.ptr<f16>)", "cube", "") +
                               function("k_aiv(%a: !pto.ptr<f32>)", "vector", kView + load("%c8")) + "}\n");
  REQUIRE(args.size() == 1);
  CHECK(args[0].bytes == 64 * 8 * 4);
  CHECK(args[0].shape.empty());
}

TEST_CASE("numbers that overflow are not known", "[sizing]") {
  const auto args = chosen("%a: !pto.ptr<i32>, %n: index", R"(
    %big = arith.constant 9223372036854775807 : index
    %x = arith.muli %n, %big : index
    %y = arith.muli %big, %big : index
    %z = arith.addi %y, %x : index
    %v = pto.load_scalar %a[%z] : !pto.ptr<i32> -> i32
    %w = pto.load_scalar %a[%big] : !pto.ptr<i32> -> i32)");
  CHECK(args[0].bytes == 0);
}

TEST_CASE("loops in loops that carry values end in bounded time", "[sizing]") {
  std::string body, end;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    const std::string last = i == 0 ? "%c0" : "%s" + std::to_string(i - 1);
    body += "    %o" + n + " = scf.for %i" + n + " = %c0 to %c64 step %c1 iter_args(%s" + n + " = " + last +
            ") -> (index) {\n";
    end = "      %x" + n + " = arith.addi %s" + n + ", %c1 : index\n      scf.yield %x" + n +
          " : index\n    }\n" + end;
  }
  const auto args = chosen("%a: !pto.ptr<i32>", body + end);
  CHECK(args[0].bytes == 0);
}

TEST_CASE("words that a kernel waits for are as a peer would have written them", "[sizing]") {
  const auto waits = [](const std::string& compares, const std::string& value) {
    return chosen("%a: !pto.ptr<i32>, %n: i32", R"(
    %three = arith.constant 3 : i32
    %v = pto.make_tensor_view %a, shape = [%c8, %c1], strides = [%c1, %c8] : !pto.tensor_view<?x?xi32>
    scf.for %i = %c0 to %c4 step %c1 {
      %turn = arith.index_cast %i : index to i32
      %p = pto.partition_view %v, offsets = [%i, %c0], sizes = [%c1, %c1] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x1xi32>
      pto.comm.twait(%p, )" + value + " : !pto.partition_tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp " +
                                                    compares + ">}\n    }\n");
  };
  CHECK(waits("ge", "%three")[0].value == 3);
  CHECK(waits("eq", "%three")[0].value == 3);
  CHECK(waits("gt", "%three")[0].value == 4);
  CHECK(waits("ne", "%three")[0].value == 4);
  CHECK(waits("lt", "%three")[0].value == 2);
  CHECK(waits("ge", "%turn")[0].value == 3);
  CHECK(waits("le", "%turn")[0].value == 0);
  const auto open = waits("ge", "%n");
  CHECK(open[1].value == 1);
  CHECK(open[0].value == 1);
  CHECK(open[0].why == "awaited");
}

TEST_CASE("ranges follow one open number", "[sizing]") {
  const AffineInterval open = AffineInterval::of_source(3);
  const AffineInterval scaled =
      add(multiply(open, AffineInterval::constant(8)), AffineInterval::between(-8, 7));
  CHECK(scaled.has_source());
  CHECK(source_for_low(scaled, 0) == 1);
  CHECK(source_for_high(scaled, 63) == 7);
  CHECK_FALSE(multiply(open, open).known);
  CHECK_FALSE(multiply(AffineInterval::constant(kMaxMagnitude), AffineInterval::constant(2)).known);
  CHECK(multiply(AffineInterval::between(-2, 3), AffineInterval::between(-5, 4)) ==
        AffineInterval::between(-15, 12));
  CHECK_FALSE(source_for_low(AffineInterval::constant(4), 0));
}

}  // namespace pto::driver
