// What the static checks need to know of a row, looked up once per row instead of by name per operation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/row.hpp"

namespace pto::legality::sync {

using isa::OpcodeClass;

struct OperandSlot {
  uint8_t index;
  isa::Role role;
};

struct OperationFacts {
  OpcodeClass opcode_class = OpcodeClass::other;
  bool work = false;                ///< has a place in a queue, or touches memory from the scalar unit
  int8_t lane = -1;                 ///< of work; kAsk: depends on the operation
  bool partial = false;             ///< touches some bytes of its tiles, not known which
  bool unit_flag = false;           ///< M and FIX hand over its accumulator
  bool fifo = false;                ///< talks to another core through a tile queue
  bool sync = false;                ///< orders the pipes of one core
  bool scalar_result = false;       ///< the scalar unit waits for the instruction's result
  int16_t offset_slot = -1;         ///< index added to a pointer operand, in elements
  std::vector<OperandSlot> places;  ///< operands that denote storage the instruction may touch
  std::vector<uint8_t> positions;   ///< operands that move what is read through pointers, unless they are 0
};
inline constexpr int8_t kAsk = -2;

/// Facts are made when a row is first asked for: a program uses few of the table's rows.
class FactsTable {
 public:
  FactsTable() : made_(isa::rows().size()) {}
  const OperationFacts& find(RowId row) {
    if (!made_[row]) make(row);
    return *made_[row];
  }

 private:
  void make(RowId row);
  std::vector<std::unique_ptr<OperationFacts>> made_;
};

}  // namespace pto::legality::sync
