#include "sim/engine/run_monitor.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

struct Monitored {
  Program program;
  Device device;
  SimOptions options;
  Core core;
  explicit Monitored(SimOptions given) : options(std::move(given)) { device.program = &program; }
};

TEST_CASE("Limits of instructions count the scalar unit and vector functions", "[sim]") {
  SimOptions options;
  options.limits.instructions = 10;
  Monitored run(options);
  FindingList findings(run.program, run.options);
  CurrentInstruction current(run.device);
  const RunMonitor monitor(run.device, run.options, findings, current);
  run.core.su.instructions = 6;
  run.core.vector_steps = 4;
  CHECK_FALSE(monitor.exceeds_instructions(run.core));
  CHECK(monitor.exceeds_instructions(run.core, 1));
  CHECK_FALSE(monitor.exceeds_cycles(~uint64_t{0} - 1));
}

TEST_CASE("The limit of cycles stops a run with a finding", "[sim]") {
  SimOptions options;
  options.limits.cycles = 100;
  Monitored run(options);
  FindingList findings(run.program, run.options);
  CurrentInstruction current(run.device);
  RunMonitor monitor(run.device, run.options, findings, current);
  CHECK_FALSE(monitor.exceeds_cycles(100));
  CHECK(monitor.exceeds_cycles(101));
  CHECK_FALSE(monitor.exceeds_instructions(run.core, ~uint64_t{0} >> 1));
  monitor.stop_at_max_cycles();
  CHECK(run.device.stopped);
  CHECK(findings.size() == 1);
}

TEST_CASE("The caller ends a run once", "[sim]") {
  std::atomic<bool> stop = false;
  SimOptions options;
  options.stop = &stop;
  Monitored run(options);
  FindingList findings(run.program, run.options);
  CurrentInstruction current(run.device);
  RunMonitor monitor(run.device, run.options, findings, current);
  CHECK_FALSE(monitor.is_interrupted());
  CHECK_FALSE(run.device.stopped);
  stop = true;
  CHECK(monitor.is_interrupted());
  CHECK(monitor.is_interrupted());
  CHECK(monitor.was_interrupted());
  CHECK(run.device.stopped);
  CHECK(findings.size() == 1);
}

}  // namespace
}  // namespace pto::sim
