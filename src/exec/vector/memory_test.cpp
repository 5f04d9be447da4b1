// Vector and predicate loads and stores, their distributions, streams and the sorting helpers.
#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

uint8_t byte_at(unsigned i) { return static_cast<uint8_t>(i * 37 + i / 251); }
void fill_ub(MicroBench& b, unsigned bytes = 8192) {
  for (unsigned i = 0; i < bytes; ++i) b.put(Space::ub, i, byte_at(i));
}
Arg ub(Elem elem, uint64_t address) { return MicroBench::ptr(elem, Space::ub, address); }
Arg index(int64_t v) { return MicroBench::scalar(Elem::index, static_cast<Word>(v)); }

/// Loads with `dist` from byte 512 and compares register byte i with memory byte `source(i)`; -1 means zero.
void check_load(Elem elem, const char* dist, const std::function<int(unsigned)>& source) {
  MicroBench b;
  fill_ub(b);
  b.run("pto.vlds", {ub(elem, 0), index(512 / byte_width(elem))}, {MicroBench::vreg_type(elem)},
        {{"dist", dist}});
  CHECK(b.faults.empty());
  const Arg reg = b.result();
  for (unsigned i = 0; i < 256; ++i) {
    const int from = source(i);
    INFO(dist << " byte " << i);
    CHECK(reinterpret_cast<const uint8_t*>(reg.words.data())[i] ==
          (from < 0 ? 0 : byte_at(512 + static_cast<unsigned>(from))));
  }
}

TEST_CASE("load distributions", "[micro][M-load-dist]") {
  const auto at = [](unsigned i) { return static_cast<int>(i); };
  check_load(Elem::f32, "NORM", at);
  check_load(Elem::ui8, "BRC_B8", [](unsigned) { return 0; });
  check_load(Elem::i16, "BRC_B16", [&](unsigned i) { return at(i % 2); });
  check_load(Elem::f32, "BRC_B32", [&](unsigned i) { return at(i % 4); });
  check_load(Elem::i16, "US_B16", [&](unsigned i) { return at(i / 4 * 2 + i % 2); });
  check_load(Elem::ui8, "DS_B8", [&](unsigned i) { return at(2 * i); });
  check_load(Elem::i16, "DS_B16", [&](unsigned i) { return at(i / 2 * 4 + i % 2); });
  check_load(Elem::f16, "UNPK_B16", [&](unsigned i) { return i % 4 < 2 ? at(i / 4 * 2 + i % 4) : -1; });
  check_load(Elem::ui8, "UNPK4", [&](unsigned i) { return i % 4 == 0 ? at(i / 4) : -1; });
  check_load(Elem::ui8, "BRC_BLK", [&](unsigned i) { return at(i % 32); });
  check_load(Elem::f32, "E2B_B32", [&](unsigned i) { return at(i / 32 * 4 + i % 4); });
  check_load(Elem::f16, "E2B_B16", [&](unsigned i) { return at(i / 32 * 2 + i % 2); });
}

TEST_CASE("post-update loads and stores access the base itself", "[micro][M-load-update]") {
  MicroBench b;
  fill_ub(b);
  b.run("pto.vlds", {ub(Elem::f32, 256), index(64)},
        {MicroBench::vreg_type(Elem::f32), ub(Elem::f32, 0).type}, {{"dist", "NORM"}});
  CHECK(b.lane(0) == b.get<uint32_t>(Space::ub, 256));
  CHECK(b.word(1) == 512);
  const Arg value = b.result();
  b.run("pto.vsts", {value, ub(Elem::f32, 4096), index(64), MicroBench::all(4)}, {ub(Elem::f32, 0).type});
  CHECK(b.word() == 4352);
  CHECK(b.get<uint32_t>(Space::ub, 4096) == b.get<uint32_t>(Space::ub, 256));
}

