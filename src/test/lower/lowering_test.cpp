// Logical vectors lowered to registers: each program gives what is computed here, lane by lane and lowered,
// and what the lowering writes is text that assembles and gives it again.
#include <fmt/format.h>

#include <algorithm>

#include "test/lower/lowering_fixture.hpp"

namespace pto::test {
namespace {

TEST_CASE("a vector of f32 is loaded, added and stored", "[lower]") {
  for (const unsigned n : {8U, 64U, 72U, 128U, 200U}) {
    const std::string v = fmt::format("!pto.vmi.vreg<{}xf32>", n);
    const Prepared made = check<float>(
        kernel(fmt::format("%v = pto.vmi.vload %x_f32[%c64] : !pto.ptr<f32, ub> -> {0}\n"
                           "%w = pto.vmi.vadd %v, %v : {0}, {0} -> {0}\n"
                           "pto.vmi.vstore %w, %y_f32[%c8] : {0}, !pto.ptr<f32, ub>",
                           v)),
        [](unsigned i) { return 0.5F * static_cast<float>(i); },
        [&](unsigned i) { return i >= 8 && i < n + 8 ? static_cast<float>(i + 56) : -1.0F; });
    CHECK(count(made, "pto.vadd") == (n + 63) / 64);
    CHECK(count(made, "pto.vintlv") + count(made, "pto.vdintlv") == 0);
  }
}

TEST_CASE("stores under a mask leave the other lanes alone", "[lower]") {
  const auto program = [](std::string_view active) {
    return kernel(
        fmt::format("%m = pto.vmi.create_mask %c{} : index -> !pto.vmi.mask<128xpred>\n"
                    "%v = pto.vmi.vload %x_f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>\n"
                    "pto.vmi.vstore %v, %y_f32[%c0], %m : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>, "
                    "!pto.vmi.mask<128xpred>",
                    active));
  };
  for (const auto& [text, n] : {std::pair{"0", 0U}, {"1", 1U}, {"64", 64U}, {"100", 100U}, {"128", 128U}})
    check<float>(
        program(text), [](unsigned i) { return static_cast<float>(i); },
        [n = n](unsigned i) { return i < n ? static_cast<float>(i) : -1.0F; });
}

TEST_CASE("f16 goes to f32 and back without moving a lane", "[lower]") {
  const std::string text = kernel(R"(
    %v = pto.vmi.vload %x_f16[%c0] : !pto.ptr<f16, ub> -> !pto.vmi.vreg<64xf16>
    %w = pto.vmi.vcvt %v : !pto.vmi.vreg<64xf16> -> !pto.vmi.vreg<64xf32>
    %d = pto.vmi.vadd %w, %w : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf32>
    %n = pto.vmi.vcvt %d {saturate = "SAT"} : !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf16>
    pto.vmi.vstore %n, %y_f16[%c0] : !pto.vmi.vreg<64xf16>, !pto.ptr<f16, ub>)");
  // f16: twice a number that is not 0 has an exponent that is one higher.
  const Prepared made = check<uint16_t>(
      text, [](unsigned i) { return static_cast<uint16_t>(0x3c00 + i); },
      [](unsigned i) { return static_cast<uint16_t>(i < 64 ? 0x4000 + i : 0xffff); });
  CHECK(count(made, "pto.vcvt") == 2);
  for (const auto* name : {"pto.vintlv", "pto.vdintlv", "pto.vpack", "pto.vzunpack", "pto.vor"})
    CHECK(count(made, name) == 0);
}

TEST_CASE("integers widen, and narrow with saturation", "[lower]") {
  for (const unsigned n : {64U, 128U, 256U}) {
    const std::string text = kernel(fmt::format(R"(
    %v = pto.vmi.vload %x_u8[%c0] : !pto.ptr<ui8, ub> -> !pto.vmi.vreg<{0}xui8>
    %w = pto.vmi.vcvt %v : !pto.vmi.vreg<{0}xui8> -> !pto.vmi.vreg<{0}xui32>
    %d = pto.vmi.vadd %w, %w : !pto.vmi.vreg<{0}xui32>, !pto.vmi.vreg<{0}xui32> -> !pto.vmi.vreg<{0}xui32>
    %n = pto.vmi.vcvt %d {{saturate = "SAT"}} : !pto.vmi.vreg<{0}xui32> -> !pto.vmi.vreg<{0}xui8>
    pto.vmi.vstore %n, %y_u8[%c0] : !pto.vmi.vreg<{0}xui8>, !pto.ptr<ui8, ub>)",
                                                n));
    check<uint8_t>(
        text, [](unsigned i) { return static_cast<uint8_t>(i); },
        [n](unsigned i) { return static_cast<uint8_t>(i < n ? std::min(2 * (i % 256), 255U) : 255); });
  }
}

TEST_CASE("groups are reduced, and their results broadcast again", "[lower]") {
  for (const unsigned size : {8U, 16U, 32U, 64U}) {
    const unsigned n = 8 * size;
    const std::string v = fmt::format("!pto.vmi.vreg<{}xf32>", n);
    const Prepared made = check<float>(
        kernel(fmt::format(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<{1}xpred>
    %v = pto.vmi.vload %x_f32[%c0] : !pto.ptr<f32, ub> -> {0}
    %s = pto.vmi.vcadd %v, %m {{group = 8, reassoc}} : {0}, !pto.vmi.mask<{1}xpred> -> !pto.vmi.vreg<8xf32>
    %e = pto.vmi.vbrc %s {{group = 8}} : !pto.vmi.vreg<8xf32> -> {0}
    %d = pto.vmi.vsub %e, %v : {0}, {0} -> {0}
    pto.vmi.vstore %d, %y_f32[%c0] : {0}, !pto.ptr<f32, ub>)",
                           v, n)),
        [](unsigned i) { return static_cast<float>(i % 7); },
        [&](unsigned i) {
          if (i >= n) return -1.0F;
          float sum = 0;
          for (unsigned j = i / size * size; j < (i / size + 1) * size; ++j) sum += static_cast<float>(j % 7);
          return sum - static_cast<float>(i % 7);
        });
    CHECK(count(made, "pto.vcgadd") == (size < 64 ? size / 8 : 0));
  }
}

