// The clocks of the race checker, and what goes with them from device to device.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "check/pipe_threads.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::sim {

/// An operation of a thread of any device, and what that thread knows.
struct Stamped {
  order::Epoch at;
  PipeClock clock;
};
ClockStamp stamp_of(order::Epoch at, const PipeClock& clock);
Stamped read_stamp(const ClockStamp& stamp);

/// Which notifies a wait cannot have done without, whatever the timing.
class NeededNotifies {
 public:
  /// Those that the core has not heard of; `seen` is what it knows.
  std::vector<PipeClock> clocks_of(const WaitReleased& awoken, const PipeClock& seen);

 private:
  void add_clocks_of_word(const WaitReleased& awoken, const WaitReleased::Word& word, const PipeClock& seen,
                          std::vector<PipeClock>& out);
  std::map<std::pair<uint32_t, uint64_t>, size_t> known_;  ///< by core and word: all before are heard of
};

}  // namespace pto::sim
