#include "sim/engine/sync/wait_skips.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

TEST_CASE("a skipped wait takes the next set of its flag on its core", "[engine]") {
  using Kind = WaitSkips::Kind;
  WaitSkips skips({9, 4});
  Core core;
  Core other;
  other.info.index = 1;
  BytecodeInst code;
  code.pc = 4;
  CHECK(skips.skips(code));
  code.pc = 5;
  CHECK_FALSE(skips.skips(code));

  CHECK_FALSE(skips.pay_debt(core, 7, Kind::flag));
  skips.add_debt(core, 7, Kind::flag);
  skips.add_debt(core, 7, Kind::flag);
  CHECK(skips.debts(core, 7, Kind::flag) == 2);
  CHECK_FALSE(skips.pay_debt(other, 7, Kind::flag));
  CHECK_FALSE(skips.pay_debt(core, 7, Kind::semaphore));
  CHECK_FALSE(skips.pay_debt(core, 6, Kind::flag));
  CHECK(skips.pay_debt(core, 7, Kind::flag));
  CHECK(skips.pay_debt(core, 7, Kind::flag));
  CHECK_FALSE(skips.pay_debt(core, 7, Kind::flag));
  CHECK_FALSE(skips.has_debts());
}

}  // namespace
}  // namespace pto::sim