TEST_CASE("the greatest of all lanes, and of those that are active", "[lower]") {
  const auto program = [](unsigned active) {
    return kernel(fmt::format(R"(
    %m = pto.vmi.create_mask %c{} : index -> !pto.vmi.mask<128xpred>
    %v = pto.vmi.vload %x_f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    %s = pto.vmi.vcmax %v, %m : !pto.vmi.vreg<128xf32>, !pto.vmi.mask<128xpred> -> !pto.vmi.vreg<1xf32>
    pto.vmi.vstore %s, %y_f32[%c3] : !pto.vmi.vreg<1xf32>, !pto.ptr<f32, ub>)",
                              active));
  };
  for (const unsigned active : {1U, 64U, 100U, 128U})
    check<float>(
        program(active), [](unsigned i) { return static_cast<float>(i); },
        [active](unsigned i) { return i == 3 ? static_cast<float>(active - 1) : -1.0F; });
}

TEST_CASE("rows with a stride are loaded by blocks, and stored so", "[lower]") {
  for (const unsigned row : {8U, 16U, 32U, 64U}) {
    const unsigned n = 8 * row;
    const std::string v = fmt::format("!pto.vmi.vreg<{}xf32>", n);
    check<float>(
        kernel(fmt::format(R"(
    %stride = arith.addi %c64, %c{2} : index
    %v = pto.vmi.vload %x_f32[%c0], %stride {{group = 8}} : !pto.ptr<f32, ub> -> {0}
    %w = pto.vmi.vadd %v, %v : {0}, {0} -> {0}
    pto.vmi.vstore %w, %y_f32[%c0], %stride {{group = 8}} : {0}, !pto.ptr<f32, ub>)",
                           v, n, row)),
        [](unsigned i) { return static_cast<float>(i); },
        [row](unsigned i) {
          return i % (64 + row) < row && i / (64 + row) < 8 ? 2.0F * static_cast<float>(i) : -1.0F;
        });
  }
}

