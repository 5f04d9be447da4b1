// How many buffers the loops of a program get: plans are tried, and the one is taken whose simulation ends
// first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/regions.hpp"
#include "pto/plan.hpp"

namespace pto::driver {

struct BufferSearch {
  bool short_of_memory = false;  ///< something was not tried, maybe for want of the host's memory
  std::string note;       ///< why loops have fewer buffers than they might gain from; empty: all were tried
  uint32_t loop = kNoOp;  ///< one of them
};

/// Says in `options` which loops are to have more than one buffer, whether blocks are ordered by stages,
/// and how room is used again.
/// `wanted` 0: as many as hide their transfers; else so many everywhere, fewer where memory ends. `target`
/// and `settings` as simulate() takes them. What cannot be planned or simulated stays as it is.
BufferSearch choose_buffers(const Program& program, const Machine& machine, PlanOptions& options,
                            unsigned wanted, const std::string& target,
                            std::span<const std::string> settings);

}  // namespace pto::driver
