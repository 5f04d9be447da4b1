// Auto mode: placement and synchronisation, judged by Replay and by an independent look at live tiles.
#include <fmt/format.h>

#include <set>
#include <string>

#include "plan/memory/placement.hpp"
#include "plan/plan_oracle.hpp"
#include "plan/planner_fixture.hpp"
#include "pto/assembler.hpp"
#include "pto/plan.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

TEST_CASE("the judge notices what is missing", "[plan]") {
  Program p = parse_ok(
      kernel(alloc("%x") + load("%ap", "%x") + add("%x", "%x", "%x") + add("%x", "%x", "%x")), Target::a2a3);
  Diagnostics diagnostics;
  PlanOptions options;
  options.sync = SyncBy::program;
  REQUIRE(plan(p, test_machine(Target::a2a3), options, diagnostics));
  test::Replay replay(
      p, Target::a2a3, [] { return 1; }, [] { return true; });
  const std::vector<std::string> problems = replay.run(kernel_op(p));
  REQUIRE(problems.size() >= 2);
  CHECK(problems.front().starts_with("not ordered: pto.tload"));
  CHECK(problems.back().starts_with("no barrier between vector operations"));
}

TEST_CASE("a load, a sum and a store get addresses and flags", "[plan]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    Program p = parse_ok(kernel(alloc("%x") + alloc("%y") + load("%ap", "%x") + load("%bp", "%y") +
                                add("%x", "%y", "%y") + store("%y", "%cp")),
                         target);
    plan_ok(p, test_machine(target));
    CHECK(count(p, "pto.set_flag") == 2);  // MTE2 -> V after the second load, V -> MTE3
    CHECK(count(p, "pto.wait_flag") == 2);
    CHECK(count(p, "pto.barrier") == 0);
    check_order(p, target);
  }
}

TEST_CASE("dependent vector operations take a barrier on a2a3 only", "[plan]") {
  const std::string text = kernel(alloc("%x") + alloc("%y") + load("%ap", "%x") + add("%x", "%x", "%y") +
                                  add("%y", "%x", "%y") + store("%y", "%cp"));
  Program a2a3 = parse_ok(text, Target::a2a3), a5 = parse_ok(text, Target::a5);
  plan_ok(a2a3, test_machine(Target::a2a3));
  plan_ok(a5, test_machine(Target::a5));
  CHECK(count(a2a3, "pto.barrier") == 1);
  CHECK(count(a5, "pto.barrier") == 0);
  check_order(a2a3, Target::a2a3);
}

TEST_CASE("a loop's flags go round: no barrier, one set before and one wait after it", "[plan]") {
  Program p = parse_ok(kernel(alloc("%x") + "  scf.for %i = %c0 to %c4 step %c1 {\n" + load("%ap", "%x") +
                              add("%x", "%x", "%x") + store("%x", "%cp") + "  }\n"));
  plan_ok(p, test_machine(Target::a5));
  CHECK(count(p, "pto.barrier") == 0);
  // Forward MTE2 -> V -> MTE3; backward MTE3 -> MTE2, with one set before and one wait after the loop. V
  // needs none: it waits for MTE2, which waited for MTE3.
  CHECK(count(p, "pto.set_flag") == 4);
  CHECK(count(p, "pto.wait_flag") == 4);
  check_order(p, Target::a5);
}

namespace {

/// The loops around a set of a pair of pipes, by operation; outermost first. One list per set.
std::vector<std::vector<uint32_t>> loops_around_sets(const Program& p, Pipe source, Pipe destination) {
  std::vector<std::vector<uint32_t>> found;
  for (uint32_t op = 0; op < p.ops.size(); ++op) {
    const OpView view(p, op);
    if (isa::row(view.op().row).name != "pto.set_flag") continue;
    if (view.attr_int("src_pipe") != static_cast<int64_t>(source)) continue;
    if (view.attr_int("dst_pipe") != static_cast<int64_t>(destination)) continue;
    std::vector<uint32_t>& loops = found.emplace_back();
    for (uint32_t loop = 0; loop < op; ++loop)
      if (isa::row(p.ops[loop].row).name == "scf.for" && op < p.end_of(loop)) loops.push_back(loop);
  }
  return found;
}

std::string loop(const std::string& index, const std::string& body) {
  return "  scf.for %" + index + " = %c0 to %c4 step %c1 {\n" + body + "  }\n";
}

}  // namespace

