// The A2/A3 vector unit: how long a sequence of vector instructions takes.
//
// One instruction of n repeats occupies the unit max(issue, base + n*cycles + conflicts) cycles; its result
// is visible latency - 1 cycles after it left. A conflict is a repeat in which both sources read one UB bank
// group. A barrier lets the next instruction start when every earlier result is visible. docs/timing.md
// derives the numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pto/machine.hpp"
#include "timing/provenance.hpp"

namespace pto::timing {

/// UB bank groups: byte address a is served by group (a / group_bytes) % groups, one read per group and
/// cycle.
struct BankGeometry {
  uint32_t group_bytes = 32, groups = 16;
};

/// The part of a source one repeat reads: `bytes` at addr + i * stride for repeat i.
struct RepeatAccess {
  uint64_t addr = 0, stride = 0, bytes = 0;
};

/// Repeats of [0, repeats) in which both accesses touch a common bank group. Exact for any addresses.
uint64_t bank_conflicts(const BankGeometry& banks, const RepeatAccess& a, const RepeatAccess& b,
                        uint64_t repeats);

/// One row of [vector.instr].
struct VectorInstr {
  uint32_t cycles = 0;    ///< per repeat
  uint32_t base = 0;      ///< once per instruction, unless its repeats are a multiple of `group`
  uint32_t group = 0;     ///< 0: base is always paid
  uint32_t conflict = 0;  ///< extra per repeat with a bank conflict
  uint32_t latency = 0;   ///< of a result
  uint32_t issue = 0;     ///< least cycles to the next instruction
  CostSource from;
};

/// The rows of one instruction by element format.
struct VectorInstrSet {
  std::string name;
  std::array<VectorInstr, kElemCount> by_elem;
  std::array<bool, kElemCount> known{};
};

/// [vector]
struct VectorConfig {
  uint32_t launch = 0;  ///< before the first instruction of a tile operation; not part of busy
  uint32_t turn = 0;    ///< between two tile operations on the unit; part of busy only
  uint32_t region = 0;  ///< setting and restoring mask or count mode
  uint32_t mask = 0;    ///< of these, how long the unit is kept for each write of the mask or its mode
  uint32_t max_repeats = 255;
  uint32_t count_issue = 0;                 ///< least cycles from one instruction in count mode to the next
  uint32_t copy_burst = 0, copy_block = 0;  ///< UB to UB copy: cycles per burst and per 32-byte block
  uint32_t mask_switch = 0;                 ///< changing the mask between the steps of a row reduction
  uint32_t scalar_round = 0;                ///< V -> S -> V round trip for one scalar read
  CostSource from;
  BankGeometry banks;
  std::map<std::string, VectorInstrSet, std::less<>> instr;
};

/// Writes of the mask registers around instructions under a mask, and around those in count mode.
inline constexpr uint32_t kUnderMask = 2, kCountMode = 4;

/// Adds up one tile operation.
class VectorTimeline {
 public:
  explicit VectorTimeline(const VectorConfig& config) : config_(&config), basis_(config.from.basis) {}

  [[nodiscard]] const VectorConfig& config() const { return *config_; }

  void issue(const VectorInstr& instr, uint64_t repeats, uint64_t conflicts = 0, uint32_t least = 0) {
    const bool ragged = instr.group == 0 || repeats % instr.group != 0;
    const uint64_t work = std::max<uint64_t>(repeats, 1) * instr.cycles + conflicts * instr.conflict +
                          (ragged ? instr.base : 0);
    ready_ = std::max(ready_, now_ + work + instr.latency - 1);
    now_ += std::max<uint64_t>({work, instr.issue, least});
    basis_ = std::max(basis_, instr.from.basis);
  }
  /// Cycles in which the unit does something without a table row: mask set-up, copies, scalar round trips.
  void spend(uint64_t cycles) {
    now_ += cycles;
    ready_ = std::max(ready_, now_);
  }
  /// Delays the visibility of the last result by this latency.
  void issue_latency(uint64_t cycles) { ready_ = std::max(ready_, now_ + cycles - 1); }
  /// Mask or count mode: set up once per tile operation, however many instructions run under it.
  /// It delays the first instruction but does not keep the unit from the operation before; only `writes` do,
  /// of the mask (set, restored) or of mask and mode.
  void region(uint32_t writes) { mask_writes_ = std::max(mask_writes_, writes); }
  void barrier() { now_ = std::max(now_, ready_); }
  void weaken(Basis basis) { basis_ = std::max(basis_, basis); }

  /// Cycles the instructions keep the unit.
  [[nodiscard]] uint64_t occupied() const { return now_; }
  [[nodiscard]] uint64_t busy() const {
    return std::max<uint64_t>(now_, 1) + config_->turn + uint64_t{mask_writes_} * config_->mask;
  }
  [[nodiscard]] uint64_t latency() const {
    const uint64_t region = mask_writes_ != 0 ? config_->region : 0;
    return std::max(config_->launch + region + std::max(now_, ready_), busy());
  }
  [[nodiscard]] Basis basis() const { return basis_; }

 private:
  const VectorConfig* config_;
  uint64_t now_ = 0;    ///< the next instruction can start
  uint64_t ready_ = 0;  ///< the last result is visible
  uint32_t mask_writes_ = 0;
  Basis basis_;
};

}  // namespace pto::timing