TEST_CASE("a loop hands registers from turn to turn", "[lower]") {
  const std::string v = "!pto.vmi.vreg<128xf32>";
  check<float>(
      kernel(fmt::format(R"(
    %zero = arith.constant 0.0 : f32
    %start = pto.vmi.vbrc %zero : f32 -> {0}
    %sum = scf.for %i = %c0 to %c256 step %c128 iter_args(%acc = %start) -> ({0}) {{
      %v = pto.vmi.vload %x_f32[%i] : !pto.ptr<f32, ub> -> {0}
      %next = pto.vmi.vadd %acc, %v : {0}, {0} -> {0}
      scf.yield %next : {0}
    }}
    pto.vmi.vstore %sum, %y_f32[%c0] : {0}, !pto.ptr<f32, ub>)",
                         v)),
      [](unsigned i) { return static_cast<float>(i); },
      [](unsigned i) { return i < 128 ? static_cast<float>(2 * i + 128) : -1.0F; });
}

TEST_CASE("comparison and selection of lanes that another width has", "[lower]") {
  const std::string v = "!pto.vmi.vreg<128xf32>", h = "!pto.vmi.vreg<128xi16>", m = "!pto.vmi.mask<128xpred>";
  check<uint16_t>(
      kernel(fmt::format(R"(
    %all = pto.vmi.pset "PAT_ALL" : {2}
    %v = pto.vmi.vload %x_i16[%c0] : !pto.ptr<i16, ub> -> {1}
    %w = pto.vmi.vload %x_i16[%c128] : !pto.ptr<i16, ub> -> {1}
    %less = pto.vmi.vcmp %v, %w, %all {{cmp = "lt"}} : {1}, {1}, {2} -> {2}
    %s = pto.vmi.vsel %less, %v, %w : {2}, {1}, {1} -> {1}
    pto.vmi.vstore %s, %y_i16[%c0] : {1}, !pto.ptr<i16, ub>)",
                         v, h, m)),
      [](unsigned i) { return static_cast<uint16_t>(i < 128 ? 3 * i : 200); },
      [](unsigned i) { return static_cast<uint16_t>(i < 128 ? std::min(3 * i, 200U) : 0xffff); });
}

TEST_CASE("elements by offsets, and lanes by turns", "[lower]") {
  check<uint32_t>(
      kernel(R"(
    %all = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %zero = arith.constant 63 : i32
    %down = pto.vmi.vci %zero {order = "DESC"} : i32 -> !pto.vmi.vreg<64xi32>
    %v = pto.vmi.vgather %x_i32, %down, %all : !pto.ptr<i32, ub>, !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<64xi32>
    %lo, %hi = pto.vmi.vintlv %v, %down, %all : !pto.vmi.vreg<64xi32>, !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<64xi32>, !pto.vmi.vreg<64xi32>
    pto.vmi.vstore %lo, %y_i32[%c0] : !pto.vmi.vreg<64xi32>, !pto.ptr<i32, ub>
    pto.vmi.vstore %hi, %y_i32[%c64] : !pto.vmi.vreg<64xi32>, !pto.ptr<i32, ub>)"),
      [](unsigned i) { return i * i; },
      [](unsigned i) {
        const unsigned lane = 63 - i / 2;
        return i >= 128 ? ~0U : i % 2 == 0 ? lane * lane : lane;
      });
}

