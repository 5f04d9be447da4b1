#include "report/run_report.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <sstream>

#include "diag/diagnostic_facts.hpp"
#include "isa/row.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/rules.hpp"
#include "report/naming.hpp"
#include "report/trace/timeline.hpp"
#include "report/trace/trace.hpp"
#include "support/json.hpp"
#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::json;

/// A load, a flag, an add that waits for it: what a run would report, with every cycle of every pipe told.
struct Example {
  Program program;
  SimResult result;
  Summary summary;
  Timeline timeline;
  std::string json, trace;

  /// `many` more instructions of the first one's place.
  explicit Example(int many = 0) {
    program.ops.resize(8);
    program.source_name = "dir/k.pto";
    const RowId plain = isa::id_of(*isa::find_row("pto.syncthreads"));  // no operands, no attributes
    for (uint32_t pc = 0; pc < 8; ++pc) {
      program.ops[pc].row = plain;
      program.ops[pc].where = {pc + 1, 5};
    }
    const std::vector<CoreInfo> cores = {{0, 0, CoreKind::aic, 0}, {1, 0, CoreKind::aiv, 1}};
    JsonReport json_report([this](std::string_view piece) { json += piece; });
    TraceWriter writer("a5", [this](std::string_view piece) { trace += piece; });
    for (Observer* observer : std::initializer_list<Observer*>{&summary, &timeline, &json_report, &writer}) {
      observer->on_start(cores, program);
      for (int i = 0; i <= many; ++i)
        observer->on_instruction({1, Pipe::mte2, 2, 2, 10, 80, 90, Basis::measured});
      observer->on_stall({1, Pipe::mte2, 0, 10, Stall::not_issued, ~0U});
      observer->on_stall({1, Pipe::mte2, 80, 100, Stall::finished, ~0U});
      observer->on_stall({1, Pipe::v, 0, 3, Stall::not_issued, ~0U});
      observer->on_stall({1, Pipe::v, 3, 90, Stall::flag, 4});
      observer->on_flag({1, Pipe::mte2, Pipe::v, 0, 3, 4, 90, 3, 90});
      observer->on_instruction({1, Pipe::v, 5, 4, 90, 100, 100, Basis::documented});
      observer->on_finish(100);
    }
    result.total_cycles = 100;
    result.instructions = 2;
    result.cores = cores;
    PipeStats load{1, Pipe::mte2, 70, 1, {}}, add{1, Pipe::v, 10, 1, {}};
    load.stall_cycles[static_cast<int>(Stall::not_issued)] = 10;
    load.stall_cycles[static_cast<int>(Stall::finished)] = 20;
    add.stall_cycles[static_cast<int>(Stall::not_issued)] = 3;
    add.stall_cycles[static_cast<int>(Stall::flag)] = 87;
    result.pipes = {load, add};
    result.basis_cycles[0] = 70;
    result.basis_cycles[2] = 10;
    result.findings.add(finding(program, FindingId::uninit, 5, "reads nothing"));
    json_report.finish(run());
  }
  [[nodiscard]] Run run() const { return {program, result, summary, "a5"}; }
};

TEST_CASE("the verdict names what bounds the run and the longest wait", "[report]") {
  const Example example;
  const auto line = verdict(example.run());
  // What V waits for is MTE2's work: MTE2 bounds the run, and is idle only before and after.
  CHECK(line == "100 cycles, bound by MTE2 on AIV 0.1 (70 % busy); it is done after 80 %");
  const auto text = text_report(example.run());
  CHECK(text.starts_with("FAILED, 1 error: " + line + "\n"));
  CHECK(text.find("cost basis: 88 % measured, 12 % documented (of 80 busy cycles)") != std::string::npos);
}

TEST_CASE("the report says how many flags and barriers were put in", "[report]") {
  const Example example;
  Run run = example.run();
  CHECK(text_report(run).find("put in") == std::string::npos);
  run.inserted = 1200;
  CHECK(text_report(run).find("\nnote: put in 1,200 set_flag, wait_flag and barrier, ") != std::string::npos);
}

TEST_CASE("the verdict names what the busiest pipe waits for", "[report]") {
  Example example;
  PipeStats& add = example.result.pipes[1];
  add.busy_cycles = 50;
  add.stall_cycles[static_cast<int>(Stall::flag)] = 47;
  example.result.pipes[0].busy_cycles = 30;
  const auto line = verdict(example.run());
  CHECK(line.starts_with(
      "100 cycles, bound by waiting: the busiest pipe, V on AIV 0.1, works 50 % of the time; it waits"));
  CHECK(line.find("k.pto:5") != std::string::npos);
}

