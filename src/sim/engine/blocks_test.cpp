// Control flow beside scf.for and scf.if: blocks and branches, scf.index_switch, cf.assert.
#include <cstring>
#include <numeric>

#include "sim/engine/engine_fixture.hpp"

namespace pto::sim {

using namespace test;

namespace {

/// Collatz steps, by blocks; `inside` is where the function's code stands.
constexpr const char* kSteps = R"(
  func.func private @steps(%from: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    cf.br ^head(%from, %zero : i64, i64)
  ^up(%u: i64, %mu: i64):
    %t = arith.muli %u, %three : i64
    %t1 = arith.addi %t, %one : i64
    cf.br ^head(%t1, %mu : i64, i64)
  ^head(%x: i64, %n: i64):
    %done = arith.cmpi eq, %x, %one : i64
    cf.cond_br %done, ^out, ^body
  ^out:
    return %n : i64
  ^body:
    %m = arith.addi %n, %one : i64
    %bit = arith.remsi %x, %two : i64
    %odd = arith.cmpi eq, %bit, %one : i64
    cf.cond_br %odd, ^up(%x, %m : i64, i64), ^down
  ^down:
    %h = arith.divsi %x, %two : i64
    cf.br ^head(%h, %m : i64, i64)
  })";

int64_t steps(int64_t x) {
  int64_t n = 0;
  for (; x != 1; ++n) x = x % 2 != 0 ? 3 * x + 1 : x / 2;
  return n;
}

std::string kernel(const std::string& functions, const std::string& body) {
  return R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {)" +
         functions + R"(
  func.func @k(%o: !pto.ptr<i64, gm>, %x: i64) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
)" + body +
         "    return\n  }\n}";
}

int64_t run_one(const std::string& text, int64_t x) {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(64);
  bench.scalar(static_cast<uint64_t>(x));
  const SimResult result = bench.must_run(text);
  CHECK(result.findings.all().empty());
  int64_t got = 0;
  std::memcpy(&got, bench.arguments[0].bytes.data(), sizeof got);
  return got;
}

}  // namespace

TEST_CASE("Branches between blocks: loops, joins, returns from the middle", "[sim][blocks]") {
  const std::string text = kernel(kSteps,
                                  "    %n = func.call @steps(%x) : (i64) -> i64\n"
                                  "    pto.store_scalar %n, %o[%c0] : !pto.ptr<i64, gm>, i64\n");
  for (const int64_t x : {1, 2, 3, 6, 7, 27, 97}) CHECK(run_one(text, x) == steps(x));
}

TEST_CASE("Operands of a branch change places at once", "[sim][blocks]") {
  const std::string text = kernel(R"(
  func.func private @fibonacci(%n: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    cf.br ^head(%zero, %one, %n : i64, i64, i64)
  ^head(%a: i64, %b: i64, %left: i64):
    %more = arith.cmpi sgt, %left, %zero : i64
    %sum = arith.addi %a, %b : i64
    %less = arith.subi %left, %one : i64
    cf.cond_br %more, ^head(%b, %sum, %less : i64, i64, i64), ^out
  ^out:
    return %a : i64
  })",
                                  "    %n = func.call @fibonacci(%x) : (i64) -> i64\n"
                                  "    pto.store_scalar %n, %o[%c0] : !pto.ptr<i64, gm>, i64\n");
  CHECK(run_one(text, 0) == 0);
  CHECK(run_one(text, 10) == 55);
  CHECK(run_one(text, 50) == 12586269025);
}

TEST_CASE("A region of several blocks yields from each of them", "[sim][blocks]") {
  const std::string text = kernel("", R"(
    %sum = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> (i64) {
      %r = scf.execute_region -> i64 {
        %five = arith.constant 5 : i64
        %small = arith.cmpi slt, %x, %five : i64
        cf.cond_br %small, ^yes, ^no
      ^yes:
        %y = arith.constant 100 : i64
        scf.yield %y : i64
      ^no:
        %z = arith.addi %s, %five : i64
        scf.yield %z : i64
      }
      scf.yield %r : i64
    }
    pto.store_scalar %sum, %o[%c0] : !pto.ptr<i64, gm>, i64
)");
  CHECK(run_one(text, 4) == 100);
  CHECK(run_one(text, 5) == 10);
}

TEST_CASE("scf.index_switch takes the region of its number, or the default", "[sim][blocks]") {
  const std::string text = kernel("", R"(
    %i = arith.index_cast %x : i64 to index
    %r = scf.index_switch %i -> i64
    case 2 {
      %v = arith.constant 20 : i64
      scf.yield %v : i64
    }
    case -7 {
      %v = arith.constant 70 : i64
      scf.yield %v : i64
    }
    default {
      %two = arith.constant 2 : i64
      %v = arith.muli %x, %two : i64
      scf.yield %v : i64
    }
    pto.store_scalar %r, %o[%c0] : !pto.ptr<i64, gm>, i64
)");
  CHECK(run_one(text, 2) == 20);
  CHECK(run_one(text, -7) == 70);
  CHECK(run_one(text, 3) == 6);
  CHECK(run_one(text, int64_t{1} << 33 | 2) == (int64_t{1} << 34 | 4));
}

TEST_CASE("cf.assert ends the run where it does not hold", "[sim][blocks]") {
  const std::string text = kernel("", R"(
    %five = arith.constant 5 : i64
    %small = arith.cmpi slt, %x, %five : i64
    cf.assert %small, "x is below five"
    pto.store_scalar %x, %o[%c0] : !pto.ptr<i64, gm>, i64
)");
  CHECK(run_one(text, 4) == 4);
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(64);
  bench.scalar(5);
  const std::vector<std::byte> before = bench.arguments[0].bytes;
  const SimResult result = bench.must_run(text);
  const Diagnostic* failed = finding(result, FindingId::assertion);
  REQUIRE(failed != nullptr);
  CHECK(failed->message == "this does not hold: x is below five");
  CHECK(failed->where.line == 8);
  CHECK_FALSE(result.ended);
  CHECK(bench.arguments[0].bytes == before);
}

TEST_CASE("A run without data passes assertions about data, and stops at branches on it", "[sim][blocks]") {
  const std::string load =
      "    %v = pto.load_scalar %o[%c0] : !pto.ptr<i64, gm> -> i64\n"
      "    %big = arith.cmpi sgt, %v, %x : i64\n";
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(64);
  bench.scalar(5);
  bench.options.mode = Mode::time;
  CHECK(bench.must_run(kernel("", load + "    cf.assert %big, \"big\"\n")).findings.all().empty());
  const std::string branch = load + R"(
    %r = scf.execute_region -> i64 {
      cf.cond_br %big, ^a(%v : i64), ^a(%x : i64)
    ^a(%w: i64):
      scf.yield %w : i64
    }
)";
  CHECK(finding(bench.must_run(kernel("", branch)), FindingId::time_data) != nullptr);
  const std::string move_outputs = R"(
    %v = pto.load_scalar %o[%c0] : !pto.ptr<i64, gm> -> i64
    %r = scf.execute_region -> i64 {
      cf.br ^a(%v : i64)
    ^a(%w: i64):
      scf.yield %w : i64
    }
    %n = arith.index_cast %r : i64 to index
    scf.for %i = %c0 to %n step %c1 {
    }
)";
  CHECK(finding(bench.must_run(kernel("", move_outputs)), FindingId::time_data) != nullptr);
}

}  // namespace pto::sim
