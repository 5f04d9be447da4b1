// Event ids. Flags of nested blocks get ids of their own within their top-level item; flags of the top block,
// and those of an inner block that has more flags than ids, use an id again once the source is known to know
// that its last flag was taken. Where no id is free, a flag back to the source tells it that an older one was
// taken; failing that, flags of a block that repeats become one, or a barrier takes the flag's place and
// frees all.
#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <utility>

#include "plan/sync/sync_insertion.hpp"

namespace pto::planner {

/// Ids of one block handed out in the order of the sets.
class EventIds::Sharing {
 public:
  Sharing(uint32_t index, Block& block, std::vector<PlannedFlag>& flags, Slots& slots, int core)
      : index_(index), block_(block), flags_(flags), slots_(slots), core_(core) {
    for (const Item& item : block.items)
      if (item.fence && (item.cores >> core & 1) != 0) barriers_.insert(item.gate);
  }

  /// A slot for the flag, or -1 when it is not needed (any more).
  int acquire(uint32_t id) {
    if (covered(flags_[id].set_stamp, flags_[id].wait_stamp)) {
      flags_[id].dropped = true;
      return -1;
    }
    int slot = slot_of(flags_[id]);
    if (slot < 0 && release(id)) slot = slot_of(flags_[id]);
    if (slot < 0) {
      if (short_of_ < 0) short_of_ = flags_[id].channel();
      put_barrier(flags_[id].wait_item);
      flags_[id].dropped = true;
      return -1;
    }
    use(flags_[id], slot);
    return slot;
  }

  /// Slots for everything inside an item, per channel; a barrier before the item when they are not free.
  std::vector<int> acquire_many(uint32_t at, int channel, int n) {
    std::vector<IdSlot>& slots = slots_[static_cast<size_t>(channel)];
    const Item& item = block_.items[at];
    const auto agent = [&](int lane) { return static_cast<uint32_t>(core_ * kLanes + lane); };
    const Stamp told = block_.entry[at].clock(agent(channel / kLanes))[agent(channel % kLanes)];
    std::vector<int> taken;
    for (int round = 0; round < 2; ++round) {
      taken.clear();
      std::vector<IdSlot> copy = slots;
      for (int i = 0; i < n; ++i) {
        const int slot = free_slot(copy, known(told, item.stamp));
        if (slot < 0) break;
        copy[static_cast<size_t>(slot)] = {item.gate, kNever, 0, at, true};
        taken.push_back(slot);
      }
      if (static_cast<int>(taken.size()) == n) break;
      put_barrier(at);
    }
    for (const int slot : taken) slots[static_cast<size_t>(slot)] = {item.gate, item.stamp, 0, at, true};
    return taken;
  }

  /// The first channel where a flag found no id; -1: all did.
  [[nodiscard]] int short_of() const { return short_of_; }

  /// Whether a barrier stands between a set and its wait.
  [[nodiscard]] bool covered(Stamp set, Stamp wait) const {
    const auto next = barriers_.upper_bound(set);
    return next != barriers_.end() && *next <= wait;
  }

 private:
  static constexpr Stamp kNever = UINT32_MAX;

  int slot_of(const PlannedFlag& flag) {
    // Flags come in the order of their sets, except those that go back: what was told later does not count
    // for them.
    const auto channel = static_cast<size_t>(flag.channel());
    const Stamp told = flag.returned ? flag.known : std::max(flag.known, returned_[channel]);
    return free_slot(slots_[channel], known(told, flag.set_stamp));
  }
  void use(const PlannedFlag& flag, int slot) {
    slots_[static_cast<size_t>(flag.channel())][static_cast<size_t>(slot)] = {
        flag.set_stamp, flag.wait_stamp, flag.set_stamp, flag.wait_item, true};
  }

