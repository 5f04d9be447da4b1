// Flag insertion: where set_flag, wait_flag and barriers go in a program without them.
//
// A loop of three instructions, and what the planner knows behind each of them. Every event of the
// block has a stamp. A clock is [MTE2 V MTE3]: the last stamp of each pipe that is known to be
// complete (order/happens_before.hpp).
//
//   scf.for ..                          stamp  needs       flag                   clock behind it
//     tload  ins(%x) outs(%a)     MTE2      2  -           -                      MTE2 [ 2  0  0]
//     tadd   ins(%a, %a) outs(%b) V         5  MTE2 at 2   MTE2 -> V, wait at 4   V    [ 2  5  0]
//     tstore ins(%b) outs(%o)     MTE3      8  V at 5      V -> MTE3, wait at 7   MTE3 [ 2  5  8]
//   once more: a need that the clocks do not cover gets a flag around the back edge
//     tload                       MTE2     10  V at 5      V -> MTE2, wait at 9   MTE2 [10  5  0]
//     tadd                        V        13  MTE3 at 8   MTE3 -> V, wait at 12  V    [10 13  8]
//     tstore                      MTE3     15  V at 5      -                      MTE3 [10 13 15]
//
//   The result:
//     set_flag V, MTE2, 0; set_flag MTE3, V, 0                  for the first waits
//     scf.for .. {
//       wait_flag V, MTE2, 0; tload; set_flag MTE2, V, 0
//       wait_flag MTE2, V, 0; wait_flag MTE3, V, 0; tadd; set_flag V, MTE3, 0; set_flag V, MTE2, 0
//       wait_flag V, MTE3, 0; tstore; set_flag MTE3, V, 0
//     }
//     wait_flag V, MTE2, 0; wait_flag MTE3, V, 0                take the last sets
//
// How to read it: the first tadd needs MTE2 at 2, as it reads %a. Its clock has 0 for MTE2, so a
// flag goes from there. The tstore needs V at 5, and its flag tells of MTE2 at 2 as well: a need
// that follows from another one costs nothing. A flag may be set again only once its wait is known:
// MTE2 sets its flag again behind stamp 10, where it knows V at 5, and V had waited at 4. Where the
// clocks do not show that, the block ends with a barrier (BlockOrder::check_flags).
//
// Limits: an item that loops or branches counts as one event with all that it may touch. Event ids
// are few (EventIds), so flags may share one or become a barrier. The tests judge the result by an
// implementation of its own, plan_oracle.hpp.
//
// A block is the operations directly in a function body, a section, a loop body or a branch. Its items are
// operations with a place in a pipe's queue, and nested structures, which count as one item with everything
// in them. Two accesses that conflict meet as two items of exactly one block (or as two branches of one
// item), and that block orders them:
//   forward   set_flag after the earlier item, wait_flag before the later one, both in this block
//   backward  for a block that repeats: set_flag after an item, wait_flag before an item of the next time
//             around; one set right before a loop feeds the first wait, one wait right behind it takes the
//             last flag. That loop is the innermost one where nobody waits longer for it (Item::rings)
// In a function that runs on cube and vector cores, sections are no blocks: what stands in one is part of the
// block around it, done by the pipes of its core. A flag between pipes of two cores is a signal
// (core_signals.cpp). What a pipe knows of the others' progress is a vector clock, so that an order that
// follows from others costs nothing. Everything that sets and waits in pairs need (a flag is taken before it
// is set again) is read off the clocks; where they do not show it, a `barrier <PIPE_ALL>` stands instead.
// docs/user/auto-mode.md tells the whole story.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "order/happens_before.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "plan/sync/byte_segments.hpp"
#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/plan.hpp"

