#include "analysis/multi_buffer_slots.hpp"

#include <numeric>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;
constexpr unsigned kMaxSlotDepth = 16;  ///< of an expression that is looked at
constexpr uint32_t kMaxTripCount = 16;

uint32_t count_of(const OpView& get) { return static_cast<uint32_t>(get.type(0).dims[2]); }

}  // namespace

Slots::Slots(const Program& program, const Constants& constants)
    : program_(program), constants_(constants), facts_(program, constants) {}

std::optional<uint32_t> Slots::slots_of(const OpView& get) const {
  const uint32_t count = count_of(get);
  const Congruence index = facts_.congruence(get.operand(1));
  if (index.is_constant() && (index.at < 0 || index.at >= count)) return std::nullopt;
  const std::optional<uint64_t> slot = index.residue(count);
  return slot ? std::optional(static_cast<uint32_t>(*slot)) : std::nullopt;
}

/// Whether the value is made from the loop's induction variable.
bool Slots::counts(ValueId value, ValueId induction, unsigned depth) const {
  if (value == induction) return true;
  const uint32_t defining_op =
      value == kNoValue || depth > kMaxSlotDepth ? kNoOp : constants_.defining_op(value);
  if (defining_op == kNoOp) return false;
  const OpView op(program_, defining_op);
  return gives_number(op) &&
         (counts(op.operand(0), induction, depth + 1) || counts(op.operand(1), induction, depth + 1));
}

uint32_t Slots::counter_congruence(uint32_t loop) const {
  const ValueId induction = program_.regions[program_.ops[loop].regions].first_arg;
  uint32_t turns = 1;
  for (const uint32_t op : descendants(program_, loop)) {
    const OpView get(program_, op);
    if (isa::opcode_class(get) != OpcodeClass::slot || slots_of(get) || !counts(get.operand(1), induction, 0))
      continue;
    turns = std::lcm(turns, count_of(get));
    if (turns > kMaxTripCount) return 1;
  }
  return turns;
}

}  // namespace pto::planner
