// A map from byte addresses to values that splits and joins ranges as needed: shadow memory whose size
// follows the number of different ranges a program touches, not the number of bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace pto::sim {

template <typename Value>
class Intervals {
 public:
  Intervals() = default;
  Intervals(const Intervals& other) : parts_(other.parts_) {}  // `near_` points into its own parts
  Intervals& operator=(const Intervals& other) {
    parts_ = other.parts_;
    near_ = parts_.end();
    return *this;
  }

  /// Calls visit(begin, end, value&) for every part of [begin, end), in order; gaps are filled with Value{}
  /// first.
  template <typename Visit>
  void update(uint64_t begin, uint64_t end, Visit&& visit) {
    auto it = reach(begin);
    for (uint64_t at = begin; at < end; ++it) {
      if (it == parts_.end() || it->first > at) {
        const uint64_t gap_end = it == parts_.end() ? end : std::min(end, it->first);
        it = parts_.emplace_hint(it, at, Part{gap_end, Value{}});
      } else if (it->first < at) {
        it = cut(it, at);
      }
      if (it->second.end > end) cut(it, end);
      visit(it->first, it->second.end, it->second.value);
      at = it->second.end;
      near_ = it;
    }
  }

  /// Sets [begin, end) to one value, replacing what was there.
  void assign(uint64_t begin, uint64_t end, Value value) {
    if (begin >= end) return;
    auto it = reach(begin);
    if (it != parts_.end() && it->first <= begin && it->second.end >= end && it->second.value == value)
      return;
    if (it != parts_.end() && it->first < begin) {
      if (it->second.end > end) cut(it, end);
      it->second.end = begin;
      ++it;
    }
    auto result = it;
    if (it == parts_.end() || it->first != begin) {
      result = parts_.emplace_hint(it, begin, Part{end, std::move(value)});
    } else {  // as the loops of a program do it again and again
      if (it->second.end > end) cut(it, end);
      it->second = Part{end, std::move(value)};
      ++it;
    }
    near_ = parts_.end();
    while (it != parts_.end() && it->second.end <= end) it = parts_.erase(it);
    if (it != parts_.end() && it->first < end) {
      auto rest = parts_.extract(it++);
      rest.key() = end;
      parts_.insert(it, std::move(rest));
    }
    near_ = join(result);
  }

  /// Calls visit(begin, end, const Value*) for every part of [begin, end); null for gaps.
  template <typename Visit>
  void look(uint64_t begin, uint64_t end, Visit&& visit) {
    auto it = reach(begin);
    for (uint64_t at = begin; at < end;) {
      if (it == parts_.end() || it->first >= end) return visit(at, end, nullptr);
      if (it->first > at) visit(at, it->first, nullptr);
      const uint64_t from = std::max(at, it->first), to = std::min(end, it->second.end);
      visit(from, to, &std::as_const(it->second.value));
      at = to;
      near_ = it++;
    }
  }

  [[nodiscard]] size_t size() const { return parts_.size(); }

 private:
  struct Part {
    uint64_t end;
    Value value;
  };
  using Iterator = typename std::map<uint64_t, Part>::iterator;

  /// The first part that ends behind `at`. Rows and neighbours follow each other: it is mostly one of the
  /// next.
  Iterator reach(uint64_t at) {
    constexpr int kSteps = 3;
    auto it = near_;
    if (it != parts_.end() && it->first <= at) {
      for (int step = 0; step < kSteps; ++step, ++it) {
        if (it == parts_.end() || it->second.end > at) return it;
      }
    }
    it = parts_.upper_bound(at);
    if (it != parts_.begin() && std::prev(it)->second.end > at) --it;
    return it;
  }

  /// Ends a part at `at`; what is behind is the part that is returned.
  Iterator cut(Iterator it, uint64_t at) {
    const auto tail = parts_.emplace_hint(std::next(it), at, it->second);
    it->second.end = at;
    return tail;
  }

  /// With its neighbours of the same value.
  Iterator join(Iterator it) {
    if (it != parts_.begin()) {
      const auto before = std::prev(it);
      if (before->second.end == it->first && before->second.value == it->second.value) {
        before->second.end = it->second.end;
        parts_.erase(it);
        it = before;
      }
    }
    const auto after = std::next(it);
    if (after != parts_.end() && it->second.end == after->first && it->second.value == after->second.value) {
      it->second.end = after->second.end;
      parts_.erase(after);
    }
    return it;
  }

  std::map<uint64_t, Part> parts_;
  Iterator near_ = parts_.end();  ///< where the last call came to
};

}  // namespace pto::sim
