// Auto mode on random programs, judged by Replay and by an independent look at live tiles; its speed.
#include <fmt/format.h>

#include <chrono>
#include <random>
#include <string>

#include "plan/memory/placement.hpp"
#include "plan/plan_oracle.hpp"
#include "plan/planner_fixture.hpp"
#include "pto/assembler.hpp"
#include "pto/plan.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

namespace {

/// Random nests of loops, branches and operations on a few tiles.
class RandomKernel {
 public:
  explicit RandomKernel(unsigned seed, int fixed = 0) : random_(seed), fixed_(fixed) {}
  std::string text() {
    std::string body;
    for (int i = 0; i < fixed_; ++i) {
      names_.push_back(fmt::format("%fixed{}", i));
      body += alloc_at(names_.back(), 32 * pick(200));
    }
    body += tiles(2 + pick(7));
    return kernel(body + block(0, 3 + pick(10)));
  }
  std::string tiles(int count) {
    std::string body;
    for (int i = 0; i < count; ++i) {
      names_.push_back(fmt::format("%t{}", i));
      body += alloc(names_.back());
    }
    return body;
  }
  std::string block(int depth, int length) {
    std::string body;
    const size_t scope = names_.size();
    for (int i = 0; i < length; ++i) body += statement(depth);
    names_.resize(scope);
    return body;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  const std::string& tile() { return names_[static_cast<size_t>(pick(static_cast<int>(names_.size())))]; }
  std::string view() { return std::string("%") + "abc"[pick(3)] + "p"; }

  std::string statement(int depth) {
    const int kind = pick(depth < 3 ? 14 : 10);
    const int n = ++counter_;
    if (kind < 3) return load(view(), tile());
    if (kind < 6) return add(tile(), tile(), tile());
    if (kind < 8) return store(tile(), view());
    if (kind == 8) {
      if (pick(2) == 0)
        return fmt::format("  %s{} = pto.tgetval ins({}, %c0 : {}, index) outs : f32\n", n, tile(), kTile);
      return fmt::format("  pto.tsetval ins(%c0, %f1 : index, f32) outs({} : {})\n", tile(), kTile);
    }
    if (kind == 9) {
      if (pick(2) == 0) {
        const std::string built = fmt::format("%n{}", n);
        names_.push_back(built);
        return alloc(built) + load(view(), built);
      }
      const std::string x = tile(), y = tile(), built = fmt::format("%m{}", n);
      names_.push_back(built);
      return fmt::format("  {} = arith.select %flag, {}, {} : {}\n", built, x, y, kTile);
    }
    if (kind == 10) return "  scf.if %flag {\n" + block(depth + 1, 1 + pick(5)) + "  }\n";
    if (kind == 11)
      return "  scf.if %flag {\n" + block(depth + 1, 1 + pick(4)) + "  } else {\n" +
             block(depth + 1, 1 + pick(4)) + "  }\n";
    if (kind == 12 && pick(3) == 0) {
      return fmt::format("  scf.while (%w{0} = %c0) : (index) -> (index) {{\n", n) +
             block(depth + 1, pick(3)) +
             fmt::format("    scf.condition(%flag) %w{0} : index\n  }} do {{\n  ^bb0(%u{0}: index):\n", n) +
             block(depth + 1, 1 + pick(4)) + fmt::format("    scf.yield %u{0} : index\n  }}\n", n);
    }
    return fmt::format("  scf.for %i{} = %c0 to %c4 step %c1 {{\n", n) + block(depth + 1, 1 + pick(6)) +
           "  }\n";
  }

  std::mt19937 random_;
  int fixed_;
  std::vector<std::string> names_;
  int counter_ = 0;
};

/// Random cube kernels: loads to L1, moves to L0, products, stores of the accumulator, with tiles swapped
/// around loops.
class RandomCube {
 public:
  explicit RandomCube(unsigned seed) : random_(seed) {}
  std::string text() { return kernel(tiles() + block(0, 6 + pick(10))); }
  static std::string tiles() {
    std::string body;
    for (const char* loc : {"mat", "left", "right", "acc"}) {
      for (int i = 0; i < 2; ++i)
        body += fmt::format("  %{0}{1} = pto.alloc_tile : {2}\n", loc, i, type(loc));
    }
    return body;
  }
  std::string block(int depth, int length) {
    std::string body;
    for (int i = 0; i < length; ++i) body += statement(depth);
    return body;
  }

 private:
  static std::string type(std::string_view loc) { return fmt::format("!pto.tile_buf<{}, 16x16xf32>", loc); }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string tile(std::string_view loc) {
    return fmt::format("%{}{}{}", loc == "mat" ? swapped_ : "", loc, pick(2));
  }

