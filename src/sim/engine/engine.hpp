// The engine behind simulate(), with its cost model handed in (tests use their own).
#pragma once

#include <span>
#include <vector>

#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

class FirstWrites;

/// Runs a kernel on a machine. `options.target` and cost options are not looked at; no checkers are attached.
/// `first_writes`: is told before an argument changes (sim/memory/device_memory.hpp); of one with room a copy
/// does.
Result<SimResult> run(const Program& program, std::vector<Argument>& arguments, const SimOptions& options,
                      const Machine& machine, timing::CostModel& costs,
                      std::span<Observer* const> observers = {}, FirstWrites* first_writes = nullptr);

}  // namespace pto::sim
