// Steps and critical paths of whole kernels: what the graph says must be what the engine did.
#include <algorithm>
#include <filesystem>

#include "pto/launch.hpp"
#include "report/bottleneck/critical_path.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "testing/catch_main.hpp"

namespace pto {

using namespace report;
namespace {

void check_graph(const StepGraph& graph, const SimResult& result) {
  REQUIRE(graph.complete());
  const StepTimes times = graph.time_again();
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const StepNode& node = graph.nodes()[i];
    if (node.meeting) continue;
    INFO("step " << i << " operation " << node.pc << " core " << node.core << " lane " << int{node.lane});
    REQUIRE(times.issue[i] == node.told_time);
    if (node.lane != kScalarLane) REQUIRE(times.start[i] == node.told_start);
  }
  CHECK(times.total == result.kernel_cycles());
  uint64_t at = 0;
  for (const PathPart& part : critical_path(graph, times)) {
    CHECK(part.begin == at);
    CHECK(part.end > part.begin);
    at = part.end;
  }
  CHECK(at == result.kernel_cycles());
}

void check_case(const std::string& file, const LaunchOptions& wanted, SimOptions options) {
  INFO(file << " mode " << static_cast<int>(options.mode));
  const auto launch = prepare_launch(PTO_SOURCE_DIR "/asm-tests/" + file, wanted);
  REQUIRE(launch);
  REQUIRE(launch->prepared.ready);
  auto arguments = load_arguments(launch->the_case);
  REQUIRE(arguments);
  StepGraph graph;
  Observer* const observers[] = {&graph};
  const auto result = simulate(*launch, *arguments, options, observers);
  REQUIRE(result);
  check_graph(graph, *result);
}

TEST_CASE("signals, tile queues, buffer ids and meetings are steps too", "[advice]") {
  LaunchOptions wanted;
  wanted.sync = SyncBy::program;
  for (const Mode mode : {Mode::run, Mode::time}) {
    SimOptions options;
    options.mode = mode;
    wanted.args = {"a=f16[16x16]:1", "b=f32[16x16]:1", "o=f32[16x16]"};
    check_case("faults/signals.a5.pto", wanted, options);
    wanted.args = {"a=f16[16x16]:1", "o=f32[16x16]"};
    check_case("faults/queue.a5.pto", wanted, options);
    wanted.args = {"a=f32[192]:1", "o=f32[192]"};
    check_case("faults/buffers.a5.pto", wanted, options);
  }
}

TEST_CASE("the critical path of every kernel adds up to its cycles, in every mode", "[advice][kernels]") {
  size_t runs = 0;
  for (const auto& file : std::filesystem::directory_iterator(PTO_SOURCE_DIR "/asm-tests/kernels")) {
    if (file.path().extension() != ".toml") continue;
    for (const Mode mode : {Mode::run, Mode::time, Mode::check}) {
      SimOptions options;
      options.mode = mode;
      check_case("kernels/" + file.path().filename().string(), {}, options);
      ++runs;
    }
  }
  CHECK(runs >= 18);
}

}  // namespace
}  // namespace pto
