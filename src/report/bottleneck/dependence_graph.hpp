// The dependences of every step of a run, as a graph that can be timed again under other conditions.
//
// A node is an entry of a queue, a synchronisation of the scalar unit, or a barrier of all cores. It holds
// the dependences from the engine. The graph adds only these rules of the machine: the scalar unit goes on in
// order, a pipe starts its entries in order, and the effect of an entry is visible no earlier than that of
// the entry before it. time_again() without a change gives the times of the run to the cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/step_events.hpp"

namespace pto::report {

inline constexpr uint32_t kNoNode = ~0u;

struct StepNode {
  DependenceEvent::Kind kind = DependenceEvent::Kind::instruction;
  uint8_t lane = 0, src = 0, dst = 0;
  bool primed = false;   ///< set_flag: the first of this flag was before any instruction of its pipe
  bool meeting = false;  ///< belongs to no core: only its `needs` count
  int16_t id = 0;
  uint32_t core = 0, pc = ~0u;
  uint32_t before = kNoNode;  ///< the scalar unit's step before
  uint32_t front = kNoNode;   ///< the entry in front in its pipe
  uint32_t room = kNoNode;    ///< the entry that has to leave the full queue first
  uint32_t same = kNoNode;  ///< set_flag, wait_flag, rls_buf: the one before of the same flag, or id and pipe
  uint32_t taken = kNoNode;   ///< set_flag: the wait that has to take a set of the full flag first
  uint32_t result = kNoNode;  ///< the entry whose result the scalar unit waits for before it goes on
  uint32_t needs = 0,
           need_count =
               0;       ///< into StepGraph's list: sets, releases, signals; PIPE_ALL: the last of every pipe
  uint64_t lag = 0;     ///< a wait that nothing else explains: looks at memory, the hub of signals
  uint64_t work = 0;    ///< of the scalar unit in front of it
  uint64_t cycles = 0;  ///< of the scalar unit for it, after it waited
  uint64_t busy = 0, latency = 0;
  uint64_t restart = 0;  ///< after a wait: cycles from the end of the previous entry until it starts
  uint64_t told_time = 0, told_start = 0;  ///< in the run
};

/// Times of steps. An entry of a queue: issued, started, all up to it visible. A step of the scalar
/// unit: complete, its wait satisfied, complete.
struct StepTimes {
  std::vector<uint64_t> issue, start, end;
  std::vector<uint64_t> free;  ///< the pipe is free again behind an entry
  uint64_t total = 0;
};

/// Flags, at one place: by lane that waits, the lanes that it waits for as bits; its own bit is a barrier of
/// it.
struct LanePairs {
  std::array<uint8_t, kLanes> sources{};
  void add(unsigned from, unsigned to) { sources[to] |= static_cast<uint8_t>(1U << from); }
  [[nodiscard]] bool has(unsigned from, unsigned to) const { return (sources[to] >> from & 1) != 0; }
  [[nodiscard]] bool empty() const { return sources == LanePairs().sources; }
};
/// Calls visit(from, to).
template <typename Visit>
void for_each(const LanePairs& pairs, Visit&& visit) {
  for (unsigned to = 0; to < kLanes; ++to)
    for (unsigned from = 0; from < kLanes; ++from)
      if (pairs.has(from, to)) visit(from, to);
}

/// Changes under which the steps are timed again.
struct StepChanges {
  std::array<bool, kLanes> free{};  ///< instructions of these lanes take no time
  std::vector<uint32_t> no_wait;    ///< operations whose waits let go at once; sorted
  bool deep_queues = false;         ///< no queue is ever full
  /// By lane: its waits for a lane further down the flow of data ("the buffer is free again") take the set or
  /// release that came so many before: as if the buffers of each id were so many more.
  std::array<uint32_t, kLanes> more_buffers{};
  std::vector<uint32_t> more_at;           ///< operations that this is about, sorted; none: all
  std::map<uint32_t, uint64_t> shorter;    ///< operations that take so many cycles less
  std::map<uint32_t, LanePairs> as_flags;  ///< in place of these PIPE_ALL barriers
};

class StepGraph final : public Observer, public DependenceObserver {
 public:
  /// More steps than that are not kept.
  static constexpr size_t kMax = size_t{1} << 21;

