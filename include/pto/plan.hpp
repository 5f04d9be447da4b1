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

/// The number of overlapped iterations of a loop; each of them has its own copies of the tiles.
struct LoopBuffers {
  uint32_t loop = 0;
  uint32_t count = 1;
  bool open = false;  ///< its end is an argument, possibly replaced by a constant for a trial run
};

/// Which address range is reused if not all tiles fit.
enum class Reuse : uint8_t {
  by_pipes,     ///< of tiles whose pipes are ordered anyway
  best_fit,     ///< the smallest free range that is large enough
  round_robin,  ///< the next free range after the last one: unused for the longest time
};

/// Replacement for flags if a block needs more of them than there are ids.
enum class IdShortage : uint8_t {
  barriers,
  join_around,  ///< join two loop-carried flags into one
  join,         ///< join any two flags into one
};

/// Start addresses of UB tiles, modulo one round of the bank groups, for programs whose tiles fit
/// side by side. Keys are the values before loops are buffered; copies begin at the address of
/// their tile. Other tiles can be at any address.
struct BankPlaces {
  uint32_t round = 0;  ///< bytes
  std::map<ValueId, uint32_t> of_tile = {};
};

struct PlanOptions {
  SyncBy sync = SyncBy::tools;
  bool plan_memory = true;
  std::string entry;                      ///< only functions of this name and their callees; empty: all
  std::string machine;                    ///< name of the machine in messages; empty: the target
  std::vector<LoopBuffers> buffers = {};  ///< for loops of loops_to_buffer()
  bool by_stage = false;                  ///< order the operations of a block by their pipeline stage
  Reuse reuse = Reuse::by_pipes;
  IdShortage shortage = IdShortage::barriers;
  BankPlaces banks = {};
};

/// Chooses an address for every alloc_tile without one, by live ranges, around tiles with a fixed
/// address. If the tools order the pipes, it also inserts flags and barriers, so that any two
/// accesses of different pipes to the same bytes are ordered. The result is a level 3 program.
///
/// Returns false after an error. If the tiles do not fit, the diagnostic has a map of the memory.
/// `machine` comes from load_machine(); the program must have passed verification:
///
///       auto machine = pto::load_machine("a5");
///       if (!pto::plan(program, *machine, {.sync = .., .entry = "kernel"}, diagnostics)) ..
bool plan(Program& program, const Machine& machine, const PlanOptions& options, Diagnostics& diagnostics);
/// Moves instructions of the cube and of the vector core into separate sections, in functions that
/// mix them without sections: on A2/A3 and A5 no core has both units. Vector sections run on the
/// first vector core of a block, unless the function reads its subblock index. plan() calls this
/// function and then orders the cores. The verifier needs it before it checks flags and signals of
/// the program: pass `SyncBy::program`, or by_program for the functions that have some. Returns
/// false after an error, with a diagnostic for each operation that cannot be moved.
bool divide_among_cores(Program& program, SyncBy sync, std::string_view entry, Diagnostics& diagnostics);
/// A loop that can have several buffers: it uses at least two queues, and its function is ordered
/// by the tools.
struct BufferedLoop {
  uint32_t loop = 0;
  std::optional<int64_t> trips;  ///< the trip count, if it is known
  uint32_t slots = 1;            ///< slots of a multi-buffer of the program (alloc_multi_tile)
};
/// The loops that can have several buffers, inner loops first. If memory is not planned, only loops
/// with slots.
std::vector<BufferedLoop> loops_to_buffer(const Program& program, const PlanOptions& options);
/// Loops with run-time bounds, prepared for trial runs: their operations in ascending order, and
/// the attributes with their trip counts. They stay valid when the program is planned.
struct OpenLoops {
  std::vector<uint32_t> loops, trip_counts;
};
OpenLoops open_loops(Program& program, std::vector<uint32_t> loops);
/// Sets the trip count of each loop for a trial run.
void bind_trip_counts(Program& program, const OpenLoops& loops, std::span<const int64_t> trip_counts);
/// Whether the tiles without an address fit. Reports errors as plan() does. It is much cheaper if
/// all tiles of the program fit side by side.
bool check_capacity(const Program& program, Diagnostics& diagnostics);
/// Resolves SyncBy::by_program for a program; returns other values unchanged.
SyncBy who_orders(const Program& program, SyncBy asked);
/// Whether the function holds any synchronisation instruction.
bool has_sync(const Program& program, uint32_t function_op);

}  // namespace pto
