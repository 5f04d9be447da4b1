// Addresses of accesses to UB: base and offset, alignment, rows with a stride, barriers between accesses.
#pragma once

#include "lower/lowering_state.hpp"

namespace pto::lower {

inline constexpr unsigned kMaxScalarLanes = 8;  ///< accesses of so few lanes need no alignment

/// An address in UB.
struct Access {
  ValueId base = kNoValue, offset = kNoValue;  ///< of the output
  ValueId old_offset = kNoValue;               ///< of the input, where `offset` is not built yet
  unsigned element = 0;                        ///< bytes
  bool pointer = true;                         ///< else a memref
};

/// The name of a distribution for lanes of `width` bytes.
std::string dist_name(std::string_view name, unsigned width);
/// `base` and `offset` are operands; -1: there is no offset.
Access make_access(LoweringState& state, const OpView& op, unsigned base, int offset);
/// The address so many elements behind the access: its offset, or a pointer.
ValueId build_offset(LoweringState& state, const Access& to, int64_t elements);
ValueId build_pointer(LoweringState& state, const Access& to, int64_t elements);
bool is_block_aligned(const LoweringState& state, const OpView& op, unsigned base, int offset);
/// Blocks of 32 bytes from the start of a row to the start of the next one.
ValueId build_block_stride(LoweringState& state, ValueId old_stride, unsigned element);
/// The address of a row, `more` elements behind its start.
ValueId build_row_offset(LoweringState& state, const Access& from, ValueId old_stride, unsigned row,
                         int64_t more);
ValueId build_row_pointer(LoweringState& state, const Access& from, ValueId old_stride, unsigned row,
                          int64_t more);
/// Inserts a barrier where the operation accesses bytes that were stored since the last one: logical vectors
/// access memory in program order.
void order_access(LoweringState& state, const OpView& op, bool store, unsigned base, int offset);

}  // namespace pto::lower