TEST_CASE("the first set of an inner loop's ring stands right before that loop where nobody waits longer",
          "[plan]") {
  const std::string tiles = alloc("%x") + alloc("%y") + alloc("%z") + alloc("%u") + alloc("%w");
  const std::string inner = load("%ap", "%x") + add("%x", "%y", "%y");
  const auto sets = [&](const std::string& body, Pipe source = Pipe::v, Pipe destination = Pipe::mte2) {
    Program p = parse_ok(kernel(tiles + body));
    plan_ok(p, test_machine(Target::a5));
    CHECK(count(p, "pto.barrier") == 0);
    check_order(p, Target::a5, 20);
    std::vector<size_t> depths;
    for (const auto& loops : loops_around_sets(p, source, destination)) depths.push_back(loops.size());
    return depths;
  };
  using Depths = std::vector<size_t>;
  // Every turn of the outer loop loads %y anew, which waits for all that V did in the inner loop: 1, and 2 in
  // it.
  CHECK(sets(loop("i", load("%bp", "%y") + loop("j", inner) + store("%y", "%cp"))) == Depths{1, 2});
  // Nothing between the turns of the outer loop: the next load may come before the last sum.
  CHECK(sets(loop("i", loop("j", inner))) == Depths{0, 2});
  // Three deep; only the loop in the middle has an order of its own.
  CHECK(sets(loop("i", loop("k", load("%bp", "%y") + loop("j", inner) + store("%y", "%cp")))) ==
        Depths{2, 3});
  CHECK(sets(loop("i", load("%bp", "%y") + loop("k", loop("j", inner)) + store("%y", "%cp"))) ==
        Depths{1, 3});
  // V does something else before the inner loop, for which MTE2 would have to wait.
  CHECK(sets(loop("i", load("%bp", "%y") + add("%z", "%z", "%z") + loop("j", inner) + store("%y", "%cp"))) ==
        Depths{0, 2});
  // The load behind the inner loop does not wait for V, which works on other tiles.
  CHECK(sets(loop("i", load("%bp", "%y") + loop("j", inner) + load("%bp", "%w") + store("%w", "%cp") +
                           store("%y", "%cp"))) == Depths{0, 2});
}

TEST_CASE("two tiles in turn: a load need not wait for the other half", "[plan]") {
  const std::string half = load("%ap", "%x") + add("%x", "%x", "%u") + store("%u", "%cp");
  std::string other = load("%bp", "%y") + add("%y", "%y", "%w") + store("%w", "%cp");
  Program p = parse_ok(kernel(alloc("%x") + alloc("%y") + alloc("%u") + alloc("%w") +
                              "  scf.for %i = %c0 to %c4 step %c1 {\n" + half + other + "  }\n"));
  plan_ok(p, test_machine(Target::a5));
  CHECK(count(p, "pto.barrier") == 0);
  check_order(p, Target::a5);
}

TEST_CASE("branches and loops in loops", "[plan]") {
  const std::string branch = "  scf.if %flag {\n" + load("%ap", "%x") + add("%x", "%x", "%x") +
                             "  } else {\n" + load("%bp", "%y") + add("%y", "%y", "%y") + "  }\n";
  const std::string inner =
      "  scf.for %j = %c0 to %c4 step %c1 {\n" + load("%ap", "%x") + add("%x", "%y", "%z") + branch + "  }\n";
  const std::string body = alloc("%x") + alloc("%y") + alloc("%z") +
                           "  scf.for %i = %c0 to %c4 step %c1 {\n" + inner + store("%z", "%cp") + "  }\n" +
                           store("%y", "%cp");
  for (const Target target : {Target::a2a3, Target::a5}) {
    Program p = parse_ok(kernel(body), target);
    plan_ok(p, test_machine(target));
    check_order(p, target, 20);
  }
}

