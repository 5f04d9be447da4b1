// The pending events of a device: the next time of each core, and within a core of each agent.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/engine/device_state.hpp"
#include "sim/engine/ready_tree.hpp"

namespace pto::sim {

/// The earliest event of a core. Ties go to the lower agent: completions, scalar unit, starts.
struct NextEvent {
  uint64_t time;
  unsigned agent;
};

inline NextEvent next_of(const Core& core) {
  NextEvent next{core.at[0], 0};
  for (unsigned i = 1; i < kAgents; ++i) {
    if (core.at[i] < next.time) next = {core.at[i], i};
  }
  return next;
}

struct EventQueue {
  ReadyTree ready;         ///< by core: the time of its earliest event
  uint64_t events = 0;     ///< that were carried out
  uint64_t latest = 0;     ///< time of the last event that was carried out ahead of simulated time
  bool ahead = false;      ///< the event that is carried out is ahead of simulated time (lookahead.hpp)
  bool disturbed = false;  ///< the event that is carried out changed the time of another core

  /// An event of another core made one of this core earlier.
  void reschedule(const Core& core) {
    ready.set(core.info.index, std::min(ready.time(core.info.index), *std::ranges::min_element(core.at)));
    disturbed = true;
  }
};

}  // namespace pto::sim
