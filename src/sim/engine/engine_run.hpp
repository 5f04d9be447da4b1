// The engine: a run of a device from its begin to its result. It owns the parts and puts them
// together.
#pragma once

#include <memory>
#include <span>

#include "pto/simulator.hpp"
#include "sim/engine/device_run.hpp"
#include "sim/engine/device_state.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

/// All that is handed over has to outlive it. Without observers, no events are made; in time mode,
/// no data.
std::unique_ptr<DeviceRun> make_engine(Device& device, const SimOptions& options, timing::CostModel& costs,
                                       std::span<Observer* const> observers);

}  // namespace pto::sim