TEST_CASE("more flags than ids: straight line and loop body", "[plan]") {
  std::string many;
  for (int i = 0; i < 40; ++i) many += alloc(fmt::format("%t{}", i));
  std::string loads, uses, mixed;
  for (int i = 0; i < 40; ++i) {
    const std::string t = fmt::format("%t{}", i);
    loads += load("%ap", t);
    uses += add(t, t, t) + store(t, "%cp");
    mixed += load("%ap", t) + add(t, t, t) + store(t, "%cp");
  }
  const std::string loop = "  scf.for %i = %c0 to %c4 step %c1 {\n", end = "  }\n";
  for (const std::string& body : {loads + uses, mixed, loop + loads + uses + end, loop + mixed + end,
                                  loop + mixed + loop + loads + uses + end + end}) {
    std::string text = kernel(many + body);
    for (size_t at = text.rfind("%i = "); at != std::string::npos && text.find("%i = ") != at;
         at = std::string::npos)
      text.replace(at, 2, "%j");
    Program p = parse_ok(text);
    plan_ok(p, test_machine(Target::a5));
    check_order(p, Target::a5, 4);
  }
}

TEST_CASE("a long line of independent groups runs without a barrier", "[plan]") {
  std::string body;
  for (int i = 0; i < 60; ++i) {
    const std::string t = fmt::format("%t{}", i);
    body += alloc(t) + load("%ap", t) + add(t, t, t) + store(t, "%cp");
  }
  Program p = parse_ok(kernel(body));
  plan_ok(p, test_machine(Target::a5));
  CHECK(count(p, "pto.barrier") == 0);
  CHECK(count(p, "pto.set_flag") < 2 * 60 + 40);
  check_order(p, Target::a5);
}

TEST_CASE("tiles that share memory are ordered like one tile", "[plan]") {
  std::string body;
  for (int i = 0; i < 12; ++i) {
    const std::string t = fmt::format("%t{}", i);
    body += alloc(t) + load("%ap", t) + add(t, t, t) + store(t, "%cp");
  }
  for (const uint64_t ub : {1024u, 2048u, 3072u, 196608u}) {
    Program p = parse_ok(kernel(body));
    plan_ok(p, test_machine(Target::a5, ub));
    check_order(p, Target::a5);
  }
}

TEST_CASE("tiles swapped through a loop's arguments", "[plan]") {
  const std::string body =
      alloc("%x") + alloc("%y") + load("%ap", "%x") + load("%bp", "%y") +
      fmt::format("  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %y) -> ({0}, {0}) {{\n",
                  kTile) +
      add("%p", "%q", "%q") + store("%q", "%cp") + load("%ap", "%p") +
      fmt::format("    scf.yield %q, %p : {0}, {0}\n  }}\n", kTile) + store("%r#0", "%cp");
  Program p = parse_ok(kernel(body), Target::a2a3);
  plan_ok(p, test_machine(Target::a2a3));
  check_order(p, Target::a2a3);
}

TEST_CASE("a tile made in a loop may be handed on when it is written in place", "[plan]") {
  const auto text = [](const std::string& op) {
    return kernel(
        alloc("%x") + load("%ap", "%x") +
        fmt::format("  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> ({0}) {{\n", kTile) +
        alloc("%n") + op + fmt::format("    scf.yield %n : {0}\n  }}\n", kTile) + store("%r", "%cp"));
  };
  Program good = parse_ok(text(add("%p", "%p", "%n")));
  plan_ok(good, test_machine(Target::a5));
  check_order(good, Target::a5);
  Program bad = parse_ok(text(add("%x", "%x", "%n") + store("%p", "%bp")));
  Diagnostics diagnostics;
  CHECK_FALSE(plan(bad, test_machine(Target::a5), {}, diagnostics));
  REQUIRE(diagnostics.errors() == 1);
  CHECK(diagnostics.all()[0].id == E0602);
}

