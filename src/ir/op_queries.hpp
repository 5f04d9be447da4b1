// What the row of an operation says of it.
#pragma once

#include "isa/row.hpp"
#include "pto/pipe.hpp"
#include "pto/program.hpp"

namespace pto::isa {

inline OpcodeClass opcode_class(const Op& op) { return row(op.row).opcode_class; }
inline OpcodeClass opcode_class(const OpView& op) { return opcode_class(op.op()); }

/// The anchor of a part of an operation; the position belongs beside it.
inline Anchor anchor_at(const Program& program, uint32_t op, Anchor::Part part = Anchor::Part::op,
                        uint32_t index = 0) {
  return {part, op, index, {}, op < program.ops.size() ? program.ops[op].row : Anchor::kNoRow};
}
inline Anchor anchor_at(const OpView& op, Anchor::Part part = Anchor::Part::op, uint32_t index = 0) {
  return anchor_at(op.program(), op.index(), part, index);
}

/// The pipe an operation of the program runs on (rule pipes look at operand types). Pipe::none for
/// descriptors.
Pipe pipe_of(const OpView& op);
/// Position of a slot's first value in the flat operand list, for anchors.
unsigned flat_index(const OpView& op, unsigned slot);
/// Whether the row's pipe column is well-formed.
bool known_pipe(const Row& row);

}  // namespace pto::isa
