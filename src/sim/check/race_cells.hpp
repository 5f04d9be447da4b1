// What the race checker remembers: of every thread, and of every part of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/check/race_clock.hpp"

namespace pto::sim {

using Clock = RaceClock;

struct Thread {
  std::shared_ptr<const Clock> seen;     ///< what happens before its next operation
  std::shared_ptr<const Clock> told;     ///< `seen` and its own released epochs; null: to be made
  uint32_t epoch = 1;                    ///< tag of its accesses since the last release
  uint64_t order = 0;                    ///< when the entry that runs was issued
  bool touched = false;                  ///< accessed memory in this epoch
  std::shared_ptr<const Moment> moment;  ///< of the entry that runs, once it has accessed memory
};

struct MemoryAccess {
  uint32_t thread = 0, epoch = 0, pc = 0;
  uint64_t order = 0;
  bool write = false, update = false;
  std::shared_ptr<const Moment> moment;  ///< shared by the accesses of an entry; null: not kept
  bool operator==(const MemoryAccess&) const = default;
};

/// A part of memory: the write that the next access must follow, if there was one (or sums of several devices
/// in no order), and the last read of each thread since, in the order of threads; of a pipe whose entries
/// overlap, the last of two entries.
inline constexpr size_t kUsual = 2;  ///< a write, and one who reads
struct ShadowCell {
  std::vector<MemoryAccess> accesses;
  bool operator==(const ShadowCell&) const = default;
};

/// Two instructions that race, in the order the program issued them.
struct Conflict {
  MemoryAccess first, second;
  Space space = Space::none;
  uint64_t begin = 0, end = 0, count = 1;
  ValueId operand = kNoValue;  ///< of the second access
};

}  // namespace pto::sim