TEST_CASE("one address does not serve two tiles that are due at the same time", "[plan]") {
  const auto problem = [](const std::string& loop, const std::string& body, const std::string& after) {
    Program p = parse_ok(kernel(alloc("%x") + alloc("%y") + load("%ap", "%x") + load("%bp", "%y") + loop +
                                body + "  }\n" + after));
    Diagnostics diagnostics;
    if (plan(p, test_machine(Target::a5), {}, diagnostics)) return std::string("none");
    CHECK(diagnostics.errors() == 1);
    CHECK(diagnostics.all()[0].id == E0602);
    return diagnostics.all()[0].message;
  };
  const std::string one =
      fmt::format("  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> ({0}) {{\n", kTile);
  const std::string yield = fmt::format("    scf.yield %n : {0}\n", kTile);
  const std::string again = "    scf.for %j = %c0 to %c4 step %c1 {\n" + add("%p", "%y", "%n") + "    }\n";
  CHECK(problem(one, alloc("%n") + add("%p", "%y", "%n") + yield, "") == "none");
  // Repeated inside: the second time around, the old tile is the new one.
  CHECK(problem(one, alloc("%n") + again + yield, "")
            .ends_with("which still reads it after its successor is written"));
  // Twice passed on: the tile of two iterations ago is due beside that of the last one.
  const std::string two = fmt::format(
      "  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %y) -> ({0}, {0}) {{\n", kTile);
  CHECK(problem(two,
                alloc("%n") + store("%q", "%cp") + load("%ap", "%n") +
                    fmt::format("    scf.yield %n, %p : {0}, {0}\n", kTile),
                "")
            .ends_with("which hands it on once more: two of its tiles are due at the same time"));
  // A window of the old tile does not lie on the new one.
  const std::string shifted =
      alloc("%n") +
      fmt::format("    %w = pto.subview %p[%c0, %c0] sizes [8, 16] : {0} -> !pto.tile_buf<vec, 8x16xf32>\n",
                  kTile) +
      fmt::format("    %v = pto.subview %n[%c0, %c0] sizes [8, 16] : {0} -> !pto.tile_buf<vec, 8x16xf32>\n",
                  kTile) +
      "    pto.tabs ins(%w : !pto.tile_buf<vec, 8x16xf32>) outs(%v : !pto.tile_buf<vec, 8x16xf32>)\n";
  CHECK(problem(one, shifted + yield, "").ends_with("which still reads it after its successor is written"));
}

TEST_CASE("a tile with an address keeps it, the planner places the others around it", "[plan]") {
  Program p =
      parse_ok(kernel(alloc("%x") + alloc_at("%f", 1024) + alloc("%y") + load("%ap", "%x") +
                      load("%bp", "%f") + add("%x", "%f", "%y") + store("%y", "%cp") + store("%x", "%cp")));
  plan_ok(p, test_machine(Target::a5, 3072));
  CHECK(address(p, "f") == 1024);
  CHECK(std::set<uint64_t>{address(p, "x"), address(p, "y")} == std::set<uint64_t>{0, 2048});
  check_order(p, Target::a5);
}

TEST_CASE("the bytes of a tile with an address are free when it is not live", "[plan]") {
  // %f is written first and read last before %y is made: two tiles share 2 KiB with it.
  const std::string body = alloc_at("%f", 0) + alloc("%x") + load("%ap", "%f") + add("%f", "%f", "%x") +
                           alloc("%y") + add("%x", "%x", "%y") + store("%y", "%cp");
  Program p = parse_ok(kernel(body));
  plan_ok(p, test_machine(Target::a5, 2048));
  CHECK(address(p, "x") == 1024);
  CHECK(address(p, "y") == 0);
  check_order(p, Target::a5);
}

