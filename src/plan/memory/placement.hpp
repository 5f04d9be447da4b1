// On-chip addresses for tiles: who is live when, and where everybody fits.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "plan/memory/storage_analysis.hpp"
#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/plan.hpp"

namespace pto::planner {

/// Operations between which a tile's bytes matter, both ends included. Empty (begin > end) when it is never
/// accessed.
struct LiveRange {
  uint32_t begin = ~0u, end = 0;
  [[nodiscard]] bool empty() const { return begin > end; }
  [[nodiscard]] bool overlaps(const LiveRange& other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// One range per root. A tile made before a loop and used in it lives through the whole loop; a tile made
/// inside lives within one iteration, unless it is handed to the next one. A tile that a cube and a vector
/// section share lives through the function; one with an address of its own does before it is first written
/// and after its last access when that writes.
std::vector<LiveRange> live_ranges(const Program& program, const Storage& storage);

struct NamedMachine {
  const Machine& machine;
  std::string_view name;  ///< for messages; empty: the target's
};

/// Gives every root with `planned` an address, around those that have one; only in functions that `wanted`
/// names by their operation, when it is not empty. False after an error: no room, or a loop that hands on a
/// tile while it writes the next one.
bool place_tiles(const Program& program, const NamedMachine& machine, const std::set<uint32_t>& wanted,
                 Storage& storage, Diagnostics& diagnostics, Reuse reuse = Reuse::by_pipes,
                 const BankPlaces& banks = {});

/// Base alignment of a tile in a memory.
uint32_t alignment_of(const Machine& machine, Space space);

}  // namespace pto::planner
