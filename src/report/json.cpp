// JSON reports. The names are stable; docs/reports.md lists them.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "report/critical_path.hpp"
#include "report/describe.hpp"
#include "report/diagnostic_facts.hpp"
#include "report/report.hpp"
#include "report/step_graph.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kind_name(CoreKind kind) {
  return kind == CoreKind::aic ? "aic" : kind == CoreKind::aiv ? "aiv" : "mixed";
}

Json dump_stalls(const PipeStats& pipe) {
  Json stalls = Json::object();
  for (size_t i = 1; i < std::size(pipe.stall_cycles); ++i) {
    if (pipe.stall_cycles[i]) stalls[std::string(to_string(static_cast<Stall>(i)))] = pipe.stall_cycles[i];
  }
  return stalls;
}

Json cores(const SimResult& result) {
  Json list = Json::array();
  auto pipe = result.pipes.begin();  // in the order of the cores
  for (const CoreInfo& core : result.cores) {
    Json pipes = Json::array();
    for (; pipe != result.pipes.end() && pipe->core == core.index; ++pipe) {
      pipes.push_back({{"name", to_string(pipe->pipe)},
                       {"busy_cycles", pipe->busy_cycles},
                       {"instructions", pipe->instructions},
                       {"stall_cycles", dump_stalls(*pipe)}});
    }
    list.push_back({{"index", core.index},
                    {"kind", kind_name(core.kind)},
                    {"block", core.block},
                    {"subblock", core.subblock},
                    {"pipes", pipes}});
  }
  return list;
}

