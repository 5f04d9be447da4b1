// Which accesses of the threads of a launch are ordered, and findings about those that are not.
//
// Threads of a warp run in lock step: an access is in front of those that follow it in any lane that ran
// along, or that has run together with the thread since. Warps are ordered by the barrier of all threads, and
// by an atomic behind a fence that another warp's atomic on the same bytes has seen, with a fence behind it
// (C++ memory model: fences and relaxed atomics). A write of the value that is there already is no conflict,
// nor are two atomics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/simt/simt_family.hpp"
#include "order/happens_before.hpp"
#include "sim/simt/coalescing.hpp"

namespace pto::sim {

/// Two accesses of one byte that nothing orders; the second happened later in this run.
struct ThreadConflict {
  struct Side {
    uint32_t pc = ~0u, thread = 0;
    bool write = false, atomic = false;
  };
  Side first, second;
  Space space = Space::none;
  uint64_t addr = 0;
};

class ThreadOrder {
 public:
  explicit ThreadOrder(size_t warps);
  /// The warp runs an instruction with these lanes.
  void step(const exec::Threads& threads);
  /// What the instruction touched; the first conflict.
  std::optional<ThreadConflict> access(const exec::Threads& threads, uint32_t pc,
                                       const std::vector<Touch>& touches);
  void fence(uint32_t warp);
  /// All threads have met.
  void barrier();

 private:
  using Clock = order::SparseClock<8>;  ///< over warps
  struct Record {
    uint32_t pc = 0, warp = 0, epoch = 0, active = 0;
    uint64_t step = 0;
    bool atomic = false;
  };
  /// What a byte remembers: records (0: none) and lanes.
  struct Cell {
    uint32_t write = 0;
    std::array<uint32_t, 2> read{};  ///< of two warps
    uint8_t write_lane = 0;
    std::array<uint8_t, 2> read_lane{};
    uint64_t same = 0;  ///< warps that wrote what the last write left there: a bit each
  };
  static constexpr uint64_t kPage = 256;
  using Page = std::array<Cell, kPage>;
  struct Warp {
    Clock released;  ///< by its last fence: its atomics behind that give it away
    Clock pending;   ///< what its atomics have seen: its next fence acquires it
    uint64_t steps = 0;
    std::vector<std::pair<uint32_t, uint64_t>>
        together;  ///< lanes that ran at once, and the last step of that
  };

  Cell& cell(Space space, uint64_t addr);
  [[nodiscard]] bool ordered(const Record& before, uint32_t lane_before, const exec::Threads& threads,
                             uint32_t lane) const;
  void synchronise(const exec::Threads& threads, const std::vector<Touch>& touches);

  order::HappensBefore<Clock> order_;  ///< threads are warps
  std::vector<Warp> warps_;
  std::vector<Record> records_;
  std::unordered_map<uint64_t, Page> pages_;
  std::unordered_map<uint64_t, Clock> released_;  ///< by the address of atomics
};

}  // namespace pto::sim
