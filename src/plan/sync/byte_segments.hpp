// The bytes an operation touches, as numbers of segments: stretches of a memory that every tile covers wholly
// or not at all. Overlap of planned addresses, including reuse, becomes equality of segment numbers. Buffers
// in GM are cut where windows begin and end, modulo the steps of their loops.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/gm_windows.hpp"
#include "ir/hardware_lanes.hpp"
#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

/// The scalar unit and the pipes of a cube core, then those of the vector cores of its block, which run the
/// same code. Where a function runs on one kind of core only, that one has the first numbers.
inline constexpr int kCores = 2, kAgents = kCores * kLanes;
constexpr int core_of(int agent) { return agent / kLanes; }
/// Pairs of agents, as first * kAgents + second.
inline constexpr size_t kPairs = kAgents * kAgents;
using Pairs = std::bitset<kPairs>;
constexpr size_t pair_of(int first, int second) { return static_cast<size_t>(first * kAgents + second); }
using Agents = uint16_t;  ///< a set
constexpr Agents agents_of(int core) { return static_cast<Agents>(((1U << kLanes) - 1) << core * kLanes); }

/// Sets of agents that read and write a segment.
struct SegmentUse {
  uint32_t segment = 0;
  Agents read = 0, write = 0;
};

/// Two lists, because a pointer of unknown origin meets everything in its memory: what an access leaves its
/// mark on, and where it looks for marks of others.
struct SegmentUses {
  std::vector<SegmentUse> defs, uses;
  Agents pipes = 0;
  [[nodiscard]] bool empty() const { return pipes == 0; }
  void add(const SegmentUses& other);
  void normalise();  ///< one entry per segment, ascending
  /// As done by the first kind of core, on these kinds (bit 0 and bit 1).
  void put_on(unsigned cores);
};

/// Whether `after` has a use that conflicts with one of `before` on other pipes.
Pairs conflicts(const SegmentUses& before, const SegmentUses& after);

/// One access, as the planner tells what it meets.
struct Touch {
  uint32_t op = 0;
  RootId root = 0;
  uint32_t first = 0, last = 0;  ///< segments, [first, last)
  bool read = false, write = false;
  ValueId value = kNoValue;
  bool placed = false;  ///< which bytes of the root is known
};

/// Whether the two need an order.
inline bool meet(const Touch& a, const Touch& b) {
  return a.first < b.last && b.first < a.last && (a.write || b.write);
}

class ByteSegments {
 public:
  ByteSegments(const Program& program, const Storage& storage);
  [[nodiscard]] uint32_t count() const { return count_; }
  [[nodiscard]] const Storage& storage() const { return storage_; }
  /// Of an operation that is one entry in a queue; a vecscope is one, with all that is in it.
  [[nodiscard]] SegmentUses uses_of(uint32_t op) const;
  /// Anything in the memories that several cores reach, read and written by one pipe.
  [[nodiscard]] SegmentUses unknown_uses(Pipe pipe) const;
  /// What an operation itself touches of roots that are known.
  [[nodiscard]] std::vector<Touch> touches(uint32_t op) const;
  /// All segments of a root, [first, second).
  [[nodiscard]] std::pair<uint32_t, uint32_t> all_of(RootId root) const {
    return {of_root_[root].first, of_root_[root].last};
  }
  /// Whether the bytes of GM that an operation reaches through the value are known as a part of their buffer.
  [[nodiscard]] bool is_window(uint32_t op, ValueId value) const { return windows_.contains({op, value}); }

 private:
  struct Range {
    uint32_t first = 0, last = 0;  ///< [first, last)
  };
  struct Placed {
    uint32_t op;
    ValueId value;
    Window window;
  };
  void add(SegmentUses& footprint, uint32_t op, int pipe) const;
  void cut_buffers();
  void cut(RootId root, const std::vector<Placed>& windows);

  const Program& program_;
  const Storage& storage_;
  std::vector<Range> of_root_;
  std::map<std::pair<uint32_t, ValueId>, std::vector<Range>> windows_;  ///< of buffers in GM, by operation
  std::array<uint32_t, kSpaceCount> unknown_{},
      all_{};  ///< per memory: accesses of unknown place; accesses of any kind
  uint32_t count_ = 0;
};

}  // namespace pto::planner
