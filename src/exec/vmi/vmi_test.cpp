// Logical vectors: values of any number of lanes against expectations computed here, lane by lane.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "exec/vmi/vmi_fixture.hpp"

namespace pto::exec::test {
namespace {

Arg floats(unsigned count, const std::function<float(unsigned)>& f) {
  return lanes(Elem::f32, count, [&](unsigned i) { return std::bit_cast<uint32_t>(f(i)); });
}
Arg all(unsigned count) {
  return mask(count, [](unsigned) { return true; });
}

/// Lanes 0 to count - 1 of result `r`, and nothing but zeros behind them.
void check_lanes(const MicroBench& b, unsigned count, const std::function<uint64_t(unsigned)>& expected,
                 size_t r = 0) {
  const Arg result = b.result(r);
  const unsigned width = byte_width(result.type.elem);
  const auto whole = static_cast<unsigned>(result.words.size() * sizeof(Word) / width);
  for (unsigned i = 0; i < whole; ++i) {
    INFO("lane " << i);
    CHECK(b.lane(i, r) == (i < count ? expected(i) : 0));
  }
}

TEST_CASE("logical vectors take whole registers, masks a bit per lane", "[vmi][M-vmi-lanes]") {
  CHECK(words_of(vector_of(Elem::f32, 1)) == 32);
  CHECK(words_of(vector_of(Elem::f32, 64)) == 32);
  CHECK(words_of(vector_of(Elem::f32, 65)) == 64);
  CHECK(words_of(vector_of(Elem::i8, 1024)) == 128);
  CHECK(words_of(mask_of(1)) == 1);
  CHECK(words_of(mask_of(65)) == 2);
}

TEST_CASE("arithmetic on lanes that fill no register, with and without a mask", "[vmi][M-vmi-inactive]") {
  for (const unsigned n : {1U, 63U, 100U, 200U}) {
    MicroBench b;
    const Arg x = floats(n, [](unsigned i) { return 1.5F * static_cast<float>(i); });
    const Arg y = floats(n, [](unsigned i) { return 0.25F - static_cast<float>(i); });
    const auto sum = [](unsigned i) {
      return uint64_t{
          std::bit_cast<uint32_t>(1.5F * static_cast<float>(i) + (0.25F - static_cast<float>(i)))};
    };
    b.run("pto.vmi.vadd", {{x}, {y}, {}}, {x.type});
    check_lanes(b, n, sum);
    b.run("pto.vmi.vadd", {{x}, {y}, {mask(n, [](unsigned i) { return i % 3 == 0; })}}, {x.type});
    check_lanes(b, n, [&](unsigned i) { return i % 3 == 0 ? sum(i) : 0; });
    CHECK(b.faults.empty());
  }
}

TEST_CASE("integers without a sign are unsigned", "[vmi][M-vmi-sign]") {
  MicroBench b;
  const auto run = [&](const char* name, Elem elem) {
    const Arg x = lanes(elem, 2, [](unsigned) { return 0xf0; });
    const Arg y = lanes(elem, 2, [](unsigned) { return 2; });
    b.run(name, {{x}, {y}, {}}, {x.type});
    return b.lane(0);
  };
  CHECK(run("pto.vmi.vmax", Elem::i8) == 0xf0);
  CHECK(run("pto.vmi.vmax", Elem::ui8) == 0xf0);
  CHECK(run("pto.vmi.vmax", Elem::si8) == 2);
  CHECK(run("pto.vmi.vshr", Elem::i8) == 0x3c);
  CHECK(run("pto.vmi.vshr", Elem::si8) == 0xfc);
  CHECK(run("pto.vmi.vadd", Elem::i8) == 0xf2);
}

TEST_CASE("the product of i32 is signed, that of ui32 unsigned", "[vmi][M-vmi-product]") {
  for (const bool is_signed : {true, false}) {
    MicroBench b;
    const Elem elem = is_signed ? Elem::i32 : Elem::ui32;
    const Arg x = lanes(elem, 128, [](unsigned i) { return 0xffffffffU - i; });
    const Arg y = lanes(elem, 128, [](unsigned i) { return 3 + i; });
    b.run("pto.vmi.vmull", {{x}, {y}, {mask(128, [](unsigned i) { return i != 70; })}}, {x.type, x.type});
    const auto product = [&](unsigned i) -> uint64_t {
      if (i == 70) return 0;
      const int64_t a = is_signed ? -1 - static_cast<int64_t>(i) : static_cast<int64_t>(0xffffffffU - i);
      return static_cast<uint64_t>(a * (3 + static_cast<int64_t>(i)));
    };
    check_lanes(
        b, 128, [&](unsigned i) { return product(i) & 0xffffffffU; }, 0);
    check_lanes(
        b, 128, [&](unsigned i) { return product(i) >> 32; }, 1);
  }
}

TEST_CASE("comparisons: signs, NaN, lanes beyond a register", "[vmi][M-vmi-nan]") {
  MicroBench b;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Arg x = floats(130, [&](unsigned i) { return i == 129 ? nan : static_cast<float>(i); });
  const Arg y = floats(130, [](unsigned) { return 65.0F; });
  const auto run = [&](const char* how, const Arg& seed) {
    b.run("pto.vmi.vcmp", {{x}, {y}, {seed}}, {mask_of(130)}, {{"cmp", how}});
  };
  run("lt", all(130));
  for (unsigned i = 0; i < 130; ++i) CHECK(b.bit(i) == (i < 65));
  run("ge", mask(130, [](unsigned i) { return i % 2 == 1; }));
  for (unsigned i = 0; i < 130; ++i) CHECK(b.bit(i) == (i >= 65 && i % 2 == 1 && i != 129));
  run("ne", all(130));
  CHECK((b.bit(129) && b.bit(64) && !b.bit(65)));
  run("one", all(130));
  CHECK((!b.bit(129) && b.bit(64) && !b.bit(65)));

  const Arg bytes = lanes(Elem::i8, 3, [](unsigned i) { return i * 100; });  // 0, 100, 200 or -56
  const Arg limit = lanes(Elem::i8, 3, [](unsigned) { return 50; });
  b.run("pto.vmi.cmpi", {{bytes}, {limit}}, {mask_of(3)}, {{"predicate", "slt"}});
  CHECK(b.word() == 0b101);
  b.run("pto.vmi.cmpi", {{bytes}, {limit}}, {mask_of(3)}, {{"predicate", "ult"}});
  CHECK(b.word() == 0b001);
}

TEST_CASE("selection, with the mask in front", "[vmi]") {
  MicroBench b;
  const Arg x = lanes(Elem::i16, 150, [](unsigned i) { return i; });
  const Arg y = lanes(Elem::i16, 150, [](unsigned i) { return 1000 + i; });
  b.run("pto.vmi.vsel", {{mask(150, [](unsigned i) { return i % 7 < 3; })}, {x}, {y}}, {x.type},
        {{"pmode", "merge"}});
  check_lanes(b, 150, [](unsigned i) { return i % 7 < 3 ? i : 1000 + i; });
  CHECK(b.faults.empty());
}

TEST_CASE("merging has nothing to merge with", "[vmi]") {
  MicroBench b;
  const Arg x = floats(8, [](unsigned) { return 1.0F; });
  b.run("pto.vmi.vadd", {{x}, {x}, {all(8)}}, {x.type}, {{"pmode", "merge"}});
  REQUIRE(b.faults.size() == 1);
  CHECK(b.faults[0].starts_with("pmode \"merge\""));
}

TEST_CASE("masks: logic leaves no bits behind the lanes", "[vmi]") {
  MicroBench b;
  const Arg x = mask(70, [](unsigned i) { return i % 2 == 0; });
  b.run("pto.vmi.mask_not", {{x}}, {x.type});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.bit(i) == (i < 70 && i % 2 == 1));
  b.run("pto.vmi.vxor", {{x}, {all(70)}, {}}, {x.type});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.bit(i) == (i < 70 && i % 2 == 1));
}

