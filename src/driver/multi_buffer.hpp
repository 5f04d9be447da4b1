// How many buffers the loops of a program get: plans are tried, and the one is taken whose simulation ends
// first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pto/plan.hpp"

namespace pto::driver {

/// Says in `options` which loops are to have more than one buffer, whether blocks are ordered by stages,
/// and how room is used again.
/// `wanted` 0: as many as hide their transfers; else so many
/// everywhere, fewer where memory ends. `target` and `settings` as simulate() takes them. What cannot be
/// planned or simulated stays as it is. False: that may be for want of the host's memory.
bool choose_buffers(const Program& program, const Machine& machine, PlanOptions& options, unsigned wanted,
                    const std::string& target, std::span<const std::string> settings);

}  // namespace pto::driver
