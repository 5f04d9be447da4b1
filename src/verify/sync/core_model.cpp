#include "verify/sync/core_model.hpp"

#include <algorithm>
#include <utility>

namespace pto::legality::sync {
namespace {

LastAccess record_of(const Entry& entry, const TileAccess& access) {
  return {.when = entry.when,
          .stamp = entry.stamp,
          .lane = entry.lane,
          .slot = access.slot,
          .write = access.write,
          .update = access.update,
          .unit_flag = access.unit_flag,
          .certain = entry.certain && access.certain,
          .inside = access.inside};
}

}  // namespace

CoreModel::CoreModel(const PathCompatibility& paths, const Machine* machine) : paths_(paths) {
  if (machine == nullptr) return;
  for (int lane = 0; lane < kLanes; ++lane)
    if (machine->overlaps(pipe_of_lane(lane))) s_.order.set_overlapping(static_cast<uint32_t>(lane));
  judges_reuse_ = true;
  loses_sets_ = machine->flags == FlagKind::bit;
  capacity_ = machine->flag_capacity();
}

// ---- flags and tokens by name

uint16_t CoreModel::flag_of(FlagKey key) {
  for (size_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i].key == key) return static_cast<uint16_t>(i);
  }
  uses_.push_back({.key = key});
  s_.flags.emplace_back();
  s_.flags.back().unknown = pair_unknown(key.src, key.dst);
  return static_cast<uint16_t>(uses_.size() - 1);
}

CoreModel::BufferState& CoreModel::token(int id) {
  for (auto& [known, token] : s_.tokens) {
    if (known == id) return token;
  }
  return s_.tokens.emplace_back(static_cast<int16_t>(id), BufferState{}).second;
}

// ---- issue

Entry CoreModel::make(Entry::Kind kind, int lane, const ProgramPoint& when, bool certain) {
  Entry entry;
  entry.kind = kind;
  entry.lane = static_cast<uint8_t>(lane);
  entry.when = when;
  entry.certain = certain;
  entry.known = s_.order.clock(kScalarLane);
  entry.stamp = issued_[entry.lane] + 1;
  issued_.set(entry.lane, entry.stamp);
  return entry;
}

void CoreModel::issue(Entry entry) {
  std::vector<Entry>& queue = s_.queues[entry.lane];
  if (!queue.empty() || !ready(entry)) return queue.push_back(std::move(entry));
  run(entry);
  run_ready_entries();
}

bool CoreModel::ready(const Entry& entry) const {
  if (entry.kind == Entry::Kind::wait) {
    const FlagState& flag = s_.flags[entry.flag];
    return flag.unknown || !flag.pending.empty();
  }
  if (entry.kind == Entry::Kind::set) {
    const FlagState& flag = s_.flags[entry.flag];
    return flag.unknown || loses_sets_ || entry.lane == kScalarLane || flag.pending.size() < capacity_;
  }
  if (entry.buffer < 0 || (entry.kind != Entry::Kind::get_buf && entry.kind != Entry::Kind::rls_buf))
    return true;
  for (const auto& [id, token] : s_.tokens) {
    if (id != entry.buffer) continue;
    for (int i = 0; i < kLanes; ++i) {
      const auto other = static_cast<size_t>(i);
      if (i != entry.lane && token.done[other] < entry.releases[other]) return false;
    }
  }
  return true;
}

void CoreModel::run(Entry& entry) {
  s_.order.acquire(entry.lane, entry.known);
  s_.order.execute(entry.lane, entry.stamp);
  switch (entry.kind) {
    case Entry::Kind::work:
      return touch(entry);
    case Entry::Kind::barrier:
      return s_.order.complete(entry.lane);
    case Entry::Kind::set: {
      FlagState& flag = s_.flags[entry.flag];
      judge_reuse(entry);
      constexpr size_t kMax = 16;
      if (flag.pending.size() < kMax) flag.pending.push_back(s_.order.release_store(entry.lane));
      return wake(uses_[entry.flag].key.dst);
    }
    case Entry::Kind::wait:
      return consume_set(s_.flags[entry.flag], entry.lane);
    case Entry::Kind::get_buf:
    case Entry::Kind::rls_buf: {
      BufferState& used = token(entry.buffer);
      for (size_t i = 0; i < kLanes; ++i) {
        if (entry.releases[i] != 0 && i != entry.lane) s_.order.acquire(entry.lane, used.clock[i]);
      }
      if (entry.kind == Entry::Kind::get_buf) return;
      ++used.done[entry.lane];
      used.clock[entry.lane] = s_.order.release_store(entry.lane);
      dirty_ = ~0U;
      return;
    }
    case Entry::Kind::send_signal:
      --s_.unsent_signals;
      return s_.order.release(entry.lane, s_.sent_clock);
    case Entry::Kind::wait_signal:
      // What stands in a queue may be what the other core waits for.
      return s_.order.acquire(entry.lane, s_.unsent_signals == 0 ? s_.sent_clock : issued_);
  }
}

