// What the static checks need to know of a row, looked up once per row instead of by name per operation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/row.hpp"

namespace pto::legality::sync {

enum class Does : uint8_t {
  other,       ///< scalar work or a descriptor whose result is not followed
  work,        ///< has a place in a queue, or touches memory from the scalar unit
  // values
  constant, add, sub, mul, div_s, div_u, rem_s, rem_u, bit_and, bit_or, bit_xor, shift_left, min_s, max_s, compare, cast, cast_unsigned, select,
  // places
  alloc, assign, cast_ptr, add_ptr, rename, subview, make_view, partition,
  // structure
  loop, while_loop, branch, call, yield, condition, ret, inline_region, jump, section_cube, section_vector, vecscope, strict_vecscope, container,
  // synchronisation
  set_flag, wait_flag, set_flag_dyn, wait_flag_dyn, record_event, wait_event, barrier, barrier_kind, get_buf, rls_buf, sync_set,
  sync_wait, opaque_sync,
};

struct Slot {
  uint8_t index;
  isa::Role role;
};

struct Facts {
  Does does = Does::other;
  int8_t lane = -1;          ///< of work; kAsk: depends on the operation
  bool partial = false;      ///< touches some bytes of its tiles, not known which
  bool fifo = false;         ///< talks to another core through a tile queue
  bool sync = false;         ///< orders the pipes of one core
  bool scalar_result = false;///< the scalar unit waits for the instruction's result
  int16_t offset_slot = -1;  ///< index added to a pointer operand, in elements
  std::vector<Slot> places;  ///< operands that denote storage the instruction may touch
};
inline constexpr int8_t kAsk = -2;

/// Facts are made when a row is first asked for: a program uses few of the table's rows.
class FactsTable {
 public:
  FactsTable() : made_(isa::rows().size()) {}
  const Facts& of(RowId row) {
    if (!made_[row]) make(row);
    return *made_[row];
  }

 private:
  void make(RowId row);
  std::vector<std::unique_ptr<Facts>> made_;
};

}  // namespace pto::legality::sync
