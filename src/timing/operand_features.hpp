// Names in a cost expression that describe an instruction: `dst.rows`, `len_burst`, `src0.elem`,
// `attr.phase`.
//
//   NAME                integer operand NAME
//   NAME.rows .cols     valid rows and columns of a tile; of a view the product of the
//                       outer extents, and the innermost extent
//   NAME.count .bytes   rows * cols, and that in bytes
//   NAME.bits .elem     bits and bytes of an element (bytes rounded up)
//   NAME.stored_rows .stored_cols   the tile's storage shape
//   NAME.present        1 when an optional operand was given
//   NAME.product        product of a variadic integer operand, 1 when empty;  NAME.n  how many there are
//   attr.NAME           integer value of an attribute;  attr.NAME.set  1 when it was written
//   ctrl.tf32           1 when TF32 mode is on in the control register
//   ctrl.loops_out_ub, ctrl.loops_ub_out, ctrl.loops_out_l1
//                       product of the two loop counts of the DMA registers
// NAME is an operand's name; dst is also the first output, src or src0 and src1 the first and second input
// that hold data.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "target/decoded_inst.hpp"

namespace pto::timing {

struct OperandVar {
  enum class Kind : uint8_t {
    value,
    rows,
    cols,
    count,
    bytes,
    bits,
    elem,
    stored_rows,
    stored_cols,
    present,
    product,
    n,
    attr,
    attr_set,
    tf32,
    loops_out_ub,
    loops_ub_out,
    loops_out_l1
  } kind;
  uint16_t index = 0;  ///< operand slot or attribute
  auto operator<=>(const OperandVar&) const = default;
};

/// The variable of that name for this instruction; empty when it has none.
std::optional<OperandVar> bind_variable(std::string_view name, const isa::Schema& schema);
/// Its value; empty when the operand is not of a kind that has it (a pointer has no rows).
std::optional<int64_t> read_variable(OperandVar var, const decode::Inst& inst, const decode::Word* frame,
                                     const decode::ControlState* control);

/// Slot of the n-th operand of that role that holds data (tile, view, pointer, register); -1 when there is
/// none.
int data_slot(const isa::Schema& schema, isa::Role role, int n);

}  // namespace pto::timing
