// What pipes know of one another in a run, as the race checker has it: base of what follows orders to prove.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "pto/machine.hpp"

namespace pto::driver {

class HappensBefore {
 protected:
  /// Threads of a core: its pipes, and behind them what the scalar unit has written.
  static constexpr uint32_t kStores = kLanes, kPerCore = kLanes + 1;
  using Clock = std::vector<uint32_t>;
  struct Thread {
    Clock clock;
    uint32_t epoch = 1;
    bool touched = false;
    uint64_t order = 0;  ///< of the entry that runs
  };

  explicit HappensBefore(const Machine& machine) : machine_(machine) {}
  void start(size_t cores);
  static uint32_t thread_of(uint32_t core, Pipe pipe);
  /// The pipe that does it: the scalar unit its stores.
  static uint32_t unit_of(uint32_t thread);
  [[nodiscard]] bool overlaps(uint32_t thread) const;
  void publish_stores(uint32_t core);
  /// What a release by the thread tells; until the next call.
  const Clock& release(uint32_t thread);
  static void merge(Clock& clock, const Clock& other);

  const Machine& machine_;
  std::vector<Thread> threads_;

 private:
  Clock released_;  ///< by the last of those pipes that overlap with themselves
};

}  // namespace pto::driver
