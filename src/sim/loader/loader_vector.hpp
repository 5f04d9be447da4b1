// Vector functions: one entry of pipe V each, with code out of line that works on a frame of its own.
#pragma once

#include <functional>
#include <vector>

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

void load_vecscope(LoaderState& loader, const OpView& view);
/// The same for any body.
void load_vector_function(LoaderState& loader, const OpView& view, const std::function<void()>& load_body);
/// Code out of line, with the copies of values from outside; its position.
uint32_t load_out_of_line(LoaderState& loader, const OpView& view, std::vector<Copy>& captures,
                          const std::function<void()>& load_body);

}  // namespace pto::sim
