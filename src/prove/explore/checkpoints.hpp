// Checkpoints: the states of explicit-state model checking. A checkpoint is taken before a scalar
// unit loads a control-relevant input. Its state is the part of the machine state that the rest of
// the run depends on. Two runs with the same state have the same future, so only one of them is
// continued.
//
// Example: a kernel that copies the rows that a table does not skip, through one UB buffer.
//
//     set_flag[MTE3, MTE2, 0]                  the buffer is empty
//     for i = 0 to n:
//       s = load skip[i]                       control-relevant load
//       if s == 0:
//         wait_flag[MTE3, MTE2, 0]
//         MTE2: UB <- GM row i
//         set_flag[MTE2, MTE3, 0]; wait_flag[MTE2, MTE3, 0]
//         MTE3: GM row i <- UB
//         set_flag[MTE3, MTE2, 0]
//
// `skip[i]` has the representative values -1, 0 and 1. The search starts with 0 for every cell and
// tries the other values at each checkpoint:
//
//     run 1   C0 --skip[0] = 0--> C1  --skip[1] = 0--> C2 ...
//     run 2   C0 --skip[0] = 1--> C1'                  not continued: C1 subsumes C1'
//
//     state                C1                               C1'
//     positions            load of skip[1], i = 1           load of skip[1], i = 1
//     key: pending flags   MTE3 -> MTE2, id 0               MTE3 -> MTE2, id 0
//     pending_accesses     UB read by MTE3 (row 0),         none
//                          not known to MTE2
//
// The value of skip[0] is not part of the state: no operation after its branch uses it (LiveLoads).
// The keys are equal, and C1 has every pending access of C1' and more. So every race, deadlock or
// leftover flag after C1' also occurs after C1: `subsumes` is true. For n = 8 the search takes 7
// runs in place of 3^8 = 6,561.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "check/pipe_threads.hpp"
#include "ir/regions.hpp"
#include "prove/abstract/control_slice.hpp"
#include "prove/alias/conflict_sets.hpp"
#include "prove/alias/shared_gm.hpp"
#include "prove/explore/live_loads.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "prove/explore/queue_slot_counts.hpp"
#include "pto/machine.hpp"

namespace pto::driver {

/// Where a core loads: the loops around it with their counters, and the operation.
struct ProgramPoint {
  uint32_t core = 0, op = 0;
  std::vector<std::pair<uint32_t, int64_t>> loops;  ///< outermost first
  auto operator<=>(const ProgramPoint&) const = default;
  /// Whether a core at this point has passed the other load on every path.
  [[nodiscard]] bool is_after(const ProgramPoint& other) const;
};
/// Numbers that are loaded again when others have been loaded, and where.
using ReloadedCells = std::map<MemoryCell, std::set<ProgramPoint>>;

/// Facts about a kernel that checkpoints depend on.
struct CheckpointRules {
  const Program* program = nullptr;
  LiveLoads* live = nullptr;
  Machine machine;
  QueueSlotCounters queue_ops;
  std::map<uint32_t, uint32_t> queue_signals;  ///< queue_slot_counts.hpp
  std::map<uint32_t, uint32_t> trips;  ///< free numbers that say how often a loop runs: by load, the loop
  const InputSlice* slice = nullptr;
  ReloadedCells reloaded;
  std::set<uint32_t> shared;  ///< arguments of which several pipes touch the same bytes
};

/// The machine state at a checkpoint that the rest of the run depends on.
struct CheckpointState {
  std::string key;  ///< positions and live values of the scalar units, pending flags
  /// Accesses and waits that are not yet ordered before all conflicting ones, with the pipes that
  /// know of them.
  std::map<std::string, std::string> pending_accesses;
  std::vector<ProgramPoint> positions;  ///< of the key: where the cores come to load next
  /// How often loops run that cores are in, where one free number says so (prove/abstract/havoc.hpp); in
  /// the key, too.
  std::map<uint32_t, int64_t> trip_counts;
  std::string remainder;  ///< the other parts of the key
  void write_key();
  /// State subsumption: every behaviour of `other` is a behaviour of this state. The keys are
  /// equal, the pending accesses are a superset, and each of them is known to a subset of the
  /// pipes.
  [[nodiscard]] bool subsumes(const CheckpointState& other) const;
};

/// The ways in which loads come to their places, over all runs of a kernel.
class LoadContexts {
 public:
  uint32_t id_of(std::string way) {
    return ids_.try_emplace(std::move(way), static_cast<uint32_t>(ids_.size() + 1)).first->second;
  }

 private:
  std::map<std::string, uint32_t> ids_;
};

class Checkpoints final : public Observer {
 public:
  Checkpoints(const CheckpointRules& rules, InputLoadTracker& reads, LoadContexts& ways,
              SharedGmArguments& sharing, ConflictSets& use)
      : overlapping_(sim::overlapping_threads(rules.machine)),
        rules_(rules),
        reads_(reads),
        contexts_(ways),
        sharing_(sharing),
        use_(use) {}

