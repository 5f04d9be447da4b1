// What to round where an access begins at an address that its instruction cannot have.
#pragma once

#include <cstdint>
#include <string>

#include "exec/exec_context.hpp"

namespace pto::sim {

/// The number that makes the address odd, the line where it is used and what it has to be a multiple of.
/// Where several could: the two addresses beside it.
std::string advice_on_alignment(const Program& program, const exec::Context& context, Space space,
                                uint64_t address, uint64_t unit);

}  // namespace pto::sim
