// Logical vectors from and to UB: which element each lane has, and which bytes stay.
#include "exec/vmi/vmi_fixture.hpp"

namespace pto::exec::test {
namespace {

Arg short_of(int64_t v) { return MicroBench::scalar(Elem::i16, static_cast<Word>(v)); }
Arg ub(Elem elem, uint64_t address) { return MicroBench::ptr(elem, Space::ub, address); }

/// Words of UB that hold their own number.
struct Numbered : MicroBench {
  Numbered() {
    for (unsigned i = 0; i < 1024; ++i) put<uint32_t>(Space::ub, 4 * i, i);
  }
  void check(unsigned count, const std::function<uint64_t(unsigned)>& expected, size_t r = 0) const {
    for (unsigned i = 0; i < count; ++i) {
      INFO("lane " << i);
      CHECK(lane(i, r) == expected(i));
    }
    CHECK(faults.empty());
  }
  void check_memory(const std::function<uint32_t(unsigned)>& expected) {
    for (unsigned i = 0; i < 1024; ++i) {
      INFO("element " << i);
      CHECK(get<uint32_t>(Space::ub, 4 * i) == expected(i));
    }
    CHECK(faults.empty());
  }
};

TEST_CASE("logical loads: continuous, broadcast, in pairs", "[vmi][M-vmi-outside]") {
  Numbered b;
  const Arg at = ub(Elem::i32, 32);
  b.run("pto.vmi.vload", {{at}, {index(8)}}, {vector_of(Elem::i32, 100)});
  b.check(100, [](unsigned i) { return 16 + i; });
  b.run("pto.vmi.vload", {{at}, {index(5)}}, {vector_of(Elem::i32, 70)}, {{"dist_mode", "brc"}});
  b.check(70, [](unsigned) { return 13; });
  b.run("pto.vmi.vload", {{at}, {index(0)}}, {vector_of(Elem::i32, 70), vector_of(Elem::i32, 70)},
        {{"dist_mode", "dintlv"}});
  b.check(70, [](unsigned i) { return 8 + 2 * i; });
  b.check(
      70, [](unsigned i) { return 9 + 2 * i; }, 1);
}

TEST_CASE("logical loads by groups, and one element for each", "[vmi][M-vmi-outside]") {
  Numbered b;
  b.run("pto.vmi.group_load", {{ub(Elem::i32, 0)}, {index(8)}, {index(40)}}, {vector_of(Elem::i32, 64)},
        {{"num_groups", "4"}});
  b.check(64, [](unsigned i) { return 8 + i / 16 * 40 + i % 16; });
  b.run("pto.vmi.group_slot_load", {{ub(Elem::i32, 0)}, {index(3)}, {index(5)}}, {vector_of(Elem::i32, 8)},
        {{"num_groups", "8"}});
  b.check(8, [](unsigned i) { return 3 + 5 * i; });
  b.run("pto.vmi.group_broadcast_load", {{ub(Elem::i32, 0)}, {index(1)}, {index(2)}},
        {vector_of(Elem::i32, 96)}, {{"num_groups", "8"}});
  b.check(96, [](unsigned i) { return 1 + i / 12 * 2; });
}

TEST_CASE("masked and expanding loads", "[vmi][M-vmi-outside]") {
  Numbered b;
  const Arg some = mask(100, [](unsigned i) { return i % 3 == 1; });
  const Arg rest = lanes(Elem::i32, 100, [](unsigned i) { return 5000 + i; });
  b.run("pto.vmi.masked_load", {{ub(Elem::i32, 0)}, {index(16)}, {some}, {rest}}, {rest.type});
  b.check(100, [](unsigned i) { return i % 3 == 1 ? 16 + i : 5000 + i; });
  b.run("pto.vmi.expand_load", {{ub(Elem::i32, 0)}, {index(16)}, {some}, {rest}}, {rest.type});
  b.check(100, [](unsigned i) { return i % 3 == 1 ? 16 + i / 3 : 5000 + i; });
}

TEST_CASE("gathers and scatters by element and by byte", "[vmi][M-vmi-outside]") {
  Numbered b;
  const Arg some = mask(80, [](unsigned i) { return i != 7; });
  const Arg offsets = lanes(Elem::i32, 80, [](unsigned i) { return 3 * i; });
  b.run("pto.vmi.vgather", {{ub(Elem::i32, 16)}, {offsets}, {some}}, {vector_of(Elem::i32, 80)});
  b.check(80, [](unsigned i) { return i == 7 ? 0 : 4 + 3 * i; });
  const Arg bytes = lanes(Elem::i32, 80, [](unsigned i) { return 8 * i; });
  b.run("pto.vmi.vgatherb", {{ub(Elem::i32, 16)}, {bytes}, {some}}, {vector_of(Elem::i32, 80)});
  b.check(80, [](unsigned i) { return i == 7 ? 0 : 4 + 2 * i; });
  const Arg value = lanes(Elem::i32, 80, [](unsigned i) { return 9000 + i; });
  b.run("pto.vmi.vscatter", {{value}, {ub(Elem::i32, 16)}, {offsets}, {some}});
  b.check_memory([](unsigned i) {
    const bool stored = i >= 4 && (i - 4) % 3 == 0 && (i - 4) / 3 < 80 && (i - 4) / 3 != 7;
    return stored ? 9000 + (i - 4) / 3 : i;
  });
}

TEST_CASE("logical stores leave alone what has no active lane", "[vmi][M-vmi-mask]") {
  Numbered b;
  const Arg value = lanes(Elem::i32, 90, [](unsigned i) { return 9000 + i; });
  b.run(
      "pto.vmi.masked_store",
      {{value}, {ub(Elem::i32, 0)}, {index(8)}, {mask(90, [](unsigned i) { return i < 70 && i % 2 == 0; })}});
  b.check_memory([](unsigned i) { return i >= 8 && i < 78 && i % 2 == 0 ? 9000 + i - 8 : i; });
}

TEST_CASE("logical stores by turns, by groups, together", "[vmi][M-vmi-mask]") {
  const Arg value = lanes(Elem::i32, 64, [](unsigned i) { return 9000 + i; });
  const Arg other = lanes(Elem::i32, 64, [](unsigned i) { return 7000 + i; });
  {
    Numbered b;
    b.run("pto.vmi.interleave_store", {{value}, {other}, {ub(Elem::i32, 0)}, {index(8)}});
    b.check_memory(
        [](unsigned i) { return i < 8 || i >= 136 ? i : (i % 2 == 0 ? 9000 : 7000) + (i - 8) / 2; });
  }
  {
    Numbered b;
    b.run("pto.vmi.group_store", {{value}, {ub(Elem::i32, 0)}, {index(0)}, {index(24)}}, {},
          {{"num_groups", "4"}});
    b.check_memory([](unsigned i) { return i < 96 && i % 24 < 16 ? 9000 + i / 24 * 16 + i % 24 : i; });
  }
  {
    Numbered b;
    b.run("pto.vmi.compress_store",
          {{value}, {ub(Elem::i32, 0)}, {index(5)}, {mask(64, [](unsigned i) { return i % 8 == 3; })}});
    b.check_memory([](unsigned i) { return i >= 5 && i < 13 ? 9003 + (i - 5) * 8 : i; });
  }
}

TEST_CASE("blocks of 32 bytes with a stride", "[vmi][M-vmi-blocks]") {
  Numbered b;
  const Arg every = mask(64, [](unsigned) { return true; });
  b.run("pto.vmi.stride_load", {{ub(Elem::i32, 0)}, {index(8)}, {short_of(3)}, {short_of(0)}, {every}},
        {vector_of(Elem::i32, 64)});
  b.check(64, [](unsigned i) { return 8 + i / 8 * 24 + i % 8; });
  b.run("pto.vmi.vsstb", {{lanes(Elem::i32, 64, [](unsigned i) { return 9000 + i; })},
                          {ub(Elem::i32, 0)},
                          {index(0)},
                          {short_of(2)},
                          {mask(64, [](unsigned i) { return i != 9; })}});
  b.check_memory([](unsigned i) {
    const unsigned lane = i / 16 * 8 + i % 16;
    return i < 128 && i % 16 < 8 && lane != 9 ? 9000 + lane : i;
  });
}

TEST_CASE("logical accesses that begin between two blocks", "[vmi][M-vmi-start]") {
  Numbered b;
  b.run("pto.vmi.vload", {{ub(Elem::i32, 0)}, {index(1)}}, {vector_of(Elem::i32, 64)});
  REQUIRE(b.faults.size() == 1);
  CHECK(b.faults[0] == "the address 0x4 of ub is not a multiple of 32 bytes");
  b.faults.clear();
  b.run("pto.vmi.vload", {{ub(Elem::i32, 0)}, {index(1)}}, {vector_of(Elem::i32, 8)});
  b.check(8, [](unsigned i) { return 1 + i; });
  b.run("pto.vmi.vload", {{ub(Elem::i8, 0)}, {index(8)}}, {vector_of(Elem::i8, 12)});  // less than a block
  b.check(12, [](unsigned i) { return i % 4 == 0 ? 2 + i / 4 : 0; });
  b.run("pto.vmi.group_load", {{ub(Elem::i32, 0)}, {index(0)}, {index(9)}}, {vector_of(Elem::i32, 16)},
        {{"num_groups", "2"}});
  REQUIRE(b.faults.size() == 1);
  CHECK(b.faults[0] == "the stride 0x24 of ub is not a multiple of 32 bytes");
}

}  // namespace
}  // namespace pto::exec::test
