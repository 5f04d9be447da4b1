// Names of places on the chip, and what a run does through each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "pto/simulator.hpp"

namespace pto::sim {

/// Where bytes of one name are overwritten through another.
struct Clash {
  ValueId name = kNoValue;  ///< the other
  uint32_t pc = ~0u;        ///< what overwrites them
};

struct Extent {
  bool operator==(const Extent&) const = default;
  uint64_t low = ~uint64_t{0}, high = 0;
  void add(uint64_t begin, uint64_t end) {
    low = std::min(low, begin);
    high = std::max(high, end);
  }
  [[nodiscard]] bool empty() const { return low >= high; }
  [[nodiscard]] uint64_t size() const { return empty() ? 0 : high - low; }
};

/// What is known of the value that says where a tile or pointer lies.
struct StorageAlias {
  ValueId value = kNoValue;
  Space space = Space::none;
  Extent touched, put;
  uint32_t first_put = ~0u, first_read = ~0u;  ///< operations
  uint64_t bytes = 0, lost = 0;                ///< of all its Written
  bool own = false;                            ///< somebody reads through it what was put there through it
  bool in_place = false;                       ///< it overwrites what has just been read through another name
  bool used = false;                           ///< somebody reads what was put there through it
  std::set<ValueId> readers;                   ///< names through which that is read
  std::set<ValueId> lenders;  ///< names that put what is read through this one, where it has put nothing
  std::set<ValueId> aliases;  ///< of those: the ones that it read before anything was put through it
  Clash under;                ///< what overwrites it before anybody reads it
  ValueId reader = kNoValue;  ///< the last of `readers`

  void read_through(ValueId name) {
    used = true;
    if (name == kNoValue || name == reader) return;
    reader = name;
    readers.insert(name);
  }
  /// Reads through this one found what `name` had put there, and nothing of its own. A name that is read
  /// before it is written is one more name of what it reads.
  void borrow(ValueId name) {
    lenders.insert(name);
    if (put.empty()) aliases.insert(name);
  }
  [[nodiscard]] bool read_through_others_than(ValueId name) const {
    return readers.size() > readers.count(name);
  }
};

/// One instruction's writes through one name.
struct Written {
  uint32_t pc = 0;
  ValueId root = kNoValue;
  uint64_t bytes = 0, lost = 0;  ///< written; overwritten through another name, and nobody had read them
  bool loaded = false;           ///< by a transfer from GM
  bool used = false;             ///< somebody reads some of it
  uint32_t by = ~0u;             ///< what overwrote the last of them
  StorageAlias* name = nullptr;  ///< what is known of `root`
  ValueId in_place = kNoValue;   ///< the name through which a part of it was overwritten by what had read it
};

}  // namespace pto::sim
