#include "report/bottleneck/dependence_graph.hpp"

#include <algorithm>

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

/// The scalar unit does it itself: it is in no queue.
bool of_scalar(const StepNode& node) { return node.lane == kScalarLane; }

bool waits_on_pipe(Kind kind) {
  return kind == Kind::wait_flag || kind == Kind::await || kind == Kind::get_buf || kind == Kind::barrier;
}

}  // namespace

void StepGraph::on_start(std::span<const CoreInfo> cores, const Program&) {
  cores_.assign(cores.begin(), cores.end());
  states_.resize(cores.size());
}

/// Numbers count from 1; the node of a number is the one before. False: it is not kept.
bool StepGraph::room_for(uint64_t number) {
  if (number > most_) complete_ = false;
  return complete_;
}

void StepGraph::need(StepNode& node, std::span<const uint32_t> others) {
  if (node.need_count == 0) node.needs = static_cast<uint32_t>(needs_.size());
  needs_.insert(needs_.end(), others.begin(), others.end());
  node.need_count += static_cast<uint32_t>(others.size());
}

void StepGraph::on_step(const DependenceEvent& step) {
  if (!room_for(step.number)) return;
  const auto index = static_cast<uint32_t>(nodes_.size());
  CoreState& core = states_[step.core];
  StepNode node;
  node.kind = step.kind;
  node.lane = static_cast<uint8_t>(lane_of(step.pipe));
  if (step.kind == Kind::barrier_all || step.kind == Kind::meet) node.lane = kScalarLane;
  if (step.kind == Kind::set_flag || step.kind == Kind::wait_flag) {
    node.src = static_cast<uint8_t>(lane_of(step.src));
    node.dst = static_cast<uint8_t>(lane_of(step.dst));
  }
  node.id = static_cast<int16_t>(step.id);
  node.core = step.core;
  node.pc = step.pc;
  node.before = core.scalar;
  node.result = core.result;
  node.work = step.scalar_busy - core.scalar_busy - step.cycles;
  node.cycles = step.cycles;
  node.told_time = step.time;
  if (of_scalar(node)) {
    if (step.kind == Kind::set_flag) need_room(node, core);
    if (step.kind == Kind::barrier_all) need_every_pipe(node, core);
  } else {
    std::vector<uint32_t>& entries = core.lanes[node.lane].entries;
    if (entries.size() >= step.queue_depth) node.room = entries[entries.size() - step.queue_depth];
    if (!entries.empty()) node.front = entries.back();
    entries.push_back(index);
  }
  if (step.waits) need_releases(node, core);
  if (step.meeting != 0) need(node, std::array{static_cast<uint32_t>(step.meeting - 1)});
  if (node.kind == Kind::scalar) note_lag(node);
  core.scalar = index;
  core.scalar_time = step.time;
  core.scalar_busy = step.scalar_busy;
  core.result = step.scalar_waits ? index : kNoNode;
  if (step.kind == Kind::rls_buf) {
    const auto [at, fresh] = core.releases.try_emplace(step.id);
    if (fresh) at->second.fill(kNoNode);
    node.same = at->second[node.lane];
    at->second[node.lane] = index;
  }
  nodes_.push_back(node);
  told_end_.push_back(step.time - step.cycles);
  told_free_.push_back(0);
  order_.push_back(2 * index);
  if (!of_scalar(node)) return;
  if (node.kind == Kind::wait_flag) take_set(index, core);
  publish(index, core);
}

/// The scalar unit waits longer than anything else explains: it looks at memory until that changes, or the
/// hub of signals has others in front.
void StepGraph::note_lag(StepNode& node) {
  uint64_t ready = node.before == kNoNode ? 0 : nodes_[node.before].told_time;
  if (node.result != kNoNode) ready = std::max(ready, told_end_[node.result]);
  ready += node.work;
  for (const uint32_t other : needs(node)) ready = std::max(ready, told_end_[other]);
  const uint64_t came = node.told_time - node.cycles;
  if (came > ready) node.lag = came - ready;
}

void StepGraph::need_every_pipe(StepNode& node, CoreState& core) {
  for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
    const uint32_t last = core.lanes[lane].last;
    if (last != kNoNode) need(node, std::array{last});
  }
}

