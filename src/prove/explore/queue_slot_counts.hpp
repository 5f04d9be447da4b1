// Hidden counters of operations on queues: the slot of an entry, and whether the operation waits
// for a slot.
#pragma once

#include <cstdint>
#include <map>

#include "prove/abstract/control_slice.hpp"

namespace pto::driver {

struct QueueSlotCounter {
  uint64_t queue = 0;  ///< key of operations that share a counter
  uint64_t slots = 0;  ///< after which it begins again; 0: not known, and every entry that it makes counts
};
using QueueSlotCounters = std::map<uint32_t, QueueSlotCounter>;  ///< by operation

/// The operations of a launch whose count does not follow from that of others.
QueueSlotCounters queue_slot_counters(const Program& program, const Functions& functions,
                                      const LaunchedFunctions& launch, const InputSlice& slice);

/// Signals of queues are identified by their end: by operation, the first one of the same end with
/// the same effect. Empty for operations without queues.
std::map<uint32_t, uint32_t> queue_signals(const Program& program, const Functions& functions,
                                           const InputSlice& slice);

}  // namespace pto::driver