/// Whoever sets a flag again should know that it was taken: a bit loses the set, a counter counts two.
void CoreModel::judge_reuse(const Entry& set) {
  const FlagState& flag = s_.flags[set.flag];
  const FlagKey key = uses_[set.flag].key;
  if (!judges_reuse_ || set.took == 0 || flag.unknown || key.src == key.dst) return;
  if (s_.order.is_ordered({static_cast<uint32_t>(key.dst), set.took}, set.lane)) return;
  constexpr size_t kMaxPending = 64;
  if (reuses.size() < kMaxPending)
    reuses.push_back({set.when, set.before, set.taken, set.flag, set.sure && loses_sets_});
}

/// A flag that another path may have set tells everything: nothing that follows is reported for want of an
/// order.
void CoreModel::consume_set(FlagState& flag, uint32_t lane) {
  if (flag.pending.empty() || flag.unknown) s_.order.acquire(lane, issued_);
  if (flag.pending.empty()) return;
  s_.order.acquire(lane, flag.pending.front());
  flag.pending.erase(flag.pending.begin());
  wake(uses_[static_cast<size_t>(&flag - s_.flags.data())].key.src);
}

void CoreModel::run_ready_entries() {
  while (dirty_ != 0) {
    const uint32_t dirty = std::exchange(dirty_, 0);
    for (size_t i = kFirstQueue; i < kLanes; ++i) {
      if (!((dirty >> i) & 1)) continue;
      std::vector<Entry>& queue = s_.queues[i];
      while (!queue.empty() && ready(queue.front())) {
        Entry entry = std::move(queue.front());
        queue.erase(queue.begin());
        run(entry);
      }
    }
  }
}

// ---- instructions

void CoreModel::work(int lane, const ProgramPoint& when, bool certain, std::vector<TileAccess> accesses,
                     bool scalar_waits) {
  Entry entry = make(Entry::Kind::work, lane, when, certain);
  entry.accesses = std::move(accesses);
  issue(std::move(entry));
  if (!scalar_waits || lane == kScalarLane) return;
  if (!s_.queues[static_cast<size_t>(lane)].empty()) scalar_stuck();
  s_.order.acquire(kScalarLane, s_.order.release_store(static_cast<uint32_t>(lane)));
}

void CoreModel::set(FlagKey key, const ProgramPoint& when, bool certain) {
  const uint16_t index = flag_of(key);
  FlagUse& use = uses_[index];
  ++use.n_sets;
  use.set_certain = use.set_certain || certain;
  if (use.sets.size() < 8) use.sets.push_back(when);
  FlagState& flag = s_.flags[index];
  if (flag.balance > 0 && !flag.unknown && paths_.is_compatible(flag.last_set, when))
    double_sets.push_back({flag.last_set, when, index, loses_sets_ && certain && flag.certain});
  Entry entry = make(Entry::Kind::set, key.src, when, certain);
  entry.flag = index;
  if (flag.balance == 0 && flag.waits > 0 && paths_.is_compatible(flag.last_wait, when)) {
    entry.took = flag.wait_stamp;
    entry.before = flag.last_set;
    entry.taken = flag.last_wait;
    entry.sure = certain && flag.certain;
  }
  ++flag.balance;
  ++flag.sets;
  flag.last_set = when;
  flag.certain = certain;
  issue(std::move(entry));
}

void CoreModel::wait(FlagKey key, const ProgramPoint& when, bool certain) {
  const uint16_t index = flag_of(key);
  FlagUse& use = uses_[index];
  ++use.n_waits;
  use.wait_certain = use.wait_certain || certain;
  if (use.waits.size() < 8) use.waits.push_back(when);
  FlagState& flag = s_.flags[index];
  --flag.balance;
  ++flag.waits;
  Entry entry = make(Entry::Kind::wait, key.dst, when, certain);
  entry.flag = index;
  flag.last_wait = when;
  flag.wait_stamp = entry.stamp;
  flag.certain = flag.certain && certain;
  if (key.dst != kScalarLane || ready(entry)) return issue(std::move(entry));
  explain_stuck(&entry);  // the scalar unit goes no further
  release_blocked();
  s_.order.acquire(kScalarLane, issued_);
}

