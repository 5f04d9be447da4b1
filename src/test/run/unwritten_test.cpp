// What is computed of bytes that nobody wrote is reported, be it hidden from one of the patterns that runs
// find there.
#include <fmt/format.h>

#include <algorithm>

#include "driver/run_fixture.hpp"

namespace pto {
namespace {

/// Half of tile %x is loaded, %y is made of all of it by `operation` and stored. `%s` is a scalar of `value`.
std::string kernel(std::string_view from, std::string_view to, std::string_view operation,
                   std::string_view value, std::string_view target = "a3") {
  const std::string x = fmt::format("!pto.tile_buf<vec, 16x64x{}>", from);
  const std::string y = fmt::format("!pto.tile_buf<vec, 16x64x{}>", to);
  std::string text = fmt::format(
      R"(module attributes {{pto.target_arch = "{4}"}} {{
func.func @k(%pa: !pto.ptr<{0}>, %po: !pto.ptr<{1}>) attributes {{pto.entry}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %at0 = arith.constant 0 : i64
  %at1 = arith.constant 8192 : i64
  %s = arith.constant {2} : {0}
  %va = pto.make_tensor_view %pa, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?x{0}>
  %vo = pto.make_tensor_view %po, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?x{1}>
  %a = pto.partition_view %va, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?x{0}> -> !pto.partition_tensor_view<8x64x{0}>
  %o = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?x{1}> -> !pto.partition_tensor_view<16x64x{1}>
  %half = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 8x64x{0}>
  %x = pto.alloc_tile addr = %at0 : X
  %y = pto.alloc_tile addr = %at1 : Y
  pto.tload ins(%a : !pto.partition_tensor_view<8x64x{0}>) outs(%half : !pto.tile_buf<vec, 8x64x{0}>)
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  {3}
  pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
  pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
  pto.tstore ins(%y : Y) outs(%o : !pto.partition_tensor_view<16x64x{1}>)
  return
}}
}}
)",
      from, to, value, operation, target);
  for (const auto& [name, type] : {std::pair("X", &x), std::pair("Y", &y)}) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += type->size())
      text.replace(at, 1, *type);
  }
  return text;
}

/// Whether a finding says that the output is another one with other bytes where nobody wrote.
bool told(const std::string& text, const std::vector<uint32_t>& patterns) {
  std::vector<Argument> arguments{test::buffer("a", std::vector<uint32_t>(1024, 0)),
                                  test::buffer("o", std::vector<uint32_t>(1024, 0))};
  Result<Prepared> prepared = prepare(text, {.sync = SyncBy::program, .check_synchronisation = false});
  REQUIRE(prepared.ok());
  for (const Diagnostic& each : prepared->diagnostics.all()) UNSCOPED_INFO(each.message);
  REQUIRE(prepared->ready);
  SimOptions options;
  options.checks.fill_patterns = patterns;
  const Result<SimResult> result = simulate(*prepared, arguments, options);
  REQUIRE(result.ok());
  REQUIRE(result->findings.all().size() == 1);  // the read itself
  const std::optional<OutputEffect>& effect = result->findings.all()[0].effect;
  return effect && effect->output == "o";
}

/// The scalar in every element first: a NaN that comes second is lost.
constexpr std::string_view kMax =
    "pto.texpands ins(%s : {0}) outs(%y : Y)\npto.barrier <PIPE_V>\n"
    "pto.tmax ins(%y, %x : Y, X) outs(%y : Y)";
constexpr std::string_view kMin =
    "pto.texpands ins(%s : {0}) outs(%y : Y)\npto.barrier <PIPE_V>\n"
    "pto.tmin ins(%y, %x : Y, X) outs(%y : Y)";
constexpr std::string_view kAnd = "pto.tands ins(%x, %s : X, {0}) outs(%y : Y)";

std::string with_scalar(std::string_view operation, std::string_view type, std::string_view value) {
  return kernel(type, type, fmt::format(fmt::runtime(operation), type), value);
}

std::string converted(std::string_view from, std::string_view to, std::string_view attributes) {
  return kernel(
      from, to,
      fmt::format("pto.tcvt ins(%x {{rmode = #pto<round_mode RINT>{}}} : X) outs(%y : Y)", attributes), "0.0",
      "a5");
}

TEST_CASE("what one pattern of unwritten bytes hides another one shows", "[unwritten]") {
  const std::vector<uint32_t> all = SimOptions{}.checks.fill_patterns;
  REQUIRE(all.size() == 3);
  const uint32_t nan = all[0];
  const uint32_t large = all[1];
  const uint32_t negative = all[2];
  struct Case {
    std::string text;
    std::vector<uint32_t> hidden_from;
  };
  const Case cases[] = {
      {converted("f32", "i32", ", satmode = #pto<saturation_mode ON>"), {nan}},
      {converted("f32", "i16", ", satmode = #pto<saturation_mode OFF>"), {nan}},
      {kernel("f32", "f32", "pto.trelu ins(%x : X) outs(%y : Y)", "0.0"), {negative}},
      {kernel("i32", "i32", "pto.trelu ins(%x : X) outs(%y : Y)", "0"), {negative}},
      {with_scalar(kMax, "f32", "1.0"), {nan, negative}},
      {with_scalar(kMin, "f32", "-1.0"), {nan, large}},
      {with_scalar(kMax, "f16", "1000.0"), {nan, negative}},
      {with_scalar(kAnd, "i16", "-32768"), {nan, large}},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(told(each.text, all));
    CHECK_FALSE(told(each.text, each.hidden_from));
    CHECK_FALSE(told(each.text, {}));
  }
}

TEST_CASE("a mask that takes one bit of unwritten bytes shows", "[unwritten]") {
  for (unsigned bit = 0; bit < 16; ++bit) {
    INFO(bit);
    const auto one = static_cast<int16_t>(1U << bit);
    CHECK(told(with_scalar(kAnd, "i16", std::to_string(one)), SimOptions{}.checks.fill_patterns));
  }
}

TEST_CASE("two operands that nobody wrote do not cancel", "[unwritten]") {
  // Rows 8 to 15 of %x and %z are unwritten; in each run both are the same word, but for its lowest bits.
  const auto two = [](std::string_view type, std::string_view operation) {
    return kernel(type, type,
                  fmt::format("%at2 = arith.constant 65536 : i64\n%z = pto.alloc_tile addr = %at2 : X\n"
                              "%lower = pto.alloc_tile addr = %at2 : !pto.tile_buf<vec, 8x64x{0}>\n"
                              "pto.tadds ins(%half, %s : !pto.tile_buf<vec, 8x64x{0}>, {0}) "
                              "outs(%lower : !pto.tile_buf<vec, 8x64x{0}>)\npto.barrier <PIPE_V>\n{1}",
                              type, operation),
                  type.starts_with("f") ? "0.0" : "0");
  };
  const std::vector<uint32_t> all = SimOptions{}.checks.fill_patterns;
  for (const std::string_view type : {"i32", "i16", "f32", "f16"}) {
    for (const uint32_t pattern : {all[1], all[2]}) {
      INFO(type << " " << pattern);
      CHECK(told(two(type, "pto.tsub ins(%x, %z : X, X) outs(%y : Y)"), {pattern}));
    }
  }
}

TEST_CASE("what no bytes can change is not told", "[unwritten]") {
  CHECK_FALSE(told(with_scalar(kAnd, "i16", "0"), SimOptions{}.checks.fill_patterns));
}

}  // namespace
}  // namespace pto
