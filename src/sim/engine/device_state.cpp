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
