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

/// Chooses for `options` the loops with several buffers, whether blocks are ordered by stages, and
/// the reuse of addresses. `wanted` 0: as many buffers as hide their transfers; otherwise that many
/// in every loop, fewer if memory is full. `target` and `settings`: as for simulate(). Options that
/// cannot be planned or simulated are not changed.
BufferSearch choose_buffers(const Program& program, const Machine& machine, PlanOptions& options,
                            unsigned wanted, const std::string& target,
                            std::span<const std::string> settings);

}  // namespace pto::driver
