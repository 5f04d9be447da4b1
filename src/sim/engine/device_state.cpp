#include "sim/engine/device_state.hpp"

namespace pto::sim {

void Lane::grow() {
  constexpr uint64_t kFirst = 4;
  const uint64_t more = std::max(kFirst, 2 * capacity);
  std::vector<Slot> new_slots(more);
  std::vector<SlotFacts> new_facts(slot_facts.empty() ? 0 : more);
  for (uint64_t serial = done; serial < issued; ++serial) {
    new_slots[serial & (more - 1)] = slot(serial);
    if (!slot_facts.empty()) new_facts[serial & (more - 1)] = facts(serial);
  }
  slots = std::move(new_slots);
  slot_facts = std::move(new_facts);
  capacity = more;
  mask = more - 1;
}

}  // namespace pto::sim

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
