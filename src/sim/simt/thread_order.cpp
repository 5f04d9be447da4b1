#include "sim/simt/thread_order.hpp"

#include <algorithm>

namespace pto::sim {
namespace {

uint64_t key_of(Space space, uint64_t addr) { return addr ^ static_cast<uint64_t>(space) << 56; }
bool has(uint32_t lanes, uint32_t lane) { return (lanes >> lane & 1) != 0; }

}  // namespace

ThreadOrder::ThreadOrder(size_t warps) : order_(warps), warps_(warps), records_(1) {}

void ThreadOrder::step(const exec::Threads& threads) {
  Warp& warp = warps_[threads.warp];
  ++warp.steps;
  for (auto& [lanes, last] : warp.together) {
    if (lanes != threads.active) continue;
    last = warp.steps;
    return;
  }
  // What a larger group did later says all that smaller groups did before.
  std::erase_if(warp.together, [&](const auto& group) { return (group.first & ~threads.active) == 0; });
  warp.together.emplace_back(threads.active, warp.steps);
}

bool ThreadOrder::ordered(const Record& before, uint32_t lane_before, const exec::Threads& threads,
                          uint32_t lane) const {
  const Warp& warp = warps_[threads.warp];
  if (before.warp != threads.warp) return order_.is_ordered({before.warp, before.epoch}, threads.warp);
  if (lane == lane_before) return true;
  if (before.step == warp.steps) return false;  // one instruction
  return has(before.active, lane) || std::ranges::any_of(warp.together, [&](const auto& group) {
           return group.second >= before.step && has(group.first, lane_before) && has(group.first, lane);
         });
}

ThreadOrder::Cell& ThreadOrder::cell(Space space, uint64_t addr) {
  return pages_[key_of(space, addr / kPage)][addr % kPage];
}

std::optional<ThreadConflict> ThreadOrder::access(const exec::Threads& threads, uint32_t pc,
                                                  const std::vector<Touch>& touches) {
  std::optional<ThreadConflict> found;
  const bool atomic = !touches.empty() && touches.front().how == exec::AccessMode::update;
  const auto built = static_cast<uint32_t>(records_.size());
  records_.push_back(
      {pc, threads.warp, order_.access(threads.warp), threads.active, warps_[threads.warp].steps, atomic});
  for (const Touch& touch : touches) {
    const bool changed = touch.how != exec::AccessMode::read && touch.changed();
    const bool stored = touch.how == exec::AccessMode::write, write = changed;
    if (touch.data == nullptr) continue;
    for (uint32_t i = 0; i < touch.bytes; ++i) {
      Cell& at = cell(touch.space, touch.addr + i);
      const uint64_t own = uint64_t{1} << threads.warp;
      if (stored && !changed) {
        at.same |= own;
        continue;
      }
      const auto conflicts = [&](uint32_t record, uint32_t lane, bool wrote) {
        const Record& before = records_[record];
        if (record == 0 || found || (atomic && before.atomic) || ordered(before, lane, threads, touch.lane))
          return;
        found = {{before.pc, before.warp * exec::kWarpLanes + lane, wrote, before.atomic},
                 {pc, threads.warp * exec::kWarpLanes + touch.lane, write, atomic},
                 touch.space,
                 touch.addr + i};
      };
      if (write || (at.same & own) == 0) conflicts(at.write, at.write_lane, true);
      if (write) {
        at.same = 0;
        for (size_t k = 0; k < at.read.size(); ++k) conflicts(at.read[k], at.read_lane[k], false);
        at.write = built;
        at.write_lane = touch.lane;
        at.read = {};
        continue;
      }
      const bool same_warp = at.read[0] == 0 || records_[at.read[0]].warp == threads.warp;
      const size_t slot = same_warp ? 0 : 1;
      // A reader that is no update says more: it conflicts with updates as well.
      const uint32_t kept = at.read[slot];
      if (atomic && kept != 0 && records_[kept].warp == threads.warp && !records_[kept].atomic) continue;
      at.read[slot] = built;
      at.read_lane[slot] = touch.lane;
    }
  }
  if (atomic) synchronise(threads, touches);
  return found;
}

void ThreadOrder::synchronise(const exec::Threads& threads, const std::vector<Touch>& touches) {
  Warp& warp = warps_[threads.warp];
  for (const Touch& touch : touches) {
    Clock& sync = released_[key_of(touch.space, touch.addr)];
    warp.pending.merge(sync);
    sync.merge(warp.released);
  }
}

void ThreadOrder::fence(uint32_t index) {
  order_.acquire(index, warps_[index].pending);
  warps_[index].released = order_.release_store(index);
}

void ThreadOrder::barrier() {
  pages_.clear();
  records_.resize(1);
  released_.clear();
  for (Warp& warp : warps_) warp.together.clear();
}

}  // namespace pto::sim