  /// A flag in the other direction: set by the destination after the item before which it took an older flag,
  /// waited for by the source before it sets the new one. The one in the middle of the older ones frees half
  /// of the ids.
  bool release(uint32_t id) {
    const PlannedFlag flag = flags_[id];
    std::vector<IdSlot> older;
    for (const IdSlot& slot : slots_[static_cast<size_t>(flag.channel())])
      if (slot.used && slot.wait_item < flag.set_item) older.push_back(slot);
    if (older.empty()) return false;
    std::sort(older.begin(), older.end(), [](const IdSlot& a, const IdSlot& b) { return a.wait < b.wait; });
    const IdSlot& taken = older[older.size() / 2];
    PlannedFlag back;
    back.source = flag.destination;
    back.destination = flag.source;
    back.block = index_;
    back.set_item = taken.wait_item;
    back.wait_item = flag.set_item;
    back.set_stamp = block_.items[taken.wait_item].stamp;
    back.wait_stamp = flag.set_stamp;
    back.known = taken.told;
    back.returned = true;
    if (covered(back.set_stamp, back.wait_stamp)) return false;
    const int slot = slot_of(back);
    if (slot < 0) return false;
    use(back, slot);
    back.id = slot;
    flags_.push_back(back);
    block_.forward.push_back(static_cast<uint32_t>(flags_.size() - 1));
    Stamp& told = returned_[static_cast<size_t>(flag.channel())];
    told = std::max(told, back.set_stamp);
    return true;
  }

  [[nodiscard]] Stamp known(Stamp told, Stamp at) const {
    const auto next = barriers_.upper_bound(at);
    return next == barriers_.begin() ? told : std::max(told, *std::prev(next) - 1);
  }
  /// An id never used, else the one that has been free for longest.
  [[nodiscard]] int free_slot(const std::vector<IdSlot>& slots, Stamp known_wait) const {
    int best = -1;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (!slots[i].used) return static_cast<int>(i);
      const bool in_flight =
          slots[i].wait == kNever || (slots[i].wait > known_wait && !covered(slots[i].set, slots[i].wait));
      if (!in_flight && (best < 0 || slots[i].wait < slots[static_cast<size_t>(best)].wait))
        best = static_cast<int>(i);
    }
    return best;
  }
  void put_barrier(uint32_t at) {
    block_.items[at].barrier_before |= static_cast<CoreBits>(1U << core_);
    barriers_.insert(block_.items[at].gate);
  }

  uint32_t index_;
  Block& block_;
  std::vector<PlannedFlag>& flags_;
  Slots& slots_;
  int core_;
  std::array<Stamp, kChannels> returned_{};  ///< what flags back have told the source of a channel so far
  int short_of_ = -1;
  std::set<Stamp> barriers_;
};

/// What handing out ids changes in a block.
class EventIds::Attempt {
 public:
  Attempt(const Block& block, const std::vector<PlannedFlag>& flags) : end_barrier_(block.end_barrier) {
    constexpr size_t kMax = 1000;  // items, and flags, of a block that is tried again
    if (block.items.size() > kMax || block.forward.size() + block.backward.size() > kMax) return;
    kept_ = true;
    lists_ = {block.forward, block.backward};
    for (const auto& list : lists_) {
      for (const uint32_t id : list) flags_.push_back(flags[id]);
    }
    for (const Item& item : block.items) barriers_.push_back(item.barrier_before);
  }
  [[nodiscard]] bool can_be_undone() const { return kept_; }
  /// Flags that were made since are lost to the block, and stay without a use.
  void restore(Block& block, std::vector<PlannedFlag>& flags) const {
    block.end_barrier = end_barrier_;
    block.forward = lists_[0];
    block.backward = lists_[1];
    size_t next = 0;
    for (const auto& list : lists_) {
      for (const uint32_t id : list) flags[id] = flags_[next++];
    }
    for (size_t i = 0; i < barriers_.size(); ++i) block.items[i].barrier_before = barriers_[i];
  }

 private:
  bool kept_ = false;
  CoreBits end_barrier_;
  std::array<std::vector<uint32_t>, 2> lists_;
  std::vector<PlannedFlag> flags_;
  std::vector<CoreBits> barriers_;
};

EventIds::Counts EventIds::count(const std::vector<uint32_t>& flags) const {
  Counts counts{};
  for (const uint32_t id : flags) {
    if (wants(id)) ++counts[static_cast<size_t>(flags_[id].channel())];
  }
  return counts;
}

