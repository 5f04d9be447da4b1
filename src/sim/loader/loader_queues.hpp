// Tile queues. An operation becomes the sequence of the C++ library: the scalar unit counts the entry and
// finds its slot, waits for a flag, the instruction that moves tiles between the two memories runs, and a
// flag is set. The table of docs/internals/engine.md has the pipes and flags.
#pragma once

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

/// The address of a reserved buffer is a constant.
void load_reserved(LoaderState& loader, const OpView& view);
/// Both sides count their entries from 0.
void load_queue_init(LoaderState& loader, const OpView& view);
void load_queue_alloc(LoaderState& loader, const OpView& view);
void load_queue_push(LoaderState& loader, const OpView& view);
void load_queue_pop(LoaderState& loader, const OpView& view);
void load_queue_free(LoaderState& loader, const OpView& view);
/// On A5, code of the vector cores that moves whole tiles and does not ask for the number of the core runs on
/// the first of them only: the branch around it, or ~0.
uint32_t guard_first_subblock(LoaderState& loader, uint32_t begin, uint32_t end);
/// The end of the code that a guard skips; ~0: there is no guard.
void close_guard(LoaderState& loader, uint32_t branch);

}  // namespace pto::sim
