// What is known of parts of memory, by their number. The last ones that were asked for are found at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace pto::sim {

template <typename Page>
class Pages {
 public:
  using Iterator = typename std::map<uint64_t, std::unique_ptr<Page>>::iterator;

  /// Null: there is none.
  [[nodiscard]] Page* find(uint64_t number) {
    if (recent_.empty()) return nullptr;
    Recent& recent = recent_[number % kRecent];
    if (recent.number != number) {
      const auto found = pages_.find(number);
      recent = {number, found == pages_.end() ? nullptr : found->second.get()};
    }
    return recent.page;
  }
  /// Made when it is not there.
  Page& page_of(uint64_t number) {
    if (Page* const known = find(number)) return *known;
    std::unique_ptr<Page>& page = pages_[number];
    page = std::make_unique<Page>();
    recent_.resize(kRecent);
    recent_[number % kRecent] = {number, page.get()};
    return *page;
  }
  /// In the order of their numbers.
  [[nodiscard]] Iterator first_from(uint64_t number) { return pages_.lower_bound(number); }
  [[nodiscard]] Iterator begin() { return pages_.begin(); }
  [[nodiscard]] Iterator end() { return pages_.end(); }
  [[nodiscard]] size_t size() const { return pages_.size(); }
  void erase(Iterator first, Iterator last) {
    pages_.erase(first, last);
    recent_.clear();
    if (!pages_.empty()) recent_.resize(kRecent);
  }
  void clear() { erase(begin(), end()); }

 private:
  static constexpr size_t kRecent = 256;
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };
  std::map<uint64_t, std::unique_ptr<Page>> pages_;
  std::vector<Recent> recent_;  ///< none without pages
};

}  // namespace pto::sim
