// Tiles of several slots: which bytes a slot is, with an address and with a planned one.
#include <fmt/format.h>

#include "driver/run_fixture.hpp"
#include "isa/memory_spaces.hpp"
#include "isa/tile_defaults.hpp"
#include "pto/assembler.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kSlots = 3, kTrips = 8, kElements = 16 * 16;
constexpr std::string_view kTile = "!pto.tile_buf<vec, 16x16xf32>";
constexpr std::string_view kMulti = "!pto.multi_tile_buf<vec, 16x16xf32, count=3>";
constexpr std::string_view kWindow = "!pto.partition_tensor_view<16x16xf32>";

std::string window(std::string_view name, std::string_view view, std::string_view row) {
  return fmt::format(
      "%{} = pto.partition_view %{}, offsets = [{}, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> "
      "-> {}\n",
      name, view, row, kWindow);
}

/// Iteration i doubles block i in slot i mod 3; then the slots and a tile from before the loop are stored.
std::string kernel(bool addressed) {
  std::string text = fmt::format(
      "module attributes {{pto.target_arch = \"a2a3\"}} {{\n"
      "func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>, %left: !pto.ptr<f32>) attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
      "%c3 = arith.constant 3 : index\n%c16 = arith.constant 16 : index\n%n = arith.constant {} : index\n"
      "%rows = arith.constant 256 : index\n%at = arith.constant 4096 : i64\n%ku = arith.constant 512 : i64\n"
      "%kk = arith.constant 2048 : i64\n"
      "%iv = pto.make_tensor_view %in, shape = [%rows, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%ov = pto.make_tensor_view %out, shape = [%rows, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%lv = pto.make_tensor_view %left, shape = [%rows, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n",
      kTrips);
  text += fmt::format("%m = pto.alloc_multi_tile {}: {}\n", addressed ? "addr = %at " : "", kMulti);
  text += fmt::format("%u = pto.alloc_tile {}: {}\n", addressed ? "addr = %ku " : "", kTile);
  text += fmt::format("%keep = pto.alloc_tile {}: {}\n", addressed ? "addr = %kk " : "", kTile);
  text += window("first", "iv", "%c0");
  text += fmt::format("pto.tload ins(%first : {}) outs(%keep : {})\n", kWindow, kTile);
  text += "scf.for %i = %c0 to %n step %c1 {\n%row = arith.muli %i, %c16 : index\n";
  text += window("from", "iv", "%row") + window("to", "ov", "%row");
  text += "%k = arith.remui %i, %c3 : index\n";
  text += fmt::format("%t = pto.multi_tile_get %m[%k] : {} -> {}\n", kMulti, kTile);
  text += fmt::format("pto.tload ins(%from : {0}) outs(%t : {1})\n", kWindow, kTile);
  text += fmt::format("pto.tadd ins(%t, %t : {0}, {0}) outs(%u : {0})\n", kTile);
  text += fmt::format("pto.tstore ins(%u : {1}) outs(%to : {0})\n}}\n", kWindow, kTile);
  for (int slot = 0; slot < kSlots; ++slot) {
    text += fmt::format("%r{0} = arith.constant {1} : index\n", slot, 16 * slot);
    if (addressed)
      text += fmt::format("%a{0} = arith.constant {1} : i64\n%s{0} = pto.alloc_tile addr = %a{0} : {2}\n",
                          slot, 4096 + slot * kElements * 4, kTile);
    else
      text += fmt::format("%s{0} = pto.multi_tile_get %m[{1}] : {2} -> {3}\n", slot,
                          fmt::format("%c{}", slot), kMulti, kTile);
    text += window(fmt::format("w{}", slot), "lv", fmt::format("%r{}", slot));
    text += fmt::format("pto.tstore ins(%s{0} : {1}) outs(%w{0} : {2})\n", slot, kTile, kWindow);
  }
  text += "%r3 = arith.constant 48 : index\n" + window("w3", "lv", "%r3");
  text += fmt::format("pto.tstore ins(%keep : {}) outs(%w3 : {})\nreturn\n}}\n}}\n", kTile, kWindow);
  return text;
}

TEST_CASE("Slots lie one behind the other and keep what was written last", "[multi_tile]") {
  for (const bool addressed : {false, true}) {
    CAPTURE(addressed);
    std::vector<float> in(kTrips * kElements);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) + 0.5F;
    std::vector<Argument> arguments{buffer("in", in), buffer("out", std::vector<float>(in.size())),
                                    buffer("left", std::vector<float>(4 * kElements))};
    PrepareOptions options;
    options.sync = SyncBy::tools;
    const SimResult result = run_text(kernel(addressed), arguments, options);
    expect_clean(result);
    std::vector<float> doubled = in;
    for (float& each : doubled) each *= 2;
    CHECK(values_of<float>(arguments[1]) == doubled);
    const std::vector<float> left = values_of<float>(arguments[2]);
    const auto block = [&](const std::vector<float>& of, int i) {
      return std::vector<float>(of.begin() + i * kElements, of.begin() + (i + 1) * kElements);
    };
    // The last iterations of eight: 6 in slot 0, 7 in slot 1, 5 in slot 2.
    CHECK(block(left, 0) == block(in, 6));
    CHECK(block(left, 1) == block(in, 7));
    CHECK(block(left, 2) == block(in, 5));
    CHECK(block(left, 3) == block(in, 0));
  }
}

TEST_CASE("A slot begins where a tile may begin", "[multi_tile]") {
  const auto stride = [](std::string_view text) {
    std::string problem;
    const std::optional<Type> type = parse_type(text, Target::a2a3, problem);
    REQUIRE(type);
    return isa::slot_stride(*type);
  };
  CHECK(stride("!pto.multi_tile_buf<vec, 16x16xf16, count=2>") == 512);
  CHECK(stride("!pto.multi_tile_buf<!pto.tile_buf<loc=left, dtype=f32, rows=1, cols=8, v_row=1, v_col=8, "
               "blayout=row_major, slayout=none_box, fractal=512, pad=0>, count=2>") == 512);
  CHECK(stride("!pto.multi_tile_buf<vec, 1x8xf32, count=16>") == 32);
}

TEST_CASE("A slot that does not exist is a finding", "[multi_tile]") {
  std::string text = kernel(false);
  const std::string_view slots = "arith.remui %i, %c3";
  text.replace(text.find(slots), slots.size(), "arith.addi %i, %c0");
  std::vector<Argument> arguments{buffer("in", std::vector<float>(kTrips * kElements)),
                                  buffer("out", std::vector<float>(kTrips * kElements)),
                                  buffer("left", std::vector<float>(4 * kElements))};
  const SimResult result = run_text(text, arguments, {});
  REQUIRE(!result.findings.all().empty());
  CHECK(result.findings.all().front().id == FindingId::bounds);
  CHECK(result.findings.all().front().message.find("slot 3 of 3") != std::string::npos);
}

}  // namespace
