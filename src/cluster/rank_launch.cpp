#include "pto/rank_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>

#include "cases/npy.hpp"
#include "cluster/rank_observer.hpp"
#include "cluster/rank_report.hpp"
#include "pto/assembler.hpp"
#include "pto/report.hpp"
#include "report/rank_reports.hpp"
#include "report/run_recorder.hpp"
#include "report/run_report.hpp"
#include "report/trace/trace.hpp"
#include "sim/findings/naming.hpp"

namespace pto {
namespace {

using driver::RankReport, driver::RankWatch;

Result<std::vector<RankJob>> jobs_of(const Launch& launch, const RankTransport& transport) {
  std::vector<RankJob> jobs;
  for (uint32_t rank = 0; rank < launch.the_case.ranks; ++rank) {
    if (transport.owner(rank, launch.the_case.ranks) != transport.process()) continue;
    const Case the_case = case_of_rank(launch.the_case, rank);
    auto arguments = load_arguments(the_case);
    if (!arguments) return Error{fmt::format("rank {}: {}", rank, arguments.error().message)};
    jobs.push_back({rank, std::move(*arguments), rank_arguments(the_case), {}, nullptr});
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
    report.outputs.push_back({arg.output, std::move(contents)});
  }
}

/// What the expectations of a rank came to, and who wrote what is wrong.
struct Judged {
  Comparison compared;
  std::vector<std::unique_ptr<report::LastWriter>> writers;  ///< by mismatch; none: not known
};

void tell_judged(const Judged& judged, const Program& program, RankReport& report, SimResult& result) {
  for (size_t i = 0; i < judged.compared.mismatches.size(); ++i) {
    const report::LastWriter* writer = i < judged.writers.size() ? judged.writers[i].get() : nullptr;
    Diagnostic finding = report::mismatch_finding(judged.compared.mismatches[i], program, writer);
    finding.message = fmt::format("rank {}: {}", report.rank, finding.message);
    result.findings.add(std::move(finding));
  }
  for (Agreement each : judged.compared.agreements) {
    each.arg = fmt::format("rank {}: {}", report.rank, each.arg);
    report.agreements += report::agreement_line(each);
  }
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
  std::map<std::tuple<FindingId, uint32_t, Severity>, size_t> known;
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
  Diagnostics out(options.limits.findings, options.warnings);
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
  OutputFiles out(guard);
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
class Judge {
 public:
  Judge(const Launch& launch, const SimOptions& options, const RanksReports& wanted)
      : launch_(launch), options_(options), wanted_(wanted) {}

  void watch(std::vector<RankJob>& jobs) {
    for (RankJob& job : jobs) watches_.push_back(std::make_unique<RankWatch>(launch_, wanted_, job));
  }

  Result<bool> compare(const std::vector<RankJob>& jobs, const std::vector<RankResult>& results) {
    judged_.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      if (!is_judged(results[i])) continue;
      auto compared = compare_expected(case_of_rank(launch_.the_case, jobs[i].rank), jobs[i].arguments);
      if (!compared) return compared.error();
      judged_[i].compared = std::move(*compared);
    }
    return true;
  }

  /// All run once more when an expectation of any of them does not hold: who writes what is wrong?
  void find_writers(RankTransport& transport) {
    const auto wrong = [](const Judged& each) { return !each.compared.mismatches.empty(); };
    if (transport.least(std::ranges::any_of(judged_, wrong) ? 0 : 1) != 0) return;
    auto again = jobs_of(launch_, transport);
    if (first_error(transport, again)) return;
    for (size_t i = 0; i < again->size(); ++i) {
      for (const Mismatch& each : judged_[i].compared.mismatches) {
        judged_[i].writers.push_back(
            std::make_unique<report::LastWriter>(static_cast<uint32_t>(each.argument), each.byte));
        (*again)[i].observers.push_back(judged_[i].writers.back().get());
      }
    }
    SimOptions once = options_;
    once.checks.races = false;
    once.checks.uninitialised = false;
    once.watch.clear();
    (void)simulate_ranks(launch_.prepared.program, launch_.the_case.ranks, *again, once,
                         launch_.the_case.topology, transport);
  }

  std::vector<RankReport> reports(std::vector<RankJob>& jobs, std::vector<RankResult>& results,
                                  uint32_t shown) {
    std::vector<RankReport> all;
    for (size_t i = 0; i < results.size(); ++i)
      all.push_back(report_of(jobs[i], results[i], judged_[i], *watches_[i], shown));
    return all;
  }

 private:
  [[nodiscard]] bool is_judged(const RankResult& of) const {
    return options_.mode == Mode::run && of.result.ended;
  }
  RankReport report_of(RankJob& job, RankResult& of, Judged& judged, RankWatch& watch, uint32_t shown) {
    SimResult& result = of.result;
    RankReport report;
    report.rank = of.rank;
    report.ended = result.ended;
    report.interrupted = result.interrupted;
    report.cycles = result.total_cycles;
    report.bound = bound_by(result);
    report.traffic = of.traffic;
    if (is_judged(of)) {
      tell_judged(judged, launch_.prepared.program, report, result);
      add_files(case_of_rank(launch_.the_case, report.rank), job.arguments, report);
    }
    launch_.prepared.locate(result.findings);
    watch.finish(result, std::move(judged.compared.agreements), report);
    if (report.rank == shown) watch.show(result, report);
    report.findings = std::move(result.findings.all());
    return report;
  }

  const Launch& launch_;
  const SimOptions& options_;
  const RanksReports& wanted_;
  std::vector<std::unique_ptr<RankWatch>> watches_;
  std::vector<Judged> judged_;
};

/// The rank that ends last; of several the first.
uint32_t last_to_end(const std::vector<RankResult>& own, RankTransport& transport) {
  uint64_t least = ~uint64_t{0};
  for (const RankResult& each : own) {
    const uint64_t cycles = std::min(each.result.total_cycles, (uint64_t{1} << 57) - 1);
    least = std::min(least, ~(cycles * kMaxRanks) - (kMaxRanks - 1) + each.rank);
  }
  return static_cast<uint32_t>(transport.least(least) % kMaxRanks);
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

/// In the order of time; at one moment in that of the ranks.
std::string prints_of(std::vector<RankReport>& reports) {
  std::vector<std::pair<uint64_t, std::string>> all;
  for (RankReport& report : reports) std::ranges::move(report.prints, std::back_inserter(all));
  std::ranges::stable_sort(all, {}, &std::pair<uint64_t, std::string>::first);
  std::string text;
  for (const auto& [_, print] : all) text += print;
  return text;
}

/// What the ranks say in one document each.
class Joined {
 public:
  Joined(const Launch& launch, const RanksReports& wanted, RanksRun& run, uint64_t cycles,
         std::span<const WhatIfAnswer> answers)
      : wanted_(wanted),
        run_(run),
        head_{launch.prepared.target,
              launch.the_case.topology,
              launch.prepared.settings,
              launch.prepared.program.source_name,
              cycles,
              run.findings,
              answers} {}

  void add(std::vector<RankReport>& reports) {
    if (!wanted_.trace.empty()) add_trace(reports);
    if (!wanted_.stats.empty()) run_.files.push_back({wanted_.stats, json(reports, &RankReport::stats)});
    if (wanted_.json) run_.json = json(reports, &RankReport::json);
    std::string events;
    for (RankReport& report : reports) {
      std::error_code code;
      if (!report.watched.empty()) std::filesystem::create_directories(wanted_.watch_out, code);
      events += report.events;
      std::ranges::move(report.watched, std::back_inserter(run_.files));
    }
    if (!wanted_.events.empty()) run_.files.push_back({wanted_.events, std::move(events)});
    if (!wanted_.html.empty()) add_page(reports);
  }

 private:
  std::string json(std::vector<RankReport>& reports, std::string RankReport::*of) {
    std::vector<report::RankJson> parts;
    for (RankReport& report : reports) parts.push_back({report.rank, report.traffic, std::move(report.*of)});
    return json_of_ranks(head_, parts);
  }
  void add_trace(std::vector<RankReport>& reports) {
    std::vector<std::string> parts;
    for (RankReport& report : reports) parts.push_back(std::move(report.trace));
    std::string target = head_.target;
    for (const std::string& setting : head_.settings) target += " --set " + setting;
    run_.files.push_back({wanted_.trace, report::trace_of_ranks(parts, target, head_.total_cycles)});
  }

  /// Of the rank that was asked for, or of all of them; open is the one that ends last.
  void add_page(std::vector<RankReport>& reports) {
    std::vector<report::RankPage> pages;
    uint32_t last = 0;
    for (RankReport& report : reports) {
      if (report.page.empty()) continue;
      if (report.cycles == head_.total_cycles && reports[last].cycles != head_.total_cycles)
        last = report.rank;
      pages.push_back({report.rank, report.cycles, report.traffic, report.bound, std::move(report.page)});
    }
    if (pages.empty()) return;
    run_.files.push_back({wanted_.html, pages.size() == 1 ? std::move(pages.front().page)
                                                          : report::page_of_ranks(pages, last)});
  }

  const RanksReports& wanted_;
  RanksRun& run_;
  report::RanksHead head_;
};

RanksRun told(const Launch& launch, const SimOptions& options, const RanksReports& wanted,
              std::span<const WhatIfAnswer> answers, std::vector<RankReport> reports) {
  RanksRun run;
  run.guard = launch.guard;
  run.findings = merged(reports, options);
  resolve_anchors(launch.prepared.program, launch.prepared.source, run.findings);
  if (options.limits.findings != 0)
    run.findings = folded(launch.prepared, std::move(run.findings),
                          Diagnostics(options.limits.findings, options.warnings));
  uint64_t cycles = 0;
  std::string details;
  for (RankReport& report : reports) {
    run.ended = run.ended && report.ended;
    run.interrupted = run.interrupted || report.interrupted;
    cycles = std::max(cycles, report.cycles);
    run.text += report.agreements;
    if (!report.details.empty())
      details = fmt::format("\nrank {}{}:\n{}", report.rank, wanted.rank ? "" : ", which ends last",
                            report.details);
  }
  for (RankReport& report : reports) {
    if (run.ended) std::ranges::move(report.outputs, std::back_inserter(run.files));
  }
  run.prints = prints_of(reports);
  run.text = fmt::format("{}: {} cycles on {} ranks\n{}\n{}", report::outcome(run.findings),
                         sim::grouped(cycles), reports.size(), run.text, table(reports));
  Joined(launch, wanted, run, cycles, answers).add(reports);
  SimResult whole;
  whole.total_cycles = cycles;
  if (!answers.empty()) run.text += "\n" + report::what_if_text(whole, answers);
  run.text += details;
  return run;
}

/// Every question is a run of all ranks.
Result<std::vector<WhatIfAnswer>> answered(const Launch& launch, SimOptions options,
                                           std::span<const WhatIf> questions, RankTransport& transport) {
  std::vector<WhatIfAnswer> answers;
  options.checks.races = false;
  options.checks.uninitialised = false;
  options.watch.clear();
  for (const WhatIf& question : questions) {
    auto jobs = jobs_of(launch, transport);
    if (auto error = first_error(transport, jobs)) return *error;
    SimOptions changed = options;
    changed.hypotheses = question.hypotheses;
    changed.settings.insert(changed.settings.end(), question.settings.begin(), question.settings.end());
    const auto results = simulate_ranks(launch.prepared.program, launch.the_case.ranks, *jobs, changed,
                                        launch.the_case.topology, transport);
    if (!results)
      return Error{fmt::format("--what-if {}: {}", question.text, results.error().message),
                   results.error().kind};
    uint64_t most = 0;
    bool ended = true;
    for (const RankResult& each : *results) {
      most = std::max(most, each.result.total_cycles);
      ended = ended && each.result.ended;
    }
    ended = transport.least(ended ? 1 : 0) != 0;
    answers.push_back({question.text, ~transport.least(~most), ended, ended ? "" : "a rank stops"});
  }
  return answers;
}

}  // namespace

Result<RanksRun> run_ranks(const Launch& launch, SimOptions options, RankTransport& transport,
                           const RanksReports& wanted) {
  options.entry = launch.the_case.entry;
  options.blocks = launch.the_case.blocks;
  options.target = launch.prepared.target;
  options.settings = launch.prepared.settings;
  options.watch.insert(options.watch.end(), launch.the_case.watch.begin(), launch.the_case.watch.end());
  if (wanted.rank && *wanted.rank >= launch.the_case.ranks)
    return Error{fmt::format("--rank {}: there are ranks 0 to {}", *wanted.rank, launch.the_case.ranks - 1)};
  auto jobs = jobs_of(launch, transport);
  if (auto error = first_error(transport, jobs)) return *error;
  Judge judge(launch, options, wanted);
  judge.watch(*jobs);
  auto results = simulate_ranks(launch.prepared.program, launch.the_case.ranks, *jobs, options,
                                launch.the_case.topology, transport);
  if (!results) return results.error();
  const uint32_t shown = wanted.rank ? *wanted.rank : last_to_end(*results, transport);
  const auto compared = judge.compare(*jobs, *results);
  if (auto error = first_error(transport, compared)) return *error;
  judge.find_writers(transport);
  auto reports = judge.reports(*jobs, *results, shown);
  auto answers = answered(launch, options, wanted.questions, transport);
  if (!answers) return answers.error();
  return told(launch, options, wanted, *answers, gathered(std::move(reports), transport));
}

}  // namespace pto
