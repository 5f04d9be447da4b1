// A map from byte addresses to values that splits and joins ranges as needed: shadow memory whose size
// follows the number of different ranges a program touches, not the number of bytes.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace pto::sim {

template <typename Value>
class Intervals {
 public:
  /// Calls visit(begin, end, value&) for every part of [begin, end), in order; gaps are filled with Value{}
  /// first.
  template <typename Visit>
  void update(uint64_t begin, uint64_t end, Visit&& visit) {
    if (begin >= end) return;
    split(begin);
    split(end);
    uint64_t at = begin;
    for (auto it = parts_.lower_bound(begin); at < end;) {
      if (it == parts_.end() || it->first > at) {
        const uint64_t gap_end = it == parts_.end() ? end : std::min(end, it->first);
        it = parts_.emplace_hint(it, at, Part{gap_end, Value{}});
      }
      visit(it->first, it->second.end, it->second.value);
      at = it->second.end;
      ++it;
    }
  }

  /// Sets [begin, end) to one value, replacing what was there.
  void assign(uint64_t begin, uint64_t end, Value value) {
    if (begin >= end) return;
    split(begin);
    split(end);
    auto it = parts_.lower_bound(begin);
    while (it != parts_.end() && it->first < end) it = parts_.erase(it);
    it = parts_.emplace_hint(it, begin, Part{end, std::move(value)});
    join(it);
  }

  /// Calls visit(begin, end, const Value*) for every part of [begin, end); null for gaps.
  template <typename Visit>
  void look(uint64_t begin, uint64_t end, Visit&& visit) const {
    auto it = parts_.upper_bound(begin);
    if (it != parts_.begin() && std::prev(it)->second.end > begin) --it;
    for (uint64_t at = begin; at < end;) {
      if (it == parts_.end() || it->first >= end) return visit(at, end, nullptr);
      if (it->first > at) visit(at, it->first, nullptr);
      const uint64_t from = std::max(at, it->first), to = std::min(end, it->second.end);
      visit(from, to, &it->second.value);
      at = to;
      ++it;
    }
  }

  [[nodiscard]] size_t size() const { return parts_.size(); }

 private:
  struct Part {
    uint64_t end;
    Value value;
  };
  using Iterator = typename std::map<uint64_t, Part>::iterator;

  void split(uint64_t at) {
    auto it = parts_.upper_bound(at);
    if (it == parts_.begin()) return;
    --it;
    if (it->first == at || it->second.end <= at) return;
    const Part tail{it->second.end, it->second.value};
    it->second.end = at;
    parts_.emplace_hint(std::next(it), at, tail);
  }

  void join(Iterator it) {
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
  }

  std::map<uint64_t, Part> parts_;
};

}  // namespace pto::sim
