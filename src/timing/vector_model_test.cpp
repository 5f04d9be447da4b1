#include "timing/vector_model.hpp"

#include <set>

#include "testing/catch_main.hpp"
#include "timing/documented_model.hpp"
#include "timing/tile_elementwise.hpp"

using namespace pto::timing;

namespace {

/// The definition, byte by byte: a repeat conflicts when some bank group serves a byte of both sources.
uint64_t conflicts_by_bytes(const BankGeometry& banks, const RepeatAccess& a, const RepeatAccess& b,
                            uint64_t repeats) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < repeats; ++i) {
    const auto groups = [&](const RepeatAccess& access) {
      std::set<uint64_t> set;
      for (uint64_t byte = 0; byte < access.bytes; ++byte)
        set.insert((access.addr + i * access.stride + byte) / banks.group_bytes % banks.groups);
      return set;
    };
    const std::set<uint64_t> first = groups(a);
    const std::set<uint64_t> second = groups(b);
    for (const uint64_t group : first) {
      if (!second.contains(group)) continue;
      ++count;
      break;
    }
  }
  return count;
}

VectorConfig config() {
  VectorConfig out;
  out.launch = 7;
  out.turn = 4;
  out.region = 17;
  out.from.basis = pto::Basis::measured;
  return out;
}

VectorInstr instr(uint32_t cycles, uint32_t latency, uint32_t conflict = 0) {
  VectorInstr out;
  out.cycles = cycles;
  out.latency = latency;
  out.conflict = conflict;
  out.issue = 3;
  out.from.basis = pto::Basis::measured;
  return out;
}

}  // namespace

TEST_CASE("bank conflicts are exact", "[timing]") {
  const BankGeometry a2a3{32, 16}, a5{32, 8};
  for (const BankGeometry& banks : {a2a3, a5}) {
    for (const uint64_t stride_a : {0u, 32u, 96u, 128u, 256u, 1344u}) {
      for (const uint64_t stride_b : {0u, 64u, 256u, 512u}) {
        for (const uint64_t offset : {0u, 32u, 128u, 256u, 288u, 480u, 4096u, 20u}) {
          for (const uint64_t bytes : {4u, 32u, 128u, 256u}) {
            const RepeatAccess a{64, stride_a, bytes}, b{64 + offset, stride_b, bytes};
            for (const uint64_t repeats : {0u, 1u, 3u, 33u}) {
              INFO(banks.groups << " " << stride_a << " " << stride_b << " " << offset << " " << bytes << " "
                                << repeats);
              REQUIRE(bank_conflicts(banks, a, b, repeats) == conflicts_by_bytes(banks, a, b, repeats));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("bank conflicts: the fractions the public fits show", "[timing]") {
  const BankGeometry banks{32, 16};
  // One row of the destination against the rows of a tile, 256-, 128-, 64- and 32-byte rows: 1/2, 1/4, 1/8,
  // 1/16.
  for (const uint64_t bytes : {256u, 128u, 64u, 32u}) {
    CHECK(bank_conflicts(banks, {0, 0, bytes}, {0, bytes, bytes}, 160) == 160 * bytes / 512);
  }
  // Two whole repeats of consecutive memory clash unless they lie half a period apart.
  CHECK(bank_conflicts(banks, {0, 256, 256}, {16384, 256, 256}, 64) == 64);
  CHECK(bank_conflicts(banks, {0, 256, 256}, {16384 + 256, 256, 256}, 64) == 0);
}

TEST_CASE("vector timeline: one instruction", "[timing]") {
  const VectorConfig machine = config();
  VectorTimeline time(machine);
  time.issue(instr(2, 25), 64);
  CHECK(time.latency() == 6 + 25 + 128);  // 6 + L + repeats * cycles
  CHECK(time.busy() == 128 + 4);

  VectorTimeline conflicting(machine);
  conflicting.issue(instr(1, 19, 1), 64, 64);
  CHECK(conflicting.latency() == 6 + 19 + 128);

  VectorTimeline tiny(machine);
  tiny.issue(instr(1, 19), 1);
  CHECK(tiny.occupied() == 3);          // the issue floor
  CHECK(tiny.latency() == 6 + 19 + 1);  // does not delay the result
}

TEST_CASE("vector timeline: a barrier waits for the result, no longer", "[timing]") {
  const VectorConfig machine = config();
  VectorTimeline time(machine);
  time.issue(instr(1, 17), 1);
  time.barrier();
  CHECK(time.occupied() == 17);  // L + repeats - 1
  time.issue(instr(1, 17), 4);
  time.barrier();
  CHECK(time.occupied() == 17 + 20);
}

TEST_CASE("vector timeline: mask set-up once, in the latency only", "[timing]") {
  const VectorConfig machine = config();
  VectorTimeline time(machine);
  time.region(kUnderMask);
  time.region(kUnderMask);
  time.issue(instr(1, 19), 10);
  CHECK(time.latency() == 17 + 6 + 19 + 10);
  CHECK(time.busy() == 10 + 4);

  VectorConfig writes = config();
  writes.mask = 1;
  VectorTimeline counted(writes);
  counted.region(kUnderMask);
  counted.region(kCountMode);
  counted.issue(instr(1, 19), 10);
  CHECK(counted.latency() == 17 + 6 + 19 + 10);
  CHECK(counted.busy() == 10 + 4 + 4);
}

TEST_CASE("vector timeline: a base paid per instruction, or per ragged one", "[timing]") {
  const VectorConfig machine = config();
  VectorInstr compare = instr(2, 19);
  compare.base = 5;
  compare.group = 4;
  VectorTimeline whole(machine), ragged(machine);
  whole.issue(compare, 8);
  ragged.issue(compare, 9);
  CHECK(whole.occupied() == 16);
  CHECK(ragged.occupied() == 23);
}

TEST_CASE("the documented model is the pages' formula", "[timing]") {
  DocumentedModel fp, integer;
  fp.startup = integer.startup = 14;
  fp.completion = 19;
  integer.completion = 17;
  fp.per_repeat = integer.per_repeat = 2;
  fp.interval = integer.interval = 18;
  CHECK(fp.latency(1) == 35);  // 14 + 19 + 2
  CHECK(integer.latency(1) == 33);
  CHECK(fp.latency(16) == 335);  // the pages' own example
  CHECK(integer.latency(16) == 333);
  CHECK(fp.latency(2) - fp.latency(1) == 20);
}

TEST_CASE("row by row, every row clashes by its own addresses", "[timing]") {
  // Three rows of three repeats; rows of a are 768 bytes apart, rows of b 1024: a period of the banks is 512
  // bytes, so every other row of a lies half a period beside b, where nothing clashes.
  const VectorConfig machine = config();
  TileView dst{0, 3, 192, 3, 256, 4, pto::Elem::f32}, a{8192, 3, 192, 3, 192, 4, pto::Elem::f32},
      b{16384, 3, 192, 3, 256, 4, pto::Elem::f32};
  dst.stored_cols = 256;
  VectorTimeline time(machine);
  walk(instr(2, 19, 1), dst, a, &b, {}, time);
  CHECK(time.occupied() == (6 + 3) + 6 + (6 + 3));
}
