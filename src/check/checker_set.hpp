// The checkers that a run wants.
#pragma once

#include <memory>
#include <vector>

#include "check/checkers.hpp"
#include "sim/engine/run_hooks.hpp"

namespace pto::sim {

/// Without data there are no footprints to check.
struct CheckerSet {
  std::vector<std::unique_ptr<RunChecker>> all;
  RaceFindings* races = nullptr;
  UninitialisedFindings* uninitialised = nullptr;

  CheckerSet(const SimOptions& options, const Machine& machine) {
    if (options.mode == Mode::time) return;
    if (options.checks.races) {
      auto built = make_race_checker(machine);
      races = built.get();
      all.push_back(std::move(built));
      all.push_back(make_vector_order_checker(hooks_of(options).any_bytes));
      all.push_back(make_cache_checker());
      all.push_back(make_overlap_checker(machine));
      all.push_back(make_clobber_checker());
    }
    if (!options.checks.uninitialised) return;
    auto built = make_uninitialised_checker();
    uninitialised = built.get();
    all.push_back(std::move(built));
  }

  [[nodiscard]] std::vector<Observer*> observers() const {
    std::vector<Observer*> each;
    for (const auto& checker : all) each.push_back(checker.get());
    return each;
  }
};

}  // namespace pto::sim
