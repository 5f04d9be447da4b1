// simulate(): target configuration, checkers, engine.
#include <memory>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/check/checkers.hpp"
#include "sim/engine.hpp"
#include "timing/cost.hpp"

namespace pto {
namespace {

/// The checkers a run wants. Without data there are no footprints to check.
std::vector<std::unique_ptr<sim::RunChecker>> make_checkers(const SimOptions& options,
                                                            const Machine& machine) {
  std::vector<std::unique_ptr<sim::RunChecker>> checkers;
  if (options.mode == Mode::time) return checkers;
  if (options.check_races) checkers.push_back(sim::make_race_checker(machine));
  if (options.check_races) checkers.push_back(sim::make_vector_order_checker());
  if (options.check_uninitialised) checkers.push_back(sim::make_uninitialised_checker());
  return checkers;
}

}  // namespace

Result<SimResult> simulate(const Program& program, std::vector<Argument>& arguments,
                           const SimOptions& options, std::span<Observer* const> observers) {
  timing::CostOptions cost_options;
  cost_options.basis = options.documented_costs ? timing::CostBasis::documented : timing::CostBasis::measured;
  cost_options.allow_unknown = options.allow_unknown_cost;
  Result<timing::TargetConfig> target = timing::load_target(options.target, cost_options, options.settings);
  if (!target) return target.error();
  const std::vector<std::unique_ptr<sim::RunChecker>> checkers = make_checkers(options, target->machine);
  std::vector<Observer*> all(observers.begin(), observers.end());
  for (const auto& checker : checkers) all.push_back(checker.get());
  Result<SimResult> result = sim::run(program, arguments, options, target->machine, *target->costs, all);
  if (!result) return result;
  for (const auto& checker : checkers) {
    for (Diagnostic& finding : checker->take()) result->findings.add(std::move(finding));
  }
  return result;
}

}  // namespace pto
