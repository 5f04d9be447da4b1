// State of the simulated device: lanes with their queues, the scalar unit, flags, buffer tokens, semaphores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/simt/simt_family.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/operand_blocks.hpp"
#include "sim/loader/kernel_code.hpp"
#include "sim/memory/device_memory.hpp"

namespace pto::sim {

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
inline constexpr uint32_t kNoControl = ~0u;

/// Versions of the control registers: a queued instruction sees those of the moment it issued.
class ControlPool {
 public:
  ControlPool() : states_(1), uses_(1, 0) {}
  [[nodiscard]] uint32_t capture() {
    ++uses_[current_];
    return current_;
  }
  void release(uint32_t version) {
    if (--uses_[version] == 0 && version != current_) free_.push_back(version);
  }
  /// The live registers for reading.
  exec::ControlState& live() { return states_[current_]; }
  exec::ControlState& at(uint32_t version) { return states_[version]; }
  /// The live registers for writing: a version that queued instructions hold stays as it is.
  exec::ControlState& writable() {
    if (uses_[current_] == 0) return states_[current_];
    uint32_t fresh = static_cast<uint32_t>(states_.size());
    if (free_.empty()) {
      states_.emplace_back();
      uses_.push_back(0);
    } else {
      fresh = free_.back();
      free_.pop_back();
    }
    states_[fresh] = states_[current_];
    current_ = fresh;
    return states_[fresh];
  }

 private:
  std::deque<exec::ControlState> states_;  // addresses stay valid while an instruction runs
  std::vector<uint32_t> uses_, free_;
  uint32_t current_ = 0;
};

/// Why an agent does not move.
enum class Block : uint8_t {
  none,
  flag,
  flag_full,  ///< a set: no wait has taken the sets before
  unit_flag,  ///< the other one of M and FIX has not handed the accumulator over
  barrier,
  barrier_all,
  buffer,
  cross_core,
  meeting,  ///< other cores count themselves in GM
  queue_full,
  results,
  halted
};

/// What an agent's idle time is called while it is blocked.
inline Stall stall_of(Block block) {
  switch (block) {
    case Block::flag:
    case Block::flag_full:
    case Block::unit_flag:
      return Stall::flag;
    case Block::barrier:
    case Block::barrier_all:
    case Block::results:
      return Stall::barrier;
    case Block::buffer:
      return Stall::buffer;
    case Block::meeting:
    case Block::cross_core:
      return Stall::cross_core;
    case Block::queue_full:
      return Stall::queue_full;
    case Block::none:
    case Block::halted:
      break;
  }
  return Stall::not_issued;
}

/// One entry of a queue, from issue until its effects are complete. Many cores have many of them: it holds no
/// more than every entry needs.
struct Slot {
  const BytecodeInst* code = nullptr;
  uint64_t time = 0;  ///< when it issued; once it has started, when its effects are complete
  uint32_t control = kNoControl;
  uint32_t block = 0;      ///< of Core::blocks
  int16_t id = 0;          ///< flag or semaphore id, resolved
  bool settled = false;    ///< effects applied and reported
  bool fetching = false;   ///< bytes of another device are on their way
  bool signalled = false;  ///< a signal between cores that is on its way
};
/// What some entries need besides.
struct SlotFacts {
  uint64_t issue_token = 0, token = 0;  ///< ordering facts for observers
  uint64_t step = 0;                    ///< its number for a DependenceObserver
  uint32_t unit_wait = 0;  ///< hand-overs of its accumulator by the other pipe that stand before it
  uint32_t held = 0;       ///< how long the hub of signals had no time for it
};

struct LaneStats {
  uint64_t busy = 0, instructions = 0;
  std::array<uint64_t, 16> stall{};
};

/// A pipe and its queue. Entries live in a ring: done <= started <= issued.
struct Lane {
  std::vector<Slot> slots;
  std::vector<SlotFacts> slot_facts;  ///< empty until an entry needs them
  uint64_t capacity = 0, mask = 0;    ///< a power of two, once there are entries
  uint64_t issued = 0, started = 0, done = 0;
  uint64_t free_at = 0;    ///< when the next entry can start
  uint64_t last_end = 0;   ///< when everything started is complete
  uint64_t idle_from = 0;  ///< accounted for up to here
  Block block = Block::none;
  bool behind_wait = false;  ///< the entry in front was a wait for a flag
  uint32_t key = 0;          ///< what it is blocked on: flag index, buffer id, semaphore id
  LaneStats stats;

