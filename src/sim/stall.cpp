// Spellings of stalls.
#include "pto/simulator.hpp"

namespace pto {

std::string_view to_string(Stall stall) {
  static constexpr std::string_view kNames[] = {"none",   "not_issued", "flag",       "barrier",
                                                "buffer", "cross_core", "queue_full", "finished"};
  return kNames[static_cast<size_t>(stall)];
}

}  // namespace pto
