// Kernels in which nothing but the scalar unit acts: whatever decides about the order of their instructions,
// one unit does one thing after another, and waits for nothing.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analysis/symbolic_access.hpp"

namespace pto::driver {

/// Whether all operations of the functions are loads, stores and arithmetic of the scalar unit, branches,
/// loops that count, and calls of functions that are there.
bool is_scalar_only(const Program& program, const Functions& functions, const std::vector<uint32_t>& used);

/// The arguments that stores of such a kernel may change.
std::set<uint32_t> stored_arguments(const Program& program, const SymbolicAccesses& places);

}  // namespace pto::driver
