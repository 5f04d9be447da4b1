// Logical vectors that go lane by lane where they are lowered: by index, by the lanes in front, from lists.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "test/lower/lowering_fixture.hpp"

namespace pto::test {
namespace {

std::string v(unsigned n, std::string_view type) { return fmt::format("!pto.vmi.vreg<{}x{}>", n, type); }
std::string m(unsigned n) { return fmt::format("!pto.vmi.mask<{}xpred>", n); }

TEST_CASE("bf16 is reduced by way of f32", "[lower]") {
  // A small integer is a bf16.
  const auto number = [](unsigned i) {
    return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(i * 7 % 5)) >> 16U);
  };
  for (const unsigned size : {8U, 16U, 64U, 128U}) {
    for (const bool sum : {false, true}) {
      const unsigned n = 8 * size;
      check<uint16_t>(
          kernel(fmt::format(R"(
    %m = pto.vmi.pset "PAT_ALL" : {1}
    %v = pto.vmi.vload %x_bf16[%c0] : !pto.ptr<bf16, ub> -> {0}
    %s = pto.vmi.{2} : {0}, {1} -> !pto.vmi.vreg<8xbf16>
    pto.vmi.vstore %s, %y_bf16[%c0] : !pto.vmi.vreg<8xbf16>, !pto.ptr<bf16, ub>)",
                             v(n, "bf16"), m(n),
                             sum ? "vcadd %v, %m {group = 8, reassoc}" : "vcmax %v, %m {group = 8}")),
          number, [&](unsigned i) {
            if (i >= 8) return static_cast<uint16_t>(0xffff);
            unsigned all = 0;
            for (unsigned j = i * size; j < (i + 1) * size; ++j)
              all = sum ? all + j * 7 % 5 : std::max(all, j * 7 % 5);
            return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(all)) >> 16U);
          });
    }
  }
}

TEST_CASE("active lanes of several registers come together, and are counted", "[lower]") {
  for (const auto& [type, n] : {std::pair{"i32", 64U}, {"i32", 200U}, {"i16", 256U}, {"i8", 512U}}) {
    const bool bytes = std::string_view(type) == "i8";
    const std::string element = type;
    const auto kept = [](unsigned i) { return (i * i + i / 3) % 7 < 3; };
    const auto program = kernel(fmt::format(R"(
    %all = pto.vmi.pset "PAT_ALL" : {1}
    %v = pto.vmi.vload %x_{3}[%c0] : !pto.ptr<{2}, ub> -> {0}
    %few = arith.constant 127 : {4}
    %m = pto.vmi.vcmps %v, %few, %all {{cmp = "le"}} : {0}, {4}, {1} -> {1}
    %c = "pto.vmi.compress"(%v, %m) : ({0}, {1}) -> {0}
    pto.vmi.vstore %c, %y_{3}[%c0] : {0}, !pto.ptr<{2}, ub>)",
                                            v(n, element), m(n), element, type, type));
    const auto in = [&](unsigned i) -> unsigned { return kept(i) ? i % 128 : 128 + i % 100; };
    std::vector<unsigned> wanted;
    for (unsigned i = 0; i < n; ++i)
      if (in(i) < 128) wanted.push_back(in(i));
    wanted.resize(n);
    const auto expected = [&, count = n](unsigned i) { return i < count ? wanted[i] : ~0U; };
    if (bytes)
      check<uint8_t>(
          program, [&](unsigned i) { return static_cast<uint8_t>(in(i)); },
          [&](unsigned i) { return static_cast<uint8_t>(expected(i)); });
    else if (element == "i16")
      check<uint16_t>(
          program, [&](unsigned i) { return static_cast<uint16_t>(in(i)); },
          [&](unsigned i) { return static_cast<uint16_t>(expected(i)); });
    else
      check<uint32_t>(program, in, expected);
  }
}