TEST_CASE("functions give registers to those who call them", "[lower]") {
  const std::string v = "!pto.vmi.vreg<128xf32>", m = "!pto.vmi.mask<128xpred>";
  for (const unsigned active : {1U, 64U, 65U, 128U}) {
    const std::string body = fmt::format(R"(
    %n = arith.constant {2} : index
    %m = pto.vmi.create_mask %n : index -> {1}
    %h = pto.vmi.vload %x_f16[%c0] : !pto.ptr<f16, ub> -> !pto.vmi.vreg<128xf16>
    %v = pto.vmi.vcvt %h : !pto.vmi.vreg<128xf16> -> {0}
    %w, %l = func.call @twice(%v, %m) : ({0}, {1}) -> ({0}, {1})
    pto.vmi.vstore %w, %y_f32[%c0], %l : {0}, !pto.ptr<f32, ub>, {1})",
                                         v, m, active);
    const std::string helper = fmt::format(R"(
    func.func private @twice(%v: {0}, %m: {1}) -> ({0}, {1}) {{
      %w = pto.vmi.vadd %v, %v : {0}, {0} -> {0}
      %l = pto.vmi.vcmp %v, %w, %m {{cmp = "lt"}} : {0}, {0}, {1} -> {1}
      return %w, %l : {0}, {1}
    }})",
                                           v, m);
    // Pairs of f16: 0 and 1 + i / 1024 by turns. 0 is not less than its double.
    check<uint32_t>(
        kernel(body, helper), [](unsigned i) { return (0x3c00U + i) << 16U; },
        [active](unsigned i) {
          if (i >= active || i % 2 == 0) return ~0U;
          return 0x40000000U + (i / 2 << 13U);
        });
  }
}

TEST_CASE("blocks of a function get registers from the jumps to them", "[lower]") {
  const std::string v = "!pto.vmi.vreg<100xi32>";
  for (const bool way : {false, true}) {
    const std::string helper = fmt::format(R"(
    func.func private @chosen(%way: i1, %a: {0}, %b: {0}) -> {0} {{
      cf.cond_br %way, ^one(%a : {0}), ^other(%b : {0})
    ^one(%x: {0}):
      %d = pto.vmi.vadd %x, %b : {0}, {0} -> {0}
      cf.br ^end(%d : {0})
    ^other(%y: {0}):
      cf.br ^end(%y : {0})
    ^end(%r: {0}):
      return %r : {0}
    }})",
                                           v);
    const std::string body = fmt::format(R"(
    %way = arith.constant {1}
    %u = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    %v = pto.vmi.vload %x_i32[%c128] : !pto.ptr<i32, ub> -> {0}
    %r = func.call @chosen(%way, %u, %v) : (i1, {0}, {0}) -> {0}
    pto.vmi.vstore %r, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>)",
                                         v, way);
    check<uint32_t>(
        kernel(body, helper), [](unsigned i) { return 7 * i; },
        [way](unsigned i) { return i >= 100 ? ~0U
                                   : way    ? 14 * i + 896
                                            : 7 * i + 896; });
  }
}

TEST_CASE("narrow elements are loaded into wide lanes, with zeros above them", "[lower]") {
  for (const unsigned n : {1U, 8U, 64U, 100U, 128U}) {
    check<uint32_t>(
        kernel(fmt::format(R"(
    %v = pto.vmi.vload %x_i16[%c16] {{dist_mode = "unpack"}} : !pto.ptr<i16, ub> -> !pto.vmi.vreg<{0}xi32>
    pto.vmi.vstore %v, %y_i32[%c0] : !pto.vmi.vreg<{0}xi32>, !pto.ptr<i32, ub>)",
                           n)),
        [](unsigned i) { return 0xfffe0001U - 65535 * i; },
        [n](unsigned i) {
          const uint32_t word = 0xfffe0001U - 65535 * (8 + i / 2);
          return i >= n ? ~0U : i % 2 == 0 ? word & 0xffffU : word >> 16U;
        });
  }
}

TEST_CASE("lanes are selected out of several registers", "[lower]") {
  check<uint32_t>(
      kernel(R"(
    %top = arith.constant 199 : i32
    %down = pto.vmi.vci %top {order = "DESC"} : i32 -> !pto.vmi.vreg<200xi32>
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vmi.vreg<200xi32>
    %r = pto.vmi.vselr %v, %down : !pto.vmi.vreg<200xi32>, !pto.vmi.vreg<200xi32> -> !pto.vmi.vreg<200xi32>
    pto.vmi.vstore %r, %y_i32[%c0] : !pto.vmi.vreg<200xi32>, !pto.ptr<i32, ub>)"),
      [](unsigned i) { return i * i + 3; },
      [](unsigned i) { return i < 200 ? (199 - i) * (199 - i) + 3 : ~0U; });
}

