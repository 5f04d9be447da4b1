// What the memory checkers share: naming a memory, and walking the rows of a footprint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::sim {

/// One memory of the device: GM, or a space of one core.
using MemoryKey = uint64_t;
inline MemoryKey memory_of(const FootprintEvent& event) {
  if (event.space == Space::gm) return 0;
  const uint32_t owner = event.home == ~0u ? event.core : event.home;
  return (uint64_t{owner} + 1) << 8 | static_cast<uint64_t>(event.space);
}

/// What a checker knows of every memory.
template <typename Memory>
class Memories {
 public:
  Memory& of(const FootprintEvent& event) {
    constexpr uint32_t kMaxCores = 1u << 20;  // memories that no core uses by itself have higher numbers
    if (event.space == Space::gm) return gm_;
    const uint32_t owner = event.home == ~0u ? event.core : event.home;
    if (owner >= kMaxCores) return others_[memory_of(event)];
    const size_t index = size_t{owner} * kSpaceCount + static_cast<size_t>(event.space);
    if (index >= chips_.size()) chips_.resize(index + 1);
    if (chips_[index] == nullptr) chips_[index] = std::make_unique<Memory>();
    return *chips_[index];
  }
  Memory& gm() { return gm_; }

 private:
  Memory gm_;
  std::vector<std::unique_ptr<Memory>> chips_;  ///< by core and space
  std::unordered_map<MemoryKey, Memory> others_;
};

/// Calls visit(begin, end) for each contiguous piece of a footprint.
template <typename Visit>
void for_each_range(const FootprintEvent& event, Visit&& visit) {
  if (event.rows == 0 || event.row_bytes == 0) return;
  if (event.pitch == 0 || event.rows == 1) return visit(event.addr, event.addr + event.row_bytes);
  if (event.pitch == static_cast<int64_t>(event.row_bytes))
    return visit(event.addr, event.addr + event.rows * event.row_bytes);
  for (uint64_t row = 0; row < event.rows; ++row) {
    const uint64_t begin = event.addr + row * static_cast<uint64_t>(event.pitch);
    visit(begin, begin + event.row_bytes);
  }
}

}  // namespace pto::sim
