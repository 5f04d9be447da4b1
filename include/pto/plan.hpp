// Auto mode: on-chip addresses and set_flag/wait_flag for level 1 and 2 programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/sync_by.hpp"

namespace pto {

/// A loop, by its operation, so many turns of which are under way at the same time: each has tiles of its
/// own.
struct LoopBuffers {
  uint32_t loop = 0;
  uint32_t count = 1;
};

struct PlanOptions {
  SyncBy sync = SyncBy::tools;
  bool plan_memory = true;
  std::string entry;                      ///< only functions of this name and what they call; empty: all
  std::string machine;                    ///< its name in messages, as it was asked for; empty: the target's
  std::vector<LoopBuffers> buffers = {};  ///< of loops that loops_to_buffer() names
  bool by_stage = false;  ///< operations of a block in the order in which pipes hand on to each other
  bool in_turn = false;   ///< room that is used again is taken in turn, not where it fits best
};

/// Gives every alloc_tile without an address one (liveness-based reuse), around tiles that have theirs, and,
/// when the tools order the pipes, inserts flags and barriers so that every two accesses of different pipes
/// to the same bytes are ordered. The result is a level 3 program. Overflow is a diagnostic with a map of who
/// occupies what. False when there was an error. The machine is load_machine's; the program must have passed
/// verification:
///   auto machine = pto::load_machine("a5");
///   if (!pto::plan(program, *machine, {.sync = .., .entry = "kernel"}, diagnostics)) ..
/// Operations are numbered anew: resolve_anchors() diagnostics of before first.
bool plan(Program& program, const Machine& machine, const PlanOptions& options, Diagnostics& diagnostics);
/// A loop that may have several buffers: it keeps two queues or more busy, in a function that the tools
/// order.
struct BufferedLoop {
  uint32_t loop = 0;
  std::optional<int64_t> trips;  ///< where they are known
  uint32_t slots = 1;            ///< tiles that the program itself takes in turn (alloc_multi_tile)
};
/// Inner loops before those around them. When memory is not planned, only those with slots.
std::vector<BufferedLoop> loops_to_buffer(const Program& program, const PlanOptions& options);
/// For trials: loops with bounds that nobody knows run so many times. Gives their operations, in ascending
/// order; those of the others move.
std::vector<uint32_t> give_turns(Program& program, std::vector<uint32_t> loops, int64_t turns);
/// Whether the tiles without address would fit; errors as from plan(). Much cheaper where all tiles of the
/// program fit side by side.
bool check_capacity(const Program& program, Diagnostics& diagnostics);
/// Decides SyncBy::by_program; the others stay.
SyncBy who_orders(const Program& program, SyncBy asked);
/// Whether the function holds any synchronisation instruction.
bool has_sync(const Program& program, uint32_t function_op);

}  // namespace pto
