// The value that says where a tile or pointer lies.
#pragma once

#include <vector>

#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

/// The value that says where a tile or pointer lies: views and offsets are parts of it.
class Roots {
 public:
  explicit Roots(const Program& program) : program_(program), definer_(program.values.size(), kNone) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      for (uint32_t r = 0; r < program.ops[op].n_results; ++r)
        definer_[program.ops[op].first_result + r] = op;
    }
  }

  /// kNoValue where a value is handed over: from a loop, a branch or a call.
  ValueId of(ValueId value) const {
    while (value != kNoValue && definer_[value] != kNone) {
      const OpView op(program_, definer_[value]);
      switch (isa::does(op)) {
        case isa::Does::alloc_tile:
        case isa::Does::assign:
          return value;
        case isa::Does::cast_ptr:
          if (op.type(0).kind == TypeKind::scalar) return value;
          [[fallthrough]];
        case isa::Does::rename:
        case isa::Does::reshape:
        case isa::Does::add_ptr:
        case isa::Does::subview:
          value = op.operand(0);
          break;
        default:
          return kNoValue;
      }
    }
    return kNoValue;
  }

  /// Whether an operation has an operand of this role at the place that a value says.
  bool has_operand(uint32_t pc, ValueId root, isa::Role role) const {
    const OpView op(program_, pc);
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role != role) continue;
      for (const ValueId value : op.operands(slot)) {
        if (of(value) == root) return true;
      }
    }
    return false;
  }
  /// The place of what an operation gives, where that is one thing; kNoValue otherwise.
  ValueId only_result(uint32_t pc) const {
    const OpView op(program_, pc);
    const isa::Schema& schema = isa::schema(op.op().row);
    ValueId found = kNoValue;
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role != isa::Role::out) continue;
      for (const ValueId value : op.operands(slot)) {
        if (found != kNoValue) return kNoValue;
        found = of(value);
      }
    }
    return found;
  }
  /// The operation that makes a value; ~0 for none.
  uint32_t definer(ValueId value) const { return definer_[value]; }
  /// Pointers made of one number may be one place on purpose when they differ in what they point to.
  bool one_place(ValueId a, ValueId b) const {
    if (program_.type_of(a) == program_.type_of(b)) return false;
    const ValueId from = made_of(a);
    return from != kNoValue && from == made_of(b);
  }

 private:
  /// The number that a pointer is cast from.
  ValueId made_of(ValueId pointer) const {
    const OpView op(program_, definer_[pointer]);
    return isa::does(op) == isa::Does::cast_ptr ? op.operand(0) : kNoValue;
  }

  static constexpr uint32_t kNone = ~0u;
  const Program& program_;
  std::vector<uint32_t> definer_;
};

}  // namespace pto::sim
