// Records of a run are written while it goes on: none is left out, and few are held.
#include "report/trace/trace.hpp"

#include <algorithm>
#include <map>

#include "isa/row.hpp"
#include "report/trace/timeline.hpp"
#include "support/json.hpp"
#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::json;

const std::vector<CoreInfo> kCores = {{0, 0, CoreKind::aiv, 0}};

Program one_operation() {
  Program program;
  program.ops.resize(1);
  program.ops[0].row = isa::id_of(*isa::find_row("pto.syncthreads"));
  return program;
}

InstEvent instruction(Pipe pipe, uint64_t begin, uint64_t end) {
  return {0, pipe, 0, begin, begin, end, end, Basis::measured};
}

/// PIPE_V works once and then waits to the end for a flag, while PIPE_MTE2 sets one flag per two cycles for
/// PIPE_MTE3.
void play(Observer& observer, uint64_t rounds, const std::function<void(uint64_t)>& after_round) {
  observer.on_instruction(instruction(Pipe::v, 0, 10));
  for (uint64_t i = 0; i < rounds; ++i) {
    const uint64_t begin = 2 * i;
    const uint64_t end = begin + 2;
    observer.on_instruction(instruction(Pipe::mte2, begin, end));
    observer.on_stall({0, Pipe::mte3, begin, end, Stall::flag, 0});
    observer.on_flag({0, Pipe::mte2, Pipe::mte3, 0, 0, 0, end, begin, end});
    if (i == 10) observer.on_flag({0, Pipe::v, Pipe::s, 1, 0, 0, 10, 20, 20});
    after_round(i);
  }
  observer.on_stall({0, Pipe::v, 10, 2 * rounds, Stall::flag, 0});
  observer.on_instruction(instruction(Pipe::mte2, 2 * rounds, 2 * rounds + 2));
  observer.on_stall({0, Pipe::mte3, 2 * rounds, 2 * rounds + 2, Stall::not_issued, 0});
  observer.on_finish(2 * rounds + 2);
}

TEST_CASE("a trace has every event of a run that is longer than what is held", "[report][trace]") {
  constexpr uint64_t kRounds = 20'000;
  constexpr uint64_t kHeld = 100;
  constexpr uint64_t kPieces = 1 << 16;
  const Program program = one_operation();
  std::string text;
  TraceWriter writer(
      "a5", [&](std::string_view piece) { text += piece; }, kHeld);
  writer.on_start(kCores, program);
  play(writer, kRounds, [&](uint64_t round) {
    CHECK(text.size() + 2 * kHeld * 200 + kPieces >
          round * 400);  // a round has 6 events of more than 66 bytes
  });
  const Json trace = Json::parse(text);
  std::map<std::string, uint64_t> counts;
  std::vector<Json> events;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M" || event.value("cat", "") == "block") continue;
    ++counts[event.at("ph") == "X" ? event.at("cat") : event.at("ph")];
    events.push_back(event);
  }
  CHECK(counts == std::map<std::string, uint64_t>{{"instruction", kRounds + 2},
                                                  {"stall", kRounds + 2},
                                                  {"flag", 2 * kRounds + 2},
                                                  {"s", kRounds + 1},
                                                  {"f", kRounds + 1}});
  CHECK(trace.at("otherData").at("total_cycles") == 2 * kRounds + 2);
  // As viewers do: by time, otherwise as in the file. Slices of a track are apart or one inside the other.
  std::stable_sort(events.begin(), events.end(),
                   [](const Json& a, const Json& b) { return a.at("ts") < b.at("ts"); });
  std::map<int, std::vector<uint64_t>> open;
  uint64_t outside = 0;
  for (const Json& event : events) {
    const uint64_t time = event.at("ts");
    auto& ends = open[event.at("tid")];
    while (!ends.empty() && ends.back() <= time) ends.pop_back();
    if (event.at("ph") != "X") continue;
    const uint64_t end = time + event.at("dur").get<uint64_t>();
    outside += !ends.empty() && end > ends.back();
    ends.push_back(end);
  }
  CHECK(outside == 0);
}

TEST_CASE("a trace that is shorter than what is held is in the order of time", "[report][trace]") {
  const Program program = one_operation();
  std::string text;
  TraceWriter writer("a5", [&](std::string_view piece) { text += piece; });
  writer.on_start(kCores, program);
  play(writer, 100, [](uint64_t) {});
  uint64_t last = 0;
  const Json trace = Json::parse(text);
  for (const Json& event : trace.at("traceEvents")) {
    if (event.value("cat", "") == "block") continue;  // tracks of their own, told at the end
    const uint64_t time = event.value("ts", last);
    CHECK(time >= last);
    last = time;
  }
}

TEST_CASE("the JSON report has every instruction and holds a piece of them only", "[report][json]") {
  constexpr uint64_t kInstructions = 20'000;
  constexpr uint64_t kPiece = 1 << 17;
  const Program program = one_operation();
  std::string text;
  JsonReport report([&](std::string_view piece) { text += piece; });
  report.on_start(kCores, program);
  for (uint64_t i = 0; i < kInstructions; ++i) {
    report.on_instruction(instruction(Pipe::v, i, i + 1));
    CHECK(text.size() + kPiece > i * 100);
  }
  const Summary summary;
  const SimResult result;
  report.finish({program, result, summary, "a5"});
  const Json json = Json::parse(text);
  REQUIRE(json.at("instructions").size() == kInstructions);
  CHECK(json.at("instructions").back().at("start") == kInstructions - 1);
  CHECK(json.at("outcome") == "ok");
}

TEST_CASE("a timeline keeps as much of a long run as of a short one", "[report][timeline]") {
  const Program program = one_operation();
  for (const uint64_t unit : {1, 1000}) {
    Timeline timeline;
    timeline.on_start(kCores, program);
    const uint64_t half = 42'000 * unit;
    for (uint64_t at = 0; at < half; at += unit) timeline.on_instruction(instruction(Pipe::v, at, at + unit));
    timeline.on_stall({0, Pipe::v, half, 2 * half, Stall::flag, 0});
    const Summary summary;
    SimResult result;
    result.total_cycles = 2 * half;
    result.cores = kCores;
    const std::string text = timeline.text({program, result, summary, "a5"});
    CHECK(text.find(" " + std::string(42, '#') + std::string(42, 'f') + "\n") != std::string::npos);
  }
  PipeTime time(4);
  for (uint64_t at = 0; at < 100; at += 10) time.add(at, at + 10, at % 20 == 0 ? '#' : 'f');
  CHECK(time.buckets().size() == 4);
  uint64_t busy = 0;
  for (const auto& bucket : time.buckets()) busy += bucket[PipeTime::kMarks.find('#')];
  CHECK(busy == 50);
}

}  // namespace
}  // namespace pto::report