TEST_CASE("the verdict says that cube and vector alternate", "[report]") {
  Example example;
  PipeStats cube{0, Pipe::m, 40, 1, {}};
  cube.stall_cycles[static_cast<int>(Stall::cross_core)] = 55;
  example.result.pipes[1].stall_cycles[static_cast<int>(Stall::cross_core)] = 45;
  example.result.pipes[0].busy_cycles = 20;
  example.result.pipes.insert(example.result.pipes.begin(), cube);
  CHECK(verdict(example.run()) ==
        "100 cycles, bound by waiting: the busiest pipe, M on AIC 0, works 40 % of the time; cube and vector "
        "alternate: M on AIC 0 waits for the other side for 55 %, V on AIV 0.1 waits for the other side for "
        "45 %");
}

TEST_CASE("waits of more than 128 cores are summed by kind", "[report]") {
  Program program;
  for (const uint32_t many : {126U, 129U}) {
    std::vector<CoreInfo> cores;
    for (uint32_t i = 0; i < many; ++i)
      cores.push_back(
          {i, i / 3, i % 3 == 0 ? CoreKind::aic : CoreKind::aiv, static_cast<uint8_t>(i % 3 == 2)});
    Summary summary;
    summary.on_start(cores, program);
    for (uint32_t i = 0; i < many; ++i) summary.on_stall({i, Pipe::mte2, 0, 10, Stall::flag, 4});
    summary.on_stall({1, Pipe::v, 0, 7, Stall::flag, ~0U});
    const std::vector<Wait> waits = summary.waits();
    REQUIRE(waits.size() == (many == 126 ? 127 : 4));
    uint64_t cycles = 0, times = 0;
    for (const Wait& wait : waits) {
      cycles += wait.cycles;
      times += wait.times;
    }
    CHECK(cycles == 10 * many + 7);
    CHECK(times == many + 1);
    CHECK(waits.back().pc == ~0U);
    CHECK(waits.back().core == 1);
    CHECK(waits[2].core == 2);
  }
}

TEST_CASE("the verdict of a deadlock says so first", "[report]") {
  Example example;
  example.result.findings.error(FindingId::deadlock, "PIPE_V of AIV0 waits for nobody");
  example.result.deadlock = true;
  CHECK(verdict(example.run()) == "deadlock after 100 cycles: PIPE_V of AIV0 waits for nobody");
}

TEST_CASE("numbers for people", "[report]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(12430) == "12,430");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(percent(87, 100) == "87 %");
  CHECK(percent(1, 3) == "33 %");
  CHECK(percent(5, 100) == "5.0 %");
  CHECK(percent(0, 0) == "0 %");
}

TEST_CASE("the JSON report has its stable names", "[report][json]") {
  const Example example;
  const Json json = Json::parse(example.json);
  CHECK(json.at("total_cycles") == 100);
  const Json& pipe = json.at("cores").at(1).at("pipes").at(0);
  CHECK(pipe.at("name") == "PIPE_MTE2");
  CHECK(pipe.at("busy_cycles") == 70);
  CHECK(pipe.at("instructions") == 1);
  for (const Json& each : json.at("cores").at(1).at("pipes")) {
    uint64_t sum = each.at("busy_cycles");
    for (const Json& stall : each.at("stall_cycles")) sum += stall.get<uint64_t>();
    CHECK(sum == 100);
  }
  REQUIRE(json.at("instructions").size() == 2);
  for (const char* name : {"pc", "line", "mnemonic", "core", "pipe", "issue", "start", "end"})
    CHECK(json.at("instructions").at(0).contains(name));
  CHECK(json.at("findings").at(0).at("id") == "UNINIT");
  CHECK(json.at("findings").at(0).at("line") == 6);
  CHECK(json.at("cost_basis").at("measured") == 70);
  const Json stats = Json::parse(stats_json(example.run()));
  CHECK(stats.at("waits").at(0).at("cycles") == 87);
  CHECK(stats.at("lines").size() == 2);
}

/// What Perfetto needs: known phases, slices of a track apart or one inside the other, each end of an arrow
/// inside a slice, arrows in pairs, times in order.
void check_trace(const Json& trace) {
  std::map<std::pair<int, int>, std::vector<uint64_t>> open;  // ends of the slices that are open on a track
  std::map<uint64_t, std::pair<int, uint64_t>> arrows;
  uint64_t last = 0;
  for (const Json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    CHECK(event.contains("pid"));
    CHECK(event.contains("tid"));
    if (phase == "M") continue;
    const uint64_t time = event.at("ts");
    CHECK(time >= last);
    last = time;
    auto& ends = open[{event.at("pid"), event.at("tid")}];
    while (!ends.empty() && ends.back() <= time) ends.pop_back();
    if (phase == "X") {
      const uint64_t end = time + event.at("dur").get<uint64_t>();
      CHECK((ends.empty() || end <= ends.back()));
      ends.push_back(end);
      continue;
    }
    CHECK_FALSE(ends.empty());
    if (phase == "s") {
      CHECK(arrows.emplace(event.at("id").get<uint64_t>(), std::pair(0, time)).second);
    } else {
      REQUIRE(phase == "f");
      auto& arrow = arrows.at(event.at("id").get<uint64_t>());
      CHECK(++arrow.first == 1);
      CHECK(arrow.second <= time);
    }
  }
  for (const auto& [id, arrow] : arrows) CHECK(arrow.first == 1);
}