TEST_CASE("masks by count", "[vmi]") {
  MicroBench b;
  const auto count = [&](int64_t n) {
    b.run("pto.vmi.create_mask", {{index(n)}}, {mask_of(100)});
    return std::popcount(b.word(0)) + std::popcount(b.result(0).words[1]);
  };
  CHECK(count(-5) == 0);
  CHECK(count(0) == 0);
  CHECK(count(65) == 65);
  CHECK(count(1000) == 100);
  b.run("pto.vmi.create_group_mask", {{index(3)}}, {mask_of(32)}, {{"num_groups", "4"}, {"group_size", "8"}});
  CHECK(b.word() == 0x07070707);
  const auto left = [&](int32_t n) {
    b.run("pto.vmi.plt", {{MicroBench::scalar(Elem::i32, static_cast<Word>(static_cast<int64_t>(n)))}},
          {mask_of(64), scalar_type(Elem::i32)});
    return static_cast<int64_t>(b.word(1));
  };
  CHECK(left(100) == 36);
  CHECK(left(64) == 0);
  CHECK(left(-7) == 0);
  CHECK(b.word(0) == 0);
}

TEST_CASE("counting, from the start again in every group", "[vmi]") {
  MicroBench b;
  b.run("pto.vmi.vci", {{MicroBench::scalar(Elem::i8, 250)}}, {vector_of(Elem::ui8, 300)});
  check_lanes(b, 300, [](unsigned i) { return (250 + i) & 0xff; });
  b.run("pto.vmi.vci", {{MicroBench::f32(0.5F)}}, {vector_of(Elem::f32, 96)},
        {{"group", "4"}, {"order", "DESC"}});
  check_lanes(
      b, 96, [](unsigned i) { return uint64_t{std::bit_cast<uint32_t>(0.5F - static_cast<float>(i % 24))}; });
}

