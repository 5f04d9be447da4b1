// Histograms, extrema with their places, multiply-adds and fills of L1, against counts made here.
#include <cmath>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

using B = MicroBench;

TEST_CASE("Histograms count values, or values up to each", "[micro]") {
  B b;
  const auto source = [](unsigned i) { return static_cast<uint8_t>(i * i % 251); };
  const auto active = [](unsigned i) { return i % 3 != 1; };
  for (const int half : {0, 1}) {
    for (const bool cumulative : {false, true}) {
      b.run(cumulative ? "pto.chistv2" : "pto.dhistv2",
            {B::vreg(Elem::ui16, [](unsigned i) { return 65500 + i; }), B::vreg(Elem::ui8, source),
             B::mask(1, active), B::scalar(Elem::i32, static_cast<Word>(half))},
            {B::vreg_type(Elem::ui16)});
      for (unsigned bin = 0; bin < 128; ++bin) {
        unsigned count = 65500 + bin;
        for (unsigned i = 0; i < 256; ++i) {
          const unsigned value = source(i);
          const unsigned wanted = bin + (half == 1 ? 128 : 0);
          if (active(i)) count += cumulative ? value <= wanted : value == wanted;
        }
        CHECK(b.lane(bin) == static_cast<uint16_t>(count));
      }
    }
  }
}

TEST_CASE("Lanes by number, and moved up", "[micro][M-permute-index][M-permute-lanes]") {
  B b;
  const auto source = [](unsigned i) -> uint64_t { return 300 + i; };
  for (const char* name : {"pto.vselr", "pto.vperm"}) {
    b.run(name, {B::vreg(Elem::i16, source), B::vreg(Elem::ui16, [](unsigned i) { return 65535 - 3 * i; })},
          {B::vreg_type(Elem::i16)});
    for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == 300 + (65535 - 3 * i) % 128);
  }
  for (const unsigned amount : {0u, 5u, 63u, 64u, 1000u}) {
    b.run("pto.vshift", {B::vreg(Elem::i32, source), B::scalar(Elem::i16, amount)},
          {B::vreg_type(Elem::i32)});
    for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == (i < amount ? 0 : 300 + i - amount));
  }
}

TEST_CASE("Extrema of active lanes and all lanes that have them", "[micro]") {
  B b;
  const auto value = [](unsigned i) {
    return i == 9 || i == 40 ? 77.5F : i == 3 ? 99.0F : -static_cast<float>(i);
  };
  b.run("pto.vcbmax", {B::vreg_f32(value), B::mask(4, [](unsigned i) { return i != 3; })},
        {B::vreg_type(Elem::f32), B::mask_type(4)});
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(b.lane_f32(i) == (i == 0 ? 77.5F : 0.0F));
    CHECK(b.bit(i * 4, 1) == (i == 9 || i == 40));
  }
  b.run("pto.vcbmin",
        {B::vreg_f32([](unsigned i) { return i == 5   ? -0.0F
                                             : i == 6 ? 0.0F
                                                      : 1.0F; }), B::all(4)},
        {B::vreg_type(Elem::f32), B::mask_type(4)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.bit(i * 4, 1) == (i == 5 || i == 6));
  b.run("pto.vcbmin",
        {B::vreg(Elem::i8, [](unsigned i) { return i == 200 ? 0x80U : i; }),
         B::mask(1, [](unsigned) { return false; })},
        {B::vreg_type(Elem::i8), B::mask_type(1)});
  for (unsigned i = 0; i < 256; ++i) CHECK_FALSE(b.bit(i, 1));
  b.run("pto.vcbmin", {B::vreg(Elem::i8, [](unsigned i) { return i == 200 ? 0x80U : i % 100; }), B::all(1)},
        {B::vreg_type(Elem::i8), B::mask_type(1)});
  CHECK(b.lane(0) == 0x80);
  for (unsigned i = 0; i < 256; ++i) CHECK(b.bit(i, 1) == (i == 200));
}

TEST_CASE("vmadd multiplies the accumulator, rounded once", "[micro]") {
  B b;
  const auto x = [](unsigned i) { return 1.0F + static_cast<float>(i) * 0x1p-20F; };
  const auto y = [](unsigned i) { return -1.0F + static_cast<float>(i % 5) * 0x1p-22F; };
  const auto z = [](unsigned i) { return 1.0F + static_cast<float>(i % 3) * 0x1p-21F; };
  b.run("pto.vmadd",
        {B::vreg_f32(x), B::vreg_f32(y), B::vreg_f32(z), B::mask(4, [](unsigned i) { return i != 7; })},
        {B::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane_f32(i) == (i == 7 ? 0.0F : std::fma(x(i), y(i), z(i))));
}

TEST_CASE("vmulscvt rounds the product once, ties away from zero", "[micro]") {
  B b;
  // 1 + 2^-11 is half a step of f16 above 1.
  const auto x = [](unsigned i) {
    return i == 0 ? 1.0F + 0x1p-11F : i == 1 ? -(1.0F + 0x1p-11F) : i == 2 ? 70000.0F : static_cast<float>(i);
  };
  for (const bool odd : {false, true}) {
    b.run("pto.vmulscvt", {B::vreg_f32(x), B::f32(1.0F), B::mask(4, [](unsigned i) { return i != 9; })},
          {B::vreg_type(Elem::f16)}, {{"rnd", "A"}, {"part", odd ? "ODD" : "EVEN"}});
    CHECK(b.lane(odd) == 0x3c01);
    CHECK(b.lane(2 + odd) == 0xbc01);
    CHECK(b.lane(4 + odd) == 0x7c00);
    CHECK(b.lane(18 + odd) == 0);
    CHECK(b.lane(20 + odd) == 0x4900);
    for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(2 * i + !odd) == 0);
  }
  // Below the tie between 4096 and 4100 as long as the product is not rounded to f32 first.
  b.run("pto.vmulscvt", {B::vreg_f32([](unsigned) { return 4098.0F; }), B::f32(1.0F - 0x1p-24F), B::all(4)},
        {B::vreg_type(Elem::f16)}, {{"rnd", "A"}, {"part", "EVEN"}});
  CHECK(b.lane(0) == 0x6c00);
}

TEST_CASE("Fills of L1: words, blocks, gaps", "[micro]") {
  B b;
  const auto fill = [&](const char* name, std::vector<Slot> head, int bits) {
    head.push_back({B::scalar(Elem::i32, 0xfffffffffedcba98)});
    head.push_back({B::i64(3)});
    head.push_back({B::i64(2)});
    head.push_back({B::i64(1)});
    b.run(name, head, {}, {{"fill_word_bits", std::to_string(bits)}});
    CHECK(b.faults.empty());
  };
  const auto check = [&](uint64_t begin, int bits) {
    for (uint64_t at = 0; at < 3 * 96; at += 4) {
      const uint32_t expected = at % 96 >= 64 ? 0xcdcdcdcd : bits == 16 ? 0xba98ba98 : 0xfedcba98;
      CHECK(b.get<uint32_t>(Space::l1, begin + at) == expected);
    }
    CHECK(b.get<uint32_t>(Space::l1, begin - 4) == 0xcdcdcdcd);
  };
  fill("pto.raw_fill_l1", {{B::ptr(Elem::i8, Space::l1, 64)}, {B::i64(96)}}, 16);
  check(160, 16);
  fill("pto.create_cbuf_matrix", {{B::ptr(Elem::ui32, Space::l1, 4096)}}, 32);
  check(4096, 32);
}

}  // namespace
}  // namespace pto::exec::test
