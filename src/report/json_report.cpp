// JSON reports. The names are stable; docs/user/reports.md lists them.
#include "report/json_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

#include "diag/diagnostic_facts.hpp"
#include "ir/op_queries.hpp"
#include "report/bottleneck/advice.hpp"
#include "report/bottleneck/critical_path.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/naming.hpp"
#include "report/run_report.hpp"
#include "support/json.hpp"

namespace pto::report {
namespace {

std::string_view kind_key(CoreKind kind) {
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
                    {"kind", kind_key(core.kind)},
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
  if (at.line) {
    json["line"] = at.line;
    json["col"] = at.col;
  }
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

}  // namespace

Json outcome_json(const Diagnostics& findings) {
  return {{"outcome", findings.errors() == 0 ? "ok" : "failed"},
          {"errors", findings.errors()},
          {"warnings", findings.warnings()},
          {"hidden_errors", findings.hidden_errors()},
          {"hidden_warnings", findings.hidden_warnings()}};
}

Json findings_json(const Diagnostics& findings) {
  Json list = Json::array();
  for (const Diagnostic& finding : findings.all()) {
    Json json = {{"id", to_string(finding.id)},
                 {"severity", to_string(finding.severity)},
                 {"message", full_message(finding)}};
    json.update(spot(finding.anchor.op, finding.where));
    if (!finding.operand.empty()) json["operand"] = finding.operand;
    if (finding.moment) json["moment"] = moment_json(*finding.moment);
    if (!finding.help.empty()) json["help"] = to_string(finding.help);
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

namespace {

Json cost_basis(const SimResult& result) {
  Json json = Json::object();
  for (size_t i = 0; i < 4; ++i) json[std::string(to_string(static_cast<Basis>(i)))] = result.basis_cycles[i];
  json["unknown_instructions"] = result.unknown_cost;
  return json;
}

Json waits_json(const Run& run) {
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

/// The critical path by place and pipe, of a run with advice.
void add_path_sums(const Run& run, Json& json) {
  if (run.steps == nullptr || !run.steps->complete()) return;
  json["path"] = Json::array();
  for (const PathSum& sum : path_sums(run.program, critical_path(*run.steps, run.steps->time_again()))) {
    Json item = {{"pipe", short_name(sum.pipe)}, {"cycles", sum.cycles}, {"times", sum.times}};
    if (sum.pipe == Pipe::s) {
      item["mnemonic"] = "scalar unit";
    } else {
      item["mnemonic"] = mnemonic(run.program, sum.pc);
      item.update(spot(sum.pc, where(run.program, sum.pc)));
    }
    json["path"].push_back(std::move(item));
  }
}

/// The text of every line that does something, whether it took time or not.
Json source_lines(const Run& run) {
  constexpr size_t kMaxLines = 20'000, kMaxText = 300;
  std::set<uint32_t> lines;
  const auto& operations = run.summary.operations();
  for (uint32_t pc = 0; pc < operations.size(); ++pc)
    if (operations[pc].count != 0 || run.program.ops[pc].n_results == 0)
      lines.insert(where(run.program, pc).line);
  for (const Wait& wait : run.summary.waits()) lines.insert(where(run.program, wait.pc).line);
  Json list = Json::array();
  std::string_view text = run.program.source_text;
  for (uint32_t number = 1; !text.empty() && list.size() < kMaxLines; ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.contains(number)) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    list.push_back({{"line", number}, {"text", line.substr(0, kMaxText)}});
  }
  return list;
}

Json agreements(const std::vector<Agreement>& all) {
  Json list = Json::array();
  for (const Agreement& one : all) {
    Json item = {{"arg", one.arg}, {"elements", one.of}, {"agree", one.count}};
    item["largest_error"] = one.largest_error;
    if (!one.where.empty()) item["at"] = one.where;
    list.push_back(std::move(item));
  }
  return list;
}

Json head(const Run& run) {
  Json json = outcome_json(run.result.findings);
  json.update(Json{{"verdict", verdict(run)},
                   {"target", run.target},
                   {"program", run.program.source_name},
                   {"total_cycles", run.result.total_cycles},
                   {"launch_cycles", run.result.launch_cycles},
                   {"total_instructions", run.result.instructions},
                   {"cores", cores(run.result)}});
  if (!run.settings.empty()) json["settings"] = run.settings;
  if (run.inserted != 0) json["inserted"] = run.inserted;
  if (run.agreements != nullptr) json["agreements"] = agreements(*run.agreements);
  return json;
}

Json path_json(const Run& run, const std::vector<PathPart>& path) {
  Json list = Json::array();
  for (const PathPart& part : path) {
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

std::string_view pipe_of(uint8_t lane) { return to_string(pipe_of_lane(lane)); }

Json flags_json(const Run& run, const std::vector<FlagUse>& flags) {
  Json list = Json::array();
  for (const FlagUse& use : flags) {
    Json item = {{"src", pipe_of(use.src)}, {"dst", pipe_of(use.dst)}, {"event_ids", use.ids}};
    item["set"] = spot(use.set_pc, where(run.program, use.set_pc));
    item["wait"] = spot(use.wait_pc, where(run.program, use.wait_pc));
    item["times"] = use.times;
    item["waited_times"] = use.waited_times;
    item["waited_cycles"] = use.waited;
    item["least_slack"] = use.slack;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

Json advice_json(const Run& run, const Advice& advice) {
  Json json = Json::object();
  json["flags"] = flags_json(run, advice.flags);
  json["event_ids"] = json["advice"] = json["limits"] = Json::array();
  for (const IdUse& use : advice.ids)
    json["event_ids"].push_back(
        {{"src", pipe_of(use.src)}, {"dst", pipe_of(use.dst)}, {"used", use.used}, {"of", advice.event_ids}});
  for (const Help& help : advice.help) {
    Json item = {{"kind", help.kind}, {"saves", help.saves}, {"message", help.text}};
    item.update(spot(help.pc, where(run.program, help.pc)));
    json["advice"].push_back(std::move(item));
  }
  for (const Limit& limit : advice.limits)
    json["limits"].push_back({{"free", to_string(limit.pipe)}, {"total_cycles", limit.cycles}});
  return json;
}

namespace {

/// The critical path, the flags, what would help.
void add_advice(const Run& run, Json& json) {
  if (run.steps == nullptr) return;
  json["critical_path"] = json["flags"] = json["event_ids"] = json["advice"] = json["limits"] = nullptr;
  if (!run.steps->complete()) return;
  const Advice advice = advise(run);
  json["critical_path"] = path_json(run, advice.path);
  json.update(advice_json(run, advice));
}

}  // namespace

void add_answers(std::span<const WhatIfAnswer> answers, Json& json) {
  for (const WhatIfAnswer& answer : answers) {
    Json item = {{"change", answer.text}, {"total_cycles", answer.cycles}, {"ended", answer.ended}};
    if (!answer.ended) item["why"] = answer.why;
    json["what_if"].push_back(std::move(item));
  }
}

namespace {

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
  json["findings"] = findings_json(run.result.findings);
  json["cost_basis"] = cost_basis(run.result);
  add_advice(run, json);
  add_answers(run.answers, json);
  out_ += std::string_view(dump(json)).substr(1);  // goes on behind the list
  out_ += '\n';
  put_(out_);
  out_.clear();
}

Json summary_json(const Run& run) {
  Json json = head(run);
  json["findings"] = findings_json(run.result.findings);
  json["cost_basis"] = cost_basis(run.result);
  return json;
}

std::string stats_json(const Run& run) {
  Json json = head(run);
  add_totals(run, json);
  json["waits"] = waits_json(run);
  add_path_sums(run, json);
  json["source"] = source_lines(run);
  json["findings"] = findings_json(run.result.findings);
  json["cost_basis"] = cost_basis(run.result);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pto::report
