// Which accesses can be a race with which others, over all runs of a kernel: only they have to know of one
// another, and those that have the same rivals count as one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace pto::driver {

class ConflictSets {
 public:
  using Memory = std::pair<uint64_t, uint32_t>;  ///< the memory, and in GM the argument
  struct Access {
    uint32_t thread = 0;
    uint8_t kind = 0;  ///< 1: a write; 2: an atomic update
    Memory memory;
    uint64_t begin = 0, rows = 1, row_bytes = 1;
    int64_t pitch = 0;
    /// Of an access of GM whose bytes other parameters move: it counts with the operation, as all of its
    /// argument.
    uint32_t op = 0;
    auto operator<=>(const Access&) const = default;
    [[nodiscard]] bool is_write() const { return (kind & 1) != 0; }
  };

  /// Its number. `unit`: the pipe that does it; `overlaps`: that one does several at a time.
  uint32_t add(const Access& access, uint32_t unit, bool overlaps);
  [[nodiscard]] const Access& operator[](uint32_t number) const { return all_[number].access; }
  /// Pipes with accesses that can race with it.
  [[nodiscard]] const std::vector<uint32_t>& conflicting_units(uint32_t number) const {
    return all_[number].units;
  }
  /// The same for accesses that can be races with the same ones.
  uint32_t group(uint32_t number);
  /// Another one whenever there are more of those that can be races.
  [[nodiscard]] uint64_t version() const { return conflict_count_; }
  [[nodiscard]] bool overrun() const { return overrun_; }

 private:
  struct Entry {
    Access access;
    uint32_t unit = 0;
    bool overlaps = false;
    std::vector<uint32_t> conflicts, units;
    uint32_t group = 0;
  };
  static bool may_conflict(const Access& a, const Access& b);
  void link(uint32_t a, uint32_t b);

  std::vector<Entry> all_;
  std::map<Access, uint32_t> numbers_;
  std::map<Memory, std::vector<uint32_t>> by_memory_;
  uint64_t conflict_count_ = 0;
  uint64_t grouped_ = ~uint64_t{0};
  size_t grouped_size_ = 0;
  bool overrun_ = false;
};

}  // namespace pto::driver