TEST_CASE(
    "a tile with an address that is read before it is written, or written last, belongs to others as well",
    "[plan]") {
  const std::string work =
      alloc("%x") + alloc("%y") + load("%ap", "%x") + add("%x", "%x", "%y") + store("%y", "%cp");
  for (const std::string& body :
       {alloc_at("%f", 0) + work + store("%f", "%cp"), alloc_at("%f", 0) + load("%ap", "%f") + work}) {
    Program p = parse_ok(kernel(body));
    Diagnostics diagnostics;
    CHECK_FALSE(plan(p, test_machine(Target::a5, 2048), {}, diagnostics));
    REQUIRE(diagnostics.errors() == 1);
    const Diagnostic& d = diagnostics.all()[0];
    CHECK(d.id == E0601);
    REQUIRE(d.notes.size() == 1);
    CHECK(d.notes[0].message.find("%f  ") != std::string::npos);
    CHECK(d.notes[0].message.find(", at its own address") != std::string::npos);
    plan_ok(p, test_machine(Target::a5, 3072));
    CHECK(std::set<uint64_t>{address(p, "x"), address(p, "y")} == std::set<uint64_t>{1024, 2048});
  }
}

TEST_CASE("tiles with addresses of calling and called functions are left alone", "[plan]") {
  const std::string helper = "func.func @help(%t: " + kTile + ") {\n" + alloc_at("%g", 0) + alloc("%u") +
                             add("%t", "%t", "%g") + add("%g", "%g", "%u") + add("%u", "%u", "%t") +
                             "  return\n}\n";
  const std::string call = "  func.call @help(%x) : (" + kTile + ") -> ()\n";
  Program p =
      parse_ok(helper + kernel(alloc_at("%f", 2048) + alloc("%x") + load("%ap", "%x") + load("%ap", "%f") +
                               call + add("%f", "%x", "%x") + store("%x", "%cp")));
  plan_ok(p, test_machine(Target::a5, 4096));
  CHECK(address(p, "x") == 1024);
  CHECK(address(p, "u") == 3072);
}

TEST_CASE("a tile that both cores use keeps its bytes throughout", "[plan]") {
  // The vector section comes first in the text; the cube core fills %s at any time.
  const std::string acc = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>";
  const auto text = [&](const std::string& shared) {
    return kernel(shared + "  %d = pto.alloc_tile : " + acc + "\n  pto.section.vector {\n" + alloc("%x") +
                  load("%ap", "%x") + store("%x", "%cp") + store("%s", "%bp") +
                  "  }\n  pto.section.cube {\n" +
                  fmt::format("  pto.tmov ins(%d : {}) outs(%s : {})\n", acc, kTile) + "  }\n");
  };
  for (const std::string& shared : {alloc("%s"), alloc_at("%s", 0)}) {
    Program p = parse_ok(text(shared));
    Diagnostics diagnostics;
    CHECK_FALSE(plan(p, test_machine(Target::a5, 1024), {}, diagnostics));
    plan_ok(p, test_machine(Target::a5, 2048));
    CHECK(address(p, "x") != address(p, "s"));
  }
}

TEST_CASE("an execute_region is planned as what stands in it", "[plan]") {
  const std::string region = fmt::format("  %e = scf.execute_region -> ({0}) {{\n", kTile) + alloc("%n") +
                             add("%x", "%x", "%n") + fmt::format("    scf.yield %n : {0}\n  }}\n", kTile);
  const std::string loop =
      "  scf.for %i = %c0 to %c4 step %c1 {\n" + load("%ap", "%x") + region + store("%e", "%cp") + "  }\n";
  for (const Target target : {Target::a2a3, Target::a5}) {
    Program p = parse_ok(kernel(alloc("%x") + loop), target);
    plan_ok(p, test_machine(target));
    CHECK(count(p, "pto.set_flag") >= 4);  // there and back between MTE2 and V, V and MTE3
    CHECK(address(p, "x") != address(p, "n"));
    check_order(p, target);
  }
}

