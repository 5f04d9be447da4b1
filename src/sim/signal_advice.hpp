// What to write where, when signals between the cores of a block and the waits for them do not go together.
#pragma once

#include <string>

#include "sim/core_state.hpp"

namespace pto::sim {

/// Of a wait for an id that nobody signals. Empty when the program does not show what is wrong.
std::string advice_on_missing_signal(const Device& device, const Core& core, const Code& wait, int id);
/// Of an id of this core that is signalled and never waited for.
std::string advice_on_left_signal(const Device& device, const Core& core, int id);

}  // namespace pto::sim
