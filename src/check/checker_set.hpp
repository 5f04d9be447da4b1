// The checkers that a run wants.
#pragma once

#include <memory>
#include <vector>

#include "check/checkers.hpp"

namespace pto::sim {

/// Without data there are no footprints to check.
struct Checkers {
  std::vector<std::unique_ptr<RunChecker>> all;
  RaceFindings* races = nullptr;
  UninitialisedFindings* uninitialised = nullptr;

  Checkers(const SimOptions& options, const Machine& machine) {
    if (options.mode == Mode::time) return;
    if (options.check_races) {
      auto made = make_race_checker(machine);
      races = made.get();
      all.push_back(std::move(made));
      all.push_back(make_vector_order_checker(options.changes.any_bytes));
      all.push_back(make_cache_checker());
      all.push_back(make_overlap_checker(machine));
      all.push_back(make_clobber_checker());
    }
    if (!options.check_uninitialised) return;
    auto made = make_uninitialised_checker();
    uninitialised = made.get();
    all.push_back(std::move(made));
  }

  [[nodiscard]] std::vector<Observer*> observers() const {
    std::vector<Observer*> each;
    for (const auto& checker : all) each.push_back(checker.get());
    return each;
  }
};

}  // namespace pto::sim
