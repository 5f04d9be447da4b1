// The threads of a run, whose order the race checker and the prover follow
// (order/happens_before.hpp), by number: core * kThreads + thread of the core.
#pragma once

#include <array>
#include <cstdint>

#include "ir/hardware_lanes.hpp"
#include "order/happens_before.hpp"
#include "order/shared_clock.hpp"
#include "pto/machine.hpp"

namespace pto::sim {

/// Threads of a core: its lanes, and behind them what the scalar unit has written. That reaches
/// memory when a flag of PIPE_S, a barrier or a signal says so; entries that it issues meanwhile do
/// not wait for it. The last one is what a copy to another device has written, which MTE3 knows and
/// the scalar unit does not wait for.
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
constexpr uint32_t stores_of(uint32_t core) { return core * kThreads + kScalarStores; }
constexpr bool is_scalar(uint32_t thread) { return thread % kThreads == kScalarLane; }
/// The unit that does the work of a thread: its clock tells what comes before.
constexpr uint32_t unit_of(uint32_t thread) {
  return thread % kThreads < kLanes ? thread : thread - thread % kThreads + kScalarLane;
}

/// By thread of a core: pipes whose entries do not wait for earlier ones of the same pipe.
inline std::array<bool, kThreads> overlapping_threads(const Machine& machine) {
  std::array<bool, kThreads> overlapping{};
  for (int lane = 0; lane < kLanes; ++lane)
    overlapping[static_cast<size_t>(lane)] = machine.overlaps(pipe_of_lane(lane));
  return overlapping;
}

using PipeClock = order::SparseClock<kThreads>;
using SharedPipeClock = order::SharedClock<PipeClock>;
/// The order of the threads of these cores, before they have done anything.
inline order::HappensBefore<SharedPipeClock> order_of_pipes(const std::array<bool, kThreads>& overlapping,
                                                            SharedPipeClock::Arena& clocks, size_t cores,
                                                            uint32_t first_core = 0) {
  const auto first = first_core * kThreads, count = static_cast<uint32_t>(cores) * kThreads;
  order::HappensBefore<SharedPipeClock> order(count, first, SharedPipeClock(clocks));
  for (uint32_t i = 0; i < count; ++i) {
    if (overlapping[i % kThreads]) order.set_overlapping(first + i);
  }
  return order;
}

}  // namespace pto::sim
