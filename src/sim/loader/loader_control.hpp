// Control flow: constants, regions and blocks, loops, branches, sections.
#pragma once

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

void load_region(LoaderState& loader, const Region& region);
void load_constant(LoaderState& loader, const OpView& view);
void load_for(LoaderState& loader, const OpView& view);
void load_if(LoaderState& loader, const OpView& view);
void load_while(LoaderState& loader, const OpView& view);
void load_execute_region(LoaderState& loader, const OpView& view);
void load_yield(LoaderState& loader, const OpView& view);
void load_condition(LoaderState& loader, const OpView& view);
/// A return leaves the function; of an inlined function it is a yield.
void load_return(LoaderState& loader, const OpView& view);
void load_block(LoaderState& loader, const OpView& view);
void load_jump(LoaderState& loader, const OpView& view);
void load_cond_jump(LoaderState& loader, const OpView& view);
void load_index_switch(LoaderState& loader, const OpView& view);
void load_check(LoaderState& loader, const OpView& view);
void load_cube_section(LoaderState& loader, const OpView& view);
void load_vector_section(LoaderState& loader, const OpView& view);

}  // namespace pto::sim
