// Values that depend on data in memory. Time mode has no data, so it must not branch on them.
#pragma once

#include <vector>

#include "ir/call_graph.hpp"
#include "isa/opcode_class.hpp"
#include "pto/program.hpp"

namespace pto::sim {

/// Whether the instruction brings data from memory into the scalar unit.
bool loads_data(isa::OpcodeClass opcode_class);
/// One entry per value: 1 when it may depend on data in memory.
std::vector<uint8_t> data_dependent_values(const Program& program, const Functions& functions,
                                           const CallGraph& calls);

}  // namespace pto::sim
