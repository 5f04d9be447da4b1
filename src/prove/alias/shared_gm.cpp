#include "prove/alias/shared_gm.hpp"

#include "check/footprint_ranges.hpp"

namespace pto::driver {

void SharedGmArguments::record(uint32_t argument, uint64_t base, const FootprintEvent& event, uint32_t thread,
                               bool overlaps) {
  if (shared_.contains(argument)) return;
  sim::Intervals<Touch>& touched = touched_[argument];
  bool is_shared = false;
  sim::for_each_range(event, [&](uint64_t begin, uint64_t end) {
    touched.update(begin - base, end - base, [&](uint64_t, uint64_t, Touch& touch) {
      touch.several = touch.several || (touch.thread != ~0u && (overlaps || touch.thread != thread));
      touch.written = touch.written || event.write;
      touch.thread = thread;
      is_shared = is_shared || (touch.several && touch.written);
    });
  });
  if (!is_shared) return;
  shared_.insert(argument);
  touched_.erase(argument);
}

}  // namespace pto::driver
