// The scalar unit and the queues of one core as numbers, and what each knows of the others' progress.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "pto/machine.hpp"

namespace pto::legality::sync {

inline constexpr int kLanes = 7;   ///< 0 is the scalar unit, then kQueuePipes
inline constexpr int kScalar = 0;

/// -1 for pipes that execute nothing.
inline int lane_of(Pipe pipe) {
  if (pipe == Pipe::s) return kScalar;
  const int queue = queue_index(pipe);
  return queue < 0 ? -1 : queue + 1;
}
inline Pipe pipe_of_lane(int lane) { return lane == kScalar ? Pipe::s : kQueuePipes[static_cast<size_t>(lane - 1)]; }

/// Per lane: the number of its last operation that is known to be complete.
using Clock = std::array<uint32_t, kLanes>;

inline void learn(Clock& clock, const Clock& news) {
  for (size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], news[i]);
}

}  // namespace pto::legality::sync
