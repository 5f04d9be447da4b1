// L2, HBM and signals as all cores share them: round numbers, by hand.
#include "timing/memory_system.hpp"

#include "testing/catch_main.hpp"

namespace pto::timing {
namespace {

Parameter number(double value) { return {value, {}}; }

MemoryConfig round_numbers() {
  return {number(100), number(50), number(10), number(1 << 20), number(30), number(8192)};
}

}  // namespace

TEST_CASE("a rate calendar serves those who ask first, and leaves gaps for those who ask later") {
  RateCalendar calendar(10);
  CHECK(calendar.reserve(0, 640, 10) == 64);   // the first 64 cycles are taken
  CHECK(calendar.reserve(0, 320, 5) == 128);   // 64 cycles at half the rate behind them
  CHECK(calendar.reserve(64, 320, 10) == 96);  // the rest of those
  CHECK(calendar.reserve(0, 640, 10) == 192);
}

TEST_CASE("a transfer alone takes its own time; cores that share L2 get a part each") {
  MemorySystem memory(round_numbers(), 0);
  const auto alone = memory.transfer(1000, 6400, 128, false, 1, {});
  CHECK(alone.end == 1128);
  CHECK(alone.limit == MemorySystem::Limit::none);
  const auto shared = memory.transfer(2000, 6400, 128, false, 4, {});  // 25 bytes per cycle
  CHECK(shared.end == 2256);
  CHECK(shared.limit == MemorySystem::Limit::l2_read);
  const auto write = memory.transfer(2000, 6400, 128, true, 4, {});  // 12.5: writes have a rate of their own
  CHECK(write.end == 2512);
  CHECK(write.limit == MemorySystem::Limit::l2_write);
}

TEST_CASE("lines that have left L2 are missed, those that are there are not") {
  constexpr uint64_t kBytes = uint64_t{1} << 20;
  L2Lines lines(kBytes);
  CHECK(lines.touch({0, 1, kBytes / 4, 0}, false) ==
        0);  // the first touch is no miss: who made it left it there
  CHECK(lines.touch({0, 1, kBytes / 4, 0}, false) == 0);
  lines.touch({kBytes, 1, 2 * kBytes, 0}, false);  // more than fits
  CHECK(lines.touch({0, 1, kBytes / 4, 0}, false) > kBytes / 8);
}

TEST_CASE("signals between cores pass one by one") {
  MemorySystem memory(round_numbers(), 0);
  CHECK(memory.signal(100) == 100);
  CHECK(memory.signal(100) == 130);
  CHECK(memory.signal(110) == 160);
  CHECK(memory.signal(500) == 500);
}

}  // namespace pto::timing