  Slot& slot(uint64_t serial) { return slots[serial & mask]; }
  [[nodiscard]] const Slot& slot(uint64_t serial) const { return slots[serial & mask]; }
  SlotFacts& facts(uint64_t serial) {
    if (slot_facts.empty()) slot_facts.resize(capacity);
    return slot_facts[serial & mask];
  }
  [[nodiscard]] bool empty() const { return started == issued; }
  [[nodiscard]] uint64_t waiting() const { return issued - started; }
  [[nodiscard]] bool full() const { return issued - done == capacity; }
  /// The slot of the entry that is issued next.
  Slot& make_slot() {
    if (full()) grow();
    return slot(issued);
  }
  /// Gives its memory back; only when nothing is under way.
  void release() {
    slots = {};
    slot_facts = {};
    capacity = mask = 0;
  }

 private:
  void grow();
};

struct ScalarState {
  uint32_t at = 0;  ///< position in the role's code
  uint64_t time = 0;
  Block block = Block::none;
  uint32_t key = 0;
  uint64_t block_begin = 0;
  Block resumed = Block::none;     ///< what the instruction at `at` has waited for already
  uint64_t first_block_begin = 0;  ///< since when
  uint64_t steps_without_queue = 0, instructions = 0;
  LaneStats stats;
  bool used = false;
  bool waiting_for_memory = false;  ///< looks at it again and again
  bool asleep = false;              ///< until something comes from another device
  uint64_t meeting_token = 0;       ///< what the others of the meeting did
  uint64_t meeting_step = 0;        ///< the same for a DependenceObserver
  uint64_t moves_seen = 0;          ///< of the device, when it last looked in vain
};

/// What waits in a flag.
struct Pending {
  uint32_t pc = ~0u;
  uint64_t time = 0, token = 0;
};
struct Flag {
  uint32_t count = 0;
  uint32_t first = 0;               ///< ring position of the oldest pending set
  Pending one;                      ///< where there is never more than one
  std::unique_ptr<Pending[]> ring;  ///< else
};

/// The flags of a core and the sets that wait in them. A pair of pipes gets its flags when the first one is
/// set: most kernels use few of the pairs, and a launch has many cores.
class FlagTable {
 public:
  void prepare(size_t pairs, uint32_t ids, uint32_t capacity) {
    groups_.resize(pairs);
    ids_ = ids;
    capacity_ = capacity;
  }
  Flag& at(uint32_t index) {
    std::unique_ptr<Flag[]>& group = groups_[index / ids_];
    if (!group) group = std::make_unique<Flag[]>(ids_);
    return group[index % ids_];
  }
  /// Null when no flag of the pair was ever set.
  [[nodiscard]] Flag* find(uint32_t index) const {
    Flag* const group = groups_[index / ids_].get();
    return group == nullptr ? nullptr : &group[index % ids_];
  }
  [[nodiscard]] uint32_t count(uint32_t index) const {
    const Flag* const flag = find(index);
    return flag == nullptr ? 0 : flag->count;
  }
  /// Of flags whose count is not 0.
  [[nodiscard]] const Pending& oldest(const Flag& flag) const { return place(flag, flag.first); }
  [[nodiscard]] const Pending& oldest(uint32_t index) const { return oldest(*find(index)); }
  [[nodiscard]] const Pending& newest(const Flag& flag) const {
    return place(flag, flag.first + flag.count - 1);
  }
  /// Of a flag whose count is less than the capacity.
  void push(Flag& flag, const Pending& set) const {
    if (flag.count == 1 && !flag.ring) {
      flag.ring = std::make_unique<Pending[]>(capacity_);
      flag.ring[flag.first] = flag.one;
    }
    (flag.ring ? flag.ring[(flag.first + flag.count) % capacity_] : flag.one) = set;
    ++flag.count;
  }
  void pop(Flag& flag) const { flag.first = --flag.count == 0 ? 0 : (flag.first + 1) % capacity_; }

