// The value that says where a tile or pointer lies.
#pragma once

#include <vector>

#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

/// The value that says where a tile or pointer lies: views and offsets are parts of it.
class StorageRoots {
 public:
  explicit StorageRoots(const Program& program)
      : program_(program), defining_op_(program.values.size(), kNone) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      for (uint32_t r = 0; r < program.ops[op].n_results; ++r)
        defining_op_[program.ops[op].first_result + r] = op;
    }
  }

  /// kNoValue where a value is handed over: from a loop, a branch or a call.
  ValueId root_of(ValueId value) const {
    while (value != kNoValue && defining_op_[value] != kNone) {
      const OpView op(program_, defining_op_[value]);
      switch (isa::opcode_class(op)) {
        case isa::OpcodeClass::alloc_tile:
        case isa::OpcodeClass::assign:
          return value;
        case isa::OpcodeClass::cast_ptr:
          if (op.type(0).kind == TypeKind::scalar) return value;
          [[fallthrough]];
        case isa::OpcodeClass::rename:
        case isa::OpcodeClass::reshape:
        case isa::OpcodeClass::add_ptr:
        case isa::OpcodeClass::subview:
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
        if (root_of(value) == root) return true;
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
        found = root_of(value);
      }
    }
    return found;
  }
  /// The operation that makes a value; ~0 for none.
  uint32_t defining_op(ValueId value) const { return defining_op_[value]; }
  /// Pointers made of one number may be one place on purpose when they differ in what they point to.
  bool is_same_storage(ValueId a, ValueId b) const {
    if (program_.type_of(a) == program_.type_of(b)) return false;
    const ValueId from = made_of(a);
    return from != kNoValue && from == made_of(b);
  }

 private:
  /// The number that a pointer is cast from.
  ValueId made_of(ValueId pointer) const {
    const OpView op(program_, defining_op_[pointer]);
    return isa::opcode_class(op) == isa::OpcodeClass::cast_ptr ? op.operand(0) : kNoValue;
  }

  static constexpr uint32_t kNone = ~0u;
  const Program& program_;
  std::vector<uint32_t> defining_op_;
};

}  // namespace pto::sim
