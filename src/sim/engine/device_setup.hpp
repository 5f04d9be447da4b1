// A device before its run: its parameters, its cores with their memories, the arguments of the
// kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"

namespace pto::sim {

/// Derives the engine's parameters from the machine. After Device::program, machine and kernel.
void configure_device(Device& device, const SimOptions& options);
/// The cores of all blocks, with their memories.
void make_cores(Device& device, const SimOptions& options);
/// Puts the arguments into GM and into the frames that the cores start with; or says what does not
/// fit.
std::optional<Error> pass_arguments(Device& device, std::vector<Argument>& arguments);

}  // namespace pto::sim