  StepGraph() = default;
  explicit StepGraph(size_t most) : most_(most) {}

  DependenceObserver* steps() override { return this; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_machine(const Machine& machine) override { machine_ = machine; }
  void on_conflicts(std::span<const timing::BankConflicts> all) override {
    conflicts_.assign(all.begin(), all.end());
  }
  void on_step(const DependenceEvent& step) override;
  void on_unit(uint64_t number, uint64_t from) override;
  void on_step_starts(uint64_t number, uint64_t start, uint64_t busy, uint64_t latency,
                      uint64_t restart = 0) override;
  void on_meeting(uint64_t number, std::span<const uint64_t> steps) override;
  void on_signal(uint32_t core, uint32_t semaphore, std::span<const uint64_t> steps) override;
  void on_await(uint64_t number, uint32_t core, uint32_t semaphore) override;

  /// Whether a wait or get frees a buffer: it takes the set or release of a pipe that has finished
  /// with it.
  [[nodiscard]] bool frees(const StepNode& node, uint32_t taken) const;
  /// False: the run had more steps than are kept.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::vector<StepNode>& nodes() const { return nodes_; }
  [[nodiscard]] std::span<const uint32_t> needs(const StepNode& node) const {
    return std::span(needs_).subspan(node.needs, node.need_count);
  }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const std::vector<timing::BankConflicts>& conflicts() const { return conflicts_; }
  [[nodiscard]] const std::vector<CoreInfo>& cores() const { return cores_; }
  [[nodiscard]] StepTimes time_again(const StepChanges& changes = {}) const;
  /// When the pipe is free again behind an entry.
  [[nodiscard]] uint64_t free_after(uint32_t node, const StepTimes& times) const { return times.free[node]; }
  /// In the order of notification: 2 * node, and 2 * node + 1 when an entry starts.
  [[nodiscard]] const std::vector<uint32_t>& order() const { return order_; }

 private:
  struct Lane {
    uint32_t last = kNoNode;        ///< of those that have started
    bool worked = false;            ///< an instruction is among them
    std::vector<uint32_t> entries;  ///< in the order of their issue
  };
  struct CoreState {
    uint32_t scalar = kNoNode, result = kNoNode;
    uint64_t scalar_time = 0, scalar_busy = 0;
    std::array<Lane, kLanes> lanes;
    struct Sets {
      std::deque<uint32_t> pending, waits;  ///< waits whose room no set has used yet
      uint64_t count = 0;
      bool primed = false;
      uint32_t last = kNoNode, last_wait = kNoNode;
    };
    std::map<std::tuple<int, unsigned, unsigned>, Sets> sets;       ///< see sets_of()
    std::map<int, std::array<uint32_t, kLanes>> releases;           ///< the last one by id and lane
    std::map<uint32_t, std::deque<std::vector<uint32_t>>> signals;  ///< by semaphore
  };

  bool room_for(uint64_t number);
  void need(StepNode& node, std::span<const uint32_t> others);
  void need_releases(StepNode& node, CoreState& core);
  void need_every_pipe(StepNode& node, CoreState& core);
  CoreState::Sets& sets_of(const StepNode& node, CoreState& core) const;
  void take_set(uint32_t index, CoreState& core);
  void need_room(StepNode& set, CoreState& core);
  [[nodiscard]] uint64_t told_taken(uint32_t wait) const;
  void publish(uint32_t index, CoreState& core);
  void note_lag(StepNode& node);
  void explain_start(StepNode& node);

  size_t most_ = kMax;
  bool complete_ = true;
  Machine machine_;
  std::vector<timing::BankConflicts> conflicts_;
  std::vector<CoreInfo> cores_;
  std::vector<StepNode> nodes_;
  std::vector<uint32_t> needs_, order_;
  std::vector<uint64_t> told_end_, told_free_;  ///< by node
  std::vector<CoreState> states_;
};

}  // namespace pto::report
