// simulate(): target configuration, checkers, engine.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/check/checkers.hpp"
#include "sim/check/late_accesses.hpp"
#include "sim/cures.hpp"
#include "sim/engine.hpp"
#include "sim/flag_cures.hpp"
#include "sim/load.hpp"
#include "sim/memory.hpp"
#include "sim/operand_cures.hpp"
#include "sim/other_runs.hpp"
#include "sim/signal_cures.hpp"
#include "timing/cost.hpp"

namespace pto {
namespace {

/// The checkers a run wants. Without data there are no footprints to check.
struct Checkers {
  std::vector<std::unique_ptr<sim::RunChecker>> all;
  sim::RaceFindings* races = nullptr;
  sim::UninitialisedFindings* uninitialised = nullptr;

  Checkers(const SimOptions& options, const Machine& machine) {
    if (options.mode == Mode::time) return;
    if (options.check_races) {
      auto made = sim::make_race_checker(machine);
      races = made.get();
      all.push_back(std::move(made));
      all.push_back(sim::make_vector_order_checker(options.changes.any_bytes));
      all.push_back(sim::make_cache_checker());
      all.push_back(sim::make_overlap_checker(machine));
    }
    if (!options.check_uninitialised) return;
    auto made = sim::make_uninitialised_checker();
    uninitialised = made.get();
    all.push_back(std::move(made));
  }
};

/// Runs with other bytes where nobody wrote, until an output shows something computed of them.
void fill_again(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
                timing::TargetConfig& target, const std::vector<Argument>& results,
                sim::UninitialisedFindings& reads) {
  SimOptions other = options;
  other.watch.clear();
  other.print = nullptr;
  other.fill_varies = true;
  sim::OtherFills found;
  for (size_t i = 0; i < options.fill_again.size() && !found.computed(); ++i) {
    other.fill_on_chip = options.fill_again[i];
    std::vector<Argument> taken = arguments;
    const Result<SimResult> run = sim::run(program, taken, other, target.machine, *target.costs, {});
    if (!run || run->interrupted) return;
    found.add(arguments, results, taken, other.fill_on_chip);
  }
  found.settle(reads);
}

/// The run once more, with all that is in no order the other way round; `arguments` as they were.
void run_late(const Program& program, std::vector<Argument>& arguments, const SimOptions& options,
              const Machine& machine, sim::RaceFindings& races, std::vector<Argument>& results) {
  SimOptions other = options;
  other.mode = Mode::run;
  other.max_cycles = 0;
  other.threads = 1;  // LateAccesses looks at the bytes when it is told of them
  other.watch.clear();
  other.print = nullptr;
  const auto again = [&](std::vector<Argument>& taken, sim::Overtaken* learnt, const sim::Overtaken* known) {
    sim::LateCosts costs(races.overtaken());
    sim::LateAccesses late(machine, learnt, known);
    const std::array<Observer*, 1> observers{&late};
    const Result<SimResult> run = sim::run(program, taken, other, machine, costs, observers);
    return run && run->ended;
  };
  std::vector<Argument> first = arguments;
  sim::Overtaken overtaken;
  if (!again(first, &overtaken, nullptr)) return;
  if (overtaken.empty())
    arguments = std::move(first);
  else if (!again(arguments, nullptr, &overtaken))
    return;
  races.settle(sim::difference(results, arguments, 0).output);
  sim::hand_over(arguments, results);
}

/// Longer runs would be tried so seldom that nothing is found.
constexpr uint64_t kMostTried = 200'000;

/// What sets and waits may have meant. A flag that leaves accesses in no order is cured by what its finding
/// asks for.
std::vector<sim::Cure> possible_cures(const Program& program, const SimOptions& options,
                                      const Machine& machine, const Diagnostics& findings) {
  std::vector<sim::Cure> cures;
  if (std::ranges::any_of(findings.all(), sim::is_of_cores)) {
    const auto kernel = sim::load_kernel(program, options.entry, machine);
    if (kernel) cures = sim::possible_signal_cures(program, **kernel, findings);
  }
  if (std::ranges::any_of(findings.all(), sim::is_of_flags)) {
    for (sim::Cure& each : sim::possible_flag_cures(program, findings, machine.event_ids))
      cures.push_back(std::move(each));
  }
  return cures;
}

/// Tries what operands, sets and waits may have meant, as long as the runs together are not too long.
void try_cures(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
               const Machine& machine, timing::CostModel& costs, SimResult& result) {
  constexpr size_t kMostRuns = 500, kMostChecked = 128;
  constexpr uint64_t kMostInstructions = 20 * kMostTried, kFewInstructions = 10'000;
  SimOptions other = options;
  other.threads = 1;
  other.watch.clear();
  other.print = nullptr;
  other.progress = nullptr;
  // What hangs early may run on for long when it is cured.
  other.max_cycles = 64 * result.total_cycles + (uint64_t{1} << 20);
  if (options.max_cycles != 0) other.max_cycles = std::min(other.max_cycles, options.max_cycles);
  const auto ordered = [](const std::vector<Diagnostic>& findings) {
    return std::ranges::none_of(findings, sim::is_of_order);
  };
  std::vector<Argument> untouched = arguments;
  uint64_t spent = 0;
  const auto passes_without_data = [&](const Program& changed) {
    other.mode = Mode::time;
    const Result<SimResult> run = sim::run(changed, untouched, other, machine, costs, {});
    if (!run) return true;
    spent += run->instructions;
    // What depends on data is known only with them.
    return std::ranges::count(run->findings.all(), "TIME-DATA", &Diagnostic::id) != 0 ||
           (run->ended && ordered(run->findings.all()));
  };
  const auto passes_checks = [&](const Program& changed) {
    other.mode = Mode::check;
    std::vector<Argument> copies = arguments;
    const auto races = sim::make_race_checker(machine);
    const auto reads = sim::make_uninitialised_checker();
    const std::array<Observer*, 2> observers{races.get(), reads.get()};
    const Result<SimResult> run = sim::run(changed, copies, other, machine, costs, observers);
    if (run) spent += run->instructions;
    return run && run->ended && ordered(run->findings.all()) && ordered(races->take()) &&
           !reads->reads_nothing();
  };
  const size_t most_checks = result.instructions < kFewInstructions ? kMostChecked : kMostChecked / 4;
  size_t checks = most_checks;
  const auto clean = [&](const Program& changed) {
    return spent < kMostInstructions && checks != 0 && passes_without_data(changed) &&
           (--checks, passes_checks(changed));
  };
  const auto outputs = [&](const Program& changed) {
    std::vector<Argument> copies = arguments;
    const Result<SimResult> run = sim::run(changed, copies, other, machine, costs, {});
    if (run) spent += run->instructions;
    return copies;
  };
  std::optional<std::vector<Argument>> whole;
  const auto needed = [&](uint32_t op) {
    other.mode = Mode::check;
    if (!whole) whole = outputs(program);
    Program without = program;
    without.ops[op].row = sim::nothing();
    return !sim::difference(*whole, outputs(without), 0).output.empty();
  };
  if (sim::advise_operand(program, result.findings, kMostRuns, clean, needed)) return;
  spent = 0;
  checks = most_checks;
  sim::advise_cure(program, result.findings, possible_cures(program, options, machine, result.findings),
                   kMostRuns, clean);
}

}  // namespace

Result<SimResult> simulate(const Program& program, std::vector<Argument>& arguments,
                           const SimOptions& options, std::span<Observer* const> observers) {
  timing::CostOptions cost_options;
  cost_options.basis = options.documented_costs ? timing::CostBasis::documented : timing::CostBasis::measured;
  cost_options.allow_unknown = options.allow_unknown_cost;
  cost_options.bandwidth = options.changes.bandwidth;
  Result<timing::TargetConfig> target = timing::load_target(options.target, cost_options, options.settings);
  if (!target) return target.error();
  const Checkers checkers(options, target->machine);
  std::vector<Observer*> all(observers.begin(), observers.end());
  for (const auto& checker : checkers.all) all.push_back(checker.get());
  std::optional<std::vector<Argument>> again;
  const bool fills = checkers.uninitialised != nullptr && !options.fill_again.empty(),
             turns = checkers.races != nullptr && options.race_again,
             cures = checkers.races != nullptr && checkers.uninitialised != nullptr;
  if (fills || turns || cures) again = sim::kept(arguments, sim::kMostKept);
  Result<SimResult> result = sim::run(program, arguments, options, target->machine, *target->costs, all);
  if (!result) return result;
  std::optional<std::vector<Argument>> turned, tried;
  if (again && cures && result->instructions <= kMostTried &&
      (std::ranges::any_of(result->findings.all(), sim::is_of_order) || checkers.races->has_errors() ||
       checkers.races->has_reuse() || checkers.uninitialised->reads_nothing()))
    tried = again;
  if (again && turns && result->ended && checkers.races->has_errors()) turned = again;
  if (again && fills && result->ended && result->findings.errors() == 0 &&
      checkers.uninitialised->has_warnings()) {
    fill_again(program, *again, options, *target, arguments, *checkers.uninitialised);
    result->padding = checkers.uninitialised->take_padding();
  }
  if (turned) run_late(program, *turned, options, target->machine, *checkers.races, arguments);
  std::vector<Diagnostic> found;
  for (const auto& checker : checkers.all) {
    for (Diagnostic& finding : checker->take()) found.push_back(std::move(finding));
  }
  sim::add_with_consequences(program, std::move(found), result->findings);
  if (tried && !result->interrupted && std::ranges::any_of(result->findings.all(), sim::is_of_operands))
    try_cures(program, *tried, options, target->machine, *target->costs, *result);
  return result;
}

}  // namespace pto
