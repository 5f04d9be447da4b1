// One core without time: its queues and flags, and what orders what.
//
// Operations are issued in program order. An entry runs as soon as everything before it in its queue has run
// and what it waits for is there; so the order of runs is one of those the hardware may choose, and the
// clocks say what holds in all of them (order/happens_before.hpp). src/sim/engine/sync has the same rules
// with time. kernel_walk.hpp has a worked example.
#pragma once

#include <vector>

#include "ir/hardware_lanes.hpp"
#include "order/happens_before.hpp"
#include "pto/machine.hpp"
#include "verify/sync/shadow_memory.hpp"

namespace pto::legality::sync {

/// Over the lanes of the core; an epoch is the number of an entry in its lane.
using LaneClock = order::DenseClock<kLanes>;

struct FlagKey {
  int8_t src = 0, dst = 0;
  int16_t id = 0;
  bool operator==(const FlagKey&) const = default;
};

/// What the whole walk saw of a flag.
struct FlagUse {
  FlagKey key;
  std::vector<ProgramPoint> sets, waits;  ///< the first few
  uint32_t n_sets = 0, n_waits = 0;       ///< as often as they may run; what is not walked counts as well
  bool set_certain = false;               ///< some set runs whatever the inputs are
  bool wait_certain = false;              ///< likewise some wait
  bool reported = false;
};

struct Entry {
  enum class Kind : uint8_t {
    work,
    barrier,
    set,
    wait,
    get_buf,
    rls_buf,
    send_signal,
    wait_signal
  } kind = Kind::work;
  bool certain = true;  ///< runs whatever the inputs are
  uint8_t lane = 0;
  int16_t buffer = 0;
  uint16_t flag = 0;  ///< index into the flags
  uint32_t stamp = 0;
  uint32_t took = 0;           ///< set: stamp of the wait that takes the set before; 0: there is none
  ProgramPoint before, taken;  ///< set: the set before, and that wait
  bool sure = false;           ///< set: all three run whatever the inputs are
  ProgramPoint when;
  LaneClock known{};                        ///< what the scalar unit knew
  std::array<uint32_t, kLanes> releases{};  ///< get_buf: releases of the id that stand before it
  std::vector<TileAccess> accesses;
};

/// What the findings are made of; the walk collects, findings.cpp words.
struct Race {
  LastAccess first, second;
  ByteRange first_bytes, second_bytes;
  Space space;
  bool certain = false;  ///< whatever the inputs are
};
struct Deadlock {
  enum class Why : uint8_t { count, cycle } why = Why::count;
  Entry entry;
  std::vector<Entry> others;     ///< circle: the waits that follow, in order
  uint32_t sets = 0, waits = 0;  ///< that came before
  uint32_t pending = 0;          ///< sets of them that nobody has taken
};
struct DoubleSet {
  ProgramPoint first, second;
  uint16_t flag = 0;
  bool certain = false;  ///< the second is lost whatever the inputs are
};
/// A set whose pipe does not know that the wait for the set before has taken it.
struct Reuse {
  ProgramPoint set, before, wait;
  uint16_t flag = 0;
  bool certain = false;
};
struct LeftoverSet {
  ProgramPoint set;
  uint16_t flag = 0;
  uint32_t count = 0;
  bool certain = false;
};
/// A set that is open while an instruction sets and waits for the same flag.
struct FlagHeldOver {
  ProgramPoint set, over;
  uint16_t flag = 0;
  bool certain = false;
};
struct FlagDeficit {
  ProgramPoint loop;
  uint16_t flag = 0;
  int missing = 0;
};
struct Buffers {
  ProgramPoint when;
  int16_t id = 0;
  bool got = false;
  bool certain = false;
};

/// Asked whether two moments can belong to one run of the program.
struct PathCompatibility {
  virtual bool is_compatible(const ProgramPoint& before, const ProgramPoint& now) const = 0;
  virtual ~PathCompatibility() = default;
};

class CoreModel {
 public:
  /// `machine`: which pipes overlap with themselves, what a flag holds; null: not judged.
  CoreModel(const PathCompatibility& paths, const Machine* machine);

  // ---- instructions, in program order
  void work(int lane, const ProgramPoint& when, bool certain, std::vector<TileAccess> accesses,
            bool scalar_waits);
  void set(FlagKey key, const ProgramPoint& when, bool certain);
  void wait(FlagKey key, const ProgramPoint& when, bool certain);
  /// An instruction sets and waits for the flag itself.
  void use_inside(FlagKey key, const ProgramPoint& when, bool certain);
  /// A pipe waits, inside of an instruction, for what another one has got so far.
  void waits_inside(int lane, int other);
  void set_unknown(int src, int dst);
  void wait_unknown(int src, int dst);
  /// Code that is not known ran: no flag is known any more.
  void invalidate_all();
  void barrier_all();
  void barrier(int lane, const ProgramPoint& when);
  /// A signal to another core, which may answer; and the wait for one, behind all that was told so far.
  void send_signal(int lane, const ProgramPoint& when);
  void wait_signal(int lane, const ProgramPoint& when);
  void buffer(bool get, int lane, int id, int mode, const ProgramPoint& when, bool certain);
  /// Something the checks cannot see through: afterwards everything before is complete.
  void fence();
  void end();

