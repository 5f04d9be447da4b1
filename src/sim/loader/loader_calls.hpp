// Calls: a function of the scalar unit is loaded once and returns; a call in a vector function is inlined.
#pragma once

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

/// The function that a call means on this kind of core: among several the one of its own kind. Null: the
/// other kind runs it, or there was an error.
const Function* resolve_callee(LoaderState& loader, const OpView& call);
void load_callee(LoaderState& loader, uint32_t function);
/// Words of the values that a function returns.
const std::vector<uint32_t>& return_values(LoaderState& loader, uint32_t function);
void load_call(LoaderState& loader, const OpView& view);

}  // namespace pto::sim
