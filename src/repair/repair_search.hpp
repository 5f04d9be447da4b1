// What a program may have meant that has findings: programs that differ in one place are run.
#pragma once

#include <vector>

#include "pto/simulator.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

/// Longer runs would be tried so seldom that nothing is found.
inline constexpr uint64_t kMaxTrials = 200'000;

/// Tries what operands, sets, waits and numbers may have meant, as long as the runs together are not too
/// long, and tells what mends the program in the help of its findings. `arguments`: as they were before the
/// run.
void try_repairs(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
                 const Machine& machine, timing::CostModel& costs, SimResult& result);

}  // namespace pto::sim
