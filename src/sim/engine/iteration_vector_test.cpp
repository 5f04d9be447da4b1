// Findings say where and when: the iteration is that of the entry that ran, not where the scalar unit is by
// then.
#include <algorithm>

#include "sim/engine/sim_fixture.hpp"

namespace pto::sim {
namespace {

using namespace test;

/// The unified buffer has 64 KiB; an access of 256 bytes from 16 * 4096 - 512 + 2 * 256 on is the first one
/// outside.
std::string two_functions(const std::string& body, const std::string& more = "") {
  return R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%ga: !pto.ptr<f32, gm>, %n: index) attributes {pto.kernel} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c256 = arith.constant 256 : i64
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i20 = arith.constant 20 : index
    %row = arith.constant 4096 : index
    %part = arith.constant 256 : index
    %back = arith.constant -512 : index
)" + body +
         "    return\n  }\n" + more + "}";
}

const std::string kAddress = R"(
        %r = arith.muli %i, %row : index
        %p = arith.muli %j, %part : index
        %s = arith.addi %r, %p : index
        %at = arith.addi %s, %back : index
        %at64 = arith.index_cast %at : index to i64
        %u = pto.castptr %at64 : i64 -> !pto.ptr<f32, ub>
)";
const std::string kLoad = R"(
        pto.mte_gm_ub %ga, %u, %c0, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
)";

Bench bench_with_arguments() {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(256);
  bench.scalar(4);
  return bench;
}

std::vector<std::pair<uint64_t, int64_t>> iterations(const Diagnostic& finding) {
  std::vector<std::pair<uint64_t, int64_t>> list;
  for (const Moment::Iteration& loop : finding.moment.value().loops)
    list.emplace_back(loop.number, loop.value);
  return list;
}

using Iterations = std::vector<std::pair<uint64_t, int64_t>>;

TEST_CASE("a queued instruction keeps the iterations in which it was issued", "[sim]") {
  for (const int depth : {2, 8, 1000}) {  // how far the scalar unit runs ahead
    Bench bench = bench_with_arguments();
    bench.machine.queue_depth = depth;
    const std::string text =
        two_functions("    scf.for %i = %i4 to %i20 step %i4 {\n      scf.for %j = %i0 to %i3 step %i1 {\n" +
                      kAddress + kLoad + "      }\n    }\n    scf.for %k = %i0 to %i20 step %i1 {\n    }\n");
    const SimResult result = bench.must_run(text);
    const Diagnostic* out = finding(result, FindingId::bounds);
    REQUIRE(out != nullptr);
    CHECK(iterations(*out) == Iterations{{4, 16}, {3, 2}});
    CHECK(out->operand == "%u");
    CHECK(out->message.ends_with("(%u)"));
    CHECK(out->moment->core_name == "AIV0");
    CHECK(out->moment->cycle > 100);  // 11 loads of 10 cycles came before
  }
}

TEST_CASE("loops whose first value is computed have a value and no number", "[sim]") {
  Bench bench = bench_with_arguments();
  const SimResult result = bench.must_run(
      two_functions("    scf.for %i = %n to %i20 step %i4 {\n      scf.for %j = %i0 to %i3 step %i1 {\n" +
                    kAddress + kLoad + "      }\n    }\n"));
  REQUIRE(finding(result, FindingId::bounds) != nullptr);
  CHECK(iterations(*finding(result, FindingId::bounds)) == Iterations{{0, 16}, {3, 2}});
}

TEST_CASE("loops around the only call of a helper are told", "[sim]") {
  const std::string helper = R"(  func.func private @load(%ga: !pto.ptr<f32, gm>, %i: index) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c256 = arith.constant 256 : i64
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %row = arith.constant 4096 : index
    %part = arith.constant 256 : index
    %back = arith.constant -512 : index
    scf.for %j = %i0 to %i3 step %i1 {)" +
                             kAddress + kLoad + "    }\n    return\n  }\n";
  const std::string call = "      func.call @load(%ga, %i) : (!pto.ptr<f32, gm>, index) -> ()\n";
  const std::string loop = "    scf.for %i = %i4 to %i20 step %i4 {\n" + call + "    }\n";
  Bench bench = bench_with_arguments();
  const SimResult once = bench.must_run(two_functions(loop, helper));
  REQUIRE(finding(once, FindingId::bounds) != nullptr);
  CHECK(iterations(*finding(once, FindingId::bounds)) == Iterations{{4, 16}, {3, 2}});
  const SimResult twice = bench.must_run(two_functions(loop + loop, helper));
  REQUIRE(finding(twice, FindingId::bounds) != nullptr);
  CHECK(iterations(*finding(twice, FindingId::bounds)) == Iterations{{3, 2}});
}