  // ---- control flow that depends on inputs: what differs between the paths is not judged
  struct State;
  [[nodiscard]] State save() const;
  void restore(const State& state);
  /// The paths meet: the present state and `other`.
  void join(const State& other);
  /// Pipes that hold each other up whatever comes later.
  void record_cycles() { explain_stuck(nullptr, true); }
  /// Waits that are not satisfied by now may be on another path: they are taken to be.
  void release_blocked();
  /// May run any number of times more.
  void forget(FlagKey key, bool set);
  /// Per flag: sets so far that no wait has asked for.
  [[nodiscard]] std::vector<int> balance() const;
  void add_balance(const std::vector<int>& change, int64_t times);
  /// Flags that an iteration takes more often than it sets.
  void record_deficit(const ProgramPoint& loop, const std::vector<int>& before,
                      const std::vector<int>& after);
  void forget_differences(const std::vector<int>& before, const std::vector<int>& after);

  [[nodiscard]] bool loses_sets() const { return loses_sets_; }
  [[nodiscard]] const std::vector<FlagUse>& uses() const { return uses_; }
  [[nodiscard]] std::vector<FlagUse>& uses() { return uses_; }
  [[nodiscard]] bool pair_unknown(int src, int dst) const { return pair_unknown_[index(src, dst)]; }
  [[nodiscard]] uint16_t flag_of(FlagKey key);

  bool check_races = false;
  std::vector<Race> races;
  std::vector<Deadlock> deadlocks;
  std::vector<DoubleSet> double_sets;
  std::vector<Reuse> reuses;
  std::vector<LeftoverSet> leftover_sets;
  std::vector<FlagDeficit> flag_deficits;
  std::vector<FlagHeldOver> held_over;
  std::vector<Buffers> buffers;
  ShadowMemory shadow;

 private:
  struct FlagState {
    std::vector<LaneClock> pending;  ///< sets that ran and were not taken
    int balance = 0;                 ///< sets minus waits in program order
    bool unknown = false;
    ProgramPoint last_set, last_wait;
    uint32_t wait_stamp = 0;       ///< of the last wait, on its lane
    bool certain = false;          ///< of the last set and its wait
    uint32_t sets = 0, waits = 0;  ///< issued on this path
  };
  struct BufferState {
    std::array<uint32_t, kLanes> issued{}, done{}, got{}, released{};
    std::array<LaneClock, kLanes> clock{};
    std::array<ProgramPoint, kLanes> last{};
    std::array<bool, kLanes> certain{};  ///< all of them so far
  };

 public:
  struct State {
    order::HappensBefore<LaneClock> order{kLanes};
    std::array<std::vector<Entry>, kLanes> queues;  ///< blocked entries; seldom more than a few
    std::vector<FlagState> flags;
    std::vector<std::pair<int16_t, BufferState>> tokens;
    LaneClock sent_clock{};       ///< what other cores may know
    uint32_t unsent_signals = 0;  ///< signals that stand in queues
  };

 private:
  static size_t index(int src, int dst) { return static_cast<size_t>(src * kLanes + dst); }
  BufferState& token(int id);
  Entry make(Entry::Kind kind, int lane, const ProgramPoint& when, bool certain);
  void issue(Entry entry);
  [[nodiscard]] bool ready(const Entry& entry) const;
  void run(Entry& entry);
  void run_ready_entries();
  void wake(int lane) { dirty_ |= 1U << lane; }
  void touch(const Entry& entry);
  void check_conflict(const Entry& entry, const TileAccess& access);
  [[nodiscard]] bool ordered(const LastAccess& before, const Entry& now) const;
  void judge_reuse(const Entry& set);
  void scalar_stuck();
  void explain_stuck(const Entry* scalar, bool circles_only = false);
  [[nodiscard]] int holder(const Entry& head) const;
  void consume_set(FlagState& flag, uint32_t lane);

  const PathCompatibility& paths_;
  bool judges_reuse_ = false;  ///< the target is known
  bool loses_sets_ = false;    ///< a flag is a bit, and a second set does not wait
  size_t capacity_ = 15;       ///< sets that a flag holds
  State s_;
  LaneClock issued_{};  ///< per lane: entries so far
  std::vector<FlagUse> uses_;
  std::array<bool, size_t{kLanes} * kLanes> pair_unknown_{};
  uint32_t dirty_ = 0;
};

}  // namespace pto::legality::sync
