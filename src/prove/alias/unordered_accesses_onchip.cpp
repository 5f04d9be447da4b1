// Accesses on the chip that nothing orders, and that come to the same bytes with numbers that no run had.
#include <algorithm>

#include "prove/alias/unordered_accesses.hpp"

namespace pto::driver {

bool UnorderedAccessObserver::is_unordered(const Key& key, uint64_t entry, const Key& other,
                                           const ChipUse& use) const {
  if ((!key.write && !other.write) || (key.update && other.update)) return false;
  if (queue_ops_.contains(key.pc) && queue_ops_.contains(other.pc)) return false;
  const uint32_t unit = sim::unit_of(key.thread);
  const uint32_t its_unit = sim::unit_of(other.thread);
  if (its_unit == unit && !overlaps(unit)) return false;
  const ChipUse::Last& last = its_unit == unit && use.last.entry == entry ? use.before : use.last;
  return !order_.is_ordered({other.thread, last.epoch}, unit);
}

/// An entry that has touched nothing on the chip, as its numbers said in this run: with others it may.
void UnorderedAccessObserver::finish_entry(uint32_t thread) {
  const auto found = untouched_.find(thread);
  if (found == untouched_.end()) return;
  FootprintEvent event;
  event.core = sim::core_of_thread(thread);
  event.pc = found->second;
  untouched_.erase(found);
  (void)order_.access(thread);
  for (const OnChipRange& each : *slice_.varying_ranges(event.pc))
    record_onchip_access(event, thread, each, true);
}

void UnorderedAccessObserver::on_finish(uint64_t) {
  while (!untouched_.empty()) finish_entry(untouched_.begin()->first);
}

void UnorderedAccessObserver::record_onchip_access(const FootprintEvent& event) {
  if (event.space == Space::none || !slice_.has_varying_accesses()) return;
  uint32_t thread = sim::thread_of(event.core, event.pipe);
  if (sim::is_scalar(thread) && event.write) thread = sim::stores_of(event.core);
  (void)order_.access(thread);
  if (const auto runs = untouched_.find(thread); runs != untouched_.end() && runs->second == event.pc)
    untouched_.erase(runs);
  if (const auto* all = slice_.data_dependent_ranges(event.pc)) {
    for (const OnChipRange& each : *all) record_onchip_access(event, thread, each, true);
    return;
  }
  const auto reach = slice_.may_touch(event.pc, event.space, event.addr);
  const int64_t last = static_cast<int64_t>(event.rows - 1) * event.pitch;
  uint64_t begin = event.addr + static_cast<uint64_t>(std::min<int64_t>(0, last));
  uint64_t end = event.addr + static_cast<uint64_t>(std::max<int64_t>(0, last)) + event.row_bytes;
  if (reach) {
    begin = std::min(begin, reach->begin);
    end = std::max(end, reach->end);
  }
  record_onchip_access(event, thread, {event.space, begin, end, event.write}, reach.has_value());
}

void UnorderedAccessObserver::record_onchip_access(const FootprintEvent& event, uint32_t thread,
                                                   const OnChipRange& place, bool moves) {
  const auto [space, begin, end, write] = place;
  // Operands of one statement that lie apart count apart.
  constexpr uint32_t kNear = 512;
  const Key key{static_cast<uint32_t>(begin / kNear), thread, event.pc, write, event.update && write};
  const uint64_t entry = entry_[thread];
  std::map<Key, ChipUse>& all = chip_[{event.home == ~0u ? event.core : event.home, space}];
  for (const auto& [other, use] : all) {
    if ((!moves && !use.varies) || begin >= use.end || use.begin >= end) continue;
    if (is_unordered(key, entry, other, use)) onchip_conflicts_.insert(std::minmax(key.pc, other.pc));
  }
  const auto [at, fresh] = all.try_emplace(key, ChipUse{begin, end, moves, {}, {}});
  ChipUse& mine = at->second;
  mine.begin = std::min(mine.begin, begin);
  mine.end = std::max(mine.end, end);
  if (mine.last.entry != entry) mine.before = mine.last;
  mine.last = {order_.access(thread), entry};
}

}  // namespace pto::driver
