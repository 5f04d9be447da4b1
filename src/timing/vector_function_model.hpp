// The A5 vector function unit: a scoreboard over the instructions of one vecscope.
//
// Instructions leave the front end in order, a few per cycle, into a window, when there is a physical
// register for each result; inside it they start when their operands are there and a port is free, in any
// order. A cycle serves two loads or one store. The function starts and drains with fixed costs. Parameters:
// [vf]; derivation and error: docs/timing.md, "A5 vector functions".
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "timing/provenance.hpp"

namespace pto::timing {

/// One row of [vf.instr].
struct VfInstr {
  enum class Unit : uint8_t { alu, alu0, load, store, predicate, barrier, free } unit = Unit::alu;
  uint32_t latency = 1;   ///< until the result is in the register file (and until a store is done)
  uint32_t forward = 1;   ///< until a dependent computation can start
  uint32_t to_store = 1;  ///< until a dependent store can start
  uint32_t interval = 1;  ///< cycles one of the units behind the ports is taken; the port is free after one
  CostSource from;
  /// Not: moves between registers and memory, predicates.
  [[nodiscard]] bool computes() const { return unit == Unit::alu || unit == Unit::alu0; }
};

struct VfInstrSet {
  std::array<VfInstr, kElemCount> by_elem;
  std::array<bool, kElemCount> known{};
};

/// [vf]
struct VfConfig {
  uint32_t start = 0, drain = 0;
  uint32_t dispatch = 0;       ///< instructions per cycle into the window
  uint32_t window = 0;         ///< computations and stores waiting or starting
  uint32_t ports = 0;          ///< computing ports
  uint32_t in_flight = 0;      ///< computations of a port that have started and are not done
  uint32_t memory_slots = 0;   ///< loads per cycle
  uint32_t store_slots = 0;    ///< of them, the slots of a store
  uint32_t memory_window = 0;  ///< loads and stores waiting
  uint32_t registers = 0;      ///< physical registers
  uint32_t register_return =
      0;              ///< cycles from the start of a value's last reader until its register is free
  uint32_t loop = 0;  ///< cycles between the starts of two loop iterations, at least
  CostSource from;
  std::map<std::string, VfInstrSet, std::less<>> instr;
};

/// Cycles taken on something that serves requests of `width` in all per cycle; they need not come in order.
class SlotCalendar {
 public:
  explicit SlotCalendar(uint32_t width) : width_(width), used_(kSpan, 0), at_(kSpan, 0) {}
  void clear();
  /// The first cycle from `from` on at which one more of `weight` fits for `length` cycles.
  [[nodiscard]] uint64_t first(uint64_t from, uint32_t length, uint32_t weight = 1) const;
  /// That cycle, taken.
  uint64_t reserve(uint64_t from, uint32_t length, uint32_t weight = 1);

 private:
  static constexpr size_t kSpan = 4096;
  static uint32_t in_span(uint32_t length) { return std::min<uint32_t>(std::max(length, 1u), kSpan / 2); }
  [[nodiscard]] bool fits(uint64_t cycle, uint32_t weight) const {
    return at_[cycle % kSpan] != cycle + 1 || used_[cycle % kSpan] + weight <= width_;
  }

  uint32_t width_;
  std::vector<uint8_t> used_;
  std::vector<uint64_t> at_;  ///< cycle + 1 the entry speaks of
};

/// A place where so many wait; they leave in any order.
class WaitingRoom {
 public:
  explicit WaitingRoom(uint32_t size) : size_(size) {}
  void clear() { leaves_ = {}; }
  /// When there is room for one more; every call is followed by enter().
  uint64_t room() {
    if (leaves_.size() < size_) return 0;
    const uint64_t first = leaves_.top();
    leaves_.pop();
    return first;
  }
  void enter(uint64_t leaves) { leaves_.push(leaves); }

 private:
  uint32_t size_;
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> leaves_;
};

/// The physical registers that values are renamed to. A register is on its way back when the latest reader
/// known so far starts; a later reader takes it back.
class RenamedRegisters {
 public:
  static constexpr uint32_t kNone = ~0u;
  RenamedRegisters(uint32_t count, uint32_t way_back) : count_(count), way_back_(way_back) {}
  void clear();
  /// When there is a register for one more value, which gets it. `value`: its name from now on.
  uint64_t allocate(uint32_t& value);
  void read(uint32_t value, uint64_t start);
  /// The value has one more name.
  void share(uint32_t value) { ++values_[value].names; }
  /// A name of the value now means another one.
  void overwrite(uint32_t value, uint64_t at);

 private:
  struct Value {
    uint64_t back = 0;  ///< time at which its register is free again; 0: not read yet
    uint32_t names = 1;
    bool held = true;
  };
  using Return = std::pair<uint64_t, uint32_t>;
  void forget(uint32_t value);

  uint32_t count_, way_back_, held_ = 0;
  std::vector<Value> values_;
  std::vector<uint32_t> unused_;
  std::priority_queue<Return, std::vector<Return>, std::greater<>> returns_;
};

/// Registers are named by any number; the engine uses frame offsets.
class VfScoreboard {
 public:
  explicit VfScoreboard(const VfConfig& config);
  void begin();
  /// `vectors`: the first results that are vector registers. Returns the start time; ~0 for an
  /// instruction without time.
  uint64_t step(const VfInstr& instr, std::span<const uint32_t> sources, std::span<const uint32_t> results,
                size_t vectors);
  void loop_iteration();
  /// A register takes over another's value: loop-carried values.
  void move(uint32_t to, uint32_t from);
  /// Cycles of the whole function.
  uint64_t end() const;
  void weaken(Basis basis) { basis_ = std::max(basis_, basis); }
  [[nodiscard]] Basis basis() const { return basis_; }

 private:
  struct Register {
    uint64_t compute = 0, store = 0;  ///< when a dependent can start
    uint32_t value = RenamedRegisters::kNone;
  };
  Register& at(uint32_t reg);
  uint64_t dispatch(uint64_t earliest);
  uint64_t compute(const VfInstr& instr, uint64_t start);

  const VfConfig* config_;
  SlotCalendar memory_, any_port_, port0_, in_flight_,
      slow_;  ///< slow_: the units behind the ports that take several cycles
  std::vector<Register> regs_;
  RenamedRegisters renamed_;
  WaitingRoom window_, accesses_;
  std::vector<uint32_t> names_;      ///< of the results of this step
  uint64_t now_ = 0, in_cycle_ = 0;  ///< front end: cycle, instructions gone in it
  uint64_t iteration_ = 0;           ///< earliest start of the next loop iteration
  uint64_t fence_ = 0, done_ = 0;    ///< memory barrier; last completion
  Basis basis_ = Basis::measured;
};

}  // namespace pto::timing