TEST_CASE("active lanes below a lane, over several registers", "[lower]") {
  check<uint32_t>(
      kernel(fmt::format(R"(
    %all = pto.vmi.pset "PAT_ALL" : {1}
    %few = arith.constant 3 : i32
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    %m = pto.vmi.vcmps %v, %few, %all {{cmp = "lt"}} : {0}, i32, {1} -> {1}
    %n = "pto.vmi.active_prefix_index"(%m) : ({1}) -> {0}
    pto.vmi.vstore %n, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>)",
                         v(200, "i32"), m(200))),
      [](unsigned i) { return i * i % 7; },
      [](unsigned i) {
        unsigned below = 0;
        for (unsigned j = 0; j < i; ++j) below += j * j % 7 < 3 ? 1 : 0;
        return i < 200 ? below : ~0U;
      });
}

TEST_CASE("active lanes of several registers take elements one by one", "[lower]") {
  check<uint32_t>(
      kernel(fmt::format(R"(
    %all = pto.vmi.pset "PAT_ALL" : {1}
    %few = arith.constant 1000 : i32
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    %m = pto.vmi.vcmps %v, %few, %all {{cmp = "lt"}} : {0}, i32, {1} -> {1}
    %e = pto.vmi.expand_load %x_i32[%c256], %m, %v : !pto.ptr<i32, ub>, {1}, {0} -> {0}
    pto.vmi.vstore %e, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>)",
                         v(200, "i32"), m(200))),
      [](unsigned i) { return i % 3 == 0 ? i : 1000 + i; },
      [](unsigned i) {
        if (i >= 200) return ~0U;
        const unsigned from = 256 + (i + 2) / 3;
        return i % 3 != 0 ? 1000 + i : from % 3 == 0 ? from : 1000 + from;
      });
  check<uint8_t>(
      kernel(fmt::format(R"(
    %all = pto.vmi.pset "PAT_ALL" : {1}
    %few = arith.constant 3 : i8
    %v = pto.vmi.vload %x_i8[%c0] : !pto.ptr<i8, ub> -> {0}
    %m = pto.vmi.vcmps %v, %few, %all {{cmp = "lt"}} : {0}, i8, {1} -> {1}
    %e = pto.vmi.expand_load %x_i8[%c256], %m, %v : !pto.ptr<i8, ub>, {1}, {0} -> {0}
    pto.vmi.vstore %e, %y_i8[%c0] : {0}, !pto.ptr<i8, ub>)",
                         v(200, "i8"), m(200))),
      [](unsigned i) { return static_cast<uint8_t>(i < 256 ? i % 5 : i % 251); },
      [](unsigned i) {
        if (i >= 200) return static_cast<uint8_t>(0xff);
        return static_cast<uint8_t>(i % 5 < 3 ? (256 + i / 5 * 3 + i % 5) % 251 : i % 5);
      });
}

TEST_CASE("blocks under a mask, and of more than one register", "[lower]") {
  struct Case {
    const char *name, *type;
    unsigned width, lanes, active;
  };
  for (const Case& c :
       {Case{"f32", "f32", 4, 64, 64}, Case{"f32", "f32", 4, 64, 13}, Case{"f32", "f32", 4, 160, 160},
        Case{"i16", "i16", 2, 128, 50}, Case{"u8", "ui8", 1, 96, 70}, Case{"u8", "ui8", 1, 512, 301}}) {
    CAPTURE(c.name, c.lanes, c.active);
    const unsigned block = 32 / c.width;
    const std::string text = kernel(fmt::format(R"(
    %n = arith.constant {3} : index
    %two = arith.constant 2 : i16
    %three = arith.constant 3 : i16
    %behind = arith.constant 1 : i16
    %m = pto.vmi.create_mask %n : index -> {1}
    %v = pto.vmi.stride_load %x_{4}[%c0], %three, %behind, %m : !pto.ptr<{2}, ub>, i16, i16, {1} -> {0}
    pto.vmi.vstore %v, %y_{4}[%c0], %two, %behind, %m : {0}, !pto.ptr<{2}, ub>, {1})",
                                                v(c.lanes, c.type), m(c.lanes), c.type, c.active, c.name));
    // Lane l: block l / block, behind one block; 3 apart in memory, 2 apart where it goes.
    const auto source = [&](unsigned at) -> int {
      const unsigned b = at / block;
      if (b == 0 || (b - 1) % 2 != 0) return -1;
      const unsigned lane = (b - 1) / 2 * block + at % block;
      return lane < c.active ? static_cast<int>((1 + lane / block * 3) * block + lane % block) : -1;
    };
    if (c.width == 4)
      check<float>(
          text, [](unsigned i) { return static_cast<float>(i); },
          [&](unsigned i) { return static_cast<float>(source(i)); });
    else if (c.width == 2)
      check<uint16_t>(
          text, [](unsigned i) { return static_cast<uint16_t>(i); },
          [&](unsigned i) { return static_cast<uint16_t>(source(i)); });
    else
      check<uint8_t>(
          text, [](unsigned i) { return static_cast<uint8_t>(i / 3 + i); },
          [&](unsigned i) {
            const int from = source(i);
            return static_cast<uint8_t>(from < 0 ? 0xff : from / 3 + from);
          });
  }
}