void CoreModel::use_inside(FlagKey key, const ProgramPoint& when, bool certain) {
  const auto known = std::ranges::find(uses_, key, &FlagUse::key);
  if (known == uses_.end()) return;
  const auto index = static_cast<uint16_t>(known - uses_.begin());
  const FlagState& flag = s_.flags[index];
  if (flag.balance > 0 && !flag.unknown && paths_.is_compatible(flag.last_set, when))
    held_over.push_back({flag.last_set, when, index, certain && flag.certain});
}

void CoreModel::waits_inside(int lane, int other) {
  const bool drained = s_.queues[static_cast<size_t>(other)].empty();
  const LaneClock& clock = drained ? s_.order.release_store(static_cast<uint32_t>(other)) : issued_;
  s_.order.acquire(static_cast<uint32_t>(lane), clock);
}

void CoreModel::set_unknown(int src, int dst) {
  pair_unknown_[index(src, dst)] = true;
  for (size_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i].key.src != src || uses_[i].key.dst != dst) continue;
    s_.flags[i].unknown = true;
    wake(dst);
  }
  run_ready_entries();
}

void CoreModel::wait_unknown(int src, int dst) {
  set_unknown(src, dst);
  const auto lane = static_cast<uint32_t>(dst);
  if (s_.queues[lane].empty()) s_.order.acquire(lane, issued_);
}

void CoreModel::invalidate_all() {
  pair_unknown_.fill(true);
  for (FlagState& flag : s_.flags) flag.unknown = true;
  dirty_ = ~0U;
  run_ready_entries();
  fence();
}

void CoreModel::barrier_all() {
  for (size_t i = kFirstQueue; i < kLanes; ++i) {
    if (s_.queues[i].empty()) continue;
    scalar_stuck();
    break;
  }
  release_blocked();
  s_.order.acquire(kScalarLane, issued_);
}

void CoreModel::barrier(int lane, const ProgramPoint& when) {
  issue(make(Entry::Kind::barrier, lane, when, true));
}

void CoreModel::send_signal(int lane, const ProgramPoint& when) {
  ++s_.unsent_signals;
  issue(make(Entry::Kind::send_signal, lane, when, true));
}

void CoreModel::wait_signal(int lane, const ProgramPoint& when) {
  issue(make(Entry::Kind::wait_signal, lane, when, true));
}

void CoreModel::fence() {
  release_blocked();
  s_.order.acquire(kScalarLane, issued_);
  s_.sent_clock.merge(issued_);
}

void CoreModel::buffer(bool get, int lane, int id, int mode, const ProgramPoint& when, bool certain) {
  BufferState& used = token(id);
  const auto at = static_cast<size_t>(lane);
  Entry entry = make(get ? Entry::Kind::get_buf : Entry::Kind::rls_buf, lane, when, true);
  entry.buffer = static_cast<int16_t>(id);
  if (get == (mode == 0)) entry.releases = used.issued;  // mode 1: the release waits, the get does not
  used.last[at] = when;
  used.certain[at] = certain && (used.certain[at] || used.got[at] + used.released[at] == 0);
  if (get) {
    if (used.got[at] > used.released[at]) buffers.push_back({when, entry.buffer, true, used.certain[at]});
    ++used.got[at];
  } else {
    if (used.released[at] >= used.got[at]) buffers.push_back({when, entry.buffer, false, used.certain[at]});
    ++used.released[at];
    ++used.issued[at];
  }
  issue(std::move(entry));
}

// ---- paths

CoreModel::State CoreModel::save() const { return s_; }

void CoreModel::restore(const State& state) {
  const size_t flags = uses_.size();
  s_ = state;
  s_.flags.resize(flags);  // flags that only the other path knew
  for (size_t i = state.flags.size(); i < flags; ++i)
    s_.flags[i].unknown = pair_unknown(uses_[i].key.src, uses_[i].key.dst);
}