/// One flag for two: set when both may be set, waited for before either is. Of all pairs the one that moves
/// least. The order of the text stays: no flag is waited for before it is set.
bool EventIds::join_two(const std::vector<uint32_t>& list, int channel) {
  constexpr size_t kMax = 64;  // that are looked at, pair by pair
  std::vector<uint32_t> flags;
  for (const uint32_t id : list) {
    if (wants(id) && flags_[id].channel() == channel) flags.push_back(id);
    if (flags.size() == kMax) break;
  }
  uint32_t least = kNone;
  PlannedFlag* first = nullptr;
  PlannedFlag* second = nullptr;
  for (size_t i = 0; i < flags.size(); ++i) {
    for (size_t k = i + 1; k < flags.size(); ++k) {
      PlannedFlag &a = flags_[flags[i]], &b = flags_[flags[k]];
      const uint32_t set = std::max(a.set_item, b.set_item), wait = std::min(a.wait_item, b.wait_item);
      if (a.returned || b.returned || (!a.backward && set >= wait)) continue;
      const uint32_t moved = 2 * set - a.set_item - b.set_item + a.wait_item + b.wait_item - 2 * wait;
      if (moved < least) {
        least = moved;
        first = &a;
        second = &b;
      }
    }
  }
  if (first == nullptr) return false;
  if (second->set_stamp > first->set_stamp) {
    first->set_item = second->set_item;
    first->set_stamp = second->set_stamp;
    first->known = second->known;
    first->known_again = second->known_again;
  }
  if (second->wait_stamp < first->wait_stamp) {
    first->wait_item = second->wait_item;
    first->wait_stamp = second->wait_stamp;
  }
  second->dropped = true;
  return true;
}

void EventIds::close(Block& block) {
  block.end_barrier |= bit();
  for (const uint32_t id : block.backward) {
    if (wants(id)) flags_[id].dropped = true;
  }
}

/// Flags around a loop keep their id for the whole nest: at most half of the ids.
void EventIds::close_until_fit(const std::vector<uint32_t>& blocks) {
  for (size_t channel = 0; channel < kChannels; ++channel) {
    for (;;) {
      int total = 0, most = 0, forward = 0;
      Block* worst = nullptr;
      for (const uint32_t index : blocks) {
        const int mine = count(blocks_[index].backward)[channel];
        total += mine;
        forward += count(blocks_[index].forward)[channel];
        if (mine <= most) continue;
        most = mine;
        worst = &blocks_[index];
      }
      if (worst == nullptr || total + forward <= ids(channel) || total <= ids(channel) / 2) break;
      if (shortage_ == IdShortage::barriers || !join_two(worst->backward, static_cast<int>(channel)))
        close(*worst);
    }
  }
}

EventIds::Counts EventIds::fit_nest(const std::vector<uint32_t>& blocks) {
  close_until_fit(blocks);
  std::vector<Counts> wanted, quota(blocks.size(), Counts{});
  Counts backward{}, used{};
  for (const uint32_t index : blocks) {
    wanted.push_back(count(blocks_[index].forward));
    const Counts mine = count(blocks_[index].backward);
    for (size_t c = 0; c < kChannels; ++c) backward[c] += mine[c];
  }
  // Inner blocks first (they come later): every block one id, then one more each while there are any.
  for (size_t c = 0; c < kChannels; ++c) {
    int left = ids(c) - backward[c];
    for (bool more = true; more && left > 0;) {
      more = false;
      for (size_t i = blocks.size(); i-- > 0 && left > 0;) {
        if (quota[i][c] >= wanted[i][c]) continue;
        ++quota[i][c];
        --left;
        more = true;
      }
    }
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    share_in(blocks[i], quota[i], used);
    for (size_t c = 0; c < kChannels; ++c) used[c] += quota[i][c];
  }
  for (const uint32_t index : blocks) {
    for (const uint32_t id : blocks_[index].backward) {
      if (wants(id)) flags_[id].id = used[static_cast<size_t>(flags_[id].channel())]++;
    }
  }
  return used;
}

/// Flags in the order of their sets.
std::vector<uint32_t> EventIds::by_set(const std::vector<uint32_t>& list) const {
  std::vector<uint32_t> ids;
  for (const uint32_t id : list) {
    if (!flags_[id].crosses() && core_of(flags_[id].source) == core_) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, {}, [&](uint32_t id) { return flags_[id].set_stamp; });
  return ids;
}

