// On-chip addresses of tiles: live ranges, and addresses at which tiles with overlapping live
// ranges do not overlap.
//
// Example: three tiles of 96 KiB in a UB that holds two of them.
//
//     0  tload  -> x         MTE2       x lives in [0, 1]
//     1  texp   x -> y       V          y lives in [1, 2]
//     2  tadd   y, y -> z    V          z lives in [2, 3]
//     3  tstore z            MTE3
//
//     address   0        1        2        3
//          0    xxxxxxxxxxxxxxxxx zzzzzzzzzzzzzzz
//      98304             yyyyyyyyyyyyyyyyy
//     196608
//
// Tiles are placed side by side if they fit, because a shared address can make pipes wait for each
// other. Here 288 KiB do not fit, so some tiles share an address. x and z can: their live ranges
// are disjoint. x and y, or y and z, cannot: both are live at operation 1 or 2.
//
// With `Reuse::by_pipes` (the default) the shared sets are chosen by ReuseCost. It counts the waits
// that sharing adds. z on x costs nothing: PIPE_V writes z at 2, after PIPE_V itself has read x at
// 1. With a second iteration, the tload of the next x would have to wait for the tstore of z; then
// a set of tiles on the same pipes costs less. In `Reuse::round_robin` and best-fit order, tiles are
// placed in the order of first use instead. If that does not fit either, the largest tiles come
// first.
//
// A tile with a fixed address occupies it for its live range. The live range of a tile that is
// defined before a loop and used in the loop is extended to the whole loop.
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
/// names by their operation, when it is not empty. False after an error: no room, or a loop that passes on a
/// tile while it writes the next one.
bool place_tiles(const Program& program, const NamedMachine& machine, const std::set<uint32_t>& wanted,
                 Storage& storage, Diagnostics& diagnostics, Reuse reuse = Reuse::by_pipes,
                 const BankPlaces& banks = {});

/// Base alignment of a tile in a memory.
uint32_t alignment_of(const Machine& machine, Space space);

}  // namespace pto::planner
