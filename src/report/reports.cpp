// Reports: the observers that are wanted, behind one door.
#include <fmt/format.h>

#include <optional>

#include "pto/report.hpp"
#include "report/diagnostic_facts.hpp"
#include "report/events.hpp"
#include "report/recorder.hpp"
#include "report/report.hpp"
#include "report/timeline.hpp"
#include "report/trace.hpp"

namespace pto {

struct Reports::Watchers {
  report::Summary summary;
  std::optional<report::Timeline> timeline;
  std::optional<report::JsonReport> json;
  std::optional<report::TraceWriter> trace;
  std::optional<report::EventWriter> events;
};

Reports::Reports(ReportOptions options)
    : options_(std::move(options)), watchers_(std::make_unique<Watchers>()) {
  if (options_.timeline) watchers_->timeline.emplace();
  if (options_.json) watchers_->json.emplace(options_.json);
  std::string target = options_.target;
  for (const std::string& setting : options_.settings) target += " --set " + setting;
  if (options_.trace) watchers_->trace.emplace(std::move(target), options_.trace);
  if (options_.events) watchers_->events.emplace(options_.events);
}

Reports::~Reports() = default;

std::vector<Observer*> Reports::observers() {
  std::vector<Observer*> list = {&watchers_->summary};
  if (watchers_->timeline) list.push_back(&*watchers_->timeline);
  if (watchers_->json) list.push_back(&*watchers_->json);
  if (watchers_->trace) list.push_back(&*watchers_->trace);
  if (watchers_->events) list.push_back(&*watchers_->events);
  return list;
}

void Reports::finish(const Program& program, const SimResult& result) {
  if (watchers_->json)
    watchers_->json->finish({program, result, watchers_->summary, options_.target, options_.settings});
}

std::string Reports::text(const Program& program, const SimResult& result) const {
  return report::text_report({program, result, watchers_->summary, options_.target, options_.settings});
}

std::string Reports::timeline(const Program& program, const SimResult& result) const {
  return watchers_->timeline ? watchers_->timeline->text(
                                   {program, result, watchers_->summary, options_.target, options_.settings})
                             : std::string();
}

std::string Reports::stats(const Program& program, const SimResult& result) const {
  return report::stats_json({program, result, watchers_->summary, options_.target, options_.settings});
}

std::string print_text(const Program& program, const Printed& printed) {
  const std::string place = printed.where.line == 0
                                ? fmt::format("operation {}", printed.pc)
                                : fmt::format("{}:{}", program.source_name, printed.where.line);
  return fmt::format("{}: {} {}\n{}", place, printed.name.empty() ? "print" : "%" + printed.name,
                     words(printed.moment), printed.text);
}

}  // namespace pto