TEST_CASE("broadcasts of a scalar, a lane, and a lane of each group", "[vmi]") {
  MicroBench b;
  b.run("pto.vmi.vbrc", {{MicroBench::scalar(Elem::i16, 0xfffe)}}, {vector_of(Elem::i16, 130)});
  check_lanes(b, 130, [](unsigned) { return 0xfffe; });
  const Arg four = lanes(Elem::i32, 4, [](unsigned i) { return 7 * i + 1; });
  b.run("pto.vmi.vbrc", {{four}}, {vector_of(Elem::i32, 96)}, {{"group", "4"}});
  check_lanes(b, 96, [](unsigned i) { return 7 * (i / 24) + 1; });
}

TEST_CASE("conversions keep the lanes where they are", "[vmi][M-vmi-convert]") {
  MicroBench b;
  // f16 of 1024 + i is exact
  const Arg halves = lanes(Elem::f16, 150, [](unsigned i) { return 0x6400 + i; });
  b.run("pto.vmi.vcvt", {{halves}}, {vector_of(Elem::f32, 150)});
  check_lanes(b, 150,
              [](unsigned i) { return uint64_t{std::bit_cast<uint32_t>(1024.0F + static_cast<float>(i))}; });
  b.run("pto.vmi.vcvt", {{b.result()}}, {halves.type}, {{"saturate", "SAT"}});
  check_lanes(b, 150, [](unsigned i) { return 0x6400 + i; });

  const Arg words =
      lanes(Elem::si32, 70, [](unsigned i) { return static_cast<uint32_t>(100 - 7 * static_cast<int>(i)); });
  b.run("pto.vmi.vcvt", {{words}}, {vector_of(Elem::si8, 70)}, {{"saturate", "NOSAT"}});
  check_lanes(b, 70, [](unsigned i) { return static_cast<uint8_t>(100 - 7 * static_cast<int>(i)); });

  const Arg bytes = lanes(Elem::i8, 65, [](unsigned i) { return 190 + i; });
  b.run("pto.vmi.vcvt", {{bytes}}, {vector_of(Elem::ui32, 65)});
  check_lanes(b, 65, [](unsigned i) { return 190 + i; });
  const Arg small = lanes(Elem::si8, 65, [](unsigned i) { return 190 + i; });
  b.run("pto.vmi.vcvt", {{small}}, {vector_of(Elem::si32, 65)});
  check_lanes(b, 65,
              [](unsigned i) { return uint64_t{static_cast<uint32_t>(static_cast<int8_t>(190 + i))}; });
  CHECK(b.faults.empty());
}

TEST_CASE("rounding letters; a tie goes where they say", "[vmi][M-vmi-convert]") {
  MicroBench b;
  const Arg ties = floats(4, [](unsigned i) { return std::array{2.5F, -2.5F, 3.5F, 0.5F}[i]; });
  const auto run = [&](const char* letter) {
    b.run("pto.vmi.vcvt", {{ties}}, {vector_of(Elem::si32, 4)}, {{"rounding", letter}, {"saturate", "SAT"}});
    std::array<int, 4> out;
    for (unsigned i = 0; i < 4; ++i) out[i] = static_cast<int32_t>(b.lane(i));
    return out;
  };
  CHECK(run("R") == std::array{2, -2, 4, 0});
  CHECK(run("A") == std::array{3, -3, 4, 1});
  CHECK(run("Z") == std::array{2, -2, 3, 0});
  CHECK(run("F") == std::array{2, -3, 3, 0});
  CHECK(run("C") == std::array{3, -2, 4, 1});
}

TEST_CASE("hybrid rounding of logical lanes", "[vmi][M-vmi-refused]") {
  MicroBench b;
  b.run("pto.vmi.vcvt", {{floats(8, [](unsigned) { return 1.0F; })}}, {vector_of(Elem::hif8, 8)},
        {{"rounding", "H"}, {"saturate", "SAT"}});
  CHECK(b.faults.size() == 1);
}

