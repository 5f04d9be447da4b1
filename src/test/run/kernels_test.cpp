// Whole kernels through the library: what reports must add up to, and that two runs say the same.
#include <map>

#include "pto/launch.hpp"
#include "pto/simulator.hpp"
#include "report/run_report.hpp"
#include "report/trace/timeline.hpp"
#include "report/trace/trace.hpp"
#include "testing/catch_main.hpp"

namespace pto {

using namespace report;
namespace {

struct Events final : Observer {
  std::vector<InstEvent> instructions;
  std::vector<StallEvent> stalls;
  void on_instruction(const InstEvent& event) override { instructions.push_back(event); }
  void on_stall(const StallEvent& event) override { stalls.push_back(event); }
};

struct Done {
  Launch launch;
  SimResult result;
  Summary summary;
  Events events;
  std::vector<Argument> arguments;
  std::string json, trace, timeline;
};

Done simulate_case(const std::string& name, Mode mode) {
  auto launch = prepare_launch(PTO_SOURCE_DIR "/asm-tests/kernels/" + name + ".toml");
  REQUIRE(launch);
  REQUIRE(launch->prepared.ready);
  Done done;
  done.launch = std::move(*launch);
  auto arguments = load_arguments(done.launch.the_case);
  REQUIRE(arguments);
  done.arguments = std::move(*arguments);
  SimOptions options;
  options.mode = mode;
  Timeline timeline;
  JsonReport json([&](std::string_view piece) { done.json += piece; });
  TraceWriter trace(done.launch.prepared.target, [&](std::string_view piece) { done.trace += piece; });
  Observer* const observers[] = {&done.summary, &done.events, &timeline, &json, &trace};
  auto result = simulate(done.launch, done.arguments, options, observers);
  REQUIRE(result);
  done.result = std::move(*result);
  const Run run{done.launch.prepared.program, done.result, done.summary, done.launch.prepared.target};
  json.finish(run);
  done.timeline = timeline.text(run);
  return done;
}

const char* const kKernels[] = {"attention.a5",     "attention.a2a3", "matmul_tf32.a5",
                                "matmul_tf32.a2a3", "matmul_tile.a5", "matmul_tile.a2a3"};

TEST_CASE("every cycle of a pipe is busy or has one reason", "[report][kernels]") {
  for (const char* name : kKernels) {
    INFO(name);
    const Done done = simulate_case(name, Mode::run);
    CHECK(done.result.findings.all().empty());
    std::map<std::pair<uint32_t, Pipe>, uint64_t> stalled;
    for (const StallEvent& event : done.events.stalls) {
      CHECK(event.begin <= event.end);
      CHECK(event.end <= done.result.kernel_cycles());
      stalled[{event.core, event.pipe}] += event.end - event.begin;
    }
    for (const PipeStats& pipe : done.result.pipes) {
      uint64_t stalls = 0;
      for (const uint64_t cycles : pipe.stall_cycles) stalls += cycles;
      INFO(to_string(pipe.pipe));
      CHECK(pipe.busy_cycles + stalls == done.result.kernel_cycles());
      CHECK((stalled[{pipe.core, pipe.pipe}]) == stalls);
    }
  }
}

TEST_CASE("instructions of a pipe run one after the other, after their issue", "[report][kernels]") {
  for (const char* name : kKernels) {
    const Done done = simulate_case(name, Mode::run);
    std::map<std::pair<uint32_t, Pipe>, uint64_t> free_at;
    for (const InstEvent& event : done.events.instructions) {
      INFO(name << " operation " << event.pc);
      uint64_t& free = free_at[{event.core, event.pipe}];
      CHECK(event.start >= free);
      CHECK(event.issue <= event.start);
      CHECK(event.start <= event.busy_end);
      CHECK(event.busy_end <= event.end);
      free = event.busy_end;
    }
  }
}

TEST_CASE("two runs say the same, time mode takes the same cycles", "[report][kernels]") {
  for (const char* name : {"attention.a2a3", "matmul_tf32.a5"}) {
    const Done first = simulate_case(name, Mode::run);
    const Done second = simulate_case(name, Mode::run);
    const Done timed = simulate_case(name, Mode::time);
    CHECK(first.json == second.json);
    CHECK(first.trace == second.trace);
    CHECK(first.result.total_cycles == timed.result.total_cycles);
    CHECK(first.timeline == timed.timeline);
  }
}

TEST_CASE("the golden values of the kernels hold, a wrong one is traced to its store", "[report][kernels]") {
  for (const char* name : kKernels) {
    INFO(name);
    Done done = simulate_case(name, Mode::run);
    const auto none = compare_expected(done.launch.the_case, done.arguments);
    REQUIRE(none);
    CHECK(none->mismatches.empty());
    CHECK_FALSE(none->agreements.empty());
    done.arguments.back().data()[4 * 77] ^= std::byte{0x80};
    done.arguments.back().data()[4 * 77 + 3] ^= std::byte{0x40};
    const auto one = compare_expected(done.launch.the_case, done.arguments);
    REQUIRE(one);
    REQUIRE(one->mismatches.size() == 1);
    const Mismatch& wrong = one->mismatches[0];
    CHECK(wrong.index == 77);
    LastWriter last(static_cast<uint32_t>(wrong.argument), wrong.byte);
    auto again = load_arguments(done.launch.the_case);
    REQUIRE(again);
    SimOptions options;
    Observer* const observers[] = {&last};
    REQUIRE(simulate(done.launch, *again, options, observers));
    REQUIRE(last.written());
    const auto writer = OpView(done.launch.prepared.program, last.pc()).mnemonic();
    CHECK((writer == "pto.tstore" || writer == "pto.mte_l0c_gm"));
  }
}

}  // namespace
}  // namespace pto
