// Changed runs of whole kernels beside what the steps of the unchanged run say: two ways to one number.
#include "pto/what_if.hpp"

#include <set>

#include "report/bottleneck/dependence_graph.hpp"
#include "testing/catch_main.hpp"

namespace pto {

using namespace report;
namespace {

const char* const kKernels[] = {"attention.a5",     "attention.a2a3", "matmul_tf32.a5",
                                "matmul_tf32.a2a3", "matmul_tile.a5", "matmul_tile.a2a3"};

struct Known {
  Launch launch;
  SimOptions options;
  StepGraph graph;
  uint64_t total = 0;

  explicit Known(const std::string& file, std::vector<std::string> args = {}) {
    LaunchOptions wanted;
    wanted.args = std::move(args);
    auto prepared = prepare_launch(PTO_SOURCE_DIR "/asm-tests/" + file, wanted);
    REQUIRE(prepared);
    launch = std::move(*prepared);
    REQUIRE(launch.prepared.ready);
    options.mode = Mode::time;
    options.launch = false;  // the steps know the kernel alone
    auto arguments = load_arguments(launch.the_case);
    REQUIRE(arguments);
    Observer* const observers[] = {&graph};
    const auto result = simulate(launch, *arguments, options, observers);
    REQUIRE(result);
    total = result->total_cycles;
  }
  /// By the engine.
  [[nodiscard]] uint64_t run(WhatIf question) const {
    question.text = "a test";
    const auto answers = what_if(launch, options, {&question, 1});
    REQUIRE(answers);
    CHECK(answers->front().ended);
    return answers->front().cycles;
  }
};

TEST_CASE("a pipe that takes no time, by the engine and by the steps", "[advice][what-if]") {
  for (const char* name : kKernels) {
    const Known known("kernels/" + std::string(name) + ".toml");
    for (const Pipe pipe : kQueuePipes) {
      INFO(name << " " << to_string(pipe));
      StepChanges changes;
      changes.free[static_cast<size_t>(lane_of(pipe))] = true;
      WhatIf question;
      question.hypotheses.free = {pipe};
      CHECK(known.run(question) == known.graph.time_again(changes).total);
    }
  }
}

TEST_CASE("a wait that is not there, by the engine and by the steps", "[advice][what-if]") {
  size_t shorter = 0;
  for (const char* name : kKernels) {
    const Known known("kernels/" + std::string(name) + ".toml");
    std::set<uint32_t> waits;
    for (const StepNode& node : known.graph.nodes())
      if (node.kind == DependenceEvent::Kind::wait_flag || node.kind == DependenceEvent::Kind::barrier)
        waits.insert(node.pc);
    for (const uint32_t pc : waits) {
      INFO(name << " operation " << pc);
      WhatIf question;
      question.hypotheses.no_wait = {pc};
      const uint64_t cycles = known.run(question);
      CHECK(cycles == known.graph.time_again({.no_wait = {pc}}).total);
      shorter += cycles < known.total;
    }
  }
  CHECK(shorter > 20);
}

TEST_CASE("queues of any depth, by the engine and by the steps", "[advice][what-if]") {
  for (const char* name : kKernels) {
    INFO(name);
    const Known known("kernels/" + std::string(name) + ".toml");
    CHECK(known.run({"", {}, {"machine.queue_depth=100000"}}) ==
          known.graph.time_again({.deep_queues = true}).total);
  }
}

TEST_CASE("what the words of a question mean", "[what-if]") {
  const Known known("kernels/matmul_tile.a2a3.toml");
  const Program& program = known.launch.prepared.program;
  const auto question = [&](const char* text) { return parse_what_if(text, program); };
  CHECK(question("free PIPE_MTE2")->hypotheses.free == std::vector{Pipe::mte2});
  CHECK(question(" free  MTE2 ")->hypotheses.free == std::vector{Pipe::mte2});
  CHECK(question("bandwidth x2")->hypotheses.bandwidth == 2);
  CHECK(question("bandwidth 0.5")->hypotheses.bandwidth == 0.5);
  CHECK(question("machine.queue_depth=64")->settings == std::vector<std::string>{"machine.queue_depth=64"});
  const auto wait = question("no-wait 47");
  REQUIRE(wait);
  REQUIRE(wait->hypotheses.no_wait.size() == 1);
  CHECK(OpView(program, wait->hypotheses.no_wait[0]).mnemonic() == "pto.wait_flag");
  for (const char* text :
       {"", "free", "free PIPE_S", "free PIPE_ALL", "bandwidth", "bandwidth x0", "bandwidth x-1",
        "bandwidth xnan", "no-wait", "no-wait x", "no-wait 0", "no-wait 48", "faster", "=4"}) {
    INFO(text);
    const auto bad = question(text);
    REQUIRE(!bad);
    CHECK(bad.error().message.starts_with("--what-if "));
    CHECK(bad.error().kind == Error::Kind::input);
  }
  CHECK(question("no-wait 48")
            .error()
            .message.ends_with("nothing waits on line 48; the nearest wait is on line 47 or 51"));
}

/// 193 cycles, 4,096 bytes at 126.2 a cycle and 16 rows at 0.21 are 229; without the bytes they are 196.
TEST_CASE("twice the bandwidth halves what the bytes take", "[what-if]") {
  const Known known("cli/what_if.pto", {"a=f32[16x64]"});
  CHECK(known.run({"", {.bandwidth = 2}, {}}) == known.total - 3 * 33 + 3 * 17);
}

}  // namespace
}  // namespace pto
