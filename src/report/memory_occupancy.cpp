#include "report/memory_occupancy.hpp"

#include <algorithm>

namespace pto::report {
namespace {

bool overlaps(const Life& life, const Occupancy::Access& access) {
  return life.low < access.high && access.low < life.high;
}

/// Whether the access is one more piece of what the value holds already.
bool same_buffer(const Life& life, const Occupancy::Access& access) {
  if (life.value != access.value || access.value == kNoValue) return false;
  const uint64_t bytes = std::max(life.high, access.high) - std::min(life.low, access.low);
  return overlaps(life, access) || life.high == access.low || access.high == life.low ||
         (access.room != 0 && bytes <= access.room);
}

void extend(Life& life, const Occupancy::Access& access) {
  life.last = std::max(life.last, access.end);
  life.read = life.read || !access.write;
}

}  // namespace

void Occupancy::add(const Access& access) {
  if (!complete() || access.high <= access.low) return;
  std::vector<Life>& open = open_[{access.core, access.space}];
  const auto mine = std::ranges::find_if(open, [&](const Life& life) { return same_buffer(life, access); });
  // A write to the begin of what has been read: the buffer is used again.
  const bool again = mine != open.end() && access.write && mine->read && access.low <= mine->low;
  if (mine != open.end() && !again) {
    mine->low = std::min(mine->low, access.low);
    mine->high = std::max(mine->high, access.high);
    extend(*mine, access);
    return;
  }
  if (!access.write) {
    for (Life& life : open)
      if (overlaps(life, access)) extend(life, access);
    return;
  }
  // Part of what nobody has read yet, by another name: a view of it.
  for (Life& life : open) {
    if (life.read || life.low > access.low || life.high < access.high || life.value == access.value) continue;
    return extend(life, access);
  }
  for (size_t i = open.size(); i-- > 0;)
    if (overlaps(open[i], access)) close(open, i);
  open.push_back({access.core, access.space, access.value, access.pc, access.low, access.high, access.begin,
                  access.end, false});
}

void Occupancy::add(Access access, bool update) {
  if (update) {
    access.write = false;
    add(access);
    access.write = true;
  }
  add(access);
}

void Occupancy::finish() {
  for (auto& [memory, open] : open_)
    while (!open.empty()) close(open, open.size() - 1);
}

void Occupancy::close(std::vector<Life>& open, size_t at) {
  if (tell_)
    tell_(open[at]);
  else
    closed_.push_back(open[at]);
  open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
}

std::vector<Life> Occupancy::lives() const {
  std::vector<Life> all = closed_;
  for (const auto& [memory, open] : open_) all.insert(all.end(), open.begin(), open.end());
  std::ranges::stable_sort(all, {}, &Life::begin);
  return all;
}

}  // namespace pto::report
