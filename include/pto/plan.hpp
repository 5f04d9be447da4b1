// Auto mode: on-chip addresses and set_flag/wait_flag for level 1 and 2 programs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/sync_mode.hpp"

namespace pto {

/// A loop, by its operation, so many turns of which are under way at the same time: each has tiles of its
/// own.
struct LoopBuffers {
  uint32_t loop = 0;
  uint32_t count = 1;
  bool open = false;  ///< its end is an argument, though a trial may have put a number there
};

/// Which room is used again when there is not enough for all tiles.
enum class Reuse : uint8_t {
  by_pipes,  ///< that of tiles whose pipes wait for one another anyway
  best_fit,  ///< the smallest that is large enough
  in_turn,   ///< the next one behind the last: long out of use, so that nobody waits for it
};

/// What stands where a block needs more flags than there are ids.
enum class IdShortage : uint8_t {
  barriers,
  join_around,  ///< of flags that go around a loop, one for two
  join,         ///< of any flags
};

/// Where tiles of UB begin, modulo one round of its bank groups, where all of them fit side by side: by their
/// values, as the program has them before loops get buffers; copies begin where their tile does. Others lie
/// wherever there is room.
struct BankPlaces {
  uint32_t round = 0;  ///< bytes
  std::map<ValueId, uint32_t> of_tile = {};
};

struct PlanOptions {
  SyncBy sync = SyncBy::tools;
  bool plan_memory = true;
  std::string entry;                      ///< only functions of this name and what they call; empty: all
  std::string machine;                    ///< its name in messages, as it was asked for; empty: the target's
  std::vector<LoopBuffers> buffers = {};  ///< of loops that loops_to_buffer() names
  bool by_stage = false;  ///< operations of a block in the order in which pipes hand on to each other
  Reuse reuse = Reuse::by_pipes;
  IdShortage shortage = IdShortage::barriers;
  BankPlaces banks = {};
};

/// Gives every alloc_tile without an address one (liveness-based reuse), around tiles that have theirs, and,
/// when the tools order the pipes, inserts flags and barriers so that every two accesses of different pipes
/// to the same bytes are ordered. The result is a level 3 program. Overflow is a diagnostic with a map of who
/// occupies what. False when there was an error. The machine is load_machine's; the program must have passed
/// verification:
///   auto machine = pto::load_machine("a5");
///   if (!pto::plan(program, *machine, {.sync = .., .entry = "kernel"}, diagnostics)) ..
bool plan(Program& program, const Machine& machine, const PlanOptions& options, Diagnostics& diagnostics);
/// Puts instructions of the cube and of the vector core into sections of their own, in functions that mix
/// them and say nothing of cores: on A2/A3 and A5 no core has both units. Vector sections run on the first
/// vector core of a block, unless the function asks which one it is on. plan() does so itself, and gives the
/// cores their order; before the verifier looks at flags and signals that a program states itself,
/// `SyncBy::program` (or by_program, for the functions that have some) divides them. False: diagnostics say
/// what cannot be divided.
bool divide_among_cores(Program& program, SyncBy sync, std::string_view entry, Diagnostics& diagnostics);
/// A loop that may have several buffers: it keeps two queues or more busy, in a function that the tools
/// order.
struct BufferedLoop {
  uint32_t loop = 0;
  std::optional<int64_t> trips;  ///< where they are known
  uint32_t slots = 1;            ///< tiles that the program itself takes in turn (alloc_multi_tile)
};
/// Inner loops before those around them. When memory is not planned, only those with slots.
std::vector<BufferedLoop> loops_to_buffer(const Program& program, const PlanOptions& options);
/// Loops with bounds that nobody knows, made ready for trials: in ascending order, where the rewritten
/// program has them; and the attributes that say how often they run. They stay in place when the program is
/// planned.
struct OpenLoops {
  std::vector<uint32_t> loops, turns;
};
OpenLoops open_loops(Program& program, std::vector<uint32_t> loops);
/// One number for each loop.
void give_turns(Program& program, const OpenLoops& loops, std::span<const int64_t> turns);
/// Whether the tiles without address would fit; errors as from plan(). Much cheaper where all tiles of the
/// program fit side by side.
bool check_capacity(const Program& program, Diagnostics& diagnostics);
/// Decides SyncBy::by_program; the others stay.
SyncBy who_orders(const Program& program, SyncBy asked);
/// Whether the function holds any synchronisation instruction.
bool has_sync(const Program& program, uint32_t function_op);

}  // namespace pto
