// Numbers that are known before the program runs: what an instruction of the scalar unit gives when its
// operands are known. Assembler, verifier, planner and the walk of the static checks all count like this.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "ir/regions.hpp"
#include "isa/cmp_predicate.hpp"
#include "isa/opcode_class.hpp"

namespace pto {

using Number = std::optional<int64_t>;

/// How an instruction makes a whole number of one or two: the bits of what it takes and of what it gives.
/// With one bit true is 1 and false 0.
struct Arithmetic {
  isa::OpcodeClass opcode_class = isa::OpcodeClass::constant;
  uint32_t from = 64, to = 64;
  isa::CmpPredicate predicate = isa::CmpPredicate::eq;  ///< of a comparison
};
Arithmetic arithmetic_of(const OpView& op);
/// Of an integer comparison.
isa::CmpPredicate cmp_predicate(const OpView& compare);
/// Bits of a whole number as arithmetic sees it: i1 has one, index 64.
uint32_t number_bits(const Type& type);
/// Whether a signed cast gives the number that it takes, whichever that is. True of i1 becomes -1.
bool keeps_numbers(const OpView& cast);
/// Nothing where the number leaves its type or 64 bits, and where something is divided by 0. Casts take `a`
/// only.
Number evaluate(const Arithmetic& how, int64_t a, int64_t b = 0);

/// The number that an operation gives; nothing when it depends on one that is not known, when it leaves its
/// type, or when the operation gives no number.
Number fold(const OpView& op, const std::array<Number, 3>& operands);
/// Whether fold() may give a number.
bool gives_number(const OpView& op);

/// The same with operands that are asked for: `known` gives the Number of a value.
template <typename AbstractValue>
Number fold_with(const OpView& op, AbstractValue known) {
  if (!gives_number(op)) return std::nullopt;
  std::array<Number, 3> operands;
  for (unsigned i = 0; i < operands.size(); ++i) {
    const ValueId value = op.operand(i);
    if (value != kNoValue) operands[i] = known(value);
  }
  return fold(op, operands);
}

/// The constants of a whole program, and which operation makes a value.
class Constants {
 public:
  explicit Constants(const Program& program) : Constants(program, {}, 0) {}
  /// With one number for all of these values: for which vector core of its block runs.
  Constants(const Program& program, std::span<const ValueId> given, int64_t number);

  [[nodiscard]] Number value_of(ValueId value) const {
    return value < known_.size() ? known_[value] : std::nullopt;
  }
  /// kNoOp for arguments of regions.
  [[nodiscard]] uint32_t defining_op(ValueId value) const {
    return value < defining_ops_.size() ? defining_ops_[value] : kNoOp;
  }

 private:
  std::vector<uint32_t> defining_ops_;
  std::vector<Number> known_;
};

}  // namespace pto
