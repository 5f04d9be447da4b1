// Lanes: what runs at the same time within a core, as small numbers for tables and bit sets. 0 is the scalar
// unit, 1 to 6 are the queues in dataflow order. Everything that counts pipes counts them like this.
#pragma once

#include "pto/pipe.hpp"

namespace pto {

inline constexpr int kLanes = static_cast<int>(kQueuePipes.size()) + 1;
inline constexpr int kScalarLane = 0;
inline constexpr int kFirstQueue = 1;  ///< the lanes [kFirstQueue, kLanes) have a queue
inline constexpr int kNoLane = -1;

/// kNoLane for ALL and none, which run nothing.
constexpr int lane_of(Pipe pipe) {
  if (pipe == Pipe::s) return kScalarLane;
  for (int lane = kFirstQueue; lane < kLanes; ++lane) {
    if (kQueuePipes[static_cast<size_t>(lane - kFirstQueue)] == pipe) return lane;
  }
  return kNoLane;
}

constexpr Pipe pipe_of_lane(int lane) {
  return lane == kScalarLane ? Pipe::s : kQueuePipes[static_cast<size_t>(lane - kFirstQueue)];
}

}  // namespace pto
