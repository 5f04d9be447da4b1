// Where and when: the iterations of the loops around an instruction. A queued instruction runs when the
// scalar unit has gone on, so the values of its loop variables are captured when it issues.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "exec/exec_context.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

struct Core;
struct Lane;
struct CoreCode;

/// A loop of a loaded kernel: the variable of an scf.for, or the number of an scf.while's iteration.
struct LoopVariable {
  uint32_t pc = ~0u;
  ValueId value = kNoValue;  ///< none: scf.while
  uint32_t place = 0;        ///< in the frame of the scalar unit, or of the vector functions
  bool in_vector_function = false;
  std::optional<int64_t> lower, step;  ///< where they are constants
};

/// The loops of one kind of core, and how its operations stand in them.
class LoopNestTable {
 public:
  void add(LoopVariable loop) { loops_.emplace(loop.pc, loop); }
  /// A function is called at an operation.
  void add_call(uint32_t function, uint32_t call);
  /// After the last loop and call: numbers the nests of queued instructions in BytecodeInst::c.
  void finish(const Program& program, CoreCode& role);
  /// Places of the loop variables that an entry with this nest captures, outermost first.
  [[nodiscard]] std::span<const uint32_t> places(uint32_t nest) const { return nests_[nest]; }
  /// The same of the entry that an operation belongs to.
  [[nodiscard]] std::span<const uint32_t> captured_slots(uint32_t pc) const {
    return nests_[nest_around(pc)];
  }
  /// The loops around an operation, innermost first. Loops around a call belong to it when there is one call
  /// only.
  [[nodiscard]] std::vector<const LoopVariable*> around(uint32_t pc) const;

 private:
  static constexpr uint32_t kNone = ~0u, kSeveral = ~1u;
  std::unordered_map<uint32_t, LoopVariable> loops_;
  std::unordered_map<uint32_t, uint32_t> calls_;  ///< function -> its only call
  std::vector<uint32_t> innermost_;               ///< per operation: the loop or function around it
  /// Numbers of nests by operation, made when somebody asks: chains of calls are long.
  [[nodiscard]] uint32_t nest_around(uint32_t pc) const;
  mutable std::vector<uint32_t> nest_;
  mutable std::map<std::vector<uint32_t>, uint32_t> numbers_{{{}, 0}};
  mutable std::deque<std::vector<uint32_t>> nests_{1};
};

/// The moment of what the scalar unit runs, or, with the end of an entry's block, of that entry.
Moment moment_of(const Program& program, const Core& core, uint32_t pc, uint64_t cycle,
                 const exec::Word* block_end = nullptr);
/// What the same without the loops inside of a vector function is made of, and that.
EntryMark mark_of(const Core& core, uint32_t pc, uint64_t cycle, const exec::Word* block_end);
Moment moment_of(const Program& program, const Core& core, const EntryMark& mark);
/// Of an entry in a queue.
Moment moment_of_entry(const Program& program, const Core& core, const Lane& lane, uint64_t serial,
                       uint64_t cycle);

}  // namespace pto::sim