TEST_CASE("lanes by turns where they fill no registers, and where nothing has to move", "[lower]") {
  for (const unsigned n : {16U, 64U, 256U}) {
    const std::string v = fmt::format("!pto.vmi.vreg<{}xi16>", n);
    const std::string m = fmt::format("!pto.vmi.mask<{}xpred>", n);
    const auto program = [&](std::string_view name) {
      return kernel(fmt::format(R"(
    %m = pto.vmi.pset "PAT_ALL" : {1}
    %u = pto.vmi.vload %x_i16[%c0] : !pto.ptr<i16, ub> -> {0}
    %v = pto.vmi.vload %x_i16[%c256] : !pto.ptr<i16, ub> -> {0}
    %lo, %hi = pto.vmi.{2} %u, %v, %m : {0}, {0}, {1} -> {0}, {0}
    pto.vmi.vstore %lo, %y_i16[%c0] : {0}, !pto.ptr<i16, ub>
    pto.vmi.vstore %hi, %y_i16[%c256] : {0}, !pto.ptr<i16, ub>)",
                                v, m, name));
    };
    const auto in = [](unsigned i) { return static_cast<uint16_t>(3 * i + 1); };
    const auto lanes = [n](unsigned i) { return i < 512 && i % 256 < n; };
    check<uint16_t>(program("vintlv"), in, [&](unsigned i) {
      const unsigned at = i / 256 * n + i % 256;
      return static_cast<uint16_t>(lanes(i) ? 3 * (at % 2 * 256 + at / 2) + 1 : 0xffff);
    });
    check<uint16_t>(program("vdintlv"), in, [&](unsigned i) {
      const unsigned at = 2 * (i % 256) + i / 256;
      return static_cast<uint16_t>(lanes(i) ? 3 * (at / n * 256 + at % n) + 1 : 0xffff);
    });
  }
}

TEST_CASE("registers of a value, and a value of registers, as its type says", "[lower]") {
  const std::string apart = "!pto.vmi.vreg<128xf32, #pto.vmi.layout<deinterleaved = 2>>";
  check<float>(
      kernel(fmt::format(R"(
    %v = pto.vmi.load %x_f32[%c0] : !pto.ptr<f32, ub> -> {0}
    %e, %o = "pto.vmi.unpack"(%v) : ({0}) -> (!pto.vreg<64xf32>, !pto.vreg<64xf32>)
    %w = "pto.vmi.pack"(%o, %e) : (!pto.vreg<64xf32>, !pto.vreg<64xf32>) -> {0}
    pto.vmi.store %w, %y_f32[%c0] : {0}, !pto.ptr<f32, ub>)",
                         apart)),
      [](unsigned i) { return static_cast<float>(i); },
      [](unsigned i) { return i < 128 ? static_cast<float>(i ^ 1U) : -1.0F; });
}

TEST_CASE("what cannot be lowered is named, and runs on lanes", "[lower]") {
  const std::string text = kernel(R"(
    %all = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<128xpred>
    %v = pto.vmi.vload %x_f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    %s = pto.vmi.vadd %v, %v, %all {pmode = "merge"} : !pto.vmi.vreg<128xf32>, !pto.vmi.vreg<128xf32>, !pto.vmi.mask<128xpred> -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %s, %y_f32[%c0] : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>)");
  for (const Vectors vectors : {Vectors::lowered, Vectors::all_lowered}) {
    PrepareOptions options;
    options.vectors = vectors;
    const Result<Prepared> prepared = prepare(text, options);
    REQUIRE(prepared.ok());
    REQUIRE(prepared->diagnostics.all().size() == 1);
    const Diagnostic& said = prepared->diagnostics.all()[0];
    CHECK(said.message.find("pto.vmi.vadd") != std::string::npos);
    CHECK(said.unsupported == (vectors == Vectors::all_lowered));
    CHECK(prepared->ready == (vectors == Vectors::lowered));
  }
}

}  // namespace
}  // namespace pto::test
