// Values that depend on others: on data in memory, which a run for its time does not have, or on
// the index of the vector core.
#pragma once

#include <vector>

#include "ir/call_graph.hpp"
#include "isa/opcode_class.hpp"
#include "pto/program.hpp"

namespace pto {

/// Whether the instruction brings data from memory into the scalar unit.
bool loads_data(isa::OpcodeClass opcode_class);
/// One entry per value: 1 when it may depend on data in memory. Calls are followed.
std::vector<uint8_t> data_dependent_values(const Program& program, const Functions& functions,
                                           const CallGraph& calls);
/// The same of the values in a function, on the values that `sources` marks. Calls are not
/// followed.
std::vector<uint8_t> dependent_values(const Program& program, uint32_t function,
                                      const std::vector<uint8_t>& sources);

}  // namespace pto
