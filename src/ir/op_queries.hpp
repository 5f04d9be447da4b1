// What the row of an operation says of it.
#pragma once

#include "isa/row.hpp"
#include "pto/pipe.hpp"
#include "pto/program.hpp"

namespace pto::isa {

inline OpcodeClass opcode_class(const OpView& op) { return row(op.op().row).opcode_class; }

/// The pipe an operation of the program runs on (rule pipes look at operand types). Pipe::none for
/// descriptors.
Pipe pipe_of(const OpView& op);
/// Position of a slot's first value in the flat operand list, for anchors.
unsigned flat_index(const OpView& op, unsigned slot);
/// Whether the row's pipe column is well-formed.
bool known_pipe(const Row& row);

}  // namespace pto::isa
