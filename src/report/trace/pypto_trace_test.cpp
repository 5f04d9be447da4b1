#include "report/trace/pypto_trace.hpp"

#include "pto/assembler.hpp"
#include "support/json.hpp"
#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::json;

/// What a run of two overlapping loads, one flag and one sum tells.
struct Told {
  Program program;
  CleanTrace trace{2.0};
  Told() {
    const CoreInfo core{.index = 0, .block = 3, .kind = CoreKind::aiv, .subblock = 1};
    program.ops.resize(8);
    trace.on_start(std::span(&core, 1), program);
    const auto instruction = [&](Pipe pipe, uint32_t pc, uint64_t start, uint64_t busy, uint64_t end) {
      trace.on_instruction({.core = 0, .pipe = pipe, .pc = pc, .start = start, .busy_end = busy, .end = end});
    };
    instruction(Pipe::mte2, 1, 100, 150, 300);
    instruction(Pipe::mte2, 2, 150, 200, 400);
    instruction(Pipe::s, 3, 0, 10, 10);
    instruction(Pipe::v, 4, 500, 560, 560);
    instruction(Pipe::v, 4, 600, 640, 640);
    trace.on_flag({.core = 0,
                   .src = Pipe::mte2,
                   .dst = Pipe::v,
                   .id = 5,
                   .set_time = 400,
                   .wait_begin = 0,
                   .wait_end = 420});
  }
};

}  // namespace

TEST_CASE("the clean trace has the lanes of PyPTO's in-core loop", "[clean_trace]") {
  const Told told;
  const Json trace = Json::parse(told.trace.trace());
  CHECK(trace["displayTimeUnit"] == "ns");
  std::vector<Json> slices, arrows;
  std::vector<std::string> lanes;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") slices.push_back(event);
    if (event["ph"] == "s" || event["ph"] == "f") arrows.push_back(event);
    if (event["name"] == "thread_name") lanes.push_back(event["tid"]);
  }
  CHECK(lanes == std::vector<std::string>{"MTE2", "MTE2#1", "VECTOR"});  // no scalar unit
  REQUIRE(slices.size() == 4);
  CHECK(slices[0]["pid"] == "core3.veccore1");
  CHECK(slices[0]["ts"] == 0.05);  // 100 cycles of 2 GHz in microseconds
  CHECK(slices[0]["dur"] == 0.1);
  CHECK(slices[1]["tid"] == "MTE2#1");  // begins before the first one ends
  REQUIRE(arrows.size() == 2);
  CHECK(arrows[0]["tid"] == "MTE2#1");
  CHECK(arrows[0]["ts"] == 0.075);
  CHECK(arrows[1]["tid"] == "VECTOR");
  CHECK(arrows[1]["ts"] == 0.25);
  CHECK(arrows[1]["bp"] == "e");
}

TEST_CASE("instruction metrics are sums per core and operation", "[clean_trace]") {
  const Told told;
  const Json metrics = Json::parse(told.trace.metrics());
  CHECK(metrics["cores"] == Json::array({"core3.veccore1"}));
  const Json& records = metrics["instructions"]["core3.veccore1"];
  REQUIRE(records.size() == 4);
  CHECK(records[3]["address"] == "0x4");
  CHECK(records[3]["pipe"] == "VECTOR");
  CHECK(records[3]["cycles"] == 100);
  CHECK(records[3]["instructions_executed"] == 2);
  CHECK(records[2]["pipe"] == "SCALAR");
  CHECK(metrics.contains("column_types"));
}

}  // namespace pto::report