namespace pto::planner {

inline constexpr int kChannels = kLanes * kLanes;  ///< within a core: source * kLanes + destination
inline constexpr uint32_t kNone = ~0u;
using Stamp = uint32_t;  ///< position in a block's order of events: the epochs of its clocks
using Clock = order::DenseClock<kAgents>;
/// Sets of cores, as bits; with kTogether both cores wait for each other. kBeside: beside the sections of a
/// function that has some, where what is for one core needs a section of its own.
using CoreBits = uint8_t;
inline constexpr CoreBits kFirstCore = 1, kBothCores = 3, kTogether = 4, kBeside = 8;

/// How far the source of a signal may be ahead of who waits for it, where nothing else keeps it back.
inline constexpr int kAhead = 4;
/// Ids of signals for programs; 11 to 14 are those of pto.syncall (docs/internals/engine.md).
inline constexpr int kSignalIds = 11;

struct PlannedFlag {
  int source = 0, destination = 0;  ///< agents
  uint32_t block = 0;
  uint32_t set_item = 0, wait_item = 0;  ///< items of the block
  Stamp set_stamp = 0, wait_stamp = 0;
  Stamp known = 0;        ///< destination's progress that the source knows when it sets
  Stamp known_again = 0;  ///< the same, the next time around
  bool backward = false, dropped = false;
  /// Made by EventIds: tells the source of a full channel what was taken; waits after its item.
  bool returned = false;
  int id = -1;
  /// Of a signal: the id under which the destination tells that it took one, so that the source is never more
  /// than so many ahead; -1: it need not.
  int credit_id = -1;
  [[nodiscard]] bool crosses() const { return core_of(source) != core_of(destination); }
  [[nodiscard]] int channel() const { return source % kLanes * kLanes + destination % kLanes; }
  [[nodiscard]] size_t pair() const { return pair_of(source, destination); }
};

constexpr int kUnordered = -1;  ///< in Item::phases

struct Item {
  uint32_t op = 0;
  uint32_t twin = kNone;    ///< the vector core's loop that runs in step with that of the cube core, `op`
  uint32_t nested = kNone;  ///< first block inside, when there are any
  uint32_t nested_end = kNone;
  SegmentUses footprint;
  CoreBits cores = kFirstCore;
  Pairs across;  ///< conflicts between exclusive branches, as conflicts()
  /// Whose flags in it may begin and end at it; that work in it alone.
  Pairs rings, alone;
  bool fence = false;   ///< everything before it is done on its cores, and it is done before what follows
  bool stands = false;  ///< a fence that the program has written: barrier <PIPE_ALL>
  bool label = false;   ///< the fence stands behind it: nobody knows which block was before
  CoreBits barrier_before = 0;  ///< barrier <PIPE_ALL>
  bool meets = false;           ///< both cores wait for each other before it, or before its section
  bool vector_barrier = false;  ///< barrier <PIPE_V>
  Stamp gate = 0, stamp = 0;    ///< before its waits; its own
  /// Pipes of one instruction, each after the one before it; kUnordered between two that are not.
  std::vector<int> phases;
  std::vector<uint32_t> waits;  ///< forward flags
};

struct Block {
  uint32_t region = 0;                       ///< index into Program::regions
  uint32_t twin_region = kNone;              ///< the vector core's, of loops that run in step
  uint32_t op = 0;                           ///< that holds the region
  uint32_t end = 0;                          ///< one past the last block inside
  uint32_t parent = kNone, parent_item = 0;  ///< the item it stands in
  uint32_t outermost_loop = kNone;           ///< operation
  bool repeats = false;                      ///< may run again without a barrier in between
  bool top = false;                          ///< function body: own event ids
  CoreBits cores = kFirstCore;
  CoreBits start_barrier = 0, end_barrier = 0;
  std::vector<Item> items;
  std::vector<uint32_t> forward, backward;         ///< flags, in order of their waits
  std::vector<order::HappensBefore<Clock>> entry;  ///< top blocks: what pipes know when an item starts
};

/// A synchronisation operation to insert.
struct SyncOp {
  enum class Kind : uint8_t { set, wait, barrier, signal, wait_signal } kind = Kind::barrier;
  Pipe source = Pipe::all, destination = Pipe::none;  ///< barrier and signals: source
  int id = 0;
  CoreBits section = 0;  ///< of the core that it is put into; 0: it is there, or all cores have it
  int mode = 2;          ///< of a signal: 2 between cube and vector cores, 1 among vector cores
};
struct Insertion {
  enum class Place : uint8_t { before, after, region_end } place = Place::before;
  uint32_t at = 0;   ///< operation, or region
  uint8_t rank = 0;  ///< among those at one place: barriers before waits before sets
  SyncOp op;
};

/// The last accesses to every segment in the block at hand, per pipe.
class History {
 public:
  explicit History(uint32_t segments) : last_(segments) {}
  void clear() { ++epoch_; }
  void record(const SegmentUses& footprint, Stamp stamp);
  /// Per pipe of the footprint: the latest conflicting item of every pipe, 0 when there is none.
  [[nodiscard]] std::array<Clock, kAgents> latest_conflicts(const SegmentUses& footprint) const;

 private:
  struct Last {
    uint32_t epoch = 0;
    Clock read{}, write{};
  };
  std::vector<Last> last_;
  uint32_t epoch_ = 0;
};

/// How the machine orders, and what is to be ordered.
struct OrderRules {
  int vector = lane_of(Pipe::v);  ///< the agent that is PIPE_V
  bool vector_barriers = false;   ///< it needs barriers between its own operations
  bool signals = false;           ///< cores too
};

/// Orders the items of a block among each other: fills in its flags and barriers.
class BlockOrder {
 public:
  BlockOrder(Block& block, uint32_t index, std::vector<PlannedFlag>& flags, History& history,
             const OrderRules& rules)
      : block_(block), index_(index), flags_(flags), history_(history), rules_(rules) {
    if (rules.vector_barriers) order_.set_overlapping(static_cast<uint32_t>(rules.vector));
  }
  void run();

