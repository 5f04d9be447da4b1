#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "driver/rank_report.hpp"
#include "pto/assembler.hpp"
#include "pto/rank_launch.hpp"
#include "pto/report.hpp"
#include "report/npy.hpp"
#include "report/report.hpp"
#include "sim/describe.hpp"

namespace pto {
namespace {

using driver::RankReport;

Result<std::vector<RankJob>> jobs_of(const Launch& launch, const RankTransport& transport) {
  std::vector<RankJob> jobs;
  for (uint32_t rank = 0; rank < launch.the_case.ranks; ++rank) {
    if (transport.owner(rank, launch.the_case.ranks) != transport.process()) continue;
    const Case the_case = case_of_rank(launch.the_case, rank);
    auto arguments = load_arguments(the_case);
    if (!arguments) return Error{fmt::format("rank {}: {}", rank, arguments.error().message)};
    jobs.push_back({rank, std::move(*arguments), rank_arguments(the_case), {}});
  }
  return jobs;
}

void add_files(const Case& the_case, const std::vector<Argument>& arguments, RankReport& report) {
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    if (arg.output.empty()) continue;
    std::string contents = arg.output.ends_with(".npy") ? report::npy_header(arg.dtype, arg.shape) : "";
    const std::span<const std::byte> bytes = arguments[i].data();
    contents.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    report.files.push_back({arg.output, std::move(contents)});
  }
}

Result<bool> judge_rank(const Case& the_case, const Program& program, const std::vector<Argument>& arguments,
                        RankReport& report, SimResult& result) {
  auto compared = compare_expected(the_case, arguments);
  if (!compared) return compared.error();
  for (const Mismatch& mismatch : compared->mismatches) {
    Diagnostic finding = report::mismatch_finding(mismatch, program, nullptr);
    finding.message = fmt::format("rank {}: {}", report.rank, finding.message);
    result.findings.add(std::move(finding));
  }
  for (Agreement& each : compared->agreements) {
    each.arg = fmt::format("rank {}: {}", report.rank, each.arg);
    report.agreements += report::agreement_line(each);
  }
  return true;
}

void name_rank(Diagnostic& finding, uint32_t rank) {
  const auto name = [&](std::optional<Moment>& moment) {
    if (moment) moment->core_name = fmt::format("rank {}, {}", rank, moment->core_name);
  };
  name(finding.moment);
  for (Note& note : finding.notes) name(note.moment);
}

/// Findings of all ranks. Those of one rule at one operation are one, the first rank's.
Diagnostics merged(std::vector<RankReport>& reports, const SimOptions& options) {
  struct Same {
    Diagnostic first;
    std::vector<uint32_t> others;
  };
  std::vector<Same> all;
  std::map<std::tuple<std::string_view, uint32_t, Severity>, size_t> known;
  for (RankReport& report : reports) {
    for (Diagnostic& each : report.findings) {
      const bool placed = each.anchor.op != ~0u;
      const auto [at, fresh] = known.try_emplace({each.id, each.anchor.op, each.severity}, all.size());
      if (!placed || fresh) {
        name_rank(each, report.rank);
        all.push_back({std::move(each), {}});
      } else if (std::vector<uint32_t>& others = all[at->second].others;
                 others.empty() || others.back() != report.rank) {
        others.push_back(report.rank);
      }
    }
  }
  Diagnostics out(options.max_findings, options.warnings);
  for (Same& each : all) {
    if (!each.others.empty())
      each.first.notes.push_back({fmt::format("the same on rank{} {}", each.others.size() == 1 ? "" : "s",
                                              fmt::join(each.others, ", ")),
                                  {},
                                  {},
                                  {}});
    out.add(std::move(each.first));
  }
  return out;
}

std::string table(const std::vector<RankReport>& reports) {
  std::string text = fmt::format("{:>4} {:>12} {:>12} {:>12} {:>9}  {}\n", "rank", "cycles", "bytes sent",
                                 "bytes read", "notifies", "bound by");
  for (const RankReport& r : reports)
    text += fmt::format("{:>4} {:>12} {:>12} {:>12} {:>9}  {}\n", r.rank, sim::grouped(r.cycles),
                        sim::grouped(r.traffic.sent_bytes), sim::grouped(r.traffic.got_bytes),
                        sim::grouped(r.traffic.notifies), r.bound);
  return text;
}

}  // namespace

