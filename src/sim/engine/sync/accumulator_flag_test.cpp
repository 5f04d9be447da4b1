// Unit flags: M and FIX hand over accumulators without flags of the program.
#include "ir/accumulator_flag.hpp"

#include "sim/engine/engine_fixture.hpp"

namespace pto::sim::test {
namespace {

std::string cube_kernel(const std::string& body) {
  return R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<cube>} {
  func.func @k(%g: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : i64
    %c16 = arith.constant 16 : i64
    %c1024 = arith.constant 1024 : i64
    %l = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0a>
    %r = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0b>
    %x = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
    %y = pto.castptr %c1024 : i64 -> !pto.ptr<f32, l0c>
)" + body +
         "    return\n  }\n}";
}
std::string mad(const std::string& acc, const std::string& phase) {
  return "    pto.mad %l, %r, " + acc + ", %c16, %c16, %c16 " + phase +
         " : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64\n";
}
std::string store(const std::string& acc, const std::string& phase) {
  return "    pto.mte_l0c_gm " + acc + ", %g, %c16, %c16, %c16, %c16, %c0, %c0, " + phase +
         "nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, gm>, i64, i64, i64, i64, i64, i64\n";
}
constexpr const char *kSet = "unit_flag(check_and_set)", *kClear = "unit_flag(check_and_clear), ";

/// Starts of the instructions of a pipe; a product takes 100 cycles, a store 300.
std::vector<uint64_t> starts(const std::string& body, Pipe pipe, Mode mode = Mode::run) {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.options.mode = mode;
  bench.buffer(1024);
  bench.costs.rows["pto.mad"] = {100, 100, Basis::assumed};
  bench.costs.rows["pto.mte_l0c_gm"] = {300, 300, Basis::assumed};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(cube_kernel(body), observers);
  CHECK(result.ended);
  check_accounting(result);
  std::vector<uint64_t> found;
  for (const InstEvent& each : recorder.instructions) {
    if (each.pipe == pipe) found.push_back(each.start);
  }
  return found;
}

}  // namespace

TEST_CASE("a store that checks the unit flag starts when the product has handed over", "[sim][unit-flag]") {
  for (const Mode mode : {Mode::run, Mode::time}) {
    const uint64_t product = starts(mad("%x", kSet) + store("%x", kClear), Pipe::m, mode).at(0);
    CHECK(starts(mad("%x", kSet) + store("%x", kClear), Pipe::fix, mode).at(0) == product + 100);
  }
}

TEST_CASE("a product waits until its accumulator is stored, and for no other one", "[sim][unit-flag]") {
  const std::string body = mad("%x", kSet) + store("%x", kClear) + mad("%y", kSet) + mad("%x", kSet);
  const std::vector<uint64_t> products = starts(body, Pipe::m), stores = starts(body, Pipe::fix);
  REQUIRE(products.size() == 3);
  CHECK(stores.at(0) == products[0] + 100);
  CHECK(products[1] == products[0] + 100);  // another accumulator: as soon as M is free
  CHECK(products[2] == stores[0] + 300);
}

TEST_CASE("without the flag on both sides nobody waits", "[sim][unit-flag]") {
  for (const auto& [set, clear] :
       {std::pair("", kClear), std::pair("unit_flag(check_only)", kClear), std::pair(kSet, "")}) {
    const std::string body = mad("%x", set) + store("%x", clear);
    CHECK(starts(body, Pipe::fix).at(0) < starts(body, Pipe::m).at(0) + 100);
  }
}

TEST_CASE("a store that only checks leaves the accumulator with FIX: the next product is not held",
          "[sim][unit-flag]") {
  const std::string body = mad("%x", kSet) + store("%x", "unit_flag(check_only), ") + mad("%x", kSet);
  const std::vector<uint64_t> products = starts(body, Pipe::m);
  CHECK(starts(body, Pipe::fix).at(0) == products[0] + 100);
  CHECK(products.at(1) == products[0] + 100);
}

TEST_CASE("phases of the unit flag, of attributes and of their defaults", "[isa][unit-flag]") {
  const Program program = assemble(cube_kernel(
      mad("%x", "") + mad("%x", "unit_flag(check_only)") + mad("%x", kSet) + store("%x", "") +
      store("%x", "unit_flag(off), ") + store("%x", "unit_flag(check_only), ") + store("%x", kClear)));
  std::vector<isa::UnitFlag::Phase> phases;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    const OpView view(program, op);
    if (isa::has_unit_flag(isa::row(view.op().row))) phases.push_back(isa::unit_flag(view).phase);
  }
  using enum isa::UnitFlag::Phase;
  CHECK(phases == std::vector{none, check, hand_over, none, none, check, hand_over});
}

}  // namespace pto::sim::test
