// Arguments in GM of which several pipes access the same bytes, with at least one write. Order
// matters only for these.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "check/interval_map.hpp"
#include "pto/simulator.hpp"

namespace pto::driver {

/// Collects, over all runs of a kernel, pairs of pipes whose accesses may overlap.
class SharedGmArguments {
 public:
  static constexpr uint32_t kElsewhere = ~0u;  ///< in none of the arguments

  /// `base`: where the argument begins; `overlaps`: the pipe does several of its transfers at a time.
  void record(uint32_t argument, uint64_t base, const FootprintEvent& event, uint32_t thread, bool overlaps);
  /// Arguments whose accesses have to be distinguished by their bytes.
  [[nodiscard]] const std::set<uint32_t>& shared() const { return shared_; }

 private:
  struct Touch {
    uint32_t thread = ~0u;
    bool several = false, written = false;
    bool operator==(const Touch&) const = default;
  };

  std::map<uint32_t, sim::Intervals<Touch>> touched_;
  std::set<uint32_t> shared_{kElsewhere};
};

}  // namespace pto::driver