TEST_CASE("reductions of all lanes and of groups; inactive lanes are neutral", "[vmi][M-vmi-order]") {
  MicroBench b;
  const Arg x = lanes(Elem::si32, 320, [](unsigned i) { return static_cast<uint32_t>(i * i) - 5000U; });
  const auto value = [](unsigned i) { return static_cast<int32_t>(i * i) - 5000; };
  const auto active = [](unsigned i) { return i % 5 != 2 && i / 40 != 3; };
  const Arg some = mask(320, active);
  const auto group_of = [&](unsigned g, unsigned size, int32_t neutral, auto&& both) {
    int32_t out = neutral;
    for (unsigned i = g * size; i < (g + 1) * size; ++i)
      if (active(i)) out = both(out, value(i));
    return uint64_t{static_cast<uint32_t>(out)};
  };
  const auto add = [](int32_t a, int32_t c) { return a + c; };
  const auto max = [](int32_t a, int32_t c) { return std::max(a, c); };
  const auto min = [](int32_t a, int32_t c) { return std::min(a, c); };
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  b.run("pto.vmi.vcadd", {{x}, {some}}, {vector_of(Elem::si32, 1)});
  check_lanes(b, 1, [&](unsigned g) { return group_of(g, 320, 0, add); });
  b.run("pto.vmi.vcadd", {{x}, {some}}, {vector_of(Elem::si32, 8)}, {{"group", "8"}});
  check_lanes(b, 8, [&](unsigned g) { return group_of(g, 40, 0, add); });
  b.run("pto.vmi.vcmax", {{x}, {some}}, {vector_of(Elem::si32, 8)}, {{"group", "8"}});
  check_lanes(b, 8, [&](unsigned g) { return group_of(g, 40, kMin, max); });
  b.run("pto.vmi.vcmin", {{x}, {some}}, {vector_of(Elem::si32, 5)}, {{"group", "5"}});
  check_lanes(b, 5, [&](unsigned g) { return group_of(g, 64, kMax, min); });
  const Arg bytes = lanes(Elem::ui8, 200, [](unsigned) { return 3; });
  b.run("pto.vmi.group_reduce_addi", {{bytes}, {all(200)}}, {vector_of(Elem::ui8, 2)}, {{"num_groups", "2"}});
  check_lanes(b, 2, [](unsigned) { return 300 & 0xff; });
}