/// Releases that are in front in the order of the program, by other pipes.
void StepGraph::need_releases(StepNode& node, CoreState& core) {
  const auto found = core.releases.find(node.id);
  if (found == core.releases.end()) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t release = found->second[lane];
    if (lane != node.lane && release != kNoNode) need(node, std::array{release});
  }
}

/// Of the flag of a set or wait.
StepGraph::CoreState::Sets& StepGraph::sets_of(const StepNode& node, CoreState& core) const {
  return core.sets[{node.id, machine_.flag_key_has_src ? node.src : 0, node.dst}];
}

void StepGraph::take_set(uint32_t index, CoreState& core) {
  StepNode& node = nodes_[index];
  CoreState::Sets& sets = sets_of(node, core);
  node.same = sets.last_wait;
  sets.last_wait = index;
  if (sets.pending.empty()) return;
  need(node, std::array{sets.pending.front()});
  sets.pending.pop_front();
  sets.waits.push_back(index);
}

/// A set beyond what the flag holds is there until a wait has taken one.
void StepGraph::need_room(StepNode& set, CoreState& core) {
  CoreState::Sets& sets = sets_of(set, core);
  if (machine_.flags == FlagKind::bit || sets.count++ < machine_.flag_capacity() || sets.waits.empty())
    return;
  set.taken = sets.waits.front();
  sets.waits.pop_front();
}

/// When a wait took its set.
uint64_t StepGraph::told_taken(uint32_t wait) const {
  return of_scalar(nodes_[wait]) ? told_end_[wait] : nodes_[wait].told_start;
}

/// A set can be waited for.
void StepGraph::publish(uint32_t index, CoreState& core) {
  StepNode& node = nodes_[index];
  if (node.kind != Kind::set_flag) return;
  CoreState::Sets& sets = sets_of(node, core);
  if (sets.last == kNoNode) sets.primed = !core.lanes[node.lane].worked;
  node.primed = sets.primed;
  sets.pending.push_back(index);
  node.same = sets.last;
  sets.last = index;
}

void StepGraph::on_unit(uint64_t number, uint64_t from) {
  if (room_for(number)) need(nodes_[number - 1], std::array{static_cast<uint32_t>(from - 1)});
}

void StepGraph::on_step_starts(uint64_t number, uint64_t start, uint64_t busy, uint64_t latency,
                               uint64_t restart) {
  if (!room_for(number)) return;
  const auto index = static_cast<uint32_t>(number - 1);
  StepNode& node = nodes_[index];
  CoreState& core = states_[node.core];
  node.told_start = start;
  node.busy = busy;
  node.latency = latency;
  node.restart = restart;
  const uint64_t front = node.front == kNoNode ? 0 : told_end_[node.front];
  const uint64_t works = restart == 0 ? start : std::max(start, front + restart);
  told_free_[index] = works + busy;
  if (node.kind == Kind::instruction)
    told_end_[index] = std::max(front, works + std::max(busy, latency));
  else if (waits_on_pipe(node.kind) && node.kind != Kind::barrier)
    told_end_[index] = front;
  else
    told_end_[index] = std::max(front, start);
  if (node.kind == Kind::wait_flag) take_set(index, core);
  if (node.kind == Kind::set_flag) need_room(node, core);
  explain_start(node);
  core.lanes[node.lane].last = index;
  if (node.kind == Kind::instruction) core.lanes[node.lane].worked = true;
  order_.push_back(2 * index + 1);
  publish(index, core);
}

/// An entry may start later than the reported events explain.
void StepGraph::explain_start(StepNode& node) {
  uint64_t ready = node.told_time;
  if (node.front != kNoNode) {
    ready = std::max(ready, told_free_[node.front]);
    if (node.kind == Kind::barrier) ready = std::max(ready, told_end_[node.front]);
  }
  for (const uint32_t other : needs(node)) ready = std::max(ready, told_end_[other]);
  if (node.taken != kNoNode) ready = std::max(ready, told_taken(node.taken));
  if (node.told_start > ready) node.lag = node.told_start - ready;
}

/// A flag whose first set no work precedes says that something is free; another one may hand data
/// on by way of GM.
bool StepGraph::frees(const StepNode& node, uint32_t taken) const {
  const bool free = node.kind == Kind::get_buf || (node.kind == Kind::wait_flag && nodes_[taken].primed);
  return free && nodes_[taken].lane > node.lane;
}

