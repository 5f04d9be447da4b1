// Windows of GM: what is known of where they begin, against numbers by hand; that two windows which meet in
// any turn are never told apart, against all iterations written out; the simulator's judgement of planned
// programs.
#include "analysis/gm_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "plan/planner_fixture.hpp"
#include "plan/sync/byte_segments.hpp"
#include "pto/simulator.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

namespace {

constexpr int kWidth = 128;  ///< elements of f32 in a row of the buffer

/// A kernel on one buffer of rows of 128 f32, two loops around the body.
std::string nest(const std::string& body, const std::string& bounds_i = "%n0 to %n4 step %n1",
                 const std::string& bounds_j = "%n0 to %n4 step %n1") {
  std::string text =
      "func.func @k(%a: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {\n"
      "  %width = arith.constant 128 : index\n"
      "  %number = pto.get_block_idx\n  %block = arith.index_cast %number : i64 to index\n";
  for (int i = 0; i <= 64; ++i) text += fmt::format("  %n{0} = arith.constant {0} : index\n", i);
  text +=
      "  %all = pto.make_tensor_view %a, shape = [%n, %width], strides = [%width, %n1] : "
      "!pto.tensor_view<?x?xf32>\n";
  return text + "  scf.for %i = " + bounds_i + " {\n  scf.for %j = " + bounds_j + " {\n" + body +
         "  }\n  }\n  return\n}\n";
}

std::string part(const std::string& name, const std::string& row, const std::string& column, int rows,
                 int columns) {
  return fmt::format(
      "  {0} = pto.partition_view %all, offsets = [{1}, {2}], sizes = [%n{3}, %n{4}] : "
      "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<{3}x{4}xf32>\n",
      name, row, column, rows, columns);
}

ValueId value_of(const Program& program, std::string_view name) {
  for (const Op& op : program.ops) {
    for (uint32_t i = 0; i < op.n_results; ++i) {
      if (program.name_of(op.first_result + i) == name) return op.first_result + i;
    }
  }
  FAIL("no value " << name);
  return kNoValue;
}

std::optional<planner::Window> window(const std::string& text, std::string_view name) {
  const Program program = parse_ok(text);
  const Constants constants(program);
  return planner::GmWindowAnalysis(program, constants).window_of(value_of(program, name));
}

void check_window(const std::string& text, int64_t at, uint64_t step, uint64_t bytes) {
  const std::optional<planner::Window> found = window(text, "w");
  REQUIRE(found.has_value());
  CHECK(found->begin.step == step);
  CHECK((step == 0 ? found->begin.at == at : (found->begin.at - at) % static_cast<int64_t>(step) == 0));
  CHECK(found->bytes == bytes);
}

}  // namespace

TEST_CASE("where windows begin, modulo the steps of loops and blocks", "[plan][windows]") {
  // Rows of 512 bytes. To the last byte of 3 rows of 8 elements: 2 * 512 + 32.
  check_window(nest(part("%w", "%n5", "%n16", 3, 8)), 5 * 512 + 64, 0, 1056);
  check_window(nest(part("%w", "%i", "%n16", 3, 8)), 64, 512, 1056);
  check_window(nest(part("%w", "%i", "%n16", 3, 8), "%n6 to %n step %n10"), 6 * 512 + 64, 5120, 1056);
  // 10 i + 4 j + 1 with steps of 1: all odd rows.
  check_window(nest("  %x = arith.muli %i, %n10 : index\n  %y = arith.muli %j, %n4 : index\n"
                    "  %z = arith.addi %x, %y : index\n  %r = arith.addi %z, %n1 : index\n" +
                    part("%w", "%r", "%n0", 1, 64)),
               512, 1024, 256);
  // From a block's row backwards, in steps of 32 rows.
  check_window(nest("  %x = arith.muli %block, %n32 : index\n  %r = arith.subi %n7, %x : index\n" +
                    part("%w", "%r", "%n0", 1, 4)),
               7 * 512, 16384, 16);
  // A view of its own behind the pointer: 32 i elements on.
  check_window(nest("  %o = arith.muli %i, %n32 : index\n"
                    "  %p = pto.addptr %a, %o : !pto.ptr<f32> -> !pto.ptr<f32>\n"
                    "  %w = pto.make_tensor_view %p, shape = [%n4, %n8], strides = [%n8, %n1] : "
                    "!pto.tensor_view<?x?xf32>\n"),
               0, 128, 128);
}

