// Buffer tokens whose ids are computed.
#include "check/checkers.hpp"
#include "sim/engine/engine_fixture.hpp"

namespace pto::sim {

using namespace test;

// Two rounds under ids 0 and 1 that a loop computes, beside the same written out.
TEST_CASE("computed buffer ids order what written ones order", "[sim]") {
  const std::string two = "    %i2 = arith.constant 2 : index\n    %i21 = arith.constant 21 : index\n";
  const auto round = [](const std::string& form, const std::string& id) {
    const auto token = [&](const std::string& what, const std::string& pipe) {
      return "    pto." + what + "_buf" + form + " \"" + pipe + "\", " + id + ", 0\n";
    };
    return token("get", "PIPE_MTE2") + kLoad + token("rls", "PIPE_MTE2") + token("get", "PIPE_MTE3") +
           kStore + token("rls", "PIPE_MTE3");
  };
  const auto run_clean = [&](const std::string& text) {
    Bench bench = two_buffers();
    bench.costs.rows["pto.mte_gm_ub"] = {30, 60, Basis::assumed};
    const std::unique_ptr<RunChecker> checker = make_race_checker(Machine{});
    Recorder recorder;
    Observer* const observers[] = {checker.get(), &recorder};
    const Program program = assemble(vector_kernel(two + text));  // the checker names its operations
    Result<SimResult> ran =
        run(program, bench.arguments, bench.options, bench.machine, bench.costs, observers);
    REQUIRE(ran.ok());
    const SimResult& result = *ran;
    CHECK(result.findings.all().empty());
    CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
    REQUIRE(recorder.instructions.size() == 4);
    CHECK(pipe(result, Pipe::mte3)->stall_cycles[static_cast<size_t>(Stall::buffer)] > 0);
    return checker->take_findings().size();
  };
  const std::string loop = "    scf.for %i = %i0 to %i2 step %i1 {\n";
  // The tile is one: the second load may come before the first store has read, as its id is another.
  CHECK(run_clean(loop + round("_dyn", "%i") + "    }\n") == run_clean(round("", "0") + round("", "1")));
  const std::string same = "      %z = arith.muli %i, %i0 : index\n";
  CHECK(run_clean(loop + same + round("_dyn", "%z") + "    }\n") == 0);

  Bench bench = two_buffers();
  const SimResult beyond = bench.must_run(
      vector_kernel(two + "    scf.for %i = %i20 to %i21 step %i1 {\n      %id = arith.muli %i, %i2 : index\n"
                          "      pto.get_buf_dyn \"PIPE_MTE2\", %id, 0\n    }\n"));
  REQUIRE(finding(beyond, FindingId::event_id) != nullptr);
  CHECK(finding(beyond, FindingId::event_id)->message == "buffer id 40; the target has ids 0..31");
  const SimResult left =
      bench.must_run(vector_kernel(two + loop +
                                   "      pto.get_buf_dyn \"PIPE_MTE2\", %i, 0\n"
                                   "      pto.rls_buf_dyn \"PIPE_MTE2\", %i1, 0\n    }\n"));
  REQUIRE(finding(left, FindingId::buf_left) != nullptr);
  CHECK(finding(left, FindingId::buf_left)->message.find("got buffer id 0 once more often") !=
        std::string::npos);
}

}  // namespace pto::sim