void CoreModel::join(const State& other) {
  s_.order.join(other.order);
  s_.sent_clock.merge(other.sent_clock);
  for (size_t i = 0; i < s_.flags.size(); ++i) {
    FlagState& flag = s_.flags[i];
    static const FlagState kNone;
    const FlagState& theirs = i < other.flags.size() ? other.flags[i] : kNone;
    const bool same = flag.balance == theirs.balance && flag.pending.size() == theirs.pending.size();
    flag.unknown = flag.unknown || theirs.unknown || !same;
    if (!same) continue;
    for (size_t k = 0; k < flag.pending.size(); ++k) flag.pending[k].merge(theirs.pending[k]);
  }
  for (const auto& [id, theirs] : other.tokens) {
    BufferState& mine = token(id);
    for (size_t i = 0; i < kLanes; ++i) {
      mine.issued[i] = std::max(mine.issued[i], theirs.issued[i]);
      mine.done[i] = mine.issued[i];
      if (theirs.got[i] > mine.got[i]) mine.last[i] = theirs.last[i];
      mine.got[i] = std::max(mine.got[i], theirs.got[i]);
      mine.released[i] = std::max(mine.released[i], theirs.released[i]);
      mine.certain[i] = mine.certain[i] && theirs.certain[i];
      mine.clock[i].merge(theirs.clock[i]);
    }
  }
}

void CoreModel::release_blocked() {
  for (bool any = true; any;) {
    any = false;
    for (size_t i = kFirstQueue; i < kLanes; ++i) {
      std::vector<Entry>& queue = s_.queues[i];
      if (queue.empty()) continue;
      any = true;
      const bool flag = queue.front().kind == Entry::Kind::wait || queue.front().kind == Entry::Kind::set;
      if (flag) s_.flags[queue.front().flag].unknown = true;
      if (!flag) queue.front().releases = {};
      wake(static_cast<int>(i));
    }
    run_ready_entries();
  }
}

void CoreModel::forget(FlagKey key, bool set) {
  const uint16_t index = flag_of(key);
  ++(set ? uses_[index].n_sets : uses_[index].n_waits);
  s_.flags[index].unknown = true;
  wake(key.dst);
  run_ready_entries();
}

std::vector<int> CoreModel::balance() const {
  std::vector<int> all;
  for (const FlagState& flag : s_.flags) all.push_back(flag.balance);
  return all;
}

void CoreModel::add_balance(const std::vector<int>& change, int64_t times) {
  for (size_t i = 0; i < change.size(); ++i)
    s_.flags[i].balance += static_cast<int>(std::clamp<int64_t>(change[i] * times, -1'000'000, 1'000'000));
}

void CoreModel::record_deficit(const ProgramPoint& loop, const std::vector<int>& before,
                               const std::vector<int>& after) {
  for (size_t i = 0; i < after.size(); ++i) {
    const int change = after[i] - (i < before.size() ? before[i] : 0);
    if (change < 0 && !s_.flags[i].unknown && uses_[i].n_sets > 0)
      flag_deficits.push_back({loop, static_cast<uint16_t>(i), -change});
  }
}

void CoreModel::forget_differences(const std::vector<int>& before, const std::vector<int>& after) {
  for (size_t i = 0; i < after.size(); ++i) {
    if ((i < before.size() ? before[i] : 0) == after[i]) continue;
    s_.flags[i].unknown = true;
    wake(uses_[i].key.dst);
  }
  run_ready_entries();
}

// ---- memory

void CoreModel::touch(const Entry& entry) {
  if (!check_races) return;  // nobody asks
  for (const TileAccess& access : entry.accesses) {
    if (access.stretch != ~0U) check_conflict(entry, access);
  }
  for (const TileAccess& access : entry.accesses) {
    if (access.stretch != ~0U) shadow.enter(access.stretch, record_of(entry, access));
  }
}

bool CoreModel::ordered(const LastAccess& before, const Entry& now) const {
  const bool same = before.lane == now.lane && before.stamp == now.stamp;
  return same || s_.order.is_ordered({before.lane, before.stamp}, now.lane);
}

void CoreModel::check_conflict(const Entry& entry, const TileAccess& access) {
  for (const uint32_t other : shadow.at(access.stretch).overlaps) {
    for (const LastAccess& before : shadow.at(other).records) {
      if ((!before.write && !access.write) || (before.update && access.update)) continue;
      if (ordered(before, entry) || !paths_.is_compatible(before.when, entry.when)) continue;
      if (before.unit_flag == isa::UnitFlag::Phase::hand_over &&
          access.unit_flag != isa::UnitFlag::Phase::none)
        continue;
      const LastAccess now = record_of(entry, access);
      constexpr size_t kMaxPending = 256;  // further ones are of no use to anybody
      if (races.size() >= kMaxPending) return;
      const bool swap = now.when.time < before.when.time;
      const ByteRange& theirs = shadow.at(other).bytes;
      races.push_back({swap ? now : before, swap ? before : now, swap ? access.bytes : theirs,
                       swap ? theirs : access.bytes, access.space, before.certain && now.certain});
    }
  }
}

}  // namespace pto::legality::sync