TEST_CASE("sums of floats: registers first, then neighbours, rounded at every node", "[vmi][M-vmi-order]") {
  MicroBench b;
  const auto value = [](unsigned i) {
    return std::ldexp(1.0F + static_cast<float>(i) / 97.0F, static_cast<int>(i % 23) - 11);
  };
  b.run("pto.vmi.vcadd", {{floats(128, value)}, {all(128)}}, {vector_of(Elem::f32, 1)}, {{"reassoc", ""}});
  std::vector<float> sums(64);
  for (unsigned i = 0; i < 64; ++i) sums[i] = value(i) + value(64 + i);
  for (unsigned n = 64; n > 1; n /= 2)
    for (unsigned i = 0; i < n / 2; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
  CHECK(b.lane_f32(0) == sums[0]);
  // f16: 2048 + 1 rounds back to 2048 when 1 is added alone, and not when the ones meet first
  const Arg halves = lanes(Elem::f16, 4, [](unsigned i) { return i == 0 ? 0x6800 : i == 1 ? 0 : 0x3c00; });
  b.run("pto.vmi.vcadd", {{halves}, {all(4)}}, {vector_of(Elem::f16, 1)}, {{"reassoc", ""}});
  CHECK(b.lane(0) == 0x6801);  // 2050
  const float inf = std::numeric_limits<float>::infinity();
  b.run("pto.vmi.vcmax",
        {{floats(3, [](unsigned) { return 1.0F; })}, {mask(3, [](unsigned) { return false; })}},
        {vector_of(Elem::f32, 1)});
  CHECK(b.lane_f32(0) == -inf);
}

TEST_CASE("permutations over more than a register", "[vmi][M-vmi-index]") {
  MicroBench b;
  const Arg x = lanes(Elem::i32, 100, [](unsigned i) { return i; });
  const Arg y = lanes(Elem::i32, 100, [](unsigned i) { return 1000 + i; });
  const auto turns = [](unsigned i) { return i % 2 * 1000 + i / 2; };
  b.run("pto.vmi.vintlv", {{x}, {y}, {all(100)}}, {x.type, x.type});
  check_lanes(b, 100, turns, 0);
  check_lanes(
      b, 100, [&](unsigned i) { return turns(100 + i); }, 1);
  const Arg low = b.result(0);
  const Arg high = b.result(1);
  b.run("pto.vmi.vdintlv", {{low}, {high}, {all(100)}}, {x.type, x.type});
  check_lanes(
      b, 100, [](unsigned i) { return i; }, 0);
  check_lanes(
      b, 100, [](unsigned i) { return 1000 + i; }, 1);
  b.run("pto.vmi.channel_split", {{x}}, std::vector<Type>(4, vector_of(Elem::i32, 25)));
  for (unsigned c = 0; c < 4; ++c)
    check_lanes(
        b, 25, [&](unsigned i) { return 4 * i + c; }, c);
  const std::vector<Arg> parts{b.result(0), b.result(1), b.result(2), b.result(3)};
  b.run("pto.vmi.channel_merge", {parts}, {x.type});
  check_lanes(b, 100, [](unsigned i) { return i; });
  const Arg back = lanes(Elem::i32, 100, [](unsigned i) { return 99 - i; });
  b.run("pto.vmi.vselr", {{x}, {back}}, {x.type});
  check_lanes(b, 100, [](unsigned i) { return 99 - i; });
  const Arg beyond = lanes(Elem::i32, 100, [](unsigned i) { return i + 250; });
  b.run("pto.vmi.vselr", {{x}, {beyond}}, {x.type});
  check_lanes(b, 100, [](unsigned i) { return (i + 250) % 100; });
}

TEST_CASE("active lanes moved together, and counted", "[vmi]") {
  MicroBench b;
  const Arg x = lanes(Elem::i16, 200, [](unsigned i) { return i + 1; });
  const Arg some = mask(200, [](unsigned i) { return i % 4 == 1; });
  b.run("pto.vmi.compress", {{x}, {some}}, {x.type});
  check_lanes(b, 200, [](unsigned i) { return i < 50 ? 4 * i + 2 : 0; });
  b.run("pto.vmi.active_prefix_index", {{some}}, {x.type});
  check_lanes(b, 200, [](unsigned i) { return (i + 2) / 4; });
}

TEST_CASE("histograms over several registers", "[vmi]") {
  MicroBench b;
  const Arg acc = lanes(Elem::ui16, 256, [](unsigned i) { return 10 * i; });
  const Arg source = lanes(Elem::ui8, 300, [](unsigned i) { return i % 250; });
  const Arg some = mask(300, [](unsigned i) { return i != 3; });
  const auto count = [](unsigned bin) {
    return (bin < 250 ? 1U : 0U) + (bin < 50 ? 1U : 0U) - (bin == 3 ? 1U : 0U);
  };
  b.run("pto.vmi.vdhist", {{acc}, {source}, {some}}, {acc.type});
  check_lanes(b, 256, [&](unsigned i) { return 10 * i + count(i); });
  b.run("pto.vmi.vchist", {{acc}, {source}, {some}}, {acc.type});
  check_lanes(b, 256, [&](unsigned i) {
    unsigned sum = 0;
    for (unsigned bin = 0; bin <= i; ++bin) sum += count(bin);
    return 10 * i + sum;
  });
}

TEST_CASE("registers of a laid-out value, and back", "[vmi][M-vmi-layout]") {
  MicroBench b;
  Arg x = lanes(Elem::f32, 100, [](unsigned i) { return i + 1; });
  x.type.text = "#pto.vmi.layout<deinterleaved = 2>";
  const Type part = MicroBench::vreg_type(Elem::f32);
  b.run("pto.vmi.unpack", {{x}}, {part, part});
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(b.lane(i, 0) == (i < 50 ? 2 * i + 1 : 0));
    CHECK(b.lane(i, 1) == (i < 50 ? 2 * i + 2 : 0));
  }
  const std::vector<Arg> parts{b.result(0), b.result(1)};
  b.run("pto.vmi.pack", {parts}, {x.type});
  check_lanes(b, 100, [](unsigned i) { return i + 1; });

  Arg some = mask(70, [](unsigned i) { return i % 3 == 0; });
  some.type.elem = Elem::i32;  // b32
  b.run("pto.vmi.unpack", {{some}}, {MicroBench::mask_type(4), MicroBench::mask_type(4)});
  for (unsigned i = 0; i < 128; ++i) CHECK(b.bit(i % 64 * 4, i / 64) == (i < 70 && i % 3 == 0));
  b.run("pto.vmi.unpack", {{x}}, {part});
  CHECK(b.faults.size() == 1);
}

}  // namespace
}  // namespace pto::exec::test