/// As long as a flag finds no id, two flags of its channel become one.
void EventIds::share_in(uint32_t index, const Counts& quota, const Counts& base) {
  Block& block = blocks_[index];
  const std::vector<uint32_t> forward = block.forward;
  for (;;) {
    const Attempt before(block, flags_);
    const int short_of = try_sharing(index, quota);
    if (shortage_ != IdShortage::join || short_of < 0 || !before.can_be_undone()) break;
    const Attempt tried(block, flags_);
    before.restore(block, flags_);
    if (join_two(forward, short_of)) continue;
    tried.restore(block, flags_);
    break;
  }
  for (const uint32_t id : block.forward) {
    if (wants(id) && flags_[id].id >= 0) flags_[id].id += base[static_cast<size_t>(flags_[id].channel())];
  }
}

/// The channel that has not ids enough: there a barrier stands now. -1: there is none.
int EventIds::try_sharing(uint32_t index, const Counts& quota) {
  Block& block = blocks_[index];
  Slots slots;
  for (size_t c = 0; c < kChannels; ++c) slots[c].resize(static_cast<size_t>(quota[c]));
  Sharing sharing(index, block, flags_, slots, core_);
  for (const uint32_t id : by_set(block.forward)) {
    if (!flags_[id].dropped) flags_[id].id = sharing.acquire(id);
  }
  for (const uint32_t id : by_set(block.forward))
    flags_[id].dropped = flags_[id].dropped || sharing.covered(flags_[id].set_stamp, flags_[id].wait_stamp);
  const int around = block.repeats ? check_reuse(block) : -1;
  return sharing.short_of() >= 0 ? sharing.short_of() : around;
}

/// Around the back edge: the last flag of an id must have been taken when the first is set again. The channel
/// where that is not so and the block is closed; -1: there is none.
int EventIds::check_reuse(Block& block) {
  if ((block.end_barrier & bit()) != 0) return -1;
  struct Users {
    const PlannedFlag* first = nullptr;
    const PlannedFlag* last = nullptr;
  };
  std::map<std::pair<int, int>, Users> users;
  for (const uint32_t id : by_set(block.forward)) {
    if (flags_[id].dropped) continue;
    Users& mine = users[{flags_[id].channel(), flags_[id].id}];
    if (mine.first == nullptr) mine.first = &flags_[id];
    mine.last = &flags_[id];
  }
  for (const auto& [key, mine] : users) {
    if (mine.first->known_again >= mine.last->wait_stamp) continue;
    close(block);
    return key.first;
  }
  return -1;
}

void EventIds::run(uint32_t top) {
  const size_t n_items = blocks_[top].items.size();
  std::vector<Counts> inside(n_items, Counts{});
  std::vector<std::vector<uint32_t>> nests(n_items);
  for (size_t at = 0; at < n_items; ++at) {
    const Item& item = blocks_[top].items[at];
    for (uint32_t index = item.nested; item.nested != kNone && index < item.nested_end; ++index)
      nests[at].push_back(index);
    if (!nests[at].empty()) inside[at] = fit_nest(nests[at]);
  }
  Slots slots;
  for (size_t c = 0; c < kChannels; ++c) slots[c].resize(static_cast<size_t>(ids(c)));
  Block& block = blocks_[top];
  Sharing sharing(top, block, flags_, slots, core_);
  const std::vector<uint32_t> flags = by_set(block.forward);
  size_t next = 0;
  for (uint32_t at = 0; at < n_items; ++at) {
    if (!nests[at].empty()) {
      for (int channel = 0; channel < kChannels; ++channel) {
        const int n = inside[at][static_cast<size_t>(channel)];
        if (n == 0) continue;
        const std::vector<int> ids = sharing.acquire_many(at, channel, n);
        for (const uint32_t index : nests[at]) {
          for (const auto* list : {&blocks_[index].forward, &blocks_[index].backward}) {
            for (const uint32_t id : *list)
              if (wants(id) && flags_[id].channel() == channel)
                flags_[id].id = ids[static_cast<size_t>(flags_[id].id)];
          }
        }
      }
    }
    for (; next < flags.size() && flags_[flags[next]].set_item == at; ++next) {
      const int slot = sharing.acquire(flags[next]);
      flags_[flags[next]].id = slot;
    }
  }
  for (const uint32_t id : by_set(block.forward))
    flags_[id].dropped = flags_[id].dropped || sharing.covered(flags_[id].set_stamp, flags_[id].wait_stamp);
}

}  // namespace pto::planner
