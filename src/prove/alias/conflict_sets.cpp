#include "prove/alias/conflict_sets.hpp"

#include <algorithm>

namespace pto::driver {
namespace {

constexpr size_t kMaxAccesses = 6000;  ///< of one memory
constexpr uint64_t kMaxConflicts = 16'000'000;

/// Rows that are apart, or one.
struct Rows {
  int64_t begin = 0, count = 1, bytes = 0, pitch = 1;
};

Rows rows_of(const ConflictSets::Access& access) {
  Rows rows{static_cast<int64_t>(access.begin), static_cast<int64_t>(access.rows),
            static_cast<int64_t>(access.row_bytes), access.pitch};
  if (rows.count > 1 && rows.pitch == rows.bytes) {
    rows.bytes *= rows.count;
    rows.count = 1;
  }
  if (rows.count <= 1 || rows.pitch == 0) {
    rows.count = std::min<int64_t>(rows.count, 1);
    rows.pitch = 1;
  } else if (rows.pitch < 0) {
    rows.begin += (rows.count - 1) * rows.pitch;
    rows.pitch = -rows.pitch;
  }
  return rows;
}

/// Whether a row of `all` has some of the bytes.
bool has_some(const Rows& all, int64_t begin, int64_t end) {
  if (all.begin >= end || all.count == 0) return false;
  const int64_t last = std::min(all.count - 1, (end - 1 - all.begin) / all.pitch);
  return all.begin + last * all.pitch + all.bytes > begin;
}

}  // namespace

bool ConflictSets::may_conflict(const Access& a, const Access& b) {
  if (a.op != 0 || b.op != 0) return a.op != 0 && b.op != 0;
  const Rows one = rows_of(a);
  const Rows two = rows_of(b);
  if (one.bytes == 0 || two.bytes == 0) return false;
  const Rows& few = one.count <= two.count ? one : two;
  const Rows& many = one.count <= two.count ? two : one;
  for (int64_t row = 0; row < few.count; ++row) {
    const int64_t begin = few.begin + row * few.pitch;
    if (has_some(many, begin, begin + few.bytes)) return true;
  }
  return false;
}

void ConflictSets::link(uint32_t a, uint32_t b) {
  Entry& entry = all_[a];
  entry.conflicts.push_back(b);
  const uint32_t unit = all_[b].unit;
  if (std::ranges::find(entry.units, unit) == entry.units.end()) entry.units.push_back(unit);
  ++conflict_count_;
}

uint32_t ConflictSets::add(const Access& access, uint32_t unit, bool overlaps) {
  const auto number = static_cast<uint32_t>(all_.size());
  const auto [at, fresh] = numbers_.try_emplace(access, number);
  if (!fresh) return at->second;
  all_.push_back({access, unit, overlaps, {}, {}, 0});
  std::vector<uint32_t>& others = by_memory_[access.memory];
  overrun_ = overrun_ || others.size() >= kMaxAccesses || conflict_count_ >= kMaxConflicts;
  if (overrun_) return number;
  for (const uint32_t other : others) {
    const Entry& entry = all_[other];
    if ((!access.is_write() && !entry.access.is_write()) || (entry.unit == unit && !overlaps)) continue;
    if (may_conflict(access, entry.access)) {
      link(number, other);
      link(other, number);
    }
  }
  if (overlaps && access.is_write() && may_conflict(access, access)) link(number, number);
  others.push_back(number);
  return number;
}

uint32_t ConflictSets::group(uint32_t number) {
  if (grouped_ != conflict_count_ || grouped_size_ != all_.size()) {
    grouped_ = conflict_count_;
    grouped_size_ = all_.size();
    std::map<std::vector<uint32_t>, uint32_t> groups;
    for (uint32_t i = 0; i < all_.size(); ++i) {
      // One of GM counts with its operation, whatever it can be a race with.
      all_[i].group = all_[i].access.op != 0 ? i : groups.try_emplace(all_[i].conflicts, i).first->second;
    }
  }
  return all_[number].group;
}

}  // namespace pto::driver
