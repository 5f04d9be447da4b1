// simulate(): target configuration, checkers, engine.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "check/adverse_schedule.hpp"
#include "check/checker_set.hpp"
#include "check/write_coverage.hpp"
#include "pto/simulator.hpp"
#include "repair/edits.hpp"
#include "repair/repair_search.hpp"
#include "run/rerun_comparison.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/run_hooks.hpp"
#include "timing/cost_model.hpp"

namespace pto {
namespace {

/// Runs with other bytes where nobody wrote, until an output shows something computed of them.
void fill_again(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
                timing::TargetConfig& target, const std::vector<Argument>& results,
                sim::UninitialisedFindings& reads) {
  SimOptions other = options;
  other.watch.clear();
  other.print = nullptr;
  const sim::RunHooks hooks{.fill_varies = true};
  other.hooks = &hooks;
  sim::FillComparison found;
  for (size_t i = 0; i < options.checks.fill_patterns.size() && !found.computed(); ++i) {
    other.fill_on_chip = options.checks.fill_patterns[i];
    std::vector<Argument> taken = arguments;
    const Result<SimResult> run = sim::run(program, taken, other, target.machine, *target.costs, {});
    if (!run || run->interrupted) return;
    found.add(arguments, results, taken, other.fill_on_chip);
  }
  found.confirm_effects(reads);
}

/// The run once more, with all that is in no order the other way round; `arguments` as they were.
void run_adverse_schedule(const Program& program, std::vector<Argument>& arguments, const SimOptions& options,
                          const Machine& machine, sim::RaceFindings& races, std::vector<Argument>& results) {
  SimOptions other = options;
  other.mode = Mode::run;
  other.limits.cycles = 0;
  other.threads = 1;  // AdverseSchedule looks at the bytes when it is notified
  other.watch.clear();
  other.print = nullptr;
  const auto again = [&](std::vector<Argument>& taken, sim::AdverseReads* learnt,
                         const sim::AdverseReads* known) {
    sim::AdverseCosts costs(races.racing_readers());
    sim::AdverseSchedule late(machine, learnt, known);
    const std::array<Observer*, 1> observers{&late};
    const Result<SimResult> run = sim::run(program, taken, other, machine, costs, observers);
    return run && run->ended;
  };
  std::vector<Argument> first = arguments;
  sim::AdverseReads overtaken;
  if (!again(first, &overtaken, nullptr)) return;
  if (overtaken.empty())
    arguments = std::move(first);
  else if (!again(arguments, nullptr, &overtaken))
    return;
  races.confirm_effect(sim::difference(results, arguments, 0).output);
  sim::move_outputs(arguments, results);
}

}  // namespace

Result<SimResult> simulate(const Program& program, std::vector<Argument>& arguments,
                           const SimOptions& options, std::span<Observer* const> observers) {
  timing::CostOptions cost_options;
  cost_options.basis = options.documented_costs ? timing::CostBasis::documented : timing::CostBasis::measured;
  cost_options.allow_unknown = options.allow_unknown_cost;
  cost_options.bandwidth = options.hypotheses.bandwidth;
  Result<timing::TargetConfig> target = timing::load_target(options.target, cost_options, options.settings);
  if (!target) return target.error();
  const sim::CheckerSet checkers(options, target->machine);
  std::vector<Observer*> all = checkers.observers();
  all.insert(all.begin(), observers.begin(), observers.end());
  std::optional<sim::WrittenBytes> written;
  if (options.count_written && options.mode != Mode::time) all.push_back(&written.emplace());
  const bool alone = !sim::share_memory(arguments);  // copies for another run would not share theirs
  const bool fills = alone && checkers.uninitialised != nullptr && !options.checks.fill_patterns.empty();
  const bool iterations = alone && checkers.races != nullptr && options.checks.adverse_schedule;
  const bool repairs = alone && checkers.races != nullptr && checkers.uninitialised != nullptr;
  std::optional<sim::ArgumentsBefore> before;
  if (fills || iterations || repairs) before.emplace(arguments);
  Result<SimResult> result = sim::run(program, arguments, options, target->machine, *target->costs, all,
                                      before ? &*before : nullptr);
  if (!result) return result;
  if (written) result->written_bytes = written->bytes(arguments.size());
  if (checkers.races != nullptr)
    result->double_sets = std::max(result->double_sets, checkers.races->double_sets());
  std::optional<std::vector<Argument>> turned, tried;
  if (repairs && result->instructions <= sim::kMaxTrials &&
      (std::ranges::any_of(result->findings.all(), sim::is_repairable) || checkers.races->has_errors() ||
       checkers.races->has_reuse() || checkers.uninitialised->reads_nothing()))
    tried = before->all();
  if (iterations && result->ended && checkers.races->has_errors()) turned = before->all();
  if (fills && result->ended && result->findings.errors() == 0 && checkers.uninitialised->has_warnings()) {
    if (const auto again = before->all()) {
      fill_again(program, *again, options, *target, arguments, *checkers.uninitialised);
      result->padding = checkers.uninitialised->take_padding();
    }
  }
  if (turned) run_adverse_schedule(program, *turned, options, target->machine, *checkers.races, arguments);
  std::vector<Diagnostic> found;
  for (const auto& checker : checkers.all) {
    for (Diagnostic& finding : checker->take_findings()) found.push_back(std::move(finding));
  }
  sim::add_with_consequences(program, std::move(found), result->findings);
  if (tried && !result->interrupted && std::ranges::any_of(result->findings.all(), sim::is_repairable))
    sim::try_repairs(program, *tried, options, target->machine, *target->costs, *result);
  return result;
}

}  // namespace pto