TEST_CASE("overflow names who occupies what", "[plan]") {
  std::string body = alloc("%x") + alloc("%y") + alloc("%z") + load("%ap", "%x") + load("%bp", "%y") +
                     add("%x", "%y", "%z") + store("%z", "%cp") + store("%x", "%cp");
  Program p = parse_ok(kernel(body));
  Diagnostics diagnostics;
  CHECK_FALSE(plan(p, test_machine(Target::a5, 2048), {}, diagnostics));
  REQUIRE(diagnostics.errors() == 1);
  const Diagnostic& d = diagnostics.all()[0];
  CHECK(d.id == E0601);
  CHECK(d.message == "the tiles in vec take 3 KiB at this point, a5 has 2 KiB");
  REQUIRE(d.notes.size() == 1);
  const std::string& table = d.notes[0].message;
  CHECK(table.find("1            0  %x                   13  lines 16 to 20\n") != std::string::npos);
  CHECK(table.find("1         1024  %y                   14  lines 17 to 18\n") != std::string::npos);
  CHECK(table.find("1         2048  %z                   15  lines 18 to 19, beyond the end") !=
        std::string::npos);
}

TEST_CASE("a tmp tile that A5 does not touch takes no memory from others", "[plan]") {
  const std::string body =
      alloc("%x") + alloc("%t") +
      "  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>\n" + load("%ap", "%x") +
      fmt::format(
          "  pto.trowsum ins(%x, %t : {0}, {0}) outs(%d : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)\n",
          kTile);
  Program a5 = parse_ok(kernel(body), Target::a5), a2a3 = parse_ok(kernel(body), Target::a2a3);
  plan_ok(a5, test_machine(Target::a5, 1024 + 64));
  Diagnostics diagnostics;
  CHECK_FALSE(plan(a2a3, test_machine(Target::a2a3, 1024 + 64), {}, diagnostics));
}

TEST_CASE("only the entry and what it calls is planned", "[plan]") {
  std::string other =
      kernel(alloc("%x") + alloc("%y") + load("%ap", "%x") + load("%bp", "%y") + add("%x", "%y", "%y"));
  other.replace(other.find("@k"), 2, "@big");
  Program p = parse_ok(kernel(alloc("%x") + load("%ap", "%x") + store("%x", "%cp")) + other);
  Diagnostics diagnostics;
  PlanOptions options;
  options.entry = "k";
  CHECK(plan(p, test_machine(Target::a5, 1024), options, diagnostics));
  CHECK(count(p, "pto.set_flag") == 1);
  options.entry.clear();
  CHECK_FALSE(plan(p, test_machine(Target::a5, 1024), options, diagnostics));
}

TEST_CASE("a kernel's own barrier stays, orders what it orders, and the rest gets flags", "[plan]") {
  const std::string barrier = "  pto.barrier <PIPE_ALL>\n";
  const auto flags_of = [&](const std::string& body) {
    Program p = parse_ok(kernel(alloc("%x") + body));
    plan_ok(p, test_machine(Target::a5));
    CHECK(count(p, "pto.barrier") == 1);
    check_order(p, Target::a5);
    return count(p, "pto.set_flag");
  };
  CHECK(flags_of(load("%ap", "%x") + barrier + add("%x", "%x", "%x") + store("%x", "%cp")) == 1);
  CHECK(flags_of(load("%ap", "%x") + add("%x", "%x", "%x") + barrier + store("%x", "%cp")) == 1);
  CHECK(flags_of(barrier + load("%ap", "%x") + add("%x", "%x", "%x") + store("%x", "%cp")) == 2);
  const std::string loop = load("%ap", "%x") + add("%x", "%x", "%x") + store("%x", "%cp");
  CHECK(flags_of("  scf.for %i = %c0 to %c4 step %c1 {\n" + loop + barrier + "  }\n") == 2);
}