 private:
  [[nodiscard]] const Pending& place(const Flag& flag, uint32_t at) const {
    return flag.ring ? flag.ring[at % capacity_] : flag.one;
  }
  std::vector<std::unique_ptr<Flag[]>> groups_;
  uint32_t ids_ = 1, capacity_ = 1;
};

struct BufferToken {
  std::array<uint32_t, kLanes> issued{}, done{};             ///< rls_buf per lane
  std::array<int32_t, kLanes> held{};                        ///< get_buf - rls_buf per lane
  std::array<uint32_t, kLanes> last_get{}, last_release{};   ///< pc
  std::array<std::array<uint64_t, kLanes>, kLanes> token{};  ///< [from][to], for observers; 0 none
};

/// An ordering fact that a signal carries, and who released it.
struct OrderToken {
  uint64_t token = 0;
  uint32_t core = 0;
  uint8_t lane = 0;
  bool meeting = false;  ///< one token that all cores of a group release and acquire
  uint64_t step = 0;     ///< the signal's, or the meeting's, number for a DependenceObserver
};

/// A cross-core semaphore as its waiter sees it.
struct Semaphore {
  uint32_t count = 0;
  std::array<uint32_t, 3> part{};  ///< A2/A3: signals by cluster role that wait for their partner
  uint32_t last_set = ~0u;         ///< pc
  uint32_t held = 0;               ///< of the last signal: what the hub had no time for it
  bool taken = false;              ///< a wait has taken a signal
  std::vector<std::vector<OrderToken>> tokens;  ///< per count (at most 15), for observers
  std::vector<OrderToken> gathered;             ///< of AIVs whose partner has not signalled yet
};

/// The unit flag of an accumulator: what M (0) and FIX (1) have handed over to the other.
struct UnitFlag {
  struct Side {
    uint32_t issued = 0, started = 0;
    struct Entry {
      uint64_t end = 0, step = 0;
    };
    std::deque<Entry> last;  ///< of those that started
    uint64_t token = 0;      ///< of the last one that is complete
    void start(Entry entry) {
      constexpr size_t kKept = 64;  // no queue is that deep
      last.push_back(entry);
      if (last.size() > kKept) last.pop_front();
      ++started;
    }
    /// The last of the first `count`, which have started.
    [[nodiscard]] Entry entry(uint32_t count) const {
      const size_t after = started - count;
      return after < last.size() ? last[last.size() - 1 - after] : Entry{};
    }
  };
  std::array<Side, 2> sides{};
  static size_t side_of(unsigned lane) { return lane == static_cast<unsigned>(lane_of(Pipe::m)) ? 0 : 1; }
  Side& own(unsigned lane) { return sides[side_of(lane)]; }
  Side& other(unsigned lane) { return sides[1 - side_of(lane)]; }
};

/// Positions in Core::at: completions by lane, scalar unit, starts by lane (a lane with a queue has these
/// two). The order breaks ties of one cycle.
inline constexpr unsigned kCompleteAt = 0, kScalarAt = kLanes, kStartAt = kLanes, kAgents = 16;

struct Core {
  CoreInfo info;
  const CoreCode* role = nullptr;
  std::vector<exec::Word> frame, vf_frame, scratch;
  std::unique_ptr<CoreMemory> memory;
  ControlPool control;
  EntryBlocks blocks;
  std::array<Lane, kLanes> lanes;  ///< the scalar unit has no queue: its own stays empty
  ScalarState su;
  std::array<uint64_t, kAgents> at{};  ///< next time of each agent
  FlagTable flags;                     ///< [src][dst][id]
  /// Sets of a flag less waits for it, in program order; kept where instructions use flags themselves.
  struct OpenSets {
    int64_t count = 0;
    uint32_t pc = ~0u;  ///< the last set
  };
  std::map<uint32_t, OpenSets> open_sets;  ///< by flag_index
  std::map<uint64_t, UnitFlag> units;      ///< by the address of the accumulator
  std::vector<BufferToken> buffers;        ///< made when the scalar unit comes to the first one
  std::vector<Semaphore> semaphores;
  std::vector<uint32_t> group_sets;  ///< kAllOfKind, kVectorPair: signals made per id
  exec::ThreadContext context;
  exec::KeptValues kept;       ///< by the threads of SIMT launches
  bool captures_loops = true;  ///< entries keep the loop variables around them; time mode has no time for it
  uint64_t vector_steps = 0;   ///< instructions inside of vector functions
  bool started = true;         ///< false while its block waits for a core
  bool retired = false;        ///< it has ended, its memory is given back
  uint32_t waits_outside = 0;  ///< pipes that wait for another core
  [[nodiscard]] uint32_t role_index() const { return info.kind == CoreKind::aiv ? 1 + info.subblock : 0; }
  /// How often the synchronisation at a position of the code ran.
  [[nodiscard]] uint64_t runs(size_t position) const { return position < runs_.size() ? runs_[position] : 0; }
  void count_run(const BytecodeInst& code) {
    if ((code.flags & kOwnFlag) != 0) return;
    if (runs_.empty()) runs_.assign(role->code.size(), 0);
    uint32_t& runs = runs_[static_cast<size_t>(&code - role->code.data())];
    runs += runs != std::numeric_limits<uint32_t>::max();
  }
  /// The words of an entry with this code, without the variables of the loops around it.
  [[nodiscard]] uint32_t operand_words(const BytecodeInst& code) const {
    if (code.op == OpCode::enqueue || code.op == OpCode::vector_function)
      return role->queued[code.inst].block_words;
    return code.op == OpCode::get_buf || code.op == OpCode::rls_buf ? kLanes : 0;
  }
  [[nodiscard]] uint32_t loop_words(const BytecodeInst& code) const {
    return captures_loops ? static_cast<uint32_t>(role->loops.places(code.c).size()) : 0;
  }
  exec::Word* block_of(const Slot& slot) { return blocks.words(slot.block); }
  [[nodiscard]] const exec::Word* end_of_block(const Slot& slot) const {
    return blocks.words(slot.block) + operand_words(*slot.code) + loop_words(*slot.code);
  }
  /// The first entry of a lane is done.
  void leave(Lane& lane) { blocks.drop(lane.slot(lane.done++).block); }
  [[nodiscard]] bool drained() const {
    return std::ranges::all_of(lanes,
                               [](const Lane& lane) { return lane.empty() && lane.done == lane.started; });
  }