  std::string statement(int depth) {
    const std::string mat = type("mat"), left = type("left"), right = type("right"), acc = type("acc");
    switch (pick(depth < 3 ? 10 : 7)) {
      case 0:
      case 1:
        return fmt::format("  pto.tload ins(%ap : {}) outs({} : {})\n", kView, tile("mat"), mat);
      case 2:
        return fmt::format("  pto.tmov ins({} : {}) outs({} : {})\n", tile("mat"), mat, tile("left"), left);
      case 3:
        return fmt::format("  pto.tmov ins({} : {}) outs({} : {})\n", tile("mat"), mat, tile("right"), right);
      case 4:
        return fmt::format("  pto.tmatmul ins({}, {} : {}, {}) outs({} : {})\n", tile("left"), tile("right"),
                           left, right, tile("acc"), acc);
      case 5: {
        const std::string c = tile("acc");
        return fmt::format("  pto.tmatmul.acc ins({0}, {1}, {2} : {5}, {3}, {4}) outs({0} : {5})\n", c,
                           tile("left"), tile("right"), left, right, acc);
      }
      case 6:
        if (pick(2) == 0)
          return fmt::format("  pto.tmov ins({} : {}) outs({} : {})\n", tile("acc"), acc, tile("mat"), mat);
        return fmt::format("  pto.tstore ins({} : {}) outs(%cp : {})\n", tile("acc"), acc, kView);
      case 7:
        return "  scf.if %flag {\n" + block(depth + 1, 1 + pick(5)) + "  } else {\n" +
               block(depth + 1, 1 + pick(5)) + "  }\n";
      case 8:
        return fmt::format("  scf.for %k{} = %c0 to %c4 step %c1 {{\n", ++counter_) +
               block(depth + 1, 1 + pick(8)) + "  }\n";
      default:
        return swap_loop(depth);
    }
  }
  std::string swap_loop(int depth) {
    const std::string outer = swapped_, mine = fmt::format("s{}_", ++counter_), mat = type("mat");
    std::string text = fmt::format(
        "  %r{0}:2 = scf.for %i{0} = %c0 to %c4 step %c1 iter_args(%{1}mat0 = %{2}mat0, %{1}mat1 = %{2}mat1) "
        "-> ({3}, {3}) "
        "{{\n",
        counter_, mine, outer, mat);
    swapped_ = mine;
    text += block(depth + 1, 2 + pick(6)) +
            fmt::format("    scf.yield %{0}mat1, %{0}mat0 : {1}, {1}\n  }}\n", mine, mat);
    swapped_ = outer;
    return text;
  }