TEST_CASE("calls are fenced, and a callee's tiles lie above those of its callers", "[plan]") {
  const std::string helper = "func.func @help(%t: " + kTile + ") {\n" + alloc("%u") + add("%t", "%t", "%u") +
                             add("%u", "%u", "%t") + "  return\n}\n";
  const std::string call = "  func.call @help(%x) : (" + kTile + ") -> ()\n";
  Program p =
      parse_ok(helper + kernel(alloc("%x") + load("%ap", "%x") + call + store("%x", "%cp")), Target::a5);
  plan_ok(p, test_machine(Target::a5));
  CHECK(count(p, "pto.barrier") == 2);
  CHECK(count(p, "pto.set_flag") == 0);
  std::set<uint64_t> addresses;
  const planner::Storage storage(p);
  for (const planner::Root& root : storage.roots())
    if (root.kind == planner::Root::Kind::tile) addresses.insert(*root.addr);
  CHECK(addresses == std::set<uint64_t>{0, 1024});
}

TEST_CASE("sections are planned for their own cores", "[plan]") {
  const std::string inner = load("%ap", "%x") + add("%x", "%x", "%x") + store("%x", "%cp");
  Program p = parse_ok(kernel("  pto.section.vector {\n" + alloc("%x") + inner + "  }\n"), Target::a5);
  plan_ok(p, test_machine(Target::a5));
  CHECK(count(p, "pto.set_flag") == 2);
  Program outside = parse_ok(
      kernel(alloc("%x") + load("%ap", "%x") + "  pto.section.vector {\n" + add("%x", "%x", "%x") + "  }\n"),
      Target::a5);
  // Work beside the sections is put into one, but on a target without cores of its own.
  Program put_in = outside;
  plan_ok(put_in, test_machine(Target::a5));
  CHECK(count(put_in, "pto.section.vector") == 2);
  outside.target = Target::cpu;
  Diagnostics diagnostics;
  CHECK_FALSE(plan(outside, test_machine(Target::cpu), {}, diagnostics));
  REQUIRE(diagnostics.errors() == 1);
  CHECK(diagnostics.all()[0].id == E0603);
}

TEST_CASE("nesting beyond reason is refused", "[plan]") {
  std::string body;
  for (int i = 0; i < 300; ++i) body += "  scf.if %flag {\n";
  for (int i = 0; i < 300; ++i) body += "  }\n";
  Program p = parse_ok(kernel(body));
  Diagnostics diagnostics;
  CHECK_FALSE(plan(p, test_machine(Target::a5), {}, diagnostics));
  REQUIRE(diagnostics.errors() == 1);
  CHECK(diagnostics.all()[0].id == E0604);
}

TEST_CASE("what is explicit stays", "[plan]") {
  const std::string tile = kTile;
  const std::string body =
      "  %c0_i64 = arith.constant 0 : i64\n  %x = pto.alloc_tile addr = %c0_i64 : " + tile + "\n" +
      load("%ap", "%x") +
      "  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]\n  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, "
      "<EVENT_ID0>]\n" +
      store("%x", "%cp");
  Program p = parse_ok(kernel(body));
  const size_t ops = p.ops.size(), operands = p.operands.size();
  CHECK(has_sync(p, kernel_op(p)));
  plan_ok(p, test_machine(Target::a5));
  CHECK(p.ops.size() == ops);
  CHECK(p.operands.size() == operands);
  check_order(p, Target::a5);
}

TEST_CASE("planning twice changes nothing", "[plan]") {
  Program p = parse_ok(kernel(alloc("%x") + "  scf.for %i = %c0 to %c4 step %c1 {\n" + load("%ap", "%x") +
                              add("%x", "%x", "%x") + store("%x", "%cp") + "  }\n"));
  plan_ok(p, test_machine(Target::a5));
  const size_t ops = p.ops.size(), values = p.values.size();
  plan_ok(p, test_machine(Target::a5));
  CHECK(p.ops.size() == ops);
  CHECK(p.values.size() == values);
}
