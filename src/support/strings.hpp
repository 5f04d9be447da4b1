// Texts that are lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace pto {

/// The parts of a text between separators, to be walked once; empty parts are skipped.
class Parts {
 public:
  class Iterator {
   public:
    constexpr Iterator(std::string_view text, char separator) : rest_(text), separator_(separator) {
      ++*this;
    }
    constexpr std::string_view operator*() const { return part_; }
    constexpr Iterator& operator++() {
      do {
        const size_t end = std::min(rest_.find(separator_), rest_.size());
        part_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
      } while (part_.empty() && !rest_.empty());
      return *this;
    }
    constexpr bool operator==(std::default_sentinel_t) const { return part_.empty(); }

   private:
    std::string_view part_, rest_;
    char separator_;
  };

  constexpr Parts(std::string_view text, char separator) : text_(text), separator_(separator) {}
  [[nodiscard]] constexpr Iterator begin() const { return {text_, separator_}; }
  [[nodiscard]] static constexpr std::default_sentinel_t end() { return {}; }

 private:
  std::string_view text_;
  char separator_;
};

constexpr Parts split(std::string_view text, char separator) { return {text, separator}; }

inline std::vector<std::string_view> list_of(const Parts& parts) {
  std::vector<std::string_view> list;
  for (const std::string_view part : parts) list.push_back(part);
  return list;
}

/// Calls `each` for the parts. Stops, and is false, when `each` says false.
template <typename Each>
bool for_each_part(std::string_view text, char separator, Each&& each) {
  for (const std::string_view part : split(text, separator)) {
    if (!each(part)) return false;
  }
  return true;
}

}  // namespace pto