TEST_CASE("loops inside and around a vector scope are told", "[sim]") {
  Bench bench = bench_with_arguments();
  const SimResult result = bench.must_run(two_functions(R"(
    scf.for %i = %i4 to %i20 step %i4 {
      %r = arith.muli %i, %row : index
      %r64 = arith.index_cast %r : index to i64
      %u = pto.castptr %r64 : i64 -> !pto.ptr<f32, ub>
      pto.vecscope {
        %f = arith.constant 64 : index
        %g = arith.constant 0 : index
        %two = arith.constant 128 : index
        scf.for %j = %g to %two step %f {
          %v = pto.vlds %u[%j] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        }
      }
    }
    scf.for %k = %i0 to %i20 step %i1 {
    }
)"));
  REQUIRE(finding(result, FindingId::bounds) != nullptr);
  CHECK(iterations(*finding(result, FindingId::bounds)) == Iterations{{4, 16}, {1, 0}});
}

/// %j and, in the part with the condition, %w count from 0.
std::string while_loop(const std::string& before, const std::string& after) {
  return R"(      %last = scf.while (%w = %i0) : (index) -> index {
        %more = arith.cmpi slt, %w, %i3 : index
)" + before +
         R"(        scf.condition(%more) %w : index
      } do {
      ^bb0(%j: index):
)" + after +
         R"(        %next = arith.addi %j, %i1 : index
        scf.yield %next : index
      }
)";
}

TEST_CASE("iterations of scf.while have a number, from 1 each time the loop is entered", "[sim]") {
  const std::string loop = "    scf.for %i = %i4 to %i20 step %i4 {\n", end = "    }\n";
  for (const int depth : {2, 1000}) {
    Bench bench = bench_with_arguments();
    bench.machine.queue_depth = depth;
    SECTION("the second part" + std::to_string(depth)) {
      const SimResult result = bench.must_run(two_functions(loop + while_loop("", kAddress + kLoad) + end));
      REQUIRE(finding(result, FindingId::bounds) != nullptr);
      CHECK(iterations(*finding(result, FindingId::bounds)) == Iterations{{4, 16}, {3, 0}});
      CHECK(finding(result, FindingId::bounds)->moment->loops[1].variable.empty());
    }
    SECTION("the first part runs once more" + std::to_string(depth)) {
      // 16 * 4096 + 3 * 256 - 768 is the first address outside
      std::string address = kAddress;
      address.replace(address.find("%j"), 2, "%w").replace(address.find("%back"), 5, "%less");
      const std::string less = "    %less = arith.constant -768 : index\n";
      const SimResult result =
          bench.must_run(two_functions(less + loop + while_loop(address + kLoad, "") + end));
      REQUIRE(finding(result, FindingId::bounds) != nullptr);
      CHECK(iterations(*finding(result, FindingId::bounds)) == Iterations{{4, 16}, {4, 0}});
    }
  }
}

TEST_CASE("iterations of scf.while in a vector scope have a number", "[sim]") {
  Bench bench = bench_with_arguments();
  const SimResult result = bench.must_run(two_functions(R"(
    %end = arith.constant 65024 : i64
    %u = pto.castptr %end : i64 -> !pto.ptr<f32, ub>
    pto.vecscope {
      %f = arith.constant 64 : index
      %g = arith.constant 0 : index
      %h = arith.constant 256 : index
      %last = scf.while (%w = %g) : (index) -> index {
        %more = arith.cmpi slt, %w, %h : index
        scf.condition(%more) %w : index
      } do {
      ^bb0(%j: index):
        %v = pto.vlds %u[%j] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %next = arith.addi %j, %f : index
        scf.yield %next : index
      }
    }
)"));
  REQUIRE(finding(result, FindingId::bounds) != nullptr);
  CHECK(iterations(*finding(result, FindingId::bounds)) == Iterations{{3, 0}});  // 512 bytes are left at %end
}

TEST_CASE("findings of the scalar unit are about its own iteration", "[sim]") {
  Bench bench = bench_with_arguments();
  const SimResult result = bench.must_run(two_functions(R"(
    scf.for %i = %i1 to %i20 step %i3 {
      %e = arith.addi %i, %i1 : index
      pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %e]
    }
)"));
  const Diagnostic* beyond = finding(result, FindingId::event_id);  // 2, 5, 8
  REQUIRE(beyond != nullptr);
  CHECK(iterations(*beyond) == Iterations{{3, 7}});
  CHECK_FALSE(result.ended);
}

TEST_CASE("without data an entry does not know its iteration, the scalar unit does", "[sim]") {
  Bench bench = bench_with_arguments();
  bench.options.mode = Mode::time;
  const std::string wait = "      pto.wait_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]\n";
  const SimResult stuck =
      bench.must_run(two_functions("    scf.for %i = %i0 to %i4 step %i1 {\n" + wait + "    }\n"));
  REQUIRE(finding(stuck, FindingId::deadlock) != nullptr);
  CHECK(iterations(*finding(stuck, FindingId::deadlock)).empty());
  const SimResult beyond =
      bench.must_run(two_functions("    scf.for %i = %i4 to %i20 step %i4 {\n      pto.set_flag_dyn "
                                   "[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %i]\n    }\n"));
  REQUIRE(finding(beyond, FindingId::event_id) != nullptr);
  CHECK(iterations(*finding(beyond, FindingId::event_id)) == Iterations{{2, 8}});
}

TEST_CASE("a set of a pipe keeps its iteration", "[sim]") {
  Bench bench = bench_with_arguments();
  bench.arguments.pop_back();
  bench.scalar(4);
  bench.options.warnings.show(FindingId::flag_double, true);
  const SimResult result = bench.must_run(two_functions(R"(
    scf.for %i = %i0 to %i20 step %i4 {
      pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
    }
    pto.barrier #pto.pipe<PIPE_ALL>
    pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
)"));
  const Diagnostic* twice = finding(result, FindingId::flag_double);
  REQUIRE(twice != nullptr);
  CHECK(iterations(*twice) == Iterations{{2, 4}});
}

}  // namespace
}  // namespace pto::sim
