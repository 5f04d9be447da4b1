#include "prove/explore/order_observer.hpp"

#include <algorithm>

namespace pto::driver {

void HappensBefore::start(size_t cores) {
  const size_t threads = cores * kPerCore;
  threads_.assign(threads, {Clock(threads)});
}

uint32_t HappensBefore::thread_of(uint32_t core, Pipe pipe) {
  const int lane = lane_of(pipe);
  return core * kPerCore + static_cast<uint32_t>(lane == kNoLane ? kScalarLane : lane);
}

uint32_t HappensBefore::unit_of(uint32_t thread) {
  return thread % kPerCore == kStores ? thread - kStores + kScalarLane : thread;
}

bool HappensBefore::overlaps(uint32_t thread) const {
  const uint32_t lane = thread % kPerCore;
  return lane != kStores && machine_.overlaps(pipe_of_lane(static_cast<int>(lane)));
}

void HappensBefore::publish_stores(uint32_t core) {
  Thread &stores = threads_[core * kPerCore + kStores], &unit = threads_[core * kPerCore + kScalarLane];
  if (!stores.touched) return;
  unit.clock[core * kPerCore + kStores] = stores.epoch++;
  stores.touched = false;
}

const HappensBefore::Clock& HappensBefore::release(uint32_t index) {
  Thread& thread = threads_[index];
  if (thread.touched) {
    ++thread.epoch;
    thread.touched = false;
  }
  if (!overlaps(index)) {
    thread.clock[index] = thread.epoch - 1;
    return thread.clock;
  }
  released_ = thread.clock;
  released_[index] = thread.epoch - 1;
  return released_;
}

void HappensBefore::merge(Clock& clock, const Clock& other) {
  if (clock.empty()) clock.assign(other.size(), 0);
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace pto::driver
