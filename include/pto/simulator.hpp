// Simulator: runs a Program on a target with data (run), without data (time), or for synchronisation and
// memory (check).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"

namespace pto {

enum class Mode : uint8_t { run, time, check };

/// A kernel argument: a GM buffer or a scalar.
struct Argument {
  std::string name;
  bool is_buffer = true;
  std::vector<std::byte> bytes;        ///< buffer contents, changed by the run
  std::span<std::byte> home = {};      ///< in place of `bytes`: memory of the caller's that the run works on
  std::shared_ptr<std::byte[]> pages;  ///< what owns `home`, where the caller does not
  bool initialised = true;  ///< false: contents are undefined (bytes are 0), reads before writes are findings
  uint64_t scalar = 0;      ///< raw bits
  /// Bytes that the buffer may reach when nobody knows its size; 0: it is as large as `bytes`. What `bytes`
  /// leaves open is 0 at first and costs nothing until it is touched. The run changes a copy of `bytes`.
  uint64_t room = 0;
  uint64_t reach = 0;  ///< of a buffer with room, after a run: one past the furthest byte that was accessed

  /// The buffer's contents, wherever they are.
  [[nodiscard]] std::span<std::byte> data() { return home.data() != nullptr ? home : std::span(bytes); }
  [[nodiscard]] std::span<const std::byte> data() const {
    return home.data() != nullptr ? std::span<const std::byte>(home) : std::span(bytes);
  }
};

/// Why a pipe (or the scalar unit) did nothing for an interval. Every idle cycle has exactly one.
enum class Stall : uint8_t {
  none,
  not_issued,  ///< nothing in the queue: the scalar unit had not come to it
  flag,        ///< wait_flag: the set had not happened
  barrier,     ///< a pipe barrier
  buffer,      ///< get_buf: the token was not free
  cross_core,  ///< sync.wait and FIFO tokens from another core
  queue_full,  ///< scalar unit: the pipe's queue had no room
  finished,    ///< after its last instruction
  resource,    ///< something that all cores share was taken: StallEvent::resource says what
  wave,        ///< its block waited for a core
};
std::string_view to_string(Stall stall);

/// What the cores of a chip share.
enum class Resource : uint8_t { none, l2_read, l2_write, hbm, signals };
std::string_view to_string(Resource resource);

/// Identifies a place of execution: core index within the device and its cluster role.
struct CoreInfo {
  uint32_t index = 0, block = 0;
  CoreKind kind = CoreKind::mixed;
  uint32_t subblock = 0;
};

struct InstEvent {
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  uint32_t pc = 0;
  uint64_t issue = 0;                         ///< entered the queue
  uint64_t start = 0, busy_end = 0, end = 0;  ///< started; pipe free again; result visible
  Basis basis = Basis::assumed;
};
struct StallEvent {
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  uint64_t begin = 0, end = 0;
  Stall reason = Stall::none;
  uint32_t pc = 0;
  Resource resource = Resource::none;
};
/// Of a vector function; it starts in the order of its operands and ports, not of the text.
struct VectorStepEvent {
  uint32_t core = 0, pc = 0;
  uint64_t begin = 0, end = 0;  ///< started; its result is there
  bool memory = false;          ///< it loads or stores, else it computes
};
/// Bytes between GM and the chip; all of them pass L2.
struct TransferEvent {
  uint32_t core = 0, pc = 0;
  uint64_t begin = 0, end = 0;
  uint64_t bytes = 0, hbm = 0;  ///< hbm: those that L2 did not have or could not keep
  bool write = false;
};
struct FlagEvent {
  uint32_t core = 0;
  Pipe src = Pipe::none, dst = Pipe::none;
  int id = 0;
  uint32_t set_pc = 0, wait_pc = 0;
  uint64_t set_time = 0, wait_begin = 0, wait_end = 0;
};
struct FootprintEvent {
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  uint32_t pc = 0;
  uint64_t time = 0;
  bool write = false;
  Space space = Space::none;
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
  uint32_t home = ~0u;        ///< core whose memory it is; ~0: `core`'s own. Ignored for GM
  bool update = false;        ///< read and written in one go (accumulation, atomics); `write` is set as well
  std::byte* data = nullptr;  ///< where the host has the byte at `addr`; the access comes after the event
};
/// Ordering facts for the race checker, as release/acquire pairs: everything pipe `from` of `from_core` did
/// before the release happens before everything `to` of `to_core` does after the acquire of the same token.
/// Tokens are unique over a run; each is released once and acquired at most once, the release reported first.
/// Only the token of a meeting (A2/A3 sync.set modes 0 and 1) is released by every core that joins, and
/// acquired by all of them. What makes a pair:
///   flag         release when set_flag executes on its source pipe,
///                acquire when the matching wait_flag lets go
///   issue order  release by S when an entry is put into a queue,
///                acquire by the pipe before the entry's footprints
///   barrier      one token per pipe that S (or the pipe) waits for;
///                likewise get_buf/rls_buf, sync.set/wait, FIFO tokens
/// The order of one pipe's own operations needs no events.
struct OrderEvent {
  uint32_t from_core = 0, to_core = 0;
  Pipe from = Pipe::none, to = Pipe::none;
  uint64_t token = 0;
  bool release = false;
  uint32_t pc = 0;
  bool last = true;  ///< of an acquire: nobody else acquires this token
  int flag = -1;     ///< the event id, where the token is a flag's
  /// The scalar unit puts an entry into a queue: what it has written may still be on its way.
  bool issue = false;
  int signal = -1;  ///< what tells the semaphores of a core apart, where the token is a signal's
};

/// What the moment of a queue entry is made of: small enough to be kept for every entry.
struct EntryMark {
  uint64_t cycle = 0;
  uint32_t core = 0, pc = ~0u;
  uint32_t depth = 0;                   ///< loops around, but for those inside of a vector function
  std::array<uint64_t, 4> variables{};  ///< of the outer ones
  std::vector<uint64_t> more;           ///< of those further in
  [[nodiscard]] uint64_t variable(uint32_t loop) const {
    return loop < variables.size() ? variables[loop] : more[loop - variables.size()];
  }
  void add(uint64_t variable) {
    if (depth < variables.size())
      variables[depth] = variable;
    else
      more.push_back(variable);
    ++depth;
  }
};

/// Asked by observers while they are told something: what runs right now.
class RunContext {
 public:
  virtual ~RunContext() = default;
  [[nodiscard]] virtual Moment moment() const = 0;
  /// Of the queue entry that runs; its moment can be had until the run is finished.
  [[nodiscard]] virtual EntryMark mark() const = 0;
  [[nodiscard]] virtual Moment moment_of(const EntryMark& mark) const = 0;
  /// The moment of the whole queue entry: without the loops inside of a vector function.
  [[nodiscard]] Moment entry_moment() const { return moment_of(mark()); }
  /// The operand of the instruction that runs whose bytes hold this address; kNoValue when none does.
  [[nodiscard]] virtual ValueId operand_at(Space space, uint64_t addr) const = 0;
};

class DependenceObserver;  // src/sim/engine/step_events.hpp

/// Everything that can be observed. Default bodies do nothing; with no observer attached the engine pays
/// nothing.
class Observer {
 public:
  /// Events that come with every instruction, as bits.
  enum Often : uint32_t {
    kInstructions = 1,
    kStalls = 2,
    kFlags = 4,
    kTransfers = 8,
    kFootprints = 16,
    kOrder = 32,
  };
  virtual ~Observer() = default;
  /// Those of them that it is told; asked once, before everything else.
  [[nodiscard]] virtual uint32_t wants() const { return ~uint32_t{0}; }
  /// Before everything else; valid until on_finish.
  virtual void on_context(const RunContext&) {}
  virtual void on_start(std::span<const CoreInfo>, const Program&) {}
  /// Where a kernel argument's buffer lies in GM; after on_start, in argument order, buffers only.
  virtual void on_argument(uint32_t /*index*/, std::string_view /*name*/, uint64_t /*addr*/,
                           uint64_t /*bytes*/, bool /*initialised*/) {}
  virtual void on_instruction(const InstEvent&) {}
  virtual void on_stall(const StallEvent&) {}
  virtual void on_flag(const FlagEvent&) {}
  /// Where the target says what its cores share.
  virtual void on_transfer(const TransferEvent&) {}
  virtual void on_footprint(const FootprintEvent&) {}
  /// All of an access that leaves its memory or argument; the footprints of the part inside follow.
  virtual void on_beyond(const FootprintEvent&) {}
  virtual void on_order(const OrderEvent&) {}
  /// A vector scope (operation `pc`) begins or ends on a core; the footprints between are those of its parts.
  virtual void on_vector_function(uint32_t /*core*/, uint32_t /*pc*/, bool /*begins*/) {}
  /// A step of it, in the order of execution; told when somebody wants_vector_steps().
  virtual void on_vector_step(const VectorStepEvent&) {}
  [[nodiscard]] virtual bool wants_vector_steps() const { return false; }
  /// A mem_bar in a vector scope.
  virtual void on_memory_barrier(uint32_t /*core*/, uint32_t /*pc*/) {}
  /// The scalar unit of a core writes back and drops the line of its data cache that holds `addr`, or all.
  virtual void on_cache_clean(uint32_t /*core*/, uint32_t /*pc*/, uint64_t /*addr*/, bool /*all*/) {}
  virtual void on_mode_write(uint32_t /*core*/, uint32_t /*pc*/, uint64_t /*time*/,
                             std::string_view /*what*/) {}
  /// All cores of a block have ended; their memories are given back.
  virtual void on_block_end(uint32_t /*block*/) {}
  /// The times of all events count from the end of the launch.
  virtual void on_launch(uint64_t /*cycles*/) {}
  virtual void on_finish(uint64_t /*kernel_cycles*/) {}
  /// Who wants to be told what every queue entry waited for; the first observer of a run that names one wins.
  virtual DependenceObserver* steps() { return nullptr; }
};

/// What the program prints, or a write to something that is watched.
struct Printed {
  uint32_t pc = ~0u;
  Location where;
  Moment moment;
  std::string name;              ///< of what is watched; empty: the program prints
  std::string text;              ///< lines end with a newline, the last one too
  std::vector<std::byte> bytes;  ///< watched: elements in row-major order
  Elem elem = Elem::none;
  std::vector<int64_t> shape;
};

struct PipeStats {
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  uint64_t busy_cycles = 0, instructions = 0;
  uint64_t stall_cycles[16] = {};  ///< by Stall; busy + stalls == kernel_cycles()
};

/// The chip that a run was on, and what all its cores together did.
struct ChipUse {
  uint32_t blocks = 1, clusters = 0;           ///< 0 clusters: every block has its own
  uint32_t slots = 0;                          ///< blocks that run at the same time; 0: all
  uint64_t read_bytes = 0, written_bytes = 0;  ///< of GM
  uint64_t cube_ops = 0;                       ///< multiplications and additions of matrices
  double cube_peak = 0;                        ///< of those, per cycle of a cube core in 16 bits
  uint64_t vector_ops = 0;                     ///< elements that vector units computed, converted or copied
  double vector_peak = 0;                      ///< of those, per cycle of a vector core in 16 bits
  uint64_t resource_cycles[8] = {};            ///< waits of all pipes, by Resource
  Basis launch_basis = Basis::measured;
  double clock_ghz = 0;
  double l2_read = 0, l2_write = 0, hbm = 0;  ///< bytes per cycle; 0: not known
  [[nodiscard]] uint32_t waves() const { return slots == 0 ? 1 : (blocks + slots - 1) / slots; }
};

struct SimResult {
  uint64_t total_cycles = 0;   ///< with the launch
  uint64_t launch_cycles = 0;  ///< before the first block runs; all times of events count from here
  [[nodiscard]] uint64_t kernel_cycles() const { return total_cycles - launch_cycles; }
  ChipUse chip;
  uint64_t instructions = 0;
  std::vector<CoreInfo> cores;
  std::vector<PipeStats> pipes;
  Diagnostics findings;  ///< what the program does wrong, or depends on by luck; ids are in pto/rules.hpp
  bool ended = true;     ///< false: a deadlock, a limit or a finding stopped the run, or the caller did
  bool deadlock = false;
  bool interrupted = false;       ///< SimOptions::stop
  uint64_t basis_cycles[4] = {};  ///< busy cycles by Basis
  uint64_t unknown_cost = 0;      ///< instructions timed by --allow-unknown-cost
  /// Statements that set a flag which, under some timing, nobody has taken since the set before: what the run
  /// tells holds where flags count (Machine::flags).
  uint64_t double_sets = 0;
  /// Per argument: bytes of it that were written, or kReadAsWell; empty where nobody asked
  /// (SimOptions::count_written).
  std::vector<uint64_t> written_bytes;
  static constexpr uint64_t kReadAsWell = ~uint64_t{0};
  /// UNINIT of moves that say nothing by themselves: an output has some of the bytes that nobody wrote, and
  /// who knows which of its elements count, knows whether that matters.
  std::vector<Diagnostic> padding;
};

/// Hypotheses: differences of a run from its machine and program ("what if").
struct Hypotheses {
  std::vector<Pipe> free;         ///< instructions of these queues take no time
  std::vector<uint32_t> no_wait;  ///< operations whose waits let go at once
  double bandwidth = 1;           ///< bytes between GM and the chip move so many times faster
};

/// Checks beside the errors that stop a run.
struct CheckOptions {
  bool races = true, uninitialised = true;
  /// Patterns that on-chip memory holds in further runs after reads of unwritten bytes. An output that
  /// differs from the first run's depends on such bytes: the warnings say so, and a move of nothing but such
  /// bytes is an error. Moves that no output depends on are padding and not reported. A run with the next
  /// pattern follows where the one before showed no computed value; empty: no further runs. The patterns are
  /// signalling NaNs of f32, f16 and bf16, which most computations propagate; then values for conversions,
  /// maxima and minima: a large one, and a negative one that integers without saturation keep in part. Every
  /// bit is set in one of the three.
  std::vector<uint32_t> fill_patterns{0x7fa07fa0, 0x7a7b7a7b, 0xcb74cb74};
  /// After a RACE a second run with the adverse schedule leaves its results in the arguments: a reader gets
  /// the bytes from before the write, or from after it where it comes first in the text, and of two writes
  /// the first one stays. Its findings are not reported. False: the order in which they happened in the first
  /// run.
  bool adverse_schedule = true;
};

/// Limits of a run.
struct RunLimits {
  uint64_t cycles = 0;        ///< 0: none
  uint64_t instructions = 0;  ///< per core, those in vector functions included; 0: none
  /// A scalar loop that queues nothing for so long, or a vector function of so many steps, is HANG.
  uint64_t endless_steps = uint64_t{1} << 28;
  size_t findings = Diagnostics::kDefaultLimit;  ///< errors and warnings each; 0: all
};

namespace sim {
struct RunHooks;  // src/sim/engine/run_hooks.hpp
}

struct SimOptions {
  Mode mode = Mode::run;
  std::string target;                 ///< "a2a3", "a5", "cpu" or a config path
  std::vector<std::string> settings;  ///< KEY=VALUE put over its configuration: "machine.queue_depth=4"
  std::string entry;                  ///< kernel name; empty: the only one
  uint32_t blocks = 1;
  bool documented_costs = false;  ///< --cost-basis documented
  bool allow_unknown_cost = false;
  bool launch = true;  ///< count the launch of the kernel
  /// Threads of the host that compute values; 0: as many as the host has cores. Results and findings do not
  /// depend on it.
  uint32_t threads = 0;
  uint32_t fill_on_chip = 0;   ///< 32 bits that on-chip memory repeats before anything is written
  bool count_written = false;  ///< SimResult::written_bytes
  CheckOptions checks;
  RunLimits limits;
  WarningPolicy warnings;  ///< for warnings among the findings
  Hypotheses hypotheses;
  const std::atomic<bool>* stop = nullptr;  ///< once true, the run ends soon, with the finding INTERRUPTED
  /// NAME or NAME@LINE: tiles and pointers by the name of their value in instructions that write them (on
  /// that line), buffers by the name of their argument, whoever writes them.
  std::vector<std::string> watch;
  /// Called in the order of simulated time. Nothing is printed or watched without it, or without data.
  std::function<void(const Printed&)> print;
  std::function<void(uint64_t cycles, uint64_t instructions)>
      progress;                          ///< called about every 100 ms of host time
  const sim::RunHooks* hooks = nullptr;  ///< of the tools' own analyses; null for all others
};

/// Runs once. The program must have passed verification, and its tiles have addresses: plan() gives them to
/// programs that leave them open. Arguments are in kernel order and receive the outputs. Errors (not
/// findings): unknown entry, wrong argument count, a tile without an address, unsupported instruction
/// (Kind::unsupported), bad config.
Result<SimResult> simulate(const Program& program, std::vector<Argument>& arguments,
                           const SimOptions& options, std::span<Observer* const> observers = {});

}  // namespace pto
