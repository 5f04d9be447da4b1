// Reports: the observers that are wanted, behind one door.
#include <fmt/format.h>

#include <optional>

#include "diag/diagnostic_facts.hpp"
#include "pto/report.hpp"
#include "report/bottleneck/advice.hpp"
#include "report/bottleneck/barrier_use.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/event_log.hpp"
#include "report/page/page.hpp"
#include "report/run_recorder.hpp"
#include "report/run_report.hpp"
#include "report/trace/timeline.hpp"
#include "report/trace/trace.hpp"

namespace pto {

struct Reports::Watchers {
  report::Summary summary;
  std::optional<report::Timeline> timeline;
  std::optional<report::JsonReport> json;
  std::optional<report::TraceWriter> trace;
  std::optional<report::EventWriter> events;
  std::optional<report::StepGraph> steps;
  std::optional<report::BarrierUse> barriers;
  std::optional<report::PageData> page;
};

Reports::Reports(ReportOptions options)
    : options_(std::move(options)), watchers_(std::make_unique<Watchers>()) {
  if (options_.timeline) watchers_->timeline.emplace();
  if (options_.advice || options_.page) watchers_->steps.emplace();
  if (watchers_->steps) watchers_->barriers.emplace(*watchers_->steps);
  if (options_.page) watchers_->page.emplace();
  if (options_.json) watchers_->json.emplace(options_.json);
  std::string target = options_.target;
  for (const std::string& setting : options_.settings) target += " --set " + setting;
  if (options_.trace)
    watchers_->trace.emplace(std::move(target), options_.trace, report::TraceWriter::kHeld, options_.rank);
  if (watchers_->trace && watchers_->steps) watchers_->trace->hand_on(&*watchers_->steps);
  if (watchers_->trace && options_.advice) watchers_->trace->set_steps(&*watchers_->steps);
  if (options_.events) watchers_->events.emplace(options_.events);
}

Reports::~Reports() = default;

report::Run Reports::run_of(const Program& program, const SimResult& result) const {
  return {program,
          result,
          watchers_->summary,
          options_.target,
          options_.settings,
          options_.inserted,
          watchers_->steps ? &*watchers_->steps : nullptr,
          answers_,
          agreements_ ? &*agreements_ : nullptr,
          watchers_->barriers ? &*watchers_->barriers : nullptr};
}

std::vector<Observer*> Reports::observers() {
  std::vector<Observer*> list = {&watchers_->summary};
  if (watchers_->timeline) list.push_back(&*watchers_->timeline);
  if (watchers_->json) list.push_back(&*watchers_->json);
  if (watchers_->trace) list.push_back(&*watchers_->trace);
  if (watchers_->steps) list.push_back(&*watchers_->steps);
  if (watchers_->barriers) list.push_back(&*watchers_->barriers);
  if (watchers_->events) list.push_back(&*watchers_->events);
  if (watchers_->page) list.push_back(&*watchers_->page);
  return list;
}

void Reports::finish(const Program& program, const SimResult& result) {
  if (!watchers_->json) return;
  report::Run run = run_of(program, result);
  if (!options_.advice) run.steps = nullptr;
  watchers_->json->finish(run);
}

std::string Reports::text(const Program& program, const SimResult& result) const {
  return report::text_report(run_of(program, result));
}

std::string Reports::timeline(const Program& program, const SimResult& result) const {
  return watchers_->timeline ? watchers_->timeline->text(run_of(program, result)) : std::string();
}

std::string Reports::advice(const Program& program, const SimResult& result, size_t parts) const {
  return options_.advice ? report::advice_text(run_of(program, result), parts) : std::string();
}

void Reports::set_answers(std::vector<WhatIfAnswer> answers) { answers_ = std::move(answers); }

void Reports::set_agreements(std::vector<Agreement> agreements) { agreements_ = std::move(agreements); }

std::string Reports::what_if(const SimResult& result) const { return report::what_if_text(result, answers_); }

std::string Reports::stats(const Program& program, const SimResult& result) const {
  report::Run run = run_of(program, result);
  if (!options_.advice) run.steps = nullptr;
  return report::stats_json(run);
}

std::string Reports::page(const Program& program, const SimResult& result) const {
  return watchers_->page ? report::page_with(watchers_->page->json(run_of(program, result))) : std::string();
}

std::string Reports::page_data(const Program& program, const SimResult& result) const {
  if (!watchers_->page) return {};
  report::Json data = watchers_->page->json(run_of(program, result));
  // What only the page of one run shows.
  for (const char* section : {"memory", "traffic", "advice", "path_sums", "chip", "lines", "blocks"})
    data.erase(section);
  return data.dump(-1, ' ', false, report::Json::error_handler_t::replace);
}

std::string print_text(const Program& program, const Printed& printed) {
  const std::string place = printed.where.line == 0
                                ? fmt::format("operation {}", printed.pc)
                                : fmt::format("{}:{}", program.source_name, printed.where.line);
  return fmt::format("{}: {} {}\n{}", place, printed.name.empty() ? "print" : "%" + printed.name,
                     words(printed.moment), printed.text);
}

}  // namespace pto
