// Order within one block, by vector clocks.
#include <algorithm>
#include <numeric>

#include "plan/sync/sync_insertion.hpp"

namespace pto::planner {

namespace {
template <typename Fn>
void for_pipes(unsigned pipes, Fn&& fn) {
  for (int pipe = 0; pipe < kAgents && pipes >> pipe != 0; ++pipe)
    if (pipes >> pipe & 1) fn(pipe);
}

}  // namespace

void History::record(const SegmentUses& footprint, Stamp stamp) {
  for (const SegmentUse& use : footprint.defs) {
    Last& last = last_[use.segment];
    if (last.epoch != epoch_) last = {epoch_, {}, {}};
    for_pipes(use.read, [&](int pipe) { last.read.set(static_cast<uint32_t>(pipe), stamp); });
    for_pipes(use.write, [&](int pipe) { last.write.set(static_cast<uint32_t>(pipe), stamp); });
  }
}

std::array<Clock, kAgents> History::latest_conflicts(const SegmentUses& footprint) const {
  std::array<Clock, kAgents> needed{};
  for (const SegmentUse& use : footprint.uses) {
    const Last& last = last_[use.segment];
    if (last.epoch != epoch_) continue;
    for_pipes(use.read | use.write, [&](int pipe) {
      Clock& need = needed[static_cast<size_t>(pipe)];
      need.merge(last.write);
      if (use.write >> pipe & 1) need.merge(last.read);
    });
  }
  return needed;
}

void BlockOrder::run() {
  first_time();
  if (!block_.repeats) return;
  second_time();
  check_flags();
  find_rings();
}

void BlockOrder::first_time() {
  history_.clear();
  for (uint32_t at = 0; at < block_.items.size(); ++at) {
    Item& item = block_.items[at];
    item.gate = ++now_;
    if (item.fence) fence(item.cores);
    const std::array<Clock, kAgents> needed = history_.latest_conflicts(item.footprint);
    for_pipes(item.footprint.pipes,
              [&](int pipe) { forward(item, at, pipe, needed[static_cast<size_t>(pipe)]); });
    if (block_.top) block_.entry.push_back(order_);
    item.stamp = ++now_;
    ++seen_;
    if (item.fence) fence(item.cores);
    end_item(item);
    history_.record(item.footprint, item.stamp);
  }
}

/// The same items once more, after the first time: what of the first time is not known yet needs a backward
/// flag.
void BlockOrder::second_time() {
  again_.resize(block_.items.size());
  for (uint32_t at = 0; at < block_.items.size(); ++at) {
    Item& item = block_.items[at];
    if (item.fence) fence(item.cores);
    for (const uint32_t id : item.waits) {
      PlannedFlag& flag = flags_[id];
      const Clock reported = known_clock(flag.source, again_[flag.set_item]);
      flag.known_again = reported[static_cast<uint32_t>(flag.destination)];
      ++now_;
      take(flag.source, flag.destination, reported);
    }
    if (item.vector_barrier) order_.complete(static_cast<uint32_t>(rules_.vector));
    const std::array<Clock, kAgents> needed = history_.latest_conflicts(item.footprint);
    for_pipes(item.footprint.pipes,
              [&](int pipe) { backward(item, at, pipe, needed[static_cast<size_t>(pipe)]); });
    again_[at] = ++now_;
    if (item.fence) fence(item.cores);
    end_item(item);
  }
}

/// The present moment is the item's on all of its pipes. Each phase of an instruction waits for the one in
/// front of it.
void BlockOrder::end_item(const Item& item) {
  for_pipes(item.footprint.pipes, [&](int pipe) { order_.execute(static_cast<uint32_t>(pipe), now_); });
  for (size_t i = 1; i < item.phases.size(); ++i) {
    if (item.phases[i] == kUnordered || item.phases[i - 1] == kUnordered) continue;
    if (item.phases[i] != item.phases[i - 1] && core_of(item.phases[i]) == core_of(item.phases[i - 1]))
      acquire(item.phases[i], order_.release_store(static_cast<uint32_t>(item.phases[i - 1])));
  }
}

/// Sets and waits come in pairs: a wait must have been executed before its flag is set the next time. Where
/// the clocks do not show that, a barrier at the end of the block makes every round start clean. Signals
/// count, and have their own means.
void BlockOrder::check_flags() {
  const auto close_unless_taken = [&](const PlannedFlag& flag) {
    if (flag.crosses() || flag.known_again >= flag.wait_stamp) return;
    block_.end_barrier |= static_cast<CoreBits>(1U << core_of(flag.source));
  };
  for (const uint32_t id : block_.forward) close_unless_taken(flags_[id]);
  for (const uint32_t id : block_.backward) {
    PlannedFlag& flag = flags_[id];
    const Clock reported = known_clock(flag.source, again_[flag.set_item]);
    flag.known_again = reported[static_cast<uint32_t>(flag.destination)];
    close_unless_taken(flag);
  }
  if ((block_.end_barrier & kTogether) != 0) block_.end_barrier |= kBothCores;
  for (const uint32_t id : block_.backward) {
    PlannedFlag& flag = flags_[id];
    const unsigned bar = flag.crosses() ? kTogether : 1U << core_of(flag.source);
    flag.dropped = flag.dropped || (block_.end_barrier & bar) != 0;
  }
}

/// Loops in this block at which flags of inner blocks may begin and end.
void BlockOrder::find_rings() {
  std::array<uint32_t, kAgents> workers{};
  for (const Item& item : block_.items)
    for_pipes(item.footprint.pipes, [&](int pipe) { ++workers[static_cast<size_t>(pipe)]; });
  for (uint32_t at = 0; at < block_.items.size(); ++at) {
    Item& item = block_.items[at];
    if (item.nested == kNone) continue;
    for_pipes(item.footprint.pipes, [&](int source) {
      for_pipes(item.footprint.pipes, [&](int destination) {
        if (source == destination) return;
        const size_t pair = pair_of(source, destination);
        if (ring_ends_at(at, source, destination)) item.rings.set(pair);
        if (workers[static_cast<size_t>(source)] == 1 && workers[static_cast<size_t>(destination)] == 1)
          item.alone.set(pair);
      });
    });
  }
}

/// Behind the item the destination waits for the source: no loss where its next work waits for that as well.
/// Before the item the source sets the first flag: no loss where the destination has waited for all that the
/// source did before, and right where the source knows that the last flag was taken.
bool BlockOrder::ring_ends_at(uint32_t at, int source, int destination) const {
  const std::vector<Item>& items = block_.items;
  const auto p = static_cast<uint32_t>(source), q = static_cast<uint32_t>(destination);
  const auto count = static_cast<uint32_t>(items.size());
  const auto works = [&](uint32_t item, int pipe) { return (items[item].footprint.pipes >> pipe & 1) != 0; };
  const unsigned bar = core_of(source) == core_of(destination) ? 1U << core_of(source) : kTogether;
  const bool clean = (block_.end_barrier & bar) != 0;  // every round begins with all pipes done
  uint32_t next = at + 1;
  while (next < count && !works(next, destination)) ++next;
  if (next < count) {
    if (known_clock(destination, items[next].stamp)[p] < items[at].stamp) return false;
  } else if (!clean) {
    for (next = 0; !works(next, destination);) ++next;
    if (known_clock(destination, again_[next])[p] < items[at].stamp) return false;
  }
  Stamp before = 0;
  for (uint32_t item = at + 1; item < count && !clean; ++item) {
    if (works(item, source)) before = items[item].stamp;  // in the round before
  }
  for (uint32_t item = 0; item < at; ++item) {
    if (works(item, source)) before = clean ? items[item].stamp : again_[item];
  }
  const Stamp start = clean ? items[at].stamp : again_[at];
  return known_clock(destination, start)[p] >= before &&
         (clean || known_clock(source, start)[q] >= items[at].stamp);
}

/// Every pipe of these cores knows all that any of them knows.
void BlockOrder::fence(CoreBits cores) {
  ++now_;
  for (int core = 0; core < kCores; ++core) {
    if ((cores >> core & 1) == 0) continue;
    for_pipes(agents_of(core), [&](int pipe) { order_.execute(static_cast<uint32_t>(pipe), now_); });
    std::array<uint32_t, kLanes> lanes{};
    std::iota(lanes.begin(), lanes.end(), static_cast<uint32_t>(core * kLanes));
    order_.barrier(lanes);
    for_pipes(agents_of(core), [&](int pipe) { record(pipe); });
  }
}

/// What waits for a signal with a mode is the scalar unit: whatever the core does next knows.
void BlockOrder::take(int source, int destination, const Clock& clock) {
  if (core_of(source) == core_of(destination)) return acquire(destination, clock);
  for_pipes(agents_of(core_of(destination)), [&](int pipe) { acquire(pipe, clock); });
}

/// Of the pipes whose needed progress the destination does not know, the one that is needed latest: it often
/// knows of the others. -1 when all is known.
int BlockOrder::latest(const Clock& needed, int destination) const {
  int source = -1;
  for (int p = 0; p < kAgents; ++p) {
    const auto i = static_cast<uint32_t>(p);
    if (core_of(p) != core_of(destination) && !rules_.signals) continue;
    if (p != destination && !is_ordered(needed[i], p, destination) &&
        (source < 0 || needed[i] > needed[static_cast<uint32_t>(source)]))
      source = p;
  }
  return source;
}

void BlockOrder::forward(Item& item, uint32_t at, int destination, const Clock& needed) {
  const auto self = static_cast<uint32_t>(destination);
  if (!is_ordered(needed[self], destination, destination)) {  // PIPE_V
    item.vector_barrier = true;
    order_.complete(self);
  }
  for (int source = 0; (source = latest(needed, destination)) >= 0;) {
    const Stamp set = needed[static_cast<uint32_t>(source)];
    const Clock reported = known_clock(source, set);
    ++now_;
    item.waits.push_back(add_flag({.source = source,
                                   .destination = destination,
                                   .set_item = item_at(set),
                                   .wait_item = at,
                                   .set_stamp = set,
                                   .wait_stamp = now_,
                                   .known = reported[self]}));
    take(source, destination, reported);
  }
}

void BlockOrder::backward(Item& item, uint32_t at, int destination, Clock needed) {
  const auto self = static_cast<uint32_t>(destination);
  const auto across = [&](int source) { return item.across.test(pair_of(source, destination)); };
  if (!is_ordered(needed[self], destination, destination)) {  // PIPE_V
    // The same item the last time round: a leaf must wait for itself; inner blocks have seen to themselves.
    const bool open = needed[self] != item.stamp || item.nested == kNone || across(destination);
    item.vector_barrier = item.vector_barrier || open;
    if (open) order_.complete(self);
  }
  for (int p = 0; (p = latest(needed, destination)) >= 0;) {
    const auto source = static_cast<uint32_t>(p);
    const Stamp set = needed[source];
    if (set == item.stamp && item.nested != kNone) {
      const bool crosses = core_of(p) != core_of(destination);
      if (across(p)) block_.end_barrier |= crosses ? kTogether : static_cast<CoreBits>(1U << core_of(p));
      needed.set(source, 0);
      continue;
    }
    const Clock reported = known_clock(p, set);
    ++now_;
    add_flag({.source = p,
              .destination = destination,
              .set_item = item_at(set),
              .wait_item = at,
              .set_stamp = set,
              .wait_stamp = now_,
              .known = reported[self],
              .backward = true});
    take(p, destination, reported);
  }
}

uint32_t BlockOrder::add_flag(PlannedFlag flag) {
  flag.block = index_;
  flags_.push_back(flag);
  const auto id = static_cast<uint32_t>(flags_.size() - 1);
  (flag.backward ? block_.backward : block_.forward).push_back(id);
  return id;
}

void BlockOrder::acquire(int pipe, const Clock& clock) {
  order_.acquire(static_cast<uint32_t>(pipe), clock);
  order_.execute(static_cast<uint32_t>(pipe), now_);
  record(pipe);
}

void BlockOrder::record(int pipe) {
  changes_[static_cast<size_t>(pipe)].push_back({now_, order_.clock(static_cast<uint32_t>(pipe))});
}

bool BlockOrder::is_ordered(Stamp before, int source, int destination) const {
  return order_.is_ordered({static_cast<uint32_t>(source), before}, static_cast<uint32_t>(destination));
}

/// What a pipe knew right after its item with this stamp; of itself, everything up to it.
Clock BlockOrder::known_clock(int pipe, Stamp stamp) const {
  const std::vector<Change>& changes = changes_[static_cast<size_t>(pipe)];
  const auto after = std::upper_bound(changes.begin(), changes.end(), stamp,
                                      [](Stamp s, const Change& c) { return s < c.stamp; });
  Clock clock{};
  if (after != changes.begin()) clock = std::prev(after)->clock;
  clock.set(static_cast<uint32_t>(pipe), stamp);
  return clock;
}

uint32_t BlockOrder::item_at(Stamp stamp) const {
  const auto at = std::lower_bound(block_.items.begin(), block_.items.begin() + seen_, stamp,
                                   [](const Item& item, Stamp s) { return item.stamp < s; });
  return static_cast<uint32_t>(at - block_.items.begin());
}

}  // namespace pto::planner
