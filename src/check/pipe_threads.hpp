// The threads of a run, whose order the race checker and the prover follow (order/happens_before.hpp), by
// number: core * kThreads + thread of the core.
#pragma once

#include <array>
#include <cstdint>

#include "ir/hardware_lanes.hpp"

namespace pto::sim {

/// Threads of a core: its lanes, and behind them what the scalar unit has written. That reaches memory when a
/// flag of PIPE_S, a barrier or a signal says so; entries that it issues meanwhile do not wait for it. The
/// last one is what a copy to another device has written, which MTE3 knows and the scalar unit does not wait
/// for.
inline constexpr uint32_t kScalarStores = kLanes, kPeerCopies = kLanes + 1, kThreads = kLanes + 2;

/// By pipe: its lane. What has no pipe is done by the scalar unit.
inline constexpr std::array<uint8_t, 256> kUnits = [] {
  std::array<uint8_t, 256> units{};
  units.fill(kScalarLane);
  for (int lane = kFirstQueue; lane < kLanes; ++lane)
    units[static_cast<uint8_t>(pipe_of_lane(lane))] = static_cast<uint8_t>(lane);
  return units;
}();

constexpr uint32_t core_of_thread(uint32_t thread) { return thread / kThreads; }
constexpr uint32_t thread_of(uint32_t core, Pipe pipe) {
  return core * kThreads + kUnits[static_cast<uint8_t>(pipe)];
}
constexpr bool is_scalar(uint32_t thread) { return thread % kThreads == kScalarLane; }
/// The unit that does the work of a thread: its clock tells what comes before.
constexpr uint32_t unit_of(uint32_t thread) {
  return thread % kThreads < kLanes ? thread : thread - thread % kThreads + kScalarLane;
}

}  // namespace pto::sim
