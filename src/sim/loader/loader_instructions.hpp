// Instructions: those that run at once in the frame of the code around, and entries of the queues of the
// pipes.
#pragma once

#include <functional>

#include "sim/loader/loader_state.hpp"

namespace pto::sim {

using ValueOffset = std::function<uint32_t(ValueId)>;  ///< offset of an operand or result in words

/// Whether the row is one of a family of instructions.
bool one_of(std::span<const exec::Semantics> family, const isa::Row& row);
/// The instruction without operands.
exec::Inst make_inst(LoaderState& loader, const OpView& view, Pipe pipe);
/// Sets the words of operands and results.
void place_values(LoaderState& loader, exec::Inst& inst, const OpView& view, const ValueOffset& operand,
                  const ValueOffset& result);
/// The same for an instruction that runs in the current frame.
void place_in_frame(LoaderState& loader, exec::Inst& inst, const OpView& view);
/// Refuses operands of types that the semantics of the instruction do not take.
void check_semantics(LoaderState& loader, const OpView& view, const exec::Inst& inst);
/// An operation without a loader of its own (operation_table.hpp).
void load_instruction(LoaderState& loader, const OpView& view);

}  // namespace pto::sim
