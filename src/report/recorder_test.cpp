#include "report/recorder.hpp"

#include <nlohmann/json.hpp>

#include "isa/row.hpp"
#include "report/report.hpp"
#include "support/catch.hpp"

namespace pto::report {

TEST_CASE("A record is bounded, and what it leaves out is counted in every report", "[report]") {
  Program program;
  program.ops.resize(1);
  program.ops[0].row = isa::id_of(*isa::find_row("pto.syncthreads"));
  Recorder recorder(5);
  Summary summary;
  const std::vector<CoreInfo> cores = {{0, 0, CoreKind::aiv, 0}};
  recorder.on_start(cores, program);
  summary.on_start(cores, program);
  for (uint64_t i = 0; i < 10; ++i) {
    recorder.on_instruction({0, Pipe::v, 0, i, i, i + 1, i + 1, Basis::measured});
    recorder.on_stall({0, Pipe::v, i, i + 1, Stall::flag, 0});
  }
  CHECK(recorder.instructions.size() + recorder.stalls.size() == 5);
  CHECK(recorder.left_out == 15);
  CHECK(recorder.instructions_left_out == 7);
  SimResult result;
  result.total_cycles = 10;
  result.cores = cores;
  PipeStats pipe;
  pipe.pipe = Pipe::v;
  pipe.instructions = 10;
  result.pipes = {pipe};
  const Run run{program, result, summary, &recorder, "a5"};
  const auto json = nlohmann::json::parse(json_report(run));
  CHECK(json["instructions"].size() == 3);
  CHECK(json["instructions_left_out"] == 7);
  const auto trace = nlohmann::json::parse(trace_json(run));
  CHECK(trace["otherData"]["events_left_out"] == 15);
  CHECK(timeline(run).find("15 more are not shown") != std::string::npos);
}

}  // namespace pto::report
