// The A5 vector function unit: a scoreboard over the instructions of one vecscope.
//
// Instructions leave the front end in order, a few per cycle, into a window; inside it they start when their
// operands are there and a port is free, in any order. Loads and stores share two memory slots per cycle. The
// function starts and drains with fixed costs. Parameters: [vf]; derivation and error: docs/timing.md, "A5
// vector functions".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "timing/cost_source.hpp"

namespace pto::timing {

/// One row of [vf.instr].
struct VfInstr {
  enum class Unit : uint8_t { alu, alu0, load, store, predicate, barrier, free } unit = Unit::alu;
  uint32_t latency = 1;   ///< until the result is in the register file (and until a store is done)
  uint32_t forward = 1;   ///< until a dependent computation can start
  uint32_t to_store = 1;  ///< until a dependent store can start
  uint32_t interval = 1;  ///< cycles its function unit is taken; the port itself is free after one
  CostSource from;
};

struct VfInstrSet {
  std::array<VfInstr, kElemCount> by_elem;
  std::array<bool, kElemCount> known{};
};

/// [vf]
struct VfConfig {
  uint32_t start = 0, drain = 0;
  uint32_t dispatch = 0;       ///< instructions per cycle into the window
  uint32_t window = 0;         ///< computations waiting or starting
  uint32_t ports = 0;          ///< computing ports
  uint32_t memory_slots = 0;   ///< loads and stores per cycle
  uint32_t memory_window = 0;  ///< loads and stores waiting (the registers behind them are as many)
  uint32_t loop = 0;           ///< cycles between the starts of two loop iterations, at least
  CostSource from;
  std::map<std::string, VfInstrSet, std::less<>> instr;
};

/// Cycles taken on something that serves `width` requests per cycle; requests need not come in order.
class SlotCalendar {
 public:
  explicit SlotCalendar(uint32_t width) : width_(width), used_(kSpan, 0), at_(kSpan, 0) {}
  void clear();
  /// The first cycle from `from` on at which one more fits for `length` cycles; takes it.
  uint64_t take(uint64_t from, uint32_t length);

 private:
  static constexpr size_t kSpan = 4096;
  [[nodiscard]] bool full(uint64_t cycle) const {
    return at_[cycle % kSpan] == cycle + 1 && used_[cycle % kSpan] >= width_;
  }

  uint32_t width_;
  std::vector<uint8_t> used_;
  std::vector<uint64_t> at_;  ///< cycle + 1 the entry speaks of
};

/// Registers are named by any number; the engine uses frame offsets.
class VfScoreboard {
 public:
  explicit VfScoreboard(const VfConfig& config);
  void begin();
  void step(const VfInstr& instr, std::span<const uint32_t> sources, std::span<const uint32_t> results);
  void loop_iteration();
  /// A register takes over another's value: loop-carried values.
  void move(uint32_t to, uint32_t from);
  /// Cycles of the whole function.
  uint64_t end() const;
  [[nodiscard]] Basis basis() const { return basis_; }

 private:
  struct Ready {
    uint64_t compute = 0, store = 0;  ///< when a dependent can start
  };
  Ready& ready(uint32_t reg);
  uint64_t dispatch(bool memory);

  const VfConfig* config_;
  SlotCalendar memory_, any_port_, port0_,
      slow_;  ///< slow_: the units behind the ports that take several cycles
  std::vector<Ready> regs_;
  /// When the window entries of the last instructions became free.
  struct Window {
    std::vector<uint64_t> released;
    uint64_t count = 0;
    [[nodiscard]] uint64_t& entry() { return released[count % released.size()]; }
  };
  Window computations_, accesses_;
  uint64_t now_ = 0, in_cycle_ = 0;  ///< front end: cycle, instructions gone in it
  uint64_t iteration_ = 0;           ///< earliest start of the next loop iteration
  uint64_t fence_ = 0, done_ = 0;    ///< memory barrier; last completion
  Basis basis_ = Basis::measured;
};

}  // namespace pto::timing
