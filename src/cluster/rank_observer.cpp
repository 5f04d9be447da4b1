#include "cluster/rank_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cases/npy.hpp"
#include "report/rank_reports.hpp"

namespace pto::driver {

RankWatch::RankWatch(const Launch& launch, const RanksReports& wanted, RankJob& job)
    : launch_(launch), wanted_(wanted), rank_(job.rank) {
  job.print = [this](const Printed& what) { printed(what); };
  if (!wanted.any()) return;
  ReportOptions options;
  options.target = launch.prepared.target;
  options.settings = launch.prepared.settings;
  options.inserted = launch.prepared.inserted;
  options.rank = rank_;
  const auto into = [](std::string& text) { return [&text](std::string_view piece) { text += piece; }; };
  if (!wanted.trace.empty()) options.trace = into(seen_.trace);
  if (!wanted.events.empty()) options.events = into(seen_.events);
  if (wanted.json) options.json = into(seen_.json);
  if (!wanted.rank || *wanted.rank == rank_) {
    options.timeline = wanted.timeline;
    options.page = !wanted.html.empty();
  }
  options.advice = wanted.advice;
  reports_ = std::make_unique<Reports>(std::move(options));
  job.observers = reports_->observers();
}

void RankWatch::printed(const Printed& what) {
  if (what.name.empty() || wanted_.watch_out.empty()) {
    seen_.prints.emplace_back(what.moment.cycle,
                              fmt::format("rank {}: {}", rank_, print_text(launch_.prepared.program, what)));
    return;
  }
  std::string name = what.name;
  std::ranges::replace(name, '/', '_');
  const std::filesystem::path folder = wanted_.watch_out;
  std::string contents = report::npy_header(what.elem, what.shape);
  contents.append(reinterpret_cast<const char*>(what.bytes.data()), what.bytes.size());
  seen_.watched.push_back(
      {folder / fmt::format("rank{}-{}-{:04}.npy", rank_, name, ++watched_[name]), std::move(contents)});
}

void RankWatch::finish(const SimResult& result, std::vector<Agreement> agreements, RankReport& report) {
  const Program& program = launch_.prepared.program;
  if (reports_) {
    if (!agreements.empty()) reports_->set_agreements(std::move(agreements));
    reports_->finish(program, result);
    if (!wanted_.stats.empty()) report.stats = reports_->stats(program, result);
    if (!wanted_.html.empty() && (!wanted_.rank || *wanted_.rank == rank_))
      report.page = reports_->page(program, result);
  }
  report.trace = std::move(seen_.trace);
  report.json = std::move(seen_.json);
  report.events = report::events_of_rank(rank_, seen_.events);
  report.prints = std::move(seen_.prints);
  report.watched = std::move(seen_.watched);
}

void RankWatch::show(const SimResult& result, RankReport& report) const {
  if (!reports_) return;
  const Program& program = launch_.prepared.program;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) report.details += "\n" + text;
  };
  if (wanted_.text) add(reports_->text(program, result));
  add(reports_->advice(program, result, wanted_.critical_path));
  if (wanted_.timeline) add(reports_->timeline(program, result));
}

}  // namespace pto::driver