  void on_context(const RunContext& context) override { context_ = &context; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;

  /// Sorts the cells of InputLoadTracker, which arrive in the order of time, by an order that
  /// depends only on their values. So runs that find the same values follow the same path,
  /// independent of the timing of cores.
  void sort_cells();
  /// The checkpoint state before each cell of InputLoadTracker is read; nullopt if it cannot be
  /// determined.
  [[nodiscard]] std::vector<std::optional<CheckpointState>> states(const MemoryInputs& contents);
  /// Adds cells that a core loads again after others. False if all of them were known.
  bool add_reloaded(ReloadedCells& all) const;

 private:
  struct Event {
    enum class Kind : uint8_t { release, acquire, access } kind = Kind::access;
    uint32_t thread = 0;
    uint64_t position = 0;  ///< of the entry in its core's scalar stream
    uint64_t token = 0;     ///< or the number of the access
    bool last = false, issue = false;
    int flag = -1;
    uint32_t pc = 0, other = 0;  ///< other: the thread at the other end
  };
  struct Token {
    sim::SharedPipeClock clock;
    uint32_t from = 0, to = 0, pc = 0;
    int flag = -1;
    bool issue = false;
    /// Which instruction set a flag is of no importance.
    [[nodiscard]] std::array<int64_t, 4> key() const {
      return {from, to, flag >= 0 ? -1 : int64_t{pc}, flag};
    }
  };
  struct Last {
    order::Epoch at;
    uint32_t access = 0;  ///< its number
  };
  /// Accesses of one thread that can be races with the same ones: the last of them is known by the fewest.
  using AccessClass = std::tuple<uint32_t, uint8_t, uint32_t>;  ///< thread, kind, group
  struct Read {
    uint64_t position = 0;
    size_t place = 0;
    ProgramPoint at;
    uint32_t equality_class = 0;  ///< InputSlice::SymbolicAddress
    [[nodiscard]] bool precedes(const Read& other) const;
  };
  using Flag = std::tuple<uint32_t, uint32_t, int>;  ///< source and target thread, id

  void note_entry(uint32_t core, uint32_t op, const QueueSlotCounter& use);
  void note_in_gm(const FootprintEvent& event, ConflictSets::Access access, uint64_t position);
  void note_access(const ConflictSets::Access& access, uint64_t position);
  void reach_load(uint32_t index);
  [[nodiscard]] uint32_t signal_of(uint32_t pc) const;
  [[nodiscard]] bool is_blocked(const Event& event) const;
  void run_until_blocked();
  void replay(const Event& event);
  void find_limits(size_t places);
  [[nodiscard]] CheckpointState state(size_t place, const MemoryInputs& contents);
  void write_positions(CheckpointState& state, size_t place, const MemoryInputs& contents);
  [[nodiscard]] bool can_reach(const ProgramPoint& here, const ProgramPoint& load) const;
  void write_slot_counts(size_t core, uint64_t limit, std::string& out) const;
  void write_pending(std::string& out);
  void write_blocked(std::string& out);
  uint32_t context_of(const FootprintEvent& event, const Moment& moment);
  void write_observers(std::map<std::string, std::string>& out);
  [[nodiscard]] std::string observers_mask(const Last& last) const;
  [[nodiscard]] bool happens_before_all(const Last& last) const;

  [[nodiscard]] bool overlaps(uint32_t thread) const { return overlapping_[thread % sim::kThreads]; }

  std::array<bool, sim::kThreads> overlapping_;
  sim::SharedPipeClock::Arena clocks_;  ///< before all that holds some of them
  order::HappensBefore<sim::SharedPipeClock> order_;
  const CheckpointRules& rules_;
  InputLoadTracker& reads_;
  LoadContexts& contexts_;
  SharedGmArguments& sharing_;
  ConflictSets& use_;
  const RunContext* context_ = nullptr;
  std::vector<CoreInfo> cores_;
  // the run
  std::vector<Event> events_;
  std::vector<uint64_t> scalar_at_;                ///< per core
  std::vector<uint64_t> current_;                  ///< per thread: position of its entry
  std::unordered_map<uint64_t, uint64_t> issued_;  ///< tokens of entries
  std::vector<std::vector<Read>> core_reads_;
  std::map<std::string, uint32_t> times_;  ///< how often one load in one iteration has come
  struct Entries {
    std::vector<uint64_t> positions;
    std::vector<uint64_t> counters;  ///< of the loops around the last one
  };
  std::vector<std::map<uint32_t, Entries>> entries_;  ///< per core and queue operation
  // what is replayed of it
  std::vector<std::vector<uint64_t>> limits_;  ///< per core, of each cut: the position that it comes before
  struct Position {
    size_t next = 0;                    ///< read of the core
    std::map<uint32_t, size_t> loaded;  ///< by operation: the cell of its last load
  };
  std::vector<Position> positions_;  ///< per core
  std::vector<size_t> reloaded_;     ///< places in front of the cut that are loaded again
  /// By unit: events from the first one that waits for an event after the checkpoint.
  std::map<uint32_t, std::deque<uint32_t>> blocked_;
  std::map<uint64_t, Token> tokens_;
  std::vector<const Token*> pending_;  ///< in an order that does not depend on time
  std::map<AccessClass, Last> last_;
  std::map<Flag, std::vector<Last>> waits_;
  bool is_inconsistent_ = false;
};

}  // namespace pto::driver
