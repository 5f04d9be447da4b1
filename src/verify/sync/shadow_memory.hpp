// What lies in memory while the checks walk through a program: who wrote and read it last, per stretch of
// bytes.
#pragma once

#include <unordered_map>
#include <vector>

#include "verify/sync/certain_accesses.hpp"

namespace pto::legality::sync {

/// Where in the walk something happened: operation, moment, and the path of undecided branches that led
/// there.
struct ProgramPoint {
  uint32_t op = 0, time = 0, path = 0;
};

struct LastAccess {
  ProgramPoint when;
  uint32_t stamp = 0;  ///< on its lane
  uint8_t lane = 0, slot = 0;
  bool write = false, update = false;
  isa::UnitFlag::Phase unit_flag = isa::UnitFlag::Phase::none;
  bool certain = false;   ///< happens whatever the inputs are
  uint32_t inside = ~0U;  ///< the operation itself, where it stands in a vector scope
};

/// A stretch that some operation touched exactly so, and those it certainly overlaps.
struct ShadowRange {
  ByteRange bytes;
  Space space = Space::none;
  std::vector<LastAccess> records;  ///< at most one per lane and kind
  std::vector<uint32_t> overlaps;   ///< itself included
  std::vector<ValueId> tiles;       ///< that were accessed here
};

class ShadowMemory {
 public:
  /// The stretch of a footprint; ~0 when there are too many to follow.
  uint32_t find(const ByteRange& bytes, Space space);
  ShadowRange& at(uint32_t index) { return stretches_[index]; }
  /// Enters an access that stands for itself; a write takes the place of what it covers.
  void enter(uint32_t index, const LastAccess& record);
  void clear();

 private:
  static constexpr size_t kMaxPerBase = 512, kMaxOverlaps = 64, kMaxStretches = 1U << 14;
  std::vector<ShadowRange> stretches_;
  std::unordered_map<Base, std::vector<uint32_t>> by_base_;  ///< sorted by begin, end
};

}  // namespace pto::legality::sync