TEST_CASE("of some windows nothing is known", "[plan][windows]") {
  // Rows times columns of unknown numbers: any multiple of an element.
  CHECK_FALSE(window(nest(part("%w", "%i", "%n", 3, 8)), "w").value_or(planner::Window{}).begin.step > 4);
  // Sizes that are not numbers.
  CHECK_FALSE(window(nest("  %w = pto.partition_view %all, offsets = [%n0, %n0], sizes = [%n, %n8] : "
                          "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x8xf32>\n"),
                     "w"));
  // A product that leaves 64 bits: a multiple of a power of two, beyond every buffer.
  const std::optional<planner::Window> far =
      window(nest("  %far = arith.constant 4611686018427387904 : index\n"
                  "  %r = arith.muli %far, %i : index\n" +
                  part("%w", "%r", "%n0", 1, 8)),
             "w");
  REQUIRE(far.has_value());
  CHECK(far->begin.step == uint64_t{1} << 60);
}

namespace {

/// a * i + b * j + c
struct Line {
  int a = 0, b = 0, c = 0;
  [[nodiscard]] int at(int i, int j) const { return a * i + b * j + c; }
};

/// Loads and stores of windows of one buffer, in two loops.
class RandomWindows {
 public:
  explicit RandomWindows(unsigned seed) : random_(seed) {}
  struct Access {
    Line row, column;
    int rows = 1, columns = 1;
    bool write = false;
  };
  static constexpr int kTurns = 4;

  std::string text() {
    begin_ = pick(3);
    step_ = 1 + pick(3);
    std::string body;
    for (int n = 2 + pick(5); n > 0; --n) body += access();
    const std::string bounds = fmt::format("%n{} to %n{} step %n{}", begin_, begin_ + step_ * kTurns, step_);
    return nest(body, bounds);
  }
  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }

  /// Whether any turn of one reaches an element of any turn of the other.
  [[nodiscard]] bool meet(const Access& x, const Access& y) const {
    std::vector<bool> touched(kElements, false);
    each_element(x, [&](size_t element) { touched[element] = true; });
    bool found = false;
    each_element(y, [&](size_t element) { found = found || touched[element]; });
    return found;
  }
  static constexpr size_t kElements = 200 * kWidth;

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::string line(const std::string& name, const Line& line) {
    return fmt::format(
        "  {0}a = arith.muli %i, %n{1} : index\n  {0}b = arith.muli %j, %n{2} : index\n"
        "  {0}c = arith.addi {0}a, {0}b : index\n  {0} = arith.addi {0}c, %n{3} : index\n",
        name, line.a, line.b, line.c);
  }

  std::string access() {
    Access built;
    const int n = static_cast<int>(accesses_.size());
    built.rows = 1 + pick(3);
    built.columns = 8 * (1 + pick(3));
    built.row = {4 * pick(3), 4 * pick(3), pick(8)};
    if (pick(3) == 0) built.column = {8 * pick(2), 0, 8 * pick(2)};
    built.write = pick(2) == 0;
    accesses_.push_back(built);
    const std::string tile = fmt::format("!pto.tile_buf<vec, {}x{}xf32>", built.rows, built.columns);
    const std::string view = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", built.rows, built.columns);
    const std::string in_tile = fmt::format("%t{} : {}", n, tile);
    const std::string in_gm = fmt::format("%w{} : {}", n, view);
    const std::string& ins = built.write ? in_tile : in_gm;
    const std::string& outs = built.write ? in_gm : in_tile;
    return line(fmt::format("%r{}", n), built.row) + line(fmt::format("%c{}", n), built.column) +
           part(fmt::format("%w{}", n), fmt::format("%r{}", n), fmt::format("%c{}", n), built.rows,
                built.columns) +
           fmt::format("  %t{} = pto.alloc_tile : {}\n  pto.{} ins({}) outs({})\n", n, tile,
                       built.write ? "tstore" : "tload", ins, outs);
  }

  template <class Fn>
  void each_element(const Access& x, const Fn& fn) const {
    for (int i = begin_; i < begin_ + step_ * kTurns; i += step_) {
      for (int j = 0; j < kTurns; ++j) {
        for (int r = 0; r < x.rows; ++r) {
          for (int c = 0; c < x.columns; ++c)
            fn(static_cast<size_t>((x.row.at(i, j) + r) * kWidth + x.column.at(i, j) + c));
        }
      }
    }
  }