Result<bool> RanksRun::write() const {
  OutputFiles out;
  for (const File& file : files) {
    const auto opened = out.open(file.name);
    if (!opened) return opened.error();
    (*opened)->write(file.contents);
    (*opened)->finish();
  }
  return out.commit();
}

namespace {

/// The reports of this process's ranks.
Result<std::vector<RankReport>> judged(const Launch& launch, const SimOptions& options,
                                       std::vector<RankJob>& jobs, std::vector<RankResult>& results) {
  std::vector<RankReport> reports;
  for (size_t i = 0; i < results.size(); ++i) {
    SimResult& result = results[i].result;
    RankReport& report = reports.emplace_back();
    report.rank = results[i].rank;
    report.ended = result.ended;
    report.interrupted = result.interrupted;
    report.cycles = result.total_cycles;
    report.bound = bound_by(result);
    report.traffic = results[i].traffic;
    const Case the_case = case_of_rank(launch.the_case, report.rank);
    if (options.mode == Mode::run && result.ended) {
      auto good = judge_rank(the_case, launch.prepared.program, jobs[i].arguments, report, result);
      if (!good) return good.error();
      add_files(the_case, jobs[i].arguments, report);
    }
    report.findings = std::move(result.findings.all());
  }
  return reports;
}

/// The reports of all ranks, at the first process; nothing elsewhere.
std::vector<RankReport> gathered(std::vector<RankReport> own, RankTransport& transport) {
  if (transport.processes() == 1) return own;
  std::vector<std::string> texts(transport.processes());
  texts.front() = driver::packed(own);
  std::vector<RankReport> all;
  for (const std::string& text : transport.exchange(std::move(texts))) {
    for (RankReport& report : driver::unpacked(text)) all.push_back(std::move(report));
  }
  std::ranges::sort(all, {}, &RankReport::rank);
  return all;
}

RanksRun told(const Launch& launch, const SimOptions& options, std::vector<RankReport> reports) {
  RanksRun run;
  run.findings = merged(reports, options);
  resolve_anchors(launch.prepared.program, launch.prepared.source, run.findings);
  uint64_t cycles = 0;
  for (RankReport& report : reports) {
    run.ended = run.ended && report.ended;
    run.interrupted = run.interrupted || report.interrupted;
    cycles = std::max(cycles, report.cycles);
    run.text += report.agreements;
    for (RanksRun::File& file : report.files) run.files.push_back(std::move(file));
  }
  run.text = fmt::format("{}: {} cycles on {} ranks\n{}\n{}", report::outcome(run.findings),
                         sim::grouped(cycles), reports.size(), run.text, table(reports));
  return run;
}

}  // namespace

Result<RanksRun> run_ranks(const Launch& launch, SimOptions options, RankTransport& transport) {
  options.entry = launch.the_case.entry;
  options.blocks = launch.the_case.blocks;
  options.target = launch.prepared.target;
  options.settings = launch.prepared.settings;
  auto jobs = jobs_of(launch, transport);
  if (auto error = first_error(transport, jobs)) return *error;
  auto results = simulate_ranks(launch.prepared.program, launch.the_case.ranks, *jobs, options,
                                launch.the_case.topology, transport);
  if (!results) return results.error();
  auto reports = judged(launch, options, *jobs, *results);
  if (auto error = first_error(transport, reports)) return *error;
  return told(launch, options, gathered(std::move(*reports), transport));
}

}  // namespace pto
