// The scalar unit and the queues of one core as numbers, and what each knows of the others' progress.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "ir/hardware_lanes.hpp"

namespace pto::legality::sync {

/// Per lane: the number of its last operation that is known to be complete.
using Clock = std::array<uint32_t, kLanes>;

inline void learn(Clock& clock, const Clock& news) {
  for (size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], news[i]);
}

}  // namespace pto::legality::sync
