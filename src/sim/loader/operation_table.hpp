// Loader of each operation: one table from its class to the function of its family.
#pragma once

#include "isa/row.hpp"
#include "sim/loader/loader_state.hpp"

namespace pto::sim {

/// Whether a class of operations has a loader of its own; all others are instructions.
[[nodiscard]] bool has_loader(isa::OpcodeClass opcode_class);
void load_operation(LoaderState& loader, uint32_t pc);

}  // namespace pto::sim
