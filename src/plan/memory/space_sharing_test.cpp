// Who shares room with whom; flags that become one.
#include <fmt/format.h>

#include <set>

#include "plan/planner_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

TEST_CASE("tiles of one pipe share room before tiles that pipes hand on", "[plan]") {
  // %tu and %tw are PIPE_V's alone: one on the other, nobody waits. %ta or %tc on another one would hold up
  // the load of the next iteration.
  const std::string body = "  scf.for %i = %c0 to %c4 step %c1 {\n" + alloc("%ta") + alloc("%tu") +
                           alloc("%tv") + alloc("%tw") + alloc("%tc") + load("%ap", "%ta") +
                           add("%ta", "%ta", "%tu") + add("%tu", "%tu", "%tv") + add("%tv", "%tv", "%tw") +
                           load("%bp", "%tc") + add("%tw", "%tc", "%tc") + store("%tc", "%cp") + "  }\n";
  Program p = parse_ok(kernel(body));
  plan_ok(p, test_machine(Target::a5, 4096));  // four of five tiles
  CHECK(address(p, "tu") == address(p, "tw"));
  std::set<uint64_t> others;
  for (const char* tile : {"ta", "tu", "tv", "tc"}) others.insert(address(p, tile));
  CHECK(others.size() == 4);
  check_order(p, Target::a5);
}

TEST_CASE("where ids are short, one flag stands for two instead of a barrier", "[plan]") {
  std::string body, sums, stores;
  for (int i = 0; i < 24; ++i) body += alloc(fmt::format("%t{}", i));
  body += "  scf.for %i = %c0 to %c4 step %c1 {\n";
  for (int i = 0; i < 24; ++i) {
    const std::string t = fmt::format("%t{}", i);
    body += load("%ap", t);
    sums += add(t, t, t);
    stores += store(t, "%cp");
  }
  body += sums + stores + "  }\n";
  for (const IdShortage shortage : {IdShortage::barriers, IdShortage::join_around, IdShortage::join}) {
    Program p = parse_ok(kernel(body));
    Diagnostics diagnostics;
    REQUIRE(plan(p, test_machine(Target::a5), {.shortage = shortage}, diagnostics));
    INFO(static_cast<int>(shortage) << ": " << count(p, "pto.barrier"));
    CHECK((count(p, "pto.barrier") == 0) == (shortage == IdShortage::join));
    check_order(p, Target::a5);
  }
}

}  // namespace