void StepGraph::on_meeting(uint64_t number, std::span<const uint64_t> steps) {
  if (!room_for(number)) return;
  StepNode node;
  node.meeting = true;
  uint64_t end = 0;
  for (const uint64_t step : steps) {
    const auto other = static_cast<uint32_t>(step - 1);
    end = std::max(end, told_end_[other]);
    need(node, std::array{other});
  }
  order_.push_back(2 * static_cast<uint32_t>(nodes_.size()));
  nodes_.push_back(node);
  told_end_.push_back(end);
  told_free_.push_back(0);
}

void StepGraph::on_signal(uint32_t core, uint32_t semaphore, std::span<const uint64_t> steps) {
  std::vector<uint32_t> from;
  for (const uint64_t step : steps) from.push_back(static_cast<uint32_t>(step - 1));
  states_[core].signals[semaphore].push_back(std::move(from));
}

void StepGraph::on_await(uint64_t number, uint32_t core, uint32_t semaphore) {
  auto& signals = states_[core].signals[semaphore];
  if (!room_for(number) || signals.empty()) return;
  StepNode& node = nodes_[number - 1];
  need(node, signals.front());
  signals.pop_front();
  if (of_scalar(node)) note_lag(node);
}

// ---- the times of a graph

namespace {

/// Follows the order in which the steps were reported: what a step depends on is before it, whatever changes.
class Clock {
 public:
  Clock(const StepGraph& graph, const StepChanges& changes)
      : graph_(graph), nodes_(graph.nodes()), changes_(changes) {
    t_.issue.resize(nodes_.size());
    t_.start.resize(nodes_.size());
    t_.end.resize(nodes_.size());
    t_.free.resize(nodes_.size());
    if (!changes_.as_flags.empty()) floors_.resize(graph.cores().size());
  }
  StepTimes run() {
    for (const uint32_t event : graph_.order()) {
      const uint32_t index = event / 2;
      if (event % 2 != 0)
        start(index);
      else if (nodes_[index].meeting)
        t_.end[index] = t_.start[index] = t_.issue[index] = latest_need(nodes_[index]);
      else
        issue(index);
    }
    return std::move(t_);
  }

 private:
  [[nodiscard]] uint64_t shorter(const StepNode& node, uint64_t cycles) const {
    if (changes_.free[node.lane]) return 0;
    if (changes_.shorter.empty()) return cycles;
    const auto less = changes_.shorter.find(node.pc);
    return less == changes_.shorter.end() ? cycles : cycles - std::min(cycles, less->second);
  }
  [[nodiscard]] uint64_t busy(const StepNode& node) const { return shorter(node, node.busy); }
  [[nodiscard]] bool goes_on(const StepNode& node) const {
    return !changes_.no_wait.empty() && std::ranges::binary_search(changes_.no_wait, node.pc);
  }
  /// Null: it is a barrier.
  [[nodiscard]] const LanePairs* flags_of(const StepNode& barrier) const {
    if (barrier.kind != Kind::barrier_all || changes_.as_flags.empty()) return nullptr;
    const auto at = changes_.as_flags.find(barrier.pc);
    return at == changes_.as_flags.end() ? nullptr : &at->second;
  }
  /// Of a barrier that is flags: what each pipe waits for from now on; and what the scalar unit has to do.
  uint64_t let_wait(const StepNode& barrier, const LanePairs& flags) {
    std::array<uint64_t, kLanes>& floors = floors_[barrier.core];
    for (const uint32_t last : graph_.needs(barrier)) {
      const uint64_t there = std::max(t_.end[last], t_.free[last]);
      for (unsigned to = 0; to < kLanes; ++to)
        if (flags.has(nodes_[last].lane, to)) floors[to] = std::max(floors[to], there);
    }
    uint64_t entries = 0;  // two of a flag
    for_each(flags, [&](unsigned from, unsigned to) { entries += from == to ? 1 : 2; });
    return entries * graph_.machine().issue_cycles;
  }
  /// The set or release that a wait takes when there are more buffers.
  [[nodiscard]] uint32_t needed(const StepNode& node, uint32_t other) const {
    const uint32_t more = changes_.more_buffers[node.lane];
    if (more == 0 || !graph_.frees(node, other)) return other;
    if (!changes_.more_at.empty() && !std::ranges::binary_search(changes_.more_at, node.pc)) return other;
    for (uint32_t i = 0; i < more && other != kNoNode; ++i) other = nodes_[other].same;
    return other;
  }
  /// The wait that makes room for a set. With more buffers each has flags of its own: those that say that it
  /// is free, and those that say that it is filled.
  [[nodiscard]] uint32_t room_by(const StepNode& set) const {
    uint32_t wait = set.taken;
    if (wait == kNoNode) return wait;
    const std::span<const uint32_t> before = graph_.needs(nodes_[wait]);
    const bool free = !before.empty() && graph_.frees(nodes_[wait], before.front());
    const bool asked =
        !free || changes_.more_at.empty() || std::ranges::binary_search(changes_.more_at, nodes_[wait].pc);
    const uint32_t more = asked ? changes_.more_buffers[free ? set.dst : set.lane] : 0;
    for (uint32_t i = 0; i < more && wait != kNoNode; ++i) wait = nodes_[wait].same;
    return wait;
  }
  [[nodiscard]] uint64_t latest_need(const StepNode& node) const {
    uint64_t latest = 0;
    if (goes_on(node)) return 0;
    if (const uint32_t wait = room_by(node); wait != kNoNode) latest = t_.start[wait];
    for (const uint32_t each : graph_.needs(node)) {
      const uint32_t other = needed(node, each);
      if (other == kNoNode) continue;
      latest = std::max(latest, t_.end[other]);
      if (node.kind == Kind::barrier_all) latest = std::max(latest, t_.free[other]);
    }
    return latest;
  }

