#include "asm/parse/parse_fixture.hpp"

using namespace pto;

namespace {

Type type_of(std::string_view text, Target target = Target::a5) {
  std::string problem;
  const std::optional<Type> type = parse_type(text, target, problem);
  INFO(text << ": " << problem);
  REQUIRE(type.has_value());
  return *type;
}

std::string problem_of(std::string_view text) {
  std::string problem;
  CHECK_FALSE(parse_type(text, Target::a5, problem).has_value());
  return problem;
}

}  // namespace

TEST_CASE("the fractal of an accumulator is 1024 when none is written, and is always printed",
          "[asm][type][N-mad-acc-boxes]") {
  const std::string_view written = "!pto.tile_buf<acc, 16x32xi32, blayout=col_major, slayout=row_major>";
  CHECK(type_of(written).fractal == 1024);
  CHECK(to_string(type_of(written)) ==
        "!pto.tile_buf<acc, 16x32xi32, blayout=col_major, slayout=row_major, fractal=1024>");
  const std::string_view small =
      "!pto.tile_buf<acc, 16x32xi32, blayout=col_major, slayout=row_major, fractal=512>";
  CHECK(to_string(type_of(small)) == small);
  CHECK(type_of("!pto.tile_buf<mat, 16x32xi8, blayout=col_major, slayout=row_major>").fractal == 512);
}

TEST_CASE("Every kind of type is read and printed back", "[asm][type]") {
  for (const std::string_view text :
       {"i1",
        "i8",
        "ui8",
        "si16",
        "index",
        "f16",
        "bf16",
        "f32",
        "f64",
        "f8E4M3FN",
        "f8E5M2",
        "f8E8M0FNU",
        "!pto.hif8",
        "!pto.f4E2M1x2",
        "!pto.ptr<f32, gm>",
        "!pto.ptr<vector<2xf16>, ub>",
        "!pto.ptr<!pto.hif8, l0a>",
        "!pto.tensor_view<?x16xf32>",
        "!pto.partition_tensor_view<1x1x1x16x64xbf16>",
        "!pto.vreg<64xf32>",
        "!pto.mask<b16>",
        "!pto.align",
        "!pto.pipe",
        "!pto.eventid_array<4>",
        "!pto.local_array<8xi32>",
        "vector<4xi16>",
        "memref<16x16xf16, #pto.address_space<vec>>",
        "memref<?x32xf32, strided<[?, 1], offset: ?>, #pto.address_space<gm>>",
        "!pto.tile_buf<vec, 16x64xf32>",
        "!pto.tile_buf<vec, 16x64xf32, valid=7x?>",
        "!pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major, pad=2, compact=1>",
        "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"}) {
    CHECK(to_string(type_of(text)) == text);
  }
}

TEST_CASE("The long spelling of a tile is the same type as the short one", "[asm][type]") {
  const Type compact =
      type_of("!pto.tile_buf<mat, 32x64xf16, valid=32x?, blayout=col_major, slayout=row_major>");
  CHECK(type_of("!pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=?, blayout=col_major,\n "
                "slayout=row_major, fractal=512, pad=0>") == compact);
  CHECK(type_of("!pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, blayout=col_major, slayout=row_major, "
                "v_row=32, v_col=-1, fractal=512, pad=0>") == compact);
}

TEST_CASE("!pto.tile is a tile in UB unless it says otherwise", "[asm][type]") {
  CHECK(type_of("!pto.tile<16x16xf32>") == type_of("!pto.tile_buf<vec, 16x16xf32>"));
  CHECK(type_of("!pto.tile<acc, 16x16xf32, fractal=1024>") ==
        type_of("!pto.tile_buf<acc, 16x16xf32, fractal=1024>"));
  CHECK(type_of("!pto.tile<16x16xf32, valid=3x4>").valid[1] == 4);
}

TEST_CASE("The left operand's base layout is the target's, whatever is written", "[asm][type]") {
  for (const std::string_view text :
       {"!pto.tile_buf<left, 16x32xf16, slayout=row_major>",
        "!pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>"}) {
    CHECK(type_of(text, Target::a2a3).blayout == BLayout::row_major);
    CHECK(type_of(text, Target::a5).blayout == BLayout::col_major);
  }
}

TEST_CASE("Pointer spaces have two families of names", "[asm][type]") {
  CHECK(type_of("!pto.ptr<f32, vec>") == type_of("!pto.ptr<f32, ub>"));
  CHECK(type_of("!pto.ptr<f16, left>") == type_of("!pto.ptr<f16, l0a>"));
  CHECK(type_of("!pto.ptr<f16, scaling>") == type_of("!pto.ptr<f16, fb>"));
  CHECK(type_of("!pto.ptr<f16>").space == Space::gm);
}

TEST_CASE("A wrong type says what is wrong", "[asm][type]") {
  CHECK(problem_of("!pto.ptr<f33>").find("'f33'") != std::string::npos);
  CHECK(problem_of("!pto.ptr<f32, l2>").find("memory space 'l2'") != std::string::npos);
  CHECK(problem_of("!pto.tile_buf<vec, 16xf32>").find("two dimensions") != std::string::npos);
  CHECK(problem_of("!pto.tile_buf<vec, 16x16xf32, fractl=3>").find("'fractl'") != std::string::npos);
  CHECK(problem_of("!pto.tile_buf<vec, 16x16xf32").find("'>'") != std::string::npos);
  CHECK(problem_of("!pto.tensor_view<1x2x3x4x5x6xf32>").find("5 dimensions") != std::string::npos);
  CHECK(problem_of("!pto.vreg<99999999999999999999xf32>").find("too large") != std::string::npos);
  CHECK(problem_of("!pto.mask<b64>").find("b64") != std::string::npos);
  CHECK(problem_of("!pto.thing").find("!pto.thing") != std::string::npos);
  CHECK(problem_of("").find("missing") != std::string::npos);
  CHECK(problem_of("i32 i32").find("after the type") != std::string::npos);
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "vector<";
  CHECK_FALSE(problem_of(nested).empty());
}