  std::mt19937 random_;
  int begin_ = 0, step_ = 1;
  std::vector<Access> accesses_;
};

void place_apart(planner::Storage& storage) {
  uint64_t next = 0;
  for (planner::Root& root : storage.roots()) {
    if (root.kind == planner::Root::Kind::tile) root.addr = std::exchange(next, next + root.bytes);
  }
}

std::vector<uint32_t> transfers(const Program& program) {
  std::vector<uint32_t> found;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    const std::string_view name = isa::row(program.ops[op].row).name;
    if (name == "pto.tload" || name == "pto.tstore") found.push_back(op);
  }
  return found;
}

}  // namespace

TEST_CASE("windows that meet in any turn conflict; many that do not are told apart", "[plan][windows]") {
  size_t met = 0, apart = 0, told = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomWindows random(seed);
    const std::string text = random.text();
    const Program program = parse_ok(text);
    planner::Storage storage(program);
    place_apart(storage);
    const planner::ByteSegments segments(program, storage);
    const std::vector<uint32_t> ops = transfers(program);
    REQUIRE(ops.size() == random.accesses().size());
    for (size_t x = 0; x < ops.size(); ++x) {
      for (size_t y = 0; y < ops.size(); ++y) {
        const auto& first = random.accesses()[x];
        const auto& second = random.accesses()[y];
        if (first.write == second.write) continue;  // one pipe, which goes in order
        const bool conflict = planner::conflicts(segments.uses_of(ops[x]), segments.uses_of(ops[y])) != 0;
        if (!random.meet(first, second)) {
          ++apart;
          told += conflict ? 0 : 1;
          continue;
        }
        ++met;
        INFO("seed " << seed << ", accesses " << x << " and " << y << "\n" << text);
        CHECK(conflict);
      }
    }
  }
  CHECK(met > 200);
  CHECK(apart > 100);
  CHECK(told * 4 > apart);
}

namespace {

/// What a run with data says about the plan's order.
size_t races(const Program& planned) {
  std::vector<Argument> arguments(2);
  arguments[0].name = "a";
  arguments[0].bytes.resize(RandomWindows::kElements * 4);
  arguments[1].is_buffer = false;
  arguments[1].scalar = 200;
  SimOptions options;
  options.target = "a5";
  options.mode = Mode::check;
  const Result<SimResult> result = simulate(planned, arguments, options);
  if (!result) FAIL(result.error().message);
  REQUIRE(result->ended);
  size_t found = 0;
  for (const Diagnostic& each : result->findings.all()) found += each.id == FindingId::race ? 1 : 0;
  return found;
}

}  // namespace

TEST_CASE("the simulator finds no race where windows were told apart, and finds those without flags",
          "[plan][windows]") {
  size_t without = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = RandomWindows(seed).text();
    INFO("seed " << seed << "\n" << text);
    for (const bool by_stage : {false, true}) {
      Program program = parse_ok(text);
      Diagnostics diagnostics;
      PlanOptions options;
      options.by_stage = by_stage;
      REQUIRE(plan(program, test_machine(Target::a5), options, diagnostics));
      CHECK(races(program) == 0);
    }
    Program bare = parse_ok(text);
    Diagnostics diagnostics;
    PlanOptions options;
    options.sync = SyncBy::program;
    REQUIRE(plan(bare, test_machine(Target::a5), options, diagnostics));
    without += races(bare) != 0 ? 1 : 0;
  }
  CHECK(without > 20);
}

TEST_CASE("a load of other columns than a store's waits for nobody", "[plan][windows]") {
  const auto flags = [](const std::string& stored) {
    Program p = parse_ok(nest(part("%w", "%i", "%n0", 1, 8) + part("%v", "%i", stored, 1, 8) +
                              "  %x = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
                              "  %y = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
                              "  pto.tload ins(%w : !pto.partition_tensor_view<1x8xf32>) outs(%x : "
                              "!pto.tile_buf<vec, 1x8xf32>)\n"
                              "  pto.tstore ins(%y : !pto.tile_buf<vec, 1x8xf32>) outs(%v : "
                              "!pto.partition_tensor_view<1x8xf32>)\n"));
    plan_ok(p, test_machine(Target::a5));
    return count(p, "pto.set_flag");
  };
  CHECK(flags("%n8") == 0);
  CHECK(flags("%n7") > 0);  // the last element of one, the first of the other
}
