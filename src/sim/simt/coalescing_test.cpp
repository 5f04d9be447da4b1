// What the threads of a launch move from and to GM, and how cores share L2 for it.
#include <cstring>
#include <string>

#include "sim/engine/sim_fixture.hpp"

namespace pto::sim {
namespace {

using test::Bench;

constexpr uint64_t kThreads = 32, kLine = 128, kRate = 16;

/// Each thread loads the word `apart` words behind that of the one before, and stores it at its own number.
SimResult run(uint64_t apart, uint32_t blocks, uint64_t rate = kRate) {
  Bench bench;
  bench.machine = test::make_machine(Target::a5);
  bench.options.blocks = blocks;
  bench.buffer(kThreads * apart * 4);
  bench.buffer(kThreads * 4);
  for (auto& argument : bench.arguments) std::memset(argument.bytes.data(), 0, argument.bytes.size());
  if (rate != 0) bench.costs.chip.emplace().read.value = static_cast<double>(rate);
  return bench.must_run(
      R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%i: !pto.ptr<i32, gm>, %o: !pto.ptr<i32, gm>) attributes {pto.kernel} {
    %x = arith.constant 32 : i32
    %y = arith.constant 1 : i32
    pto.simt_launch @body<<<%x, %y, %y>>>(%i, %o) : (!pto.ptr<i32, gm>, !pto.ptr<i32, gm>) -> ()
    return
  }
  func.func @body(%i: !pto.ptr<i32, gm>, %o: !pto.ptr<i32, gm>) attributes {pto.simt_entry} {
    %tx = pto.get_tid_x : i32
    %at = arith.index_cast %tx : i32 to index
    %apart = arith.constant )" +
      std::to_string(apart) + R"( : index
    %from = arith.muli %at, %apart : index
    %r = pto.ldg %i[%from] : !pto.ptr<i32, gm> -> i32
    pto.stg %r, %o[%at] : !pto.ptr<i32, gm>, i32
    return
  }
})");
}
uint64_t waits(const SimResult& result) {
  return result.chip.resource_cycles[static_cast<size_t>(Resource::l2_read)];
}

TEST_CASE("lanes that want one line of GM move it once", "[simt]") {
  const SimResult together = run(1, 1), apart = run(64, 1);
  CHECK(together.chip.read_bytes == kLine);
  CHECK(apart.chip.read_bytes == kThreads * kLine);
  CHECK(together.chip.written_bytes == kLine);
  CHECK(apart.chip.written_bytes == kLine);
  // A line takes 8 cycles of L2, where the port of the core would take one.
  CHECK(waits(together) == kLine / kRate - 1);
  CHECK(waits(apart) == kThreads * (kLine / kRate - 1));
  CHECK(apart.total_cycles - together.total_cycles == (kThreads - 1) * (kLine / kRate));
}

TEST_CASE("cores with threads share what L2 can read", "[simt]") {
  const SimResult one = run(64, 1), four = run(64, 4), free = run(64, 4, 0);
  CHECK(four.chip.read_bytes == 4 * one.chip.read_bytes);
  CHECK(waits(free) == 0);
  CHECK(four.total_cycles - free.total_cycles == kThreads * (4 * kLine / kRate - 1));
  CHECK(waits(four) == 4 * kThreads * (4 * kLine / kRate - 1));
}

}  // namespace
}  // namespace pto::sim