TEST_CASE("stores write active lanes only", "[micro][M-store-inactive]") {
  MicroBench b;
  const auto bits = [](unsigned i) -> uint64_t { return 0x01020300U + i; };
  const auto on = [](unsigned i) { return i % 3 != 1; };
  const auto clear = [&] {
    for (unsigned i = 0; i < 1024; ++i) b.put<uint8_t>(Space::ub, i, 0xee);
  };
  clear();
  b.run("pto.vsts", {MicroBench::vreg(Elem::i32, bits), ub(Elem::i32, 0), index(0), MicroBench::mask(4, on)},
        {}, {{"dist", "NORM_B32"}});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(b.get<uint32_t>(Space::ub, 4 * i) == (on(i) ? bits(i) : 0xeeeeeeeeU));
  clear();
  b.run("pto.vsts", {MicroBench::vreg(Elem::i32, bits), ub(Elem::i32, 0), index(0), MicroBench::mask(4, on)},
        {}, {{"dist", "PK_B32"}});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(b.get<uint16_t>(Space::ub, 2 * i) == (on(i) ? bits(i) & 0xffff : 0xeeee));
  CHECK(b.get<uint16_t>(Space::ub, 128) == 0xeeee);
  clear();
  b.run("pto.vsts", {MicroBench::vreg(Elem::i32, bits), ub(Elem::i32, 0), index(0), MicroBench::mask(4, on)},
        {}, {{"dist", "PK4_B32"}});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.get<uint8_t>(Space::ub, i) == (on(i) ? i : 0xee));
  clear();
  b.run("pto.vsts",
        {MicroBench::vreg(Elem::i32, bits), ub(Elem::i32, 0), index(3),
         MicroBench::mask(4, [](unsigned) { return false; })},
        {}, {{"dist", "1PT_B32"}});
  CHECK(b.get<uint32_t>(Space::ub, 12) == bits(0));
  CHECK(b.get<uint32_t>(Space::ub, 16) == 0xeeeeeeeeU);
  b.run("pto.vsts", {MicroBench::vreg(Elem::ui8, bits), ub(Elem::ui8, 0), index(0), MicroBench::all(1)}, {},
        {{"dist", "MRG4CHN_B8"}});
  CHECK(b.faults.size() == 1);
}

TEST_CASE("two-register forms deal out and put back", "[micro]") {
  for (const unsigned unit : {1U, 2U, 4U}) {
    MicroBench b;
    fill_ub(b);
    const std::string suffix = "INTLV_B" + std::to_string(8 * unit);
    b.run("pto.vldsx2", {ub(Elem::f32, 64), index(16)},
          {MicroBench::vreg_type(Elem::f32), MicroBench::vreg_type(Elem::f32)}, {{"dist", "D" + suffix}});
    const Arg low = b.result(0);
    const Arg high = b.result(1);
    for (unsigned i = 0; i < 256; ++i) {
      const unsigned element = i / unit;
      const unsigned offset = i % unit;
      CHECK(reinterpret_cast<const uint8_t*>(low.words.data())[i] ==
            byte_at(128 + 2 * element * unit + offset));
      CHECK(reinterpret_cast<const uint8_t*>(high.words.data())[i] ==
            byte_at(128 + (2 * element + 1) * unit + offset));
    }
    b.run("pto.vstsx2", {low, high, ub(Elem::f32, 4096), index(0), MicroBench::all(4)}, {},
          {{"dist", suffix}});
    for (unsigned i = 0; i < 512; ++i) CHECK(b.get<uint8_t>(Space::ub, 4096 + i) == byte_at(128 + i));
  }
}

