// Checkers: observers that find what a program does wrong. simulate() attaches them as SimOptions says and moves what
// they found into SimResult::findings; a caller may also attach them itself.
#pragma once

#include <memory>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::report {

class Checker : public Observer {
 public:
  /// Moves the findings out, in the order they were made; call after the run.
  virtual std::vector<Finding> take() = 0;
};

/// RACE: two accesses to the same bytes, one of them a write, that no flag, barrier or token orders.
std::unique_ptr<Checker> make_race_checker(size_t max_findings = 20);
/// UNINIT: a read of bytes that nothing wrote.
std::unique_ptr<Checker> make_uninitialised_checker(size_t max_findings = 20);

}  // namespace pto::report
