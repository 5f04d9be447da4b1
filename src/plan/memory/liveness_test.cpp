// How long a tile keeps its bytes: kernels that need one tile more than the UB has room for, unless the
// planner forgets a use. Each is refused with exactly that much memory and placed with one tile more.
#include <fmt/format.h>

#include <string>

#include "plan/planner_fixture.hpp"
#include "pto/plan.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

namespace {

constexpr uint64_t kTileBytes = 1024;

/// E0601 with room for tiles - 1, and order and distinct bytes with room for `tiles`.
Program takes(const std::string& text, unsigned tiles, Target target = Target::a5) {
  Program small = parse_ok(text, target);
  Diagnostics diagnostics;
  CHECK_FALSE(plan(small, test_machine(target, (tiles - 1) * kTileBytes), {}, diagnostics));
  CHECK(diagnostics.errors() >= 1);
  for (const Diagnostic& d : diagnostics.all()) CHECK(d.id == E0601);
  Program large = parse_ok(text, target);
  plan_ok(large, test_machine(target, tiles * kTileBytes));
  return large;
}

/// A tile of its own, for a moment.
std::string use_another() { return alloc("%t") + load("%cp", "%t") + store("%t", "%cp"); }

}  // namespace

TEST_CASE("a tile that a loop reads is live until the loop's last iteration", "[plan][liveness]") {
  const std::string body = store("%x", "%bp") + use_another();
  const std::string before = alloc("%x") + load("%ap", "%x");
  SECTION("scf.for") {
    const Program p = takes(kernel(before + "  scf.for %i = %c0 to %c4 step %c1 {\n" + body + "  }\n"), 2);
    check_order(p, Target::a5);
  }
  SECTION("scf.while") {
    takes(kernel(before + "  %last = scf.while (%k = %c0) : (index) -> index {\n" +
                 "    scf.condition(%flag) %k : index\n  } do {\n  ^bb0(%n: index):\n" + body +
                 "    scf.yield %n : index\n  }\n"),
          2);
  }
  SECTION("the condition's part of scf.while") {
    takes(kernel(before + "  %last = scf.while (%k = %c0) : (index) -> index {\n" + body +
                 "    scf.condition(%flag) %k : index\n  } do {\n  ^bb0(%n: index):\n" +
                 "    scf.yield %n : index\n  }\n"),
          2);
  }
  SECTION("a loop within the loop") {
    takes(kernel(before + "  scf.for %i = %c0 to %c4 step %c1 {\n  scf.for %j = %c0 to %c4 step %c1 {\n" +
                 body + "  }\n" + use_another() + "  }\n"),
          2);
  }
  SECTION("a tile of the loop's own may share bytes with one of the iteration before") {
    Program p = parse_ok(kernel("  scf.for %i = %c0 to %c4 step %c1 {\n" + alloc("%x") + load("%ap", "%x") +
                                store("%x", "%bp") + use_another() + "  }\n"));
    plan_ok(p, test_machine(Target::a5, kTileBytes));
    check_order(p, Target::a5);
  }
}

TEST_CASE("a tile that is handed to a function is live until the call", "[plan][liveness]") {
  const std::string helper =
      "func.func @help(%t: " + kTile + ") {\n" + add("%t", "%t", "%t") + "  return\n}\n";
  takes(helper + kernel(alloc("%x") + load("%ap", "%x") + use_another() + "  func.call @help(%x) : (" +
                        kTile + ") -> ()\n"),
        2);
}

TEST_CASE("the tiles of both branches are live as long as what scf.if chooses of them", "[plan][liveness]") {
  for (const bool swapped : {false, true}) {
    const std::string then = swapped ? "%y" : "%x";
    const std::string other = swapped ? "%x" : "%y";
    const std::string choice = fmt::format(
        "  %r = scf.if %flag -> ({0}) {{\n    scf.yield {1} : {0}\n  }} else {{\n    scf.yield {2} : {0}\n  "
        "}}\n",
        kTile, then, other);
    takes(kernel(alloc("%x") + alloc("%y") + load("%ap", "%x") + load("%bp", "%y") + choice + use_another() +
                 store("%r", "%bp")),
          3);
  }
}

TEST_CASE("the first of several equally full places is named", "[plan][liveness]") {
  const auto group = [](const std::string& name) {
    const std::string x = "%x" + name;
    const std::string y = "%y" + name;
    return alloc(x) + alloc(y) + load("%ap", x) + load("%bp", y) + add(x, y, x) + store(x, "%cp");
  };
  const std::string text = kernel(group("0") + group("1") + group("2"));
  Program p = parse_ok(text);
  Diagnostics diagnostics;
  CHECK_FALSE(plan(p, test_machine(Target::a5, kTileBytes), {}, diagnostics));
  REQUIRE(diagnostics.errors() == 1);
  // The table lists what is live there: the tiles of the first group.
  REQUIRE(diagnostics.all()[0].notes.size() == 1);
  const std::string& table = diagnostics.all()[0].notes[0].message;
  CHECK(table.find("%x0") != std::string::npos);
  CHECK(table.find("%y0") != std::string::npos);
  CHECK(table.find("%x1") == std::string::npos);
  CHECK(table.find("%x2") == std::string::npos);
}

TEST_CASE("tiles smaller than the unit of addresses take a whole one", "[plan][memory]") {
  const std::string tile = "!pto.tile_buf<vec, 1x4xf32>";  // 16 bytes
  const auto named = [&](const std::string& name) {
    return fmt::format("  {} = pto.alloc_tile : {}\n", name, tile);
  };
  Program p = parse_ok(kernel(named("%x") + named("%y") +
                              fmt::format("  pto.tadd ins(%x, %y : {0}, {0}) outs(%x : {0})\n", tile)));
  plan_ok(p, test_machine(Target::a5));
  CHECK(address(p, "x") % 32 == 0);
  CHECK(address(p, "y") % 32 == 0);
  CHECK(address(p, "x") != address(p, "y"));
}

TEST_CASE("what two neighbours leave is one stretch, whoever goes first", "[plan][memory]") {
  // More tiles than are tried largest first: only joined stretches hold the tile of two tiles' size.
  const std::string wide = "!pto.tile_buf<vec, 32x16xf32>";
  std::string body;
  for (int round = 0; round < 1400; ++round) {
    const std::string x = fmt::format("%x{}", round);
    const std::string y = fmt::format("%y{}", round);
    const std::string w = fmt::format("%w{}", round);
    const std::string& first = round % 2 == 0 ? x : y;
    body += alloc(x) + alloc(y) + load("%ap", x) + load("%bp", y) + store(first, "%cp") +
            store(first == x ? y : x, "%cp") + fmt::format("  {0} = pto.alloc_tile : {1}\n", w, wide) +
            fmt::format("  pto.tadd ins({0}, {0} : {1}, {1}) outs({0} : {1})\n", w, wide);
  }
  Program p = parse_ok(kernel(body));
  plan_ok(p, test_machine(Target::a5, 2 * kTileBytes));
}
