// Units and meanings of the operands of micro instructions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/markdown.hpp"
#include "reference/row_facts.hpp"

namespace pto::reference {

struct OperandMeaning {
  std::string_view operand;
  std::string_view instructions;  ///< patterns with * and ?, without the dialect; empty: all
  std::string_view unit, words;
};
std::span<const OperandMeaning> operand_meanings();

/// Below the tiles: vector, DMA, cube, synchronisation.
bool is_micro(const FormFacts& form);
/// nullptr when the table does not say.
const OperandMeaning* meaning_of(const FormFacts& form, std::string_view operand);
/// docs/reference/isa/operands.md.
std::string operands_page();

}  // namespace pto::reference