TEST_CASE("the trace is valid, ordered and balanced", "[report][trace]") {
  const Example example;
  const Json trace = Json::parse(example.trace);
  check_trace(trace);
  std::map<std::string, int> order;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") order[event.at("args").at("name")] = event.at("tid");
  }
  CHECK(order.at("PIPE_MTE2") < order.at("PIPE_V"));
}

TEST_CASE("no line of a timeline is longer than 100 columns", "[report][timeline]") {
  for (const int many : {0, 100}) {
    const Example example(many);
    std::istringstream lines(example.timeline.text(example.run()));
    size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= 100);
    CHECK(count == 4);
  }
}

TEST_CASE("the report begins with the outcome; findings that are not kept are counted", "[report]") {
  Example example;
  CHECK(text_report(example.run()).starts_with("FAILED, 1 error: 100 cycles, bound by MTE2"));
  CHECK(outcome(Diagnostics()) == "ok");
  WarningPolicy policy;
  REQUIRE(apply_switch(policy, "no-flag-key").ok());
  Diagnostics findings(2, policy);
  const auto add = [&](FindingId id, Severity severity, uint32_t pc) {
    findings.add(finding(example.program, id, pc, std::string(to_string(id)), severity));
    return findings.all().size();
  };
  for (uint32_t pc = 0; pc < 5; ++pc)
    CHECK(add(FindingId::uninit, Severity::warning, pc) == std::min(pc + 1, 2U));
  CHECK(outcome(findings) == "ok, 5 warnings");
  for (uint32_t pc = 0; pc < 3; ++pc)
    CHECK(add(FindingId::race, Severity::error, pc) == std::min(3 + pc, 4U));
  CHECK(add(FindingId::flag_key, Severity::warning, 0) == 4);
  CHECK(findings.errors() == 3);
  CHECK(findings.hidden_errors() == 1);
  CHECK(findings.warnings() == 5);
  CHECK(findings.hidden_warnings() == 3);
  CHECK(outcome(findings) == "FAILED, 3 errors, 5 warnings");
  constexpr std::string_view kHidden =
      "k.pto: 1 more error and 3 more warnings are not shown; --max-errors 0 shows all\n";
  CHECK(format_text(findings, "k.pto", "").ends_with(kHidden));
  Diagnostics document(2, policy);  // of the text and its run
  document.append(findings);
  CHECK(document.all().size() == 4);
  CHECK(document.errors() == 3);
  CHECK(format_text(document, "k.pto", "").ends_with(kHidden));
}

TEST_CASE("a moment is told in words", "[report]") {
  const auto told = [](const Moment& moment) {
    Diagnostic diagnostic;
    diagnostic.moment = moment;
    return notes_of(diagnostic).at(0).message;
  };
  Moment moment = sim::moment_at({2, 1, CoreKind::aiv, 1}, 1234);
  CHECK(told(moment) == "in cycle 1,234 on AIV1 of block 1");
  moment.loops = {{3, {4, 1}, 3, "%0", 16}, {5, {6, 1}, 0, "%j", -2}};
  CHECK(told(moment) ==
        "in cycle 1,234 on AIV1 of block 1, iteration 3 of the loop at line 4 (%0 = 16), in the loop at line "
        "6 (%j = -2)");
}

TEST_CASE("findings are printed like diagnostics, mismatches with their writer", "[report]") {
  const Example example;
  LastWriter writer(1, 8);
  writer.on_argument(0, "a", 4096, 64, true);
  writer.on_argument(1, "c", 8192, 64, true);
  FootprintEvent store;
  store.pc = 6;
  store.write = true;
  store.space = Space::gm;
  store.addr = 8192;
  store.rows = 2;
  store.row_bytes = 4;
  store.pitch = 8;
  store.time = 42;
  writer.on_footprint(store);
  REQUIRE(writer.written());
  const Diagnostic mismatch =
      mismatch_finding({"c", 1, 2, 8, 1, 4, "c: 1 of 4 elements differ"}, example.program, &writer);
  CHECK(mismatch.where.line == 7);
  CHECK(mismatch.message.find("k.pto:7 in cycle 42") != std::string::npos);
  LastWriter nobody(1, 4);
  nobody.on_argument(1, "c", 8192, 64, true);
  nobody.on_footprint(store);
  CHECK(mismatch_finding({"c", 1, 1, 4, 1, 4, ""}, example.program, &nobody).anchor.op == ~0U);
}

}  // namespace
}  // namespace pto::report
