// Which stretches of a memory are taken, and which are free.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace pto::planner {

/// Disjoint stretches of a memory by address.
class FreeSpans {
 public:
  void add(uint64_t begin, uint64_t end) {
    auto at = by_begin_.upper_bound(begin);
    if (at != by_begin_.begin() && std::prev(at)->second >= begin) --at;
    while (at != by_begin_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = by_begin_.erase(at);
    }
    by_begin_[begin] = end;
  }
  void add(const FreeSpans& other) {
    for (const auto& [begin, end] : other.by_begin_) add(begin, end);
  }
  [[nodiscard]] const std::map<uint64_t, uint64_t>& all() const { return by_begin_; }

 private:
  std::map<uint64_t, uint64_t> by_begin_;
};

/// Free stretches of a memory by address.
class FreeList {
 public:
  explicit FreeList(uint64_t begin, uint64_t end) {
    if (begin < end) free_[begin] = end;
  }
  void allocate(uint64_t begin, uint64_t end) {
    auto at = free_.upper_bound(begin);
    if (at != free_.begin()) --at;
    while (at != free_.end() && at->first < end) {
      const auto [b, e] = *at;
      at = e <= begin ? std::next(at) : free_.erase(at);
      if (e <= begin) continue;
      if (b < begin) free_[b] = begin;
      if (e > end) free_[end] = e;
    }
  }
  void free(uint64_t begin, uint64_t end) {
    auto next = free_.lower_bound(begin);
    if (next != free_.end() && next->first == end) {
      end = next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->second == begin)
      std::prev(next)->second = end;
    else
      free_[begin] = end;
  }
  /// The first room at `from` or behind it, else from the beginning; -1 when there is none.
  [[nodiscard]] int64_t next_fit(uint64_t bytes, uint64_t from) const {
    int64_t first = -1;
    for (const auto& [begin, end] : free_) {
      const uint64_t at = std::max(begin, from);
      if (end > at && end - at >= bytes) return static_cast<int64_t>(at);
      if (first < 0 && end - begin >= bytes) first = static_cast<int64_t>(begin);
    }
    return first;
  }
  /// The first room that begins at `place` modulo `round`; -1 when there is none.
  [[nodiscard]] int64_t fit_at(uint64_t bytes, uint64_t round, uint64_t place) const {
    for (const auto& [begin, end] : free_) {
      const uint64_t at = begin + (place + round - begin % round) % round;
      if (at < end && end - at >= bytes) return static_cast<int64_t>(at);
    }
    return -1;
  }
  /// The smallest stretch that is large enough, lowest address first; -1 when there is none.
  [[nodiscard]] int64_t best_fit(uint64_t bytes) const {
    int64_t best = -1;
    uint64_t best_size = ~uint64_t{0};
    for (const auto& [begin, end] : free_) {
      if (end - begin < bytes || end - begin >= best_size) continue;
      best = static_cast<int64_t>(begin);
      best_size = end - begin;
    }
    return best;
  }

 private:
  std::map<uint64_t, uint64_t> free_;
};

}  // namespace pto::planner
