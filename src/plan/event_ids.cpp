// Event ids. Flags of nested blocks get ids of their own within their top-level item; flags of the top block,
// and those of an inner block that has more flags than ids, use an id again once the source is known to know
// that its last flag was taken. Where no id is free, a flag back to the source tells it that an older one was
// taken; failing that, a barrier takes the flag's place and frees all.
#include <algorithm>
#include <climits>
#include <map>
#include <set>

#include "plan/sync.hpp"

namespace pto::planner {

/// Ids of one block handed out in the order of the sets.
class EventIds::Sharing {
 public:
  Sharing(uint32_t index, Block& block, std::vector<PlannedFlag>& flags, Slots& slots)
      : index_(index), block_(block), flags_(flags), slots_(slots) {
    for (const Item& item : block.items)
      if (item.fence) barriers_.insert(item.gate);
  }

  /// A slot for the flag, or -1 when it is not needed (any more).
  int take(uint32_t id) {
    if (covered(flags_[id].set_stamp, flags_[id].wait_stamp)) return flags_[id].dropped = true, -1;
    int slot = slot_of(flags_[id]);
    if (slot < 0 && give_back(id)) slot = slot_of(flags_[id]);
    if (slot < 0) {
      put_barrier(flags_[id].wait_item);
      return flags_[id].dropped = true, -1;
    }
    use(flags_[id], slot);
    return slot;
  }

  /// Slots for everything inside an item, per channel; a barrier before the item when they are not free.
  std::vector<int> take_many(uint32_t at, int channel, int n) {
    std::vector<IdSlot>& slots = slots_[static_cast<size_t>(channel)];
    const Item& item = block_.items[at];
    const Stamp told =
        block_.entry[at][static_cast<size_t>(channel / kLanes)][static_cast<size_t>(channel % kLanes)];
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

  /// Whether a barrier stands between a set and its wait.
  [[nodiscard]] bool covered(Stamp set, Stamp wait) const {
    const auto next = barriers_.upper_bound(set);
    return next != barriers_.end() && *next <= wait;
  }

 private:
  static constexpr Stamp kNever = INT32_MAX;

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
  bool give_back(uint32_t id) {
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
    block_.items[at].barrier_before = true;
    barriers_.insert(block_.items[at].gate);
  }

  uint32_t index_;
  Block& block_;
  std::vector<PlannedFlag>& flags_;
  Slots& slots_;
  std::array<Stamp, kChannels> returned_{};  ///< what flags back have told the source of a channel so far
  std::set<Stamp> barriers_;
};

EventIds::Counts EventIds::count(const std::vector<uint32_t>& flags) const {
  Counts counts{};
  for (const uint32_t id : flags) {
    if (!flags_[id].dropped) ++counts[static_cast<size_t>(flags_[id].channel())];
  }
  return counts;
}

void EventIds::close(Block& block) {
  block.end_barrier = true;
  for (const uint32_t id : block.backward) flags_[id].dropped = true;
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
      if (worst == nullptr || total + forward <= ids_ || total <= ids_ / 2) break;
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
    int left = ids_ - backward[c];
    for (bool more = true; more && left > 0;) {
      more = false;
      for (size_t i = blocks.size(); i-- > 0 && left > 0;) {
        if (quota[i][c] >= wanted[i][c]) continue;
        ++quota[i][c], --left;
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
      if (!flags_[id].dropped) flags_[id].id = used[static_cast<size_t>(flags_[id].channel())]++;
    }
  }
  return used;
}

namespace {

/// Flags in the order of their sets.
std::vector<uint32_t> by_set(const std::vector<PlannedFlag>& flags, std::vector<uint32_t> ids) {
  std::stable_sort(ids.begin(), ids.end(),
                   [&](uint32_t a, uint32_t b) { return flags[a].set_stamp < flags[b].set_stamp; });
  return ids;
}

}  // namespace

void EventIds::share_in(uint32_t index, const Counts& quota, const Counts& base) {
  Block& block = blocks_[index];
  Slots slots;
  for (size_t c = 0; c < kChannels; ++c) slots[c].resize(static_cast<size_t>(quota[c]));
  Sharing sharing(index, block, flags_, slots);
  for (const uint32_t id : by_set(flags_, block.forward)) {
    const int slot = sharing.take(id);
    flags_[id].id = slot;
  }
  for (const uint32_t id : block.forward) {
    if (flags_[id].id >= 0) flags_[id].id += base[static_cast<size_t>(flags_[id].channel())];
  }
  for (const uint32_t id : block.forward)
    flags_[id].dropped = flags_[id].dropped || sharing.covered(flags_[id].set_stamp, flags_[id].wait_stamp);
  if (block.repeats) check_reuse(block);
}

/// Around the back edge: the last flag of an id must have been taken when the first is set again.
void EventIds::check_reuse(Block& block) {
  if (block.end_barrier) return;
  struct Users {
    const PlannedFlag* first = nullptr;
    const PlannedFlag* last = nullptr;
  };
  std::map<std::pair<int, int>, Users> users;
  for (const uint32_t id : by_set(flags_, block.forward)) {
    if (flags_[id].dropped) continue;
    Users& mine = users[{flags_[id].channel(), flags_[id].id}];
    if (mine.first == nullptr) mine.first = &flags_[id];
    mine.last = &flags_[id];
  }
  for (const auto& [key, mine] : users) {
    if (mine.first->known_again < mine.last->wait_stamp) return close(block);
  }
}

void EventIds::run(uint32_t top) {
  const size_t n_items = blocks_[top].items.size();
  std::vector<Counts> inside(n_items, Counts{});
  std::vector<std::vector<uint32_t>> nests(n_items);
  for (size_t at = 0; at < n_items; ++at) {
    const Item& item = blocks_[top].items[at];
    for (uint32_t index = item.nested; item.nested != kNone && index < item.nested_end;) {
      if (blocks_[index].top) {
        index = blocks_[index].end;
        continue;
      }
      nests[at].push_back(index++);
    }
    if (!nests[at].empty()) inside[at] = fit_nest(nests[at]);
  }
  Slots slots;
  for (std::vector<IdSlot>& list : slots) list.resize(static_cast<size_t>(ids_));
  Block& block = blocks_[top];
  Sharing sharing(top, block, flags_, slots);
  const std::vector<uint32_t> flags = by_set(flags_, block.forward);
  size_t next = 0;
  for (uint32_t at = 0; at < n_items; ++at) {
    if (!nests[at].empty()) {
      for (int channel = 0; channel < kChannels; ++channel) {
        const int n = inside[at][static_cast<size_t>(channel)];
        if (n == 0) continue;
        const std::vector<int> ids = sharing.take_many(at, channel, n);
        for (const uint32_t index : nests[at]) {
          for (const auto* list : {&blocks_[index].forward, &blocks_[index].backward}) {
            for (const uint32_t id : *list)
              if (flags_[id].channel() == channel && !flags_[id].dropped)
                flags_[id].id = ids[static_cast<size_t>(flags_[id].id)];
          }
        }
      }
    }
    for (; next < flags.size() && flags_[flags[next]].set_item == at; ++next) {
      const int slot = sharing.take(flags[next]);
      flags_[flags[next]].id = slot;
    }
  }
  for (const uint32_t id : block.forward)
    flags_[id].dropped = flags_[id].dropped || sharing.covered(flags_[id].set_stamp, flags_[id].wait_stamp);
}

}  // namespace pto::planner
