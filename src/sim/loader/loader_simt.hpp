// SIMT launches. The body of a SIMT function or section is code out of line, as that of a vector function; a
// launch is one entry of PIPE_V that runs it on many threads.
#pragma once

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

bool is_thread_function(LoaderState& loader, uint32_t function);
void load_launch(LoaderState& loader, const OpView& view);
/// A call of a SIMT function; the numbers of threads come from the last store_vfsimt_info.
void load_described_launch(LoaderState& loader, const OpView& view, uint32_t function);
void load_thread_dims(LoaderState& loader, const OpView& view);
void load_thread_sync(LoaderState& loader, const OpView& view);
/// A helper that threads call is inlined.
void load_thread_call(LoaderState& loader, const OpView& view, uint32_t function);
/// Instructions of threads: scalar work, accesses of memory, exchange between lanes.
void load_thread_instruction(LoaderState& loader, const OpView& view);

}  // namespace pto::sim