TEST_CASE("block strides, gather and scatter", "[micro][M-load-blocks]") {
  MicroBench b;
  fill_ub(b);
  const auto i16 = [](int64_t v) { return MicroBench::scalar(Elem::i16, static_cast<Word>(v)); };
  const Arg some = MicroBench::mask(4, [](unsigned i) { return i != 2 && i < 7; });
  b.run("pto.vsldb", {ub(Elem::f32, 0), i16(3), i16(5), some}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned block = i / 8;
    CHECK(b.lane(i) ==
          (block == 2 || block == 7 ? 0 : b.get<uint32_t>(Space::ub, 32 * (5 + 3 * block) + i % 8 * 4)));
  }
  const Arg offsets = MicroBench::vreg(Elem::ui32, [](unsigned i) -> uint64_t { return (i * 29 + 7) % 128; });
  const Arg on = MicroBench::mask(4, [](unsigned i) { return i % 4 != 3; });
  b.run("pto.vgather2", {ub(Elem::f32, 256), offsets, on}, {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(b.lane(i) == (i % 4 == 3 ? 0 : b.get<uint32_t>(Space::ub, 256 + (i * 29 + 7) % 128 * 4)));
  const Arg value = MicroBench::vreg(Elem::i32, [](unsigned i) -> uint64_t { return 7000 + i; });
  b.run("pto.vscatter", {value, ub(Elem::i32, 4096), offsets, on});
  for (unsigned i = 0; i < 64; ++i) {
    if (i % 4 != 3)
      CHECK(b.get<uint32_t>(Space::ub, 4096 + (i * 29 + 7) % 128 * 4) ==
            7000 + i);  // the offsets are distinct
  }
  b.run("pto.vgatherb",
        {ub(Elem::f32, 0),
         MicroBench::vreg(Elem::ui32, [](unsigned i) -> uint64_t { return (7 - i % 8) * 64; }),
         MicroBench::all(4)},
        {MicroBench::vreg_type(Elem::f32)});
  for (unsigned i = 0; i < 64; ++i)
    CHECK(b.lane(i) == b.get<uint32_t>(Space::ub, (7 - i / 8) * 64 + i % 8 * 4));
  b.run("pto.vgatherb", {ub(Elem::f32, 4), offsets, MicroBench::all(4)}, {MicroBench::vreg_type(Elem::f32)});
  CHECK(b.faults.size() == 1);  // not on a block boundary
}

TEST_CASE("scatter of narrow lanes takes 16-bit offsets", "[micro][M-scatter-lanes]") {
  for (const Elem elem : {Elem::ui8, Elem::f16}) {
    const unsigned width = byte_width(elem);
    const unsigned step = 2 / width;
    MicroBench b;
    fill_ub(b);
    const auto place = [](unsigned i) -> uint64_t { return (i * 37 + 60000) % 60128; };  // all distinct
    b.run("pto.vscatter",
          {MicroBench::vreg(elem, [](unsigned i) -> uint64_t { return (i * 11 + 3) & 255; }), ub(elem, 128),
           MicroBench::vreg(Elem::ui16, place), MicroBench::mask(2, [](unsigned i) { return i % 3 != 0; })});
    for (unsigned i = 0; i < 128; ++i) {
      const uint64_t address = 128 + place(i) * width;
      const uint64_t got =
          width == 1 ? b.get<uint8_t>(Space::ub, address) : b.get<uint16_t>(Space::ub, address);
      INFO(i << " of " << width);
      if (i % 3 != 0) CHECK(got == ((i * step * 11 + 3) & 255));
    }
  }
}

TEST_CASE("unaligned streams hold back what does not fill a block",
          "[micro][M-store-stream][M-store-count]") {
  MicroBench b;
  for (unsigned i = 0; i < 1024; ++i) b.put<uint8_t>(Space::ub, i, 0xee);
  const Arg value = MicroBench::vreg(Elem::f32, [](unsigned i) -> uint64_t { return 0x100 + i; });
  const auto i32 = [](int64_t v) { return MicroBench::scalar(Elem::i32, static_cast<Word>(v)); };
  b.run("pto.init_align", {}, {MicroBench::align_type()});
  b.run("pto.vstus", {b.result(), i32(3), value, ub(Elem::f32, 24)}, {MicroBench::align_type()});
  CHECK(b.get<uint32_t>(Space::ub, 24) == 0x100);        // bytes 24..31 complete their block
  CHECK(b.get<uint32_t>(Space::ub, 32) == 0xeeeeeeeeU);  // byte 32 is pending
  b.run("pto.vstus", {b.result(), i32(10), value, ub(Elem::f32, 36)}, {MicroBench::align_type()});
  CHECK(b.get<uint32_t>(Space::ub, 32) == 0x102);
  CHECK(b.get<uint32_t>(Space::ub, 36) == 0x100);
  const Arg state = b.result();
  b.run("pto.vstas", {state, ub(Elem::f32, 0), i32(20)});
  CHECK(b.faults.size() == 1);  // the stream stopped at byte 76
  b.run("pto.vstas", {state, ub(Elem::f32, 36), i32(10)});
  for (unsigned i = 0; i < 10; ++i) CHECK(b.get<uint32_t>(Space::ub, 36 + 4 * i) == 0x100 + i);
  CHECK(b.get<uint32_t>(Space::ub, 76) == 0xeeeeeeeeU);

  b.control.ar = 4;
  b.control.sqzn = 8;
  b.run("pto.init_align", {}, {MicroBench::align_type()});
  b.run("pto.vstur", {b.result(), value, ub(Elem::f32, 512)}, {MicroBench::align_type()},
        {{"mode", "POST_UPDATE"}});
  CHECK(b.control.ar == 12);
  b.run("pto.vstar", {b.result(), ub(Elem::f32, 512)});
  CHECK(b.get<uint32_t>(Space::ub, 512) == 0xeeeeeeeeU);
  CHECK(b.get<uint32_t>(Space::ub, 516) == 0x100);
  CHECK(b.get<uint32_t>(Space::ub, 520) == 0x101);
  CHECK(b.get<uint32_t>(Space::ub, 524) == 0xeeeeeeeeU);

  fill_ub(b);
  b.run("pto.vldas", {ub(Elem::f32, 100)}, {MicroBench::align_type()});
  const Arg primed = b.result();
  b.run("pto.vldus", {ub(Elem::f32, 100), primed},
        {MicroBench::vreg_type(Elem::f32), MicroBench::align_type()});
  for (unsigned i = 0; i < 64; ++i) CHECK(b.lane(i) == b.get<uint32_t>(Space::ub, 100 + 4 * i));
  b.run("pto.vldus", {ub(Elem::f32, 200), primed},
        {MicroBench::vreg_type(Elem::f32), MicroBench::align_type()});
  CHECK(b.faults.size() == 2);
}

TEST_CASE("predicates: patterns, counts and algebra", "[micro][M-preg-bits]") {
  MicroBench b;
  const auto lanes = [&](const char* pattern, unsigned width) {
    b.run("pto.pset_b" + std::to_string(8 * width), {}, {MicroBench::mask_type(width)},
          {{"pattern", pattern}});
    std::vector<unsigned> on;
    for (unsigned i = 0; i < 256; ++i) {
      if (b.bit(i)) on.push_back(i);
    }
    return on;
  };
  CHECK(lanes("PAT_ALL", 1).size() == 256);
  CHECK(lanes("PAT_ALLF", 2).empty());
  CHECK(lanes("PAT_VL3", 4) == std::vector<unsigned>{0, 4, 8});
  CHECK(lanes("PAT_H", 4).back() == 31 * 4);
  CHECK(lanes("PAT_Q", 2).size() == 32);
  CHECK(lanes("PAT_M3", 1)[1] == 3);
  CHECK(lanes("PAT_M4", 4)[1] == 16);
  for (const int64_t n : {int64_t{-1}, int64_t{0}, int64_t{5}, int64_t{64}, int64_t{70}}) {
    b.run("pto.plt_b32", {MicroBench::scalar(Elem::i32, static_cast<Word>(n))},
          {MicroBench::mask_type(4), scalar_type(Elem::i32)});
    for (unsigned i = 0; i < 64; ++i) CHECK(b.bit(4 * i) == (static_cast<int64_t>(i) < n));
    CHECK(b.word(1) == static_cast<uint64_t>(n > 64 ? n - 64 : 0));
  }
  const auto x = [](unsigned i) { return i % 2 == 0; };
  const auto y = [](unsigned i) { return i % 3 == 0; };
  const auto g = [](unsigned i) { return i % 5 != 0; };
  const std::vector<Slot> slots = {MicroBench::mask(1, x), MicroBench::mask(1, y), MicroBench::mask(1, g)};
  const auto check = [&](const char* name, const std::function<bool(unsigned)>& expected) {
    for (unsigned i = 0; i < 256; ++i) {
      INFO(name << " bit " << i);
      CHECK(b.bit(i) == expected(i));
    }
  };
  b.run("pto.pand", slots, {MicroBench::mask_type(1)});
  check("pand", [&](unsigned i) { return x(i) && y(i) && g(i); });
  b.run("pto.pxor", slots, {MicroBench::mask_type(1)});
  check("pxor", [&](unsigned i) { return x(i) != y(i) && g(i); });
  b.run("pto.psel", slots, {MicroBench::mask_type(1)});
  check("psel", [&](unsigned i) { return g(i) ? x(i) : y(i); });
  b.run("pto.pnot", {slots[0], slots[2]}, {MicroBench::mask_type(1)});
  check("pnot", [&](unsigned i) { return !x(i) && g(i); });
  b.run("pto.ppack", {slots[1]}, {MicroBench::mask_type(1)}, {{"part", "HIGHER"}});
  check("ppack", [&](unsigned i) { return i >= 128 && y(2 * (i - 128)); });
  b.run("pto.punpack", {slots[1]}, {MicroBench::mask_type(1)}, {{"part", "HIGHER"}});
  check("punpack", [&](unsigned i) { return i % 2 == 0 && y(128 + i / 2); });
}

TEST_CASE("predicate images in memory", "[micro]") {
  MicroBench b;
  const auto on = [](unsigned i) { return i % 7 < 3; };
  const Arg mask = MicroBench::mask(1, on);
  b.run("pto.psts", {mask, ub(Elem::ui8, 64), index(0)}, {}, {{"dist", "NORM"}});
  for (unsigned i = 0; i < 256; ++i) CHECK((b.get<uint8_t>(Space::ub, 64 + i / 8) >> (i % 8) & 1) == on(i));
  b.run("pto.plds", {ub(Elem::ui8, 0), index(64)}, {MicroBench::mask_type(1)}, {{"dist", "US"}});
  for (unsigned i = 0; i < 256; ++i) CHECK(b.bit(i) == on(i / 2));
  b.run("pto.psts", {mask, ub(Elem::ui8, 128), index(0)}, {}, {{"dist", "PK"}});
  for (unsigned i = 0; i < 128; ++i)
    CHECK((b.get<uint8_t>(Space::ub, 128 + i / 8) >> (i % 8) & 1) == on(2 * i));
}

TEST_CASE("sorting helpers", "[micro][N-sort-nan][M-mrgsort-config][N-mrgsort-tie]") {
  MicroBench b;
  const float scores[8] = {3, 7, 7, -1, std::numeric_limits<float>::quiet_NaN(), 0, 9, 2};
  for (uint32_t i = 0; i < 32; ++i) {
    b.put(Space::ub, 4 * i, i < 8 ? scores[i] : -100.0F - static_cast<float>(i));
    b.put(Space::ub, 1024 + 4 * i, 500 + i);
  }
  b.run("pto.vbitsort", {ub(Elem::f32, 2048), ub(Elem::f32, 0), ub(Elem::ui32, 1024), index(1)});
  const uint32_t order[8] = {506, 501, 502, 500, 507, 505, 503, 508};
  for (uint32_t i = 0; i < 8; ++i) CHECK(b.get<uint32_t>(Space::ub, 2048 + 8 * i + 4) == order[i]);
  CHECK(b.get<uint32_t>(Space::ub, 2048 + 8 * 31 + 4) == 504);  // NaN last
  const std::vector<std::vector<float>> lists = {{9, 5, 1}, {8, 5}, {}, {7}};
  for (uint32_t l = 0; l < 4; ++l) {
    for (uint32_t i = 0; i < lists[l].size(); ++i) {
      b.put(Space::ub, 4096 + 256 * l + 8 * i, lists[l][i]);
      b.put(Space::ub, 4096 + 256 * l + 8 * i + 4, 10 * l + i);
    }
  }
  const auto run = [&](int64_t config) {
    std::vector<Slot> slots = {ub(Elem::f32, 6000)};
    for (uint32_t l = 0; l < 4; ++l) slots.push_back({ub(Elem::f32, 4096 + 256 * l)});
    slots.push_back({MicroBench::i64(3 | 2 << 16 | int64_t{1} << 48)});
    slots.push_back({MicroBench::i64(config)});
    b.run("pto.vmrgsort4", slots);
  };
  run(0xb01);
  const uint32_t merged[6] = {0, 10, 30, 1, 11, 2};
  for (uint32_t i = 0; i < 6; ++i) CHECK(b.get<uint32_t>(Space::ub, 6000 + 8 * i + 4) == merged[i]);
  CHECK(b.control.vms4_sr == (3 | 2 << 16 | uint64_t{1} << 48));
  run(0x1b01);  // stops when the first list is used up: after 9, 8, 7
  CHECK(b.control.vms4_sr == (1 | 1 << 16 | uint64_t{1} << 48));
}

TEST_CASE("the other post-update forms: the access at the base, the advance in their own units",
          "[micro][M-load-update]") {
  MicroBench b;
  fill_ub(b);
  const Type f32_ptr = ub(Elem::f32, 0).type;
  const Type vreg = MicroBench::vreg_type(Elem::f32);
  const auto at = [&](uint64_t address) { return b.get<uint32_t>(Space::ub, address); };
  const auto i16 = [](int64_t v) { return MicroBench::scalar(Elem::i16, static_cast<Word>(v)); };
  const auto i32 = [](int64_t v) { return MicroBench::scalar(Elem::i32, static_cast<Word>(v)); };
  b.run("pto.vldsx2", {ub(Elem::f32, 256), index(-3)}, {vreg, vreg, f32_ptr}, {{"dist", "DINTLV_B32"}});
  CHECK(b.lane(1, 0) == at(264));
  CHECK(b.lane(1, 1) == at(268));
  CHECK(b.word(2) == 244);
  b.run("pto.vsldb", {ub(Elem::f32, 256), i16(2), i16(3), MicroBench::all(4)}, {vreg, f32_ptr});
  CHECK(b.lane(8) == at(256 + 64));
  CHECK(b.word(1) == 256 + 96);
  b.run("pto.vsldb", {ub(Elem::f32, 256), i16(2), i16(3), MicroBench::all(4)}, {vreg});
  CHECK(b.lane(8) == at(256 + 96 + 64));

  b.run("pto.vldas", {ub(Elem::f32, 100)}, {MicroBench::align_type()});
  const Arg primed = b.result();
  b.run("pto.vldus", {ub(Elem::f32, 100), primed, index(7)}, {vreg, MicroBench::align_type(), f32_ptr});
  CHECK(b.lane(63) == at(100 + 252));
  CHECK(b.word(2) == 128);
  const Arg moved = b.result(1);
  b.run("pto.vldus", {ub(Elem::f32, 128), moved, index(1)}, {vreg, MicroBench::align_type(), f32_ptr});
  CHECK(b.faults.empty());
  CHECK(b.lane(0) == at(128));

  const Arg value = MicroBench::vreg(Elem::f32, [](unsigned i) -> uint64_t { return 0x100 + i; });
  b.run("pto.init_align", {}, {MicroBench::align_type()});
  b.run("pto.vstus", {b.result(), i32(3), value, ub(Elem::f32, 2048)}, {MicroBench::align_type(), f32_ptr});
  CHECK(b.word(1) == 2060);
  const Arg pending = b.result();
  CHECK(at(2048) != 0x100);
  b.run("pto.vstas", {pending, ub(Elem::f32, 2060), i32(5)}, {f32_ptr});
  CHECK(b.faults.empty());
  CHECK(b.word() == 2080);
  for (unsigned i = 0; i < 3; ++i) CHECK(at(2048 + 4 * i) == 0x100 + i);
  b.run("pto.init_align", {}, {MicroBench::align_type()});
  const Arg empty = b.result();
  b.run("pto.vstas", {empty, ub(Elem::f32, 64), i32(64)}, {f32_ptr});
  CHECK(b.word() == 320);
}

TEST_CASE("predicate images: offsets in bytes, immediate ones in units of the distribution",
          "[micro][M-preg-offset]") {
  MicroBench b;
  const Type ptr = ub(Elem::f32, 0).type;
  const auto on = [](unsigned i) { return i % 5 == 1; };
  const Arg mask = MicroBench::mask(1, on);
  const auto image_at = [&](uint64_t address) { return b.get<uint8_t>(Space::ub, address); };
  const uint8_t first = 0x42, packed = 0x08;  // bits 1 and 6; of every second bit number 3
  b.run("pto.psts", {mask, ub(Elem::f32, 64), index(32)}, {}, {{"dist", "NORM"}});
  CHECK(image_at(96) == first);
  b.run("pto.psti", {mask, ub(Elem::f32, 256), index(3)}, {}, {{"dist", "NORM"}});
  CHECK(image_at(256 + 96) == first);
  b.run("pto.psti", {mask, ub(Elem::f32, 512), index(3)}, {}, {{"dist", "PK"}});
  CHECK((image_at(512 + 48) & 0x3f) == packed);
  b.run("pto.psti", {mask, ub(Elem::f32, 768), index(3)}, {ptr}, {{"dist", "PK"}});
  CHECK((image_at(768) & 0x3f) == packed);
  CHECK(b.word() == 768 + 48);
  b.run("pto.psts", {mask, ub(Elem::f32, 896), index(3)}, {ptr}, {{"dist", "NORM"}});
  CHECK(image_at(896) == first);
  CHECK(b.word() == 899);
  for (const auto& [dist, unit] : {std::pair{"NORM", 32}, {"US", 16}, {"DS", 32}}) {
    b.run("pto.pldi", {ub(Elem::f32, 352 - 2 * unit), index(2)}, {MicroBench::mask_type(1)},
          {{"dist", dist}});
    CHECK(b.bit(dist == std::string("US") ? 2 : dist == std::string("DS") ? 3 : 1));
    b.run("pto.pldi", {ub(Elem::f32, 352), index(2)}, {MicroBench::mask_type(1), ptr}, {{"dist", dist}});
    CHECK(b.word(1) == 352U + 2 * static_cast<unsigned>(unit));
    CHECK(b.bit(dist == std::string("US") ? 2 : dist == std::string("DS") ? 3 : 1));
    b.run("pto.plds", {ub(Elem::f32, 352), index(5)}, {MicroBench::mask_type(1), ptr}, {{"dist", dist}});
    CHECK(b.word(1) == 357);
    CHECK(b.bit(dist == std::string("US") ? 2 : dist == std::string("DS") ? 3 : 1));
  }
}

TEST_CASE("masks of an iteration, and AR in memory", "[micro][M-preg-loop][M-store-spr]") {
  MicroBench b;
  for (const int64_t loop : {-1, 0, 1, 3}) {
    for (const int64_t bound : {-5, 0, 1, 64, 70, 255, 1 << 20}) {
      b.run("pto.pltm_b32",
            {MicroBench::scalar(Elem::i16, static_cast<Word>(loop)),
             MicroBench::scalar(Elem::i32, static_cast<Word>(bound))},
            {MicroBench::mask_type(4)});
      for (int64_t i = 0; i < 64; ++i) CHECK(b.bit(static_cast<unsigned>(4 * i)) == (i + loop * 64 < bound));
    }
  }
  b.control.ar = 0x1'0000'0024;
  const Type ptr = ub(Elem::ui32, 0).type;
  const auto i32 = [](int64_t v) { return MicroBench::scalar(Elem::i32, static_cast<Word>(v)); };
  b.run("pto.sprsti", {ub(Elem::ui32, 64), i32(-2)}, {}, {{"spr", "AR"}});
  CHECK(b.get<uint32_t>(Space::ub, 56) == 0x24);
  b.run("pto.sprsti", {ub(Elem::ui32, 128), i32(-2)}, {ptr}, {{"spr", "AR"}});
  CHECK(b.get<uint32_t>(Space::ub, 128) == 0x24);
  CHECK(b.word() == 120);
  b.run("pto.sprsts", {ub(Elem::ui32, 256), i32(12)}, {}, {{"spr", "AR"}});
  CHECK(b.get<uint32_t>(Space::ub, 268) == 0x24);
  b.run("pto.sprsts", {ub(Elem::ui32, 512), i32(12)}, {ptr}, {{"spr", "AR"}});
  CHECK(b.get<uint32_t>(Space::ub, 512) == 0x24);
  CHECK(b.word() == 524);
}

}  // namespace
}  // namespace pto::exec::test