  void issue(uint32_t index) {
    const StepNode& node = nodes_[index];
    uint64_t at = node.before == kNoNode ? 0 : t_.issue[node.before];
    if (node.result != kNoNode) at = std::max(at, t_.end[node.result]);
    at += node.work;
    if (node.room != kNoNode && !changes_.deep_queues) at = std::max(at, t_.start[node.room]);
    const LanePairs* const flags = flags_of(node);
    const uint64_t issues = flags != nullptr ? let_wait(node, *flags) : 0;
    if (flags != nullptr)
      at = std::max(at, floors_[node.core][kScalarLane]);
    else if (of_scalar(node))
      at = std::max(at, latest_need(node));
    if (of_scalar(node)) at += node.lag;
    t_.start[index] = t_.end[index] = at;
    t_.issue[index] = at + (flags != nullptr ? issues : node.cycles);
    t_.total = std::max(t_.total, t_.issue[index]);
  }

  void start(uint32_t index) {
    const StepNode& node = nodes_[index];
    uint64_t at = t_.issue[index];
    uint64_t front = 0;
    if (node.front != kNoNode) {
      front = t_.end[node.front];
      at = std::max(at, t_.free[node.front]);
    }
    at = std::max(at, latest_need(node));
    if (!floors_.empty()) at = std::max(at, floors_[node.core][node.lane]);
    if (node.kind == Kind::barrier && !goes_on(node)) at = std::max(at, front);
    at += node.lag;
    const bool restarts = node.restart != 0 && !changes_.free[node.lane];
    const uint64_t works = restarts ? std::max(at, front + node.restart) : at;
    uint64_t end = std::max(at, front);
    if (node.kind == Kind::instruction)
      end = std::max(front, works + shorter(node, std::max(node.busy, node.latency)));
    else if (waits_on_pipe(node.kind) && node.kind != Kind::barrier)
      end = front;
    t_.start[index] = at;
    t_.end[index] = end;
    t_.free[index] = works + busy(node);
    t_.total = std::max({t_.total, end, t_.free[index]});
  }

  const StepGraph& graph_;
  const std::vector<StepNode>& nodes_;
  const StepChanges& changes_;
  StepTimes t_;
  std::vector<std::array<uint64_t, kLanes>> floors_;  ///< by core and lane: what flags let nothing go before
};

}  // namespace

StepTimes StepGraph::time_again(const StepChanges& changes) const { return Clock(*this, changes).run(); }

}  // namespace pto::report
