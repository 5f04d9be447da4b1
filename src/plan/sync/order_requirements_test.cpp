// Order around the back edge of a loop.
#include <string>

#include "plan/planner_fixture.hpp"

using namespace pto;
using namespace pto::test;

TEST_CASE("branches that never meet in one iteration are ordered between iterations", "[plan][order]") {
  // One iteration stores %x, another one loads it anew. Each branch for itself needs no flag.
  const std::string then = load("%bp", "%x"), other = store("%x", "%cp");
  for (const bool swapped : {false, true}) {
    const Program p = [&] {
      Program program = parse_ok(kernel(
          alloc("%x") + load("%ap", "%x") + "  scf.for %i = %c0 to %c4 step %c1 {\n    scf.if %flag {\n" +
          (swapped ? other : then) + "    } else {\n" + (swapped ? then : other) + "    }\n  }\n"));
      plan_ok(program, test_machine(Target::a5));
      return program;
    }();
    check_order(p, Target::a5, 64);  // branches are chosen by chance in the later ones
  }
}
