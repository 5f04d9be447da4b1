// The unit flag: by it M and FIX hand over an accumulator without a flag of the program. The rule
// `unit_flag:ATTRIBUTE,OPERAND` of a row names the attribute that says how, and the accumulator.
#pragma once

#include <cstdint>

#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::isa {

struct UnitFlag {
  /// `check`: it starts when the other pipe has handed the accumulator over. `hand_over`: and it does so
  /// itself when it is done.
  enum class Phase : uint8_t { none, check, hand_over } phase = Phase::none;
  uint8_t slot = 0;  ///< operand that is the accumulator
};
/// Whether the row has such a rule.
bool has_unit_flag(const Row& row);
UnitFlag unit_flag(const OpView& op);

}  // namespace pto::isa
