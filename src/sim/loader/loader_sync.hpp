// Synchronisation of the pipes of a core, and of cores.
#pragma once

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

/// Pipes are synchronised around a vector function, not in it.
void reject_in_vector_function(LoaderState& loader, const OpView& view);
void emit_barrier(LoaderState& loader, const OpView& view, Pipe pipe);
/// Flags between pipes, and events, which are flags named by kinds of operations.
void load_flag(LoaderState& loader, const OpView& view);
/// Barriers of pipes; fences and waits for tiles wait for all pipes.
void load_barrier(LoaderState& loader, const OpView& view);
/// In a vector function: between its own accesses to UB. Elsewhere the scalar unit's accesses are in order.
void load_memory_barrier(LoaderState& loader, const OpView& view);
void load_buffer(LoaderState& loader, const OpView& view);
/// Signals between cores. Without a mode, sync.set and sync.wait of A5 reach one other core.
void load_sync(LoaderState& loader, const OpView& view);
/// The sequence of the library: every pipe finishes, then cores of one kind signal each other. Where both
/// kinds take part, the vector cores signal their cube core first, and it signals them last.
void load_sync_all(LoaderState& loader, const OpView& view);

}  // namespace pto::sim
