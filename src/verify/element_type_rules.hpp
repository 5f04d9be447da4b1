// The `types` strings of the table: which element types an instruction takes, compiled and matched.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::legality {

/// A set of element formats: "i8" any signedness, "s8" signless or signed, "u8" unsigned, "f16", ..; "2xf16"
/// is a vector of two, "4x" and "8x" of four and eight.
struct ElemSet {
  uint64_t bits = 0, pairs = 0, fours = 0, eights = 0;  ///< single elements, vectors of 2, 4, 8
  [[nodiscard]] bool has(Elem elem) const { return (bits >> static_cast<unsigned>(elem)) & 1; }
  [[nodiscard]] bool has_vector(int64_t lanes, Elem elem) const {
    const uint64_t of = lanes == 2 ? pairs : lanes == 4 ? fours : lanes == 8 ? eights : 0;
    return (of >> static_cast<unsigned>(elem)) & 1;
  }
  [[nodiscard]] bool empty() const { return (bits | pairs | fours | eights) == 0; }
};

/// One alternative: every named operand with its set. A common alternative has the one set under the name "".
struct TypeAlternative {
  std::vector<std::pair<std::string_view, ElemSet>> operands;
  std::string_view text;
};

/// Compiles a types string; false and `problem` when it is malformed.
bool compile_types(std::string_view text, const isa::Schema& schema, std::vector<TypeAlternative>& out,
                   std::string& problem);

/// What a typed operand or result of an operation is called and holds.
struct TypedOperand {
  std::string_view name;
  Elem elem;
  bool is_result;
  unsigned index;  ///< slot or result number
};
/// The operands and results that types strings speak of.
std::vector<TypedOperand> typed_operands(const OpView& op, std::string_view exempt);

/// Whether the operands fit one alternative.
bool matches(const std::vector<TypeAlternative>& alternatives, const std::vector<TypedOperand>& operands);

}  // namespace pto::legality
