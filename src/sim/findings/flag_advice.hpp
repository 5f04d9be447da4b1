// What to write where, when sets and waits of a flag do not go together, or gets and releases of a buffer id.
#pragma once

#include "ir/value_names.hpp"
#include "pto/fix.hpp"
#include "sim/engine/device_state.hpp"

namespace pto::sim {

/// A flag that is set more often than it is waited for: which line to add, to move or to remove. Empty when
/// the program does not show one.
Fix advice_on_extra_set(const Device& device, const Core& core, const isa::FlagName& flag);
/// The same of a wait that finds nothing.
Fix advice_on_extra_wait(const Device& device, const Core& core, const isa::FlagName& flag, uint32_t wait);
/// Of pipes that wait for each other.
Fix advice_on_circle(const Device& device, const Core& core);
/// Of a buffer id that a pipe got more often than it released it.
Fix advice_on_extra_get(const Device& device, const Core& core, unsigned lane, int id);
/// Of a buffer id that a pipe released more often than it got it, at last at `release`.
Fix advice_on_extra_release(const Device& device, const Core& core, unsigned lane, int id, uint32_t release);
/// Of a pipe that gets a buffer id at `second` which it has got at `first`.
Fix advice_on_second_get(const Device& device, const Core& core, unsigned lane, int id, uint32_t first,
                         uint32_t second);

}  // namespace pto::sim
