// Appends flat code to the CoreCode of one kind of core.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "sim/loader/frame.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

/// Appends a copy; neighbours in both source and destination become one.
void append_copy(std::vector<Copy>& copies, Copy copy);

/// Adds captures of the scalar frame to an entry: words of its block, and copies from them to the vector
/// frame.
void add_captures(Queued& queued, const std::vector<Copy>& captures);

/// Whether an operand of the instruction is memory of the device.
bool reaches_gm(const exec::Inst& inst);

class CodeBuilder {
 public:
  CodeBuilder(const Program& program, CoreCode& role, Frame& frame)
      : program_(program), role_(role), frame_(frame) {}

  BytecodeInst& emit(OpCode op, uint32_t pc);
  /// Position of the next code.
  [[nodiscard]] uint32_t here() const { return static_cast<uint32_t>(role_.code.size()); }
  /// The target of a jump or branch is the next code.
  void patch(uint32_t code) { role_.code[code].target = here(); }
  /// Copies that happen as if all at once.
  void emit_moves(uint32_t pc, std::span<const ValueId> from, std::span<const uint32_t> to);
  /// The same for the copies of the role from `first` on, of so many words in all.
  void emit_copies(uint32_t pc, uint32_t first, uint32_t words);
  /// Code with an instruction that runs in the current frame.
  BytecodeInst& emit_inst(OpCode op, const exec::Inst& inst);
  /// An entry of the queue of a lane.
  BytecodeInst& emit_queued(uint32_t pc, OpCode op, int lane, Queued queued);

  std::set<RowId> rows;  ///< distinct rows that are timed

 private:
  const Program& program_;
  CoreCode& role_;
  Frame& frame_;
};

}  // namespace pto::sim