 private:
  void first_time();
  void second_time();
  void check_flags();
  void find_rings();
  [[nodiscard]] bool ring_ends_at(uint32_t at, int source, int destination) const;
  void fence(CoreBits cores);
  void take(int source, int destination, const Clock& clock);
  void end_item(const Item& item);
  void forward(Item& item, uint32_t at, int destination, const Clock& needed);
  void backward(Item& item, uint32_t at, int destination, Clock needed);
  [[nodiscard]] int latest(const Clock& needed, int destination) const;
  uint32_t add_flag(PlannedFlag flag);
  void acquire(int pipe, const Clock& clock);
  void record(int pipe);
  [[nodiscard]] bool is_ordered(Stamp before, int source, int destination) const;
  [[nodiscard]] Clock known_clock(int pipe, Stamp stamp) const;
  [[nodiscard]] uint32_t item_at(Stamp stamp) const;

  struct Change {
    Stamp stamp;
    Clock clock;
  };
  Block& block_;
  uint32_t index_;
  std::vector<PlannedFlag>& flags_;
  History& history_;
  OrderRules rules_;
  Stamp now_ = 0;
  order::HappensBefore<Clock> order_{kAgents};
  std::array<std::vector<Change>, kAgents> changes_;
  int64_t seen_ = 0;          ///< items that have a stamp
  std::vector<Stamp> again_;  ///< stamps of the items, the second time
};

/// A function whose sections' orders are planned together.
struct PlannedFunction {
  uint32_t op = 0;
  uint32_t vector_op = kNone;  ///< of a launch of two functions the vector one; `op` is the cube's
  CoreBits cores = 0;          ///< that run it; 0: it has no sections, and runs on one kind
  bool signals = false;        ///< the tools order the cores as well
  int first_signal = 0;        ///< ids below are others'
  int kept_signals = 0;        ///< ids that are left for others behind its own
  bool divided = false;        ///< its sections are not its own: the text is one program, loop behind loop
};

/// Flags and barriers of one function. `fenced_calls` says per operation whether it is a call that must be
/// fenced.
class SyncPlanner {
 public:
  SyncPlanner(const Program& program, const Machine& machine, const ByteSegments& segments,
              const std::vector<bool>& fenced_calls, IdShortage shortage, Diagnostics& diagnostics);
  /// Appends what to insert; in order for each place. The number of ids of signals that it takes; errors are
  /// diagnostics.
  int plan_function(const PlannedFunction& function, std::vector<Insertion>& insertions);
  /// Whether a cube and a vector function that run together touch bytes in common, which one of them writes.
  [[nodiscard]] bool meet_in_memory(uint32_t cube, uint32_t vector);

 private:
  struct Nesting {
    uint32_t op = 0;
    uint32_t outermost_loop = kNone;
    bool repeats = false, top = false;
    CoreBits cores = kFirstCore;  ///< and kBeside
  };
  SegmentUses build(uint32_t region, const Nesting& context, uint32_t twin_region = kNone,
                    bool cube_first = true);
  void add_items(uint32_t region, const Nesting& context, std::vector<Item>& items);
  [[nodiscard]] bool holds_call(uint32_t op);
  Item make_item(const Nesting& context, uint32_t op);
  void call(Item& item) const;
  void add_footprint(Item& item, uint32_t op) const;
  void join_loops(std::vector<Item>& items, const Nesting& context);
  // shared_memory.cpp, dataflow_order.cpp
  class CallTouches;
  class Flow;
  [[nodiscard]] bool is_shared(Space space) const;
  [[nodiscard]] std::vector<Touch> touches_of(uint32_t op);
  void order_by_flow(std::vector<Item>& items, const Nesting& context);
  bool joins_by_flow(const Item& cube, const Item& vector);
  [[nodiscard]] std::string name_of(RootId root) const;
  [[nodiscard]] std::string memory_of(uint32_t first, uint32_t second);
  void refuse(const Touch& first, const Touch& second, int core_of_first, std::string_view why,
              std::string_view help);
  bool joins(const std::vector<Item>& items, size_t first, size_t second);
  Item join(const Item& first, const Item& second, const Nesting& context);
  void forget(const Item& item);
  void plan(const PlannedFunction& function);
  [[nodiscard]] uint32_t place_of(uint32_t op, int core) const;
  void emit_start(const Block& block, std::vector<Insertion>& insertions) const;
  void emit_end(const Block& block, std::vector<Insertion>& insertions) const;
  void nest(Item& item, const Nesting& context);
  void link_blocks();
  void reserve_ids(uint32_t function);
  [[nodiscard]] uint32_t loop_of_ring(const Block& block, const PlannedFlag& flag) const;
  void emit_block(const Block& block, std::vector<Insertion>& insertions) const;
  void emit_flag(const Block& block, const PlannedFlag& flag, std::vector<Insertion>& insertions) const;
  void emit_signal(const Block& block, const PlannedFlag& flag, std::vector<Insertion>& insertions) const;
  void emit_last(CoreBits cores, CoreBits context, uint32_t region, std::vector<Insertion>& insertions) const;
  void emit_meeting_of_functions(const Block& block, size_t item, std::vector<Insertion>& insertions) const;
  void emit_meeting(CoreBits cores, Insertion::Place place, uint32_t at,
                    std::vector<Insertion>& insertions) const;
  void emit_barrier(CoreBits cores, CoreBits context, Insertion::Place place, uint32_t at,
                    std::vector<Insertion>& insertions) const;
  [[nodiscard]] CoreBits section_at(uint32_t op, int core) const;
  // core_signals.cpp
  void give_signals();
  [[nodiscard]] size_t ids_wanted();
  bool meet_instead();
  [[nodiscard]] bool needs_credit(const PlannedFlag& flag) const;
  void refuse_uneven();
  void refuse(const PlannedFlag& flag, std::string_view why, std::string_view help);

