// Who calls whom.
#pragma once

#include <cstdint>
#include <vector>

namespace pto::legality {

struct Call {
  uint32_t caller, callee;   ///< operations of the functions
  auto operator<=>(const Call&) const = default;
};

/// Functions that reach themselves, in the order of the program. Time and memory grow with the number of calls only.
std::vector<uint32_t> recursive_functions(std::vector<Call> calls);

}  // namespace pto::legality
