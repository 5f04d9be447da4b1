// The clocks of the race checker, and what goes with them from device to device.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "order/vector_clock.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::sim {

/// Threads of a core: its pipes, and behind them what the scalar unit has written. That reaches memory when a
/// flag of PIPE_S, a barrier or a signal says so; entries that it issues meanwhile do not wait for it. The
/// last one is what a copy to another device has written, which MTE3 knows and the scalar unit does not wait
/// for.
inline constexpr uint32_t kScalarStores = kLanes, kPeerCopies = kLanes + 1, kThreads = kLanes + 2;
using RaceClock = VectorClock<kThreads>;

/// A thread of all devices, its epoch, and what it knows.
struct Stamped {
  uint32_t thread = 0, epoch = 0;
  RaceClock clock;
};
ClockStamp stamp_of(uint32_t thread, uint32_t epoch, const RaceClock& clock);
Stamped read_stamp(const ClockStamp& stamp);

/// Which notifies a wait cannot have done without, whatever the timing.
class NeededNotifies {
 public:
  /// Those that the core has not heard of; `seen` is what it knows.
  std::vector<RaceClock> clocks_of(const WaitReleased& awoken, const RaceClock& seen);

 private:
  void add_clocks_of_word(const WaitReleased& awoken, const WaitReleased::Word& word, const RaceClock& seen,
                          std::vector<RaceClock>& out);
  std::map<std::pair<uint32_t, uint64_t>, size_t> known_;  ///< by core and word: all before are heard of
};

}  // namespace pto::sim