TEST_CASE("elements that begin at any byte", "[lower]") {
  const auto byte = [](unsigned i) { return (i * 37 + i / 256 * 11) % 256; };
  check<uint32_t>(
      kernel(fmt::format(R"(
    %n = arith.constant 90 : index
    %m = pto.vmi.create_mask %n : index -> {1}
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %i = pto.vmi.vci %zero : i32 -> {0}
    %at = pto.vmi.vmuls %i, %five, %m : {0}, i32, {1} -> {0}
    %v = pto.vmi.vgatherb %x_i32, %at, %m : !pto.ptr<i32, ub>, {0}, {1} -> {0}
    pto.vmi.vstore %v, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>)",
                         v(100, "i32"), m(100))),
      [&](unsigned i) {
        return byte(4 * i) | byte(4 * i + 1) << 8U | byte(4 * i + 2) << 16U | byte(4 * i + 3) << 24U;
      },
      [&](unsigned i) {
        if (i >= 90) return i < 100 ? 0 : ~0U;
        return byte(5 * i) | byte(5 * i + 1) << 8U | byte(5 * i + 2) << 16U | byte(5 * i + 3) << 24U;
      });
  check<uint16_t>(
      kernel(fmt::format(R"(
    %m = pto.vmi.pset "PAT_ALL" : {1}
    %three = arith.constant 3 : i16
    %zero = arith.constant 1 : i16
    %i = pto.vmi.vci %zero : i16 -> {2}
    %at = pto.vmi.vmuls %i, %three, %m : {2}, i16, {1} -> {2}
    %v = pto.vmi.vgatherb %x_u16, %at, %m : !pto.ptr<ui16, ub>, {2}, {1} -> {0}
    pto.vmi.vstore %v, %y_u16[%c0] : {0}, !pto.ptr<ui16, ub>)",
                         v(128, "ui16"), m(128), v(128, "i16"))),
      [&](unsigned i) { return static_cast<uint16_t>(byte(2 * i) | byte(2 * i + 1) << 8U); },
      [&](unsigned i) {
        const unsigned at = 3 * (i + 1);
        return static_cast<uint16_t>(i < 128 ? byte(at) | byte(at + 1) << 8U : 0xffff);
      });
}

TEST_CASE("constants, masks and permutations without a rule", "[lower]") {
  std::string numbers, lanes, from;
  const auto number = [](unsigned i) { return (i * i * 3 + 5) % 23; };
  const auto other = [](unsigned i) { return (i * i + i / 5) % 100; };
  for (unsigned i = 0; i < 100; ++i) {
    numbers += fmt::format("{}{}", i == 0 ? "" : ", ", number(i));
    lanes += fmt::format("{}{}", i == 0 ? "" : ", ", number(i) % 3 == 0);
    from += fmt::format("{}{}", i == 0 ? "" : ", ", other(i));
  }
  check<uint32_t>(
      kernel(fmt::format(R"(
    %c = "pto.vmi.constant"() {{value = dense<[{2}]> : tensor<100xi32>}} : () -> {0}
    %m = "pto.vmi.constant_mask"() {{value = dense<[{3}]> : tensor<100xi1>}} : () -> {1}
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    %p = "pto.vmi.shuffle"(%v) {{indices = [{4}]}} : ({0}) -> {0}
    %s = pto.vmi.vsel %m, %c, %p : {1}, {0}, {0} -> {0}
    pto.vmi.vstore %s, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>)",
                         v(100, "i32"), m(100), numbers, lanes, from)),
      [](unsigned i) { return 1000 + i; },
      [&](unsigned i) {
        if (i >= 100) return ~0U;
        return number(i) % 3 == 0 ? number(i) : 1000 + other(i);
      });
}