  std::mt19937 random_;
  std::string swapped_;
  int counter_ = 0;
};

/// Functions with sections of both cores, in loops and branches, in any order; between them the scalar unit
/// loads from GM.
class RandomSections {
 public:
  explicit RandomSections(unsigned seed) : random_(seed), vector_(seed), cube_(seed) {}
  std::string text() {
    const std::string tiles = vector_.tiles(2 + pick(5)) + RandomCube::tiles();
    return kernel(tiles + block(0, 2 + pick(5)));
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string block(int depth, int length) {
    std::string body;
    for (int i = 0; i < length; ++i) body += statement(depth);
    return body;
  }
  std::string statement(int depth) {
    switch (pick(depth < 2 ? 10 : 7)) {
      case 0:
      case 1:
      case 2:
        return "  pto.section.vector {\n" + vector_.block(1, 1 + pick(6)) + "  }\n";
      case 3:
      case 4:
      case 5:
        return "  pto.section.cube {\n" + cube_.block(1, 1 + pick(6)) + "  }\n";
      case 6:
        return fmt::format("  %g{} = pto.load_scalar %{}[%c0] : !pto.ptr<f32> -> f32\n", ++counter_,
                           std::string(1, "abc"[pick(3)]));
      case 7:
        return "  scf.if %flag {\n" + block(depth + 1, 1 + pick(3)) + "  } else {\n" +
               block(depth + 1, 1 + pick(3)) + "  }\n";
      case 8:
        if (pick(4) == 0) return while_loop(depth);
        [[fallthrough]];
      default:
        return fmt::format("  scf.for %si{} = %c0 to %c4 step %c1 {{\n", ++counter_) +
               block(depth + 1, 1 + pick(4)) + "  }\n";
    }
  }
  std::string while_loop(int depth) {
    const int n = ++counter_;
    return fmt::format("  scf.while (%sw{0} = %c0) : (index) -> (index) {{\n", n) +
           fmt::format("    scf.condition(%flag) %sw{0} : index\n  }} do {{\n  ^bb0(%su{0}: index):\n", n) +
           block(depth + 1, 1 + pick(3)) + fmt::format("    scf.yield %su{} : index\n  }}\n", n);
  }

  std::mt19937 random_;
  RandomKernel vector_;
  RandomCube cube_;
  int counter_ = 0;
};

/// No two tiles whose live ranges meet lie on the same bytes: pairwise, by the addresses in the operations.
void check_placement(const Program& planned, bool all_planned = true) {
  planner::Storage storage(planned);
  const auto fixed = [&](const planner::Root& root) {
    return !all_planned && root.kind == planner::Root::Kind::tile &&
           planned.name_of(root.value).starts_with("fixed");
  };
  for (planner::Root& root : storage.roots()) root.planned = !fixed(root);
  const std::vector<planner::LiveRange> live = planner::live_ranges(planned, storage);
  const auto& roots = storage.roots();
  for (size_t a = 0; a < roots.size(); ++a) {
    if (roots[a].kind != planner::Root::Kind::tile) continue;
    REQUIRE(roots[a].addr.has_value());
    CHECK(*roots[a].addr % 32 == 0);
    for (size_t b = a + 1; b < roots.size(); ++b) {
      if (roots[a].space != roots[b].space || (fixed(roots[a]) && fixed(roots[b]))) continue;
      if (roots[b].kind != planner::Root::Kind::tile || live[a].empty() || live[b].empty() ||
          !live[a].overlaps(live[b]))
        continue;
      CHECK((*roots[a].addr + roots[a].bytes <= *roots[b].addr ||
             *roots[b].addr + roots[b].bytes <= *roots[a].addr));
    }
  }
}

}  // namespace

TEST_CASE("random programs are ordered and placed", "[plan]") {
  unsigned planned = 0;
  for (unsigned i = 0; i <= 600; ++i) {
    const unsigned seed = i < 600 ? i : 12069;  // the last one once set a flag before it was taken
    const Target target = seed % 2 ? Target::a5 : Target::a2a3;
    const std::string text = RandomKernel(seed).text();
    INFO("seed " << seed << "\n" << text);
    Program p = parse_ok(text, target);
    Diagnostics diagnostics;
    // A small memory forces reuse, few ids force sharing and barriers; sometimes the memory is too small.
    Machine machine = test_machine(target, seed % 3 == 0 ? 8192 : 196608);
    machine.event_ids = seed % 4 == 0 ? 8 : 1 + static_cast<int>(seed / 4 % 8);
    if (!plan(p, machine,
              {.reuse = static_cast<Reuse>(seed / 3 % 3), .shortage = static_cast<IdShortage>(seed / 5 % 3)},
              diagnostics)) {
      CHECK(diagnostics.all()[0].id == E0601);
      continue;
    }
    ++planned;
    check_placement(p);
    check_order(p, target);
  }
  CHECK(planned > 500);
}

TEST_CASE("random programs with places in the banks are ordered and placed", "[plan][banks]") {
  unsigned kept = 0, tiles = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Target target = seed % 2 ? Target::a5 : Target::a2a3;
    const std::string text = RandomKernel(seed, static_cast<int>(seed % 3)).text();
    INFO("seed " << seed << "\n" << text);
    Program p = parse_ok(text, target);
    std::mt19937 random(seed);
    BankPlaces banks{512, {}};
    const planner::Storage before(p);
    for (const planner::Root& root : before.roots()) {
      if (root.kind == planner::Root::Kind::tile) banks.of_tile.emplace(root.value, random() % 16 * 32);
    }
    Diagnostics diagnostics;
    // Now and then too little room for the gaps, or for all tiles side by side.
    const uint64_t room = seed % 4 == 0 ? 8192 : seed % 4 == 1 ? banks.of_tile.size() * 1024 : 196608;
    if (!plan(p, test_machine(target, room), {.banks = banks}, diagnostics)) {
      CHECK(diagnostics.all()[0].id == E0601);
      continue;
    }
    check_placement(p, false);
    check_order(p, target);
    const planner::Storage storage(p);
    for (const planner::Root& root : storage.roots()) {
      if (root.kind != planner::Root::Kind::tile || p.name_of(root.value).starts_with("fixed")) continue;
      ++tiles;
      kept += *root.addr % banks.round == banks.of_tile.at(root.value);
    }
  }
  CHECK(kept > tiles / 2);
  CHECK(kept < tiles);
}

TEST_CASE("random programs compute the same in the order of stages", "[plan]") {
  unsigned moved = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Target target = seed % 2 ? Target::a5 : Target::a2a3;
    const std::string text = seed % 3 == 0 ? RandomCube(seed).text() : RandomKernel(seed).text();
    INFO("seed " << seed << "\n" << text);
    Program as_written = parse_ok(text, target), by_stage = parse_ok(text, target);
    const Machine machine = test_machine(target);
    plan_ok(as_written, machine);
    Diagnostics diagnostics;
    REQUIRE(plan(by_stage, machine, {.by_stage = true}, diagnostics));
    moved += print(as_written) != print(by_stage);
    check_placement(by_stage);
    check_order(by_stage, target);
    for (uint64_t variant = 0; variant < 4; ++variant) {
      const auto results = [&](const Program& program) {
        Replay replay(
            program, target, [&] { return variant; }, [&] { return variant % 2 == 0; });
        replay.run(kernel_op(program));
        return replay.results();
      };
      CHECK(results(as_written) == results(by_stage));
    }
  }
  CHECK(moved > 100);
}