 private:
  std::vector<uint32_t> runs_;
};

/// The scalar unit goes on at `time`, or where it began to wait if that is later.
inline void wake_scalar(Core& core, uint64_t time) {
  core.at[kScalarAt] = std::max(time, core.su.block_begin);
}

/// Parameters the engine derives from the machine once.
struct EngineConfig {
  uint64_t queue_depth = 1;  ///< grows while a deadlock analysis looks for a cure
  uint32_t issue_cycles = 1, scalar_cycles = 1;
  uint32_t event_ids = 8, buffer_ids = 32;
  uint32_t flag_capacity = 1;              ///< sets of a flag that do not wait
  uint32_t flag_places = 1;                ///< sets of a flag, with those that let go of their wait
  uint32_t pair_ids = 0, signal_ids = 16;  ///< kOneToOne, which A5 has; the other modes
  FlagKind flags = FlagKind::counter;
  bool key_has_src = true, key_is_settled = true;
  /// Semaphores of kOneToOne stand in front of those that the other modes share.
  [[nodiscard]] uint32_t semaphore(uint32_t mode, int id) const {
    return static_cast<uint32_t>(id) + (mode == kOneToOne ? 0 : pair_ids);
  }
  [[nodiscard]] uint32_t id_of(size_t semaphore) const {
    return static_cast<uint32_t>(semaphore < pair_ids ? semaphore : semaphore - pair_ids);
  }
  [[nodiscard]] uint32_t ids(uint32_t mode) const { return mode == kOneToOne ? pair_ids : signal_ids; }
  [[nodiscard]] uint32_t flag_index(unsigned src, unsigned dst, unsigned id) const {
    return ((key_has_src ? src : 0u) * kLanes + dst) * event_ids + id;
  }
};

struct Device {
  const Program* program = nullptr;
  const Machine* machine = nullptr;
  const Kernel* kernel = nullptr;
  EngineConfig config;
  GlobalMemory gm;
  std::vector<std::vector<exec::Word>> frames;  ///< per role: its frame with the arguments in place
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<CoreMemory>>
      idle;                             ///< memories of vector cores that run nothing beside a cube kernel
  Fill fill;                            ///< what on-chip memories hold at first
  std::array<uint64_t, kLanes> slow{};  ///< what the cost of a lane's instructions is multiplied by
  uint32_t slots = 0;                   ///< blocks that run at the same time; 0: all
  uint32_t next_block = 0;              ///< that has not started
  uint32_t resident = 0;                ///< blocks that run
  uint64_t now = 0;
  RankEndpoint* port = nullptr;  ///< to other devices, where there are some
  bool stopped = false;          ///< a finding ended the run early, or the caller did
};

}  // namespace pto::sim