TEST_CASE("lanes of groups go to narrower elements, wherever these stand", "[lower]") {
  for (const unsigned stride : {1U, 3U})
    check<uint8_t>(
        kernel(fmt::format(R"(
    %five = arith.constant 5 : index
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    pto.vmi.vstore %v, %y_u8[%five], %c{1} {{group = 100}} : {0}, !pto.ptr<ui8, ub>)",
                           v(100, "i32"), stride)),
        [](unsigned i) { return static_cast<uint8_t>(i * 7 + i / 256); },
        [&](unsigned i) {
          const unsigned lane = (i - 5) / stride;
          const unsigned at = 4 * lane;
          const bool stored = i >= 5 && (i - 5) % stride == 0 && lane < 100;
          return static_cast<uint8_t>(stored ? at * 7 + at / 256 : 0xff);
        });
}

TEST_CASE("registers of lanes with gaps between them", "[lower]") {
  const std::string gaps = "!pto.vmi.vreg<64xf32, #pto.vmi.layout<contiguous, lane_stride = 4>>";
  const std::string four = "!pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.vreg<64xf32>";
  check<float>(
      kernel(fmt::format(R"(
    %v = pto.vmi.load %x_f32[%c0] : !pto.ptr<f32, ub> -> {0}
    %r0, %r1, %r2, %r3 = "pto.vmi.unpack"(%v) : ({0}) -> ({1})
    %w = "pto.vmi.pack"(%r3, %r2, %r1, %r0) : ({1}) -> {0}
    pto.vmi.store %w, %y_f32[%c0] : {0}, !pto.ptr<f32, ub>)",
                         gaps, four)),
      [](unsigned i) { return static_cast<float>(i); },
      [](unsigned i) { return i < 64 ? static_cast<float>(48 - i / 16 * 16 + i % 16) : -1.0F; });
}

TEST_CASE("vectors outside of scopes get one wherever they stand", "[lower]") {
  std::string text = kernel(fmt::format(R"(
    %unit = arith.constant 1 : i32
    %all = pto.vmi.pset "PAT_ALL" : {1}
    %s = pto.vmi.vbrc %unit : i32 -> {0}
    %v = pto.vmi.vload %x_i32[%c0] : !pto.ptr<i32, ub> -> {0}
    %w = pto.vmi.vadd %v, %s, %all : {0}, {0}, {1} -> {0}
    pto.vmi.vstore %w, %y_i32[%c0] : {0}, !pto.ptr<i32, ub>
    pto.set_flag["PIPE_V", "PIPE_MTE2", "EVENT_ID1"]
    pto.wait_flag["PIPE_V", "PIPE_MTE2", "EVENT_ID1"]
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
    %u = pto.vmi.vload %x_i32[%c128] : !pto.ptr<i32, ub> -> {0}
    %t = pto.vmi.vbrc %unit : i32 -> {0}
    %r = pto.vmi.vadd %u, %t : {0}, {0} -> {0}
    pto.vmi.vstore %r, %y_i32[%c128] : {0}, !pto.ptr<i32, ub>)",
                                        v(100, "i32"), m(100)));
  const std::string scope = "pto.vecscope {";
  const size_t begin = text.find(scope);
  const size_t end = text.find("    }\n", begin);
  text.erase(end, 6).erase(begin, scope.size());
  const Prepared made = check<uint32_t>(
      text, [](unsigned i) { return i; }, [](unsigned i) { return i % 128 < 100 && i < 256 ? i + 1 : ~0U; });
  CHECK(count(made, "pto.vecscope") == 2);
}

}  // namespace
}  // namespace pto::test