  const Program& program_;
  const Machine& machine_;
  const ByteSegments& segments_;
  const std::vector<bool>& fenced_calls_;
  std::vector<uint32_t> calls_before_;  ///< by operation; made when it is first asked for
  IdShortage shortage_;
  Diagnostics& diagnostics_;
  PlannedFunction function_;
  std::vector<Block> blocks_;
  std::vector<PlannedFlag> flags_;
  std::array<int, kChannels> reserved_{};  ///< ids that instructions of the function use themselves
  History history_;
  std::vector<CoreBits> context_;              ///< by operation: the cores that come to it, and kBeside
  std::vector<uint32_t> section_of_;           ///< by operation in a section: that section
  SameValues same_;                            ///< of the two functions of a launch
  std::shared_ptr<CallTouches> call_touches_;  ///< made when a call is met
  std::map<uint32_t, uint32_t> twins_;         ///< loops that run in step, by that of the cube core
  bool quiet_ = false;                         ///< a look at orders, that refuses none
  bool may_join_ = true, met_ = false;         ///< met_: cores meet where signals were too many
  int next_signal_ = 0, meeting_ = -1;  ///< ids; of the two signals with which the cores meet, the first
};

/// Event ids for the flags of one core in a top block and everything in it; where ids run out, barriers stand
/// for flags, or one flag for two.
class EventIds {
 public:
  /// `reserved`: by channel, the first ids that instructions use themselves; the flags get those behind.
  EventIds(std::vector<Block>& blocks, std::vector<PlannedFlag>& flags, int core, int ids,
           const std::array<int, kChannels>& reserved, IdShortage shortage)
      : blocks_(blocks), flags_(flags), core_(core), ids_(ids), reserved_(reserved), shortage_(shortage) {}
  void run(uint32_t top);

 private:
  using Counts = std::array<int, kChannels>;
  [[nodiscard]] int ids(size_t channel) const { return std::max(ids_ - reserved_[channel], 0); }
  struct IdSlot {
    Stamp set = 0, wait = 0;  ///< of the last flag that used the id
    Stamp told = 0;           ///< what the destination knows of the source once it has waited
    uint32_t wait_item = 0;
    bool used = false;
  };
  using Slots = std::array<std::vector<IdSlot>, kChannels>;
  class Sharing;
  class Attempt;

  /// Flags that want an id of this core.
  [[nodiscard]] bool wants(uint32_t id) const {
    return !flags_[id].dropped && !flags_[id].crosses() && core_of(flags_[id].source) == core_;
  }
  [[nodiscard]] CoreBits bit() const { return static_cast<CoreBits>(1U << core_); }
  [[nodiscard]] std::vector<uint32_t> by_set(const std::vector<uint32_t>& ids) const;
  Counts fit_nest(const std::vector<uint32_t>& blocks);
  void close_until_fit(const std::vector<uint32_t>& blocks);
  bool join_two(const std::vector<uint32_t>& flags, int channel);
  void close(Block& block);
  [[nodiscard]] Counts count(const std::vector<uint32_t>& flags) const;
  void share_in(uint32_t block, const Counts& quota, const Counts& base);
  int try_sharing(uint32_t block, const Counts& quota);
  int check_reuse(Block& block);

  std::vector<Block>& blocks_;
  std::vector<PlannedFlag>& flags_;
  int core_, ids_;
  const std::array<int, kChannels>& reserved_;
  IdShortage shortage_;
};

}  // namespace pto::planner
