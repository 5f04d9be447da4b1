// What operations on queues count behind the program's back: which slot they take, and whether they have to
// wait for one.
#pragma once

#include <cstdint>
#include <map>

#include "prove/abstract/control_slice.hpp"

namespace pto::driver {

struct QueueSlotCounter {
  uint64_t queue = 0;  ///< what counts together
  uint64_t slots = 0;  ///< after which it begins again; 0: not known, and every entry that it makes counts
};
using QueueSlotCounters = std::map<uint32_t, QueueSlotCounter>;  ///< by operation

/// Of all operations of a launch whose count is not told by that of others.
QueueSlotCounters queue_slot_counters(const Program& program, const Functions& functions,
                                      const LaunchedFunctions& launch, const InputSlice& slice);

/// Signals of queues count by the end that they tell of, whichever of its operations gave them: by operation,
/// the first one of its end that does the same. Nothing for operations that are no queue's.
std::map<uint32_t, uint32_t> queue_signals(const Program& program, const Functions& functions,
                                           const InputSlice& slice);

}  // namespace pto::driver
