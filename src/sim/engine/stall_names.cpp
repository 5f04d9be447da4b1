// Spellings of stalls.
#include "pto/simulator.hpp"

namespace pto {

std::string_view to_string(Stall stall) {
  static constexpr std::string_view kNames[] = {"none",       "not_issued", "flag",     "barrier",  "buffer",
                                                "cross_core", "queue_full", "finished", "resource", "wave"};
  return kNames[static_cast<size_t>(stall)];
}

std::string_view to_string(Resource resource) {
  static constexpr std::string_view kNames[] = {"none", "L2 reads", "L2 writes", "HBM",
                                                "signals between cores"};
  return kNames[static_cast<size_t>(resource)];
}

}  // namespace pto
