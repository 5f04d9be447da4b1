// Which flags order what a barrier of all pipes orders, found by hand: two UB buffers of 256 bytes.
#include "report/bottleneck/barrier_use.hpp"

#include "sim/engine/engine_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

using sim::test::kLoad;
using sim::test::kStore;
using sim::test::set_flag;
using sim::test::wait_flag;

const std::string kAll = "    pto.barrier <PIPE_ALL>\n";
const std::string kOtherLoad =
    "    pto.mte_gm_ub %ga, %u1, %c0, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, "
    "ub>, i64, i64, i64, i64, i64\n";

/// By barrier in the order of the text: "MTE2 -> MTE3, ..".
std::vector<std::string> pairs(const std::string& body) {
  sim::test::Bench bench = sim::test::two_buffers();
  const std::string text = sim::test::vector_kernel(body);
  const Program program = sim::test::assemble(text);
  StepGraph graph;
  BarrierUse use(graph);
  Observer* const observers[] = {&graph, &use};
  (void)bench.must_run(text, observers);
  std::vector<std::string> out;
  for (uint32_t pc = 0; pc < program.ops.size(); ++pc) {
    if (OpView(program, pc).mnemonic() != "pto.barrier") continue;
    const LanePairs* const flags = use.flags(pc);
    std::string words;
    if (flags != nullptr) {
      for_each(*flags, [&](unsigned from, unsigned to) {
        words += (words.empty() ? "" : ", ") + std::string(to_string(pipe_of_lane(static_cast<int>(from)))) +
                 " -> " + std::string(to_string(pipe_of_lane(static_cast<int>(to))));
      });
    }
    out.push_back(flags == nullptr ? "unknown" : words);
  }
  return out;
}

using Words = std::vector<std::string>;

TEST_CASE("a barrier between a load and the store of its bytes is one flag", "[advice]") {
  CHECK(pairs(kLoad + kAll + kStore) == Words{"PIPE_MTE2 -> PIPE_MTE3"});
}

TEST_CASE("a barrier orders nothing where bytes differ, or a flag orders them", "[advice]") {
  CHECK(pairs(kOtherLoad + kAll + kStore) == Words{""});
  CHECK(pairs(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") + kAll +
              kStore) == Words{""});
}

TEST_CASE("the barrier next in front of an access is the one that orders it", "[advice]") {
  CHECK(pairs(kLoad + kAll + kStore + kAll + kLoad) ==
        Words{"PIPE_MTE2 -> PIPE_MTE3", "PIPE_MTE3 -> PIPE_MTE2"});
  CHECK(pairs(kLoad + kAll + kOtherLoad + kAll + kStore) == Words{"", "PIPE_MTE2 -> PIPE_MTE3"});
}

TEST_CASE("in a loop a flag needs something that holds its source back", "[advice]") {
  const auto loop = [](const std::string& body) {
    return "    scf.for %i = %i0 to %i20 step %i1 {\n" + body + "    }\n";
  };
  // Both directions: each flag is taken before it is set again.
  CHECK(pairs(loop(kLoad + kAll + kStore + kAll)) ==
        Words{"PIPE_MTE2 -> PIPE_MTE3", "PIPE_MTE3 -> PIPE_MTE2"});
  // The next load does not wait for the store of this turn: that is a race, and nothing is known.
  CHECK(pairs(loop(kLoad + kAll + kStore)) == Words{"unknown"});
}

TEST_CASE("a flag whose wait only a barrier tells of", "[advice]") {
  const std::string flag = set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3");
  CHECK(pairs(kLoad + flag + kStore + kAll + kOtherLoad + flag) == Words{"PIPE_MTE3 -> PIPE_MTE2"});
}

}  // namespace
}  // namespace pto::report