TEST_CASE("random programs with some addresses of their own are ordered and placed", "[plan]") {
  unsigned planned = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Target target = seed % 2 ? Target::a5 : Target::a2a3;
    const std::string text = RandomKernel(seed, 1 + static_cast<int>(seed % 3)).text();
    INFO("seed " << seed << "\n" << text);
    Program p = parse_ok(text, target);
    Diagnostics diagnostics;
    if (!plan(p, test_machine(target, seed % 3 == 0 ? 8192 : 196608),
              {.reuse = static_cast<Reuse>(seed / 2 % 3), .shortage = static_cast<IdShortage>(seed / 5 % 3)},
              diagnostics)) {
      CHECK(diagnostics.all()[0].id == E0601);
      continue;
    }
    ++planned;
    check_placement(p, false);
    check_order(p, target);
  }
  CHECK(planned > 250);
}

TEST_CASE("random cube programs are ordered", "[plan]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = RandomCube(seed).text();
    INFO("seed " << seed << "\n" << text);
    Program p = parse_ok(text, Target::a2a3);
    Machine machine = test_machine(Target::a2a3);
    machine.event_ids = 1 + static_cast<int>(seed % 8);
    plan_ok(p, machine);
    check_placement(p);
    check_order(p, Target::a2a3);
  }
}

TEST_CASE("random sections of both cores are ordered and placed, each core as one program",
          "[plan][sections]") {
  unsigned planned = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const Target target = seed % 2 ? Target::a5 : Target::a2a3;
    const std::string text = RandomSections(seed).text();
    INFO("seed " << seed << "\n" << text);
    Program p = parse_ok(text, target);
    Diagnostics diagnostics;
    // Mostly less memory than the tiles take side by side.
    Machine machine = test_machine(target, seed % 3 == 0 ? 196608 : 5120);
    machine.event_ids = seed % 4 == 0 ? 8 : 1 + static_cast<int>(seed / 4 % 8);
    if (!plan(p, machine,
              {.reuse = static_cast<Reuse>(seed / 3 % 3), .shortage = static_cast<IdShortage>(seed / 5 % 3)},
              diagnostics)) {
      const FindingId id = diagnostics.all()[0].id;
      CHECK((id == E0601 || id == E0607));
      continue;
    }
    ++planned;
    check_placement(p);
    // Where both cores run it, a pipe may know what it knows by way of the other core.
    if (count(p, "pto.section.cube") > 0 && count(p, "pto.section.vector") > 0) check_both_cores(p, target);
    if (count(p, "pto.sync.set") > 0) continue;
    check_order(p, target, 7, "pto.section.vector");
    check_order(p, target, 7, "pto.section.cube");
  }
  CHECK(planned > 400);
}

TEST_CASE("planning time grows with the size of the program", "[plan][speed]") {
  for (const int n : {2000, 20000}) {
    std::string body;
    for (int i = 0; i < 16; ++i) body += alloc(fmt::format("%t{}", i));
    for (int i = 0; i < n; ++i) {
      const std::string t = fmt::format("%t{}", i % 16), u = fmt::format("%t{}", (i + 5) % 16);
      body += load("%ap", t) + add(t, u, t) + add(t, t, u) + add(u, t, t) + store(t, "%cp");
    }
    Program p = parse_ok(kernel(body));
    const auto begin = std::chrono::steady_clock::now();
    plan_ok(p, test_machine(Target::a5));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    WARN(5 * n << " operations planned in " << took.count() << " s");
    CHECK(took.count() < (n == 2000 ? 2.0 : 20.0));  // ten times the goal, for slow and busy machines
  }
}