std::string dump(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

Json spot(uint32_t pc, Location at) {
  Json json = Json::object();
  if (pc != ~0u) json["pc"] = pc;
  if (at.line) json["line"] = at.line, json["col"] = at.col;
  return json;
}

Json moment_json(const Moment& moment) {
  Json json = {
      {"cycle", moment.cycle}, {"core", moment.core}, {"block", moment.block}, {"loops", Json::array()}};
  for (const Moment::Iteration& loop : moment.loops) {
    Json item = Json::object();
    if (!loop.variable.empty()) item = {{"variable", loop.variable}, {"value", loop.value}};
    item.update(spot(loop.op, loop.where));
    if (loop.number != 0) item["iteration"] = loop.number;
    json["loops"].push_back(std::move(item));
  }
  return json;
}

Json findings(const Run& run) {
  Json list = Json::array();
  for (const Diagnostic& finding : run.result.findings.all()) {
    Json json = {{"id", finding.id}, {"severity", to_string(finding.severity)}, {"message", finding.message}};
    json.update(spot(finding.anchor.op, finding.where));
    if (!finding.operand.empty()) json["operand"] = finding.operand;
    if (finding.moment) json["moment"] = moment_json(*finding.moment);
    if (!finding.help.empty()) json["help"] = finding.help;
    for (const Note& note : finding.notes) {
      Json item = {{"message", note.message}};
      item.update(spot(note.anchor.op, note.where));
      if (note.moment) item["moment"] = moment_json(*note.moment);
      json["related"].push_back(std::move(item));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json cost_basis(const SimResult& result) {
  Json json = Json::object();
  for (size_t i = 0; i < 4; ++i) json[std::string(to_string(static_cast<Basis>(i)))] = result.basis_cycles[i];
  json["unknown_instructions"] = result.unknown_cost;
  return json;
}

Json waits(const Run& run) {
  Json list = Json::array();
  for (const Wait& wait : run.summary.waits()) {
    if (wait.reason == Stall::finished || wait.reason == Stall::none) continue;
    Json json = {{"core", wait.core},
                 {"pipe", to_string(wait.pipe)},
                 {"reason", to_string(wait.reason)},
                 {"cycles", wait.cycles},
                 {"times", wait.times}};
    json.update(spot(wait.pc, where(run.program, wait.pc)));
    list.push_back(std::move(json));
  }
  return list;
}

struct Total {
  uint64_t count = 0, cycles = 0;
};

template <typename Key>
Json totals(const std::map<Key, Total>& sums, const char* key_name) {
  Json list = Json::array();
  for (const auto& [key, total] : sums)
    list.push_back({{key_name, key}, {"count", total.count}, {"cycles", total.cycles}});
  return list;
}

/// Both groupings of the sums per operation.
void add_totals(const Run& run, Json& json) {
  std::map<std::string, Total> by_mnemonic;
  std::map<uint32_t, Total> by_line;
  const auto& operations = run.summary.operations();
  for (uint32_t pc = 0; pc < operations.size(); ++pc) {
    if (operations[pc].count == 0) continue;
    for (Total* total :
         {&by_mnemonic[std::string(mnemonic(run.program, pc))], &by_line[where(run.program, pc).line]}) {
      total->count += operations[pc].count;
      total->cycles += operations[pc].cycles;
    }
  }
  json["mnemonics"] = totals(by_mnemonic, "mnemonic");
  json["lines"] = totals(by_line, "line");
}

Json head(const Run& run) {
  const Diagnostics& findings = run.result.findings;
  Json json = {{"outcome", findings.errors() == 0 ? "ok" : "failed"},
               {"errors", findings.errors()},
               {"warnings", findings.warnings()},
               {"hidden_errors", findings.hidden_errors()},
               {"hidden_warnings", findings.hidden_warnings()},
               {"verdict", verdict(run)},
               {"target", run.target},
               {"program", run.program.source_name},
               {"total_cycles", run.result.total_cycles},
               {"total_instructions", run.result.instructions},
               {"cores", cores(run.result)}};
  if (!run.settings.empty()) json["settings"] = run.settings;
  return json;
}

Json critical_path_json(const Run& run) {
  if (!run.steps->complete()) return nullptr;
  const StepTimes times = run.steps->time_again();
  Json list = Json::array();
  for (const PathPart& part : critical_path(*run.steps, times)) {
    Json item = {
        {"begin", part.begin}, {"end", part.end}, {"core", part.core}, {"pipe", to_string(part.pipe)}};
    item.update(spot(part.pc, where(run.program, part.pc)));
    item["mnemonic"] = mnemonic(run.program, part.pc);
    item["after"] = to_string(part.after);
    if (part.wait_pc != ~0u) item["wait"] = spot(part.wait_pc, where(run.program, part.wait_pc));
    if (part.set_pc != ~0u) item["set"] = spot(part.set_pc, where(run.program, part.set_pc));
    list.push_back(std::move(item));
  }
  return list;
}

constexpr std::string_view kOpen = "{\n \"instructions\": [";

}  // namespace

void JsonReport::on_instruction(const InstEvent& event) {
  out_ += any_ ? "," : kOpen;
  any_ = true;
  fmt::format_to(std::back_inserter(out_),
                 R"(
  {{
   "pc": {},
   "line": {},
   "mnemonic": "{}",
   "core": {},
   "pipe": "{}",
   "issue": {},
   "start": {},
   "end": {},
   "basis": "{}"
  }})",
                 event.pc, where(*program_, event.pc).line, mnemonic(*program_, event.pc), event.core,
                 to_string(event.pipe), event.issue, event.start, event.end, to_string(event.basis));
  constexpr size_t kMuch = size_t{1} << 16;
  if (out_.size() < kMuch) return;
  put_(out_);
  out_.clear();
}

void JsonReport::finish(const Run& run) {
  if (!any_) out_ += kOpen;
  out_ += any_ ? "\n ]," : "],";
  Json json = head(run);
  json["findings"] = findings(run);
  json["cost_basis"] = cost_basis(run.result);
  if (run.steps != nullptr) json["critical_path"] = critical_path_json(run);
  out_ += std::string_view(dump(json)).substr(1);  // goes on behind the list
  out_ += '\n';
  put_(out_);
  out_.clear();
}

std::string stats_json(const Run& run) {
  Json json = head(run);
  add_totals(run, json);
  json["waits"] = waits(run);
  json["findings"] = findings(run);
  json["cost_basis"] = cost_basis(run.result);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pto::report
