#include "analysis/multi_buffer_slots.hpp"

#include <bit>
#include <numeric>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;
constexpr unsigned kMaxDepth = 16;  ///< of an expression that is looked at
constexpr uint32_t kMaxTripCount = 16;

/// Whether a number that wraps to the width of its type is the same modulo `m`.
bool wraps_whole(const Type& type, uint64_t m) {
  const uint32_t bits = number_bits(type);
  return bits < 64 ? (uint64_t{1} << bits) % m == 0 : (m & (m - 1)) == 0;
}

uint32_t count_of(const OpView& get) { return static_cast<uint32_t>(get.type(0).dims[2]); }

}  // namespace

Slots::Slots(const Program& program, const Constants& constants)
    : program_(program), constants_(constants), intervals_(program, constants) {}

std::optional<uint32_t> Slots::slots_of(const OpView& get) const {
  const uint32_t count = count_of(get);
  const Number known = constants_.value_of(get.operand(1));
  if (known)
    return *known >= 0 && *known < count ? std::optional(static_cast<uint32_t>(*known)) : std::nullopt;
  const std::optional<uint64_t> slot = congruence(get.operand(1), count, 0);
  return slot ? std::optional(static_cast<uint32_t>(*slot)) : std::nullopt;
}

std::optional<uint64_t> Slots::congruence(ValueId value, uint64_t m, unsigned depth) const {
  if (value == kNoValue || m == 0 || depth > kMaxDepth) return std::nullopt;
  if (const Number number = constants_.value_of(value))
    return *number < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(*number) % m);
  if (const uint32_t loop = intervals_.loop_of(value); loop != kNoOp) {
    const OpView op(program_, loop);
    const Number step = constants_.value_of(op.operand(2));
    if (!step || *step <= 0 || static_cast<uint64_t>(*step) % m != 0) return std::nullopt;
    return congruence(op.operand(0), m, depth + 1);
  }
  const uint32_t defining_op = constants_.defining_op(value);
  if (defining_op == kNoOp) return std::nullopt;
  const OpView op(program_, defining_op);
  if (!gives_number(op) || number_bits(op.type(0)) == 1) return std::nullopt;
  const auto of_operand = [&](unsigned i) { return congruence(op.operand(i), m, depth + 1); };
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const bool kept = intervals_.exact(op) || wraps_whole(op.result_type(0), m);
  switch (opcode_class) {
    case OpcodeClass::cast:
      return kept ? of_operand(0) : std::nullopt;
    case OpcodeClass::cast_unsigned:
      return kept && (number_bits(op.type(0)) >= 64 || reads_unsigned(op, m)) ? of_operand(0) : std::nullopt;
    case OpcodeClass::add: {
      const auto a = of_operand(0), b = of_operand(1);
      return a && b && kept ? std::optional((*a + *b) % m) : std::nullopt;
    }
    case OpcodeClass::mul: {
      const auto a = of_operand(0), b = of_operand(1);
      return a && b && kept ? std::optional(*a * *b % m) : std::nullopt;
    }
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
    case OpcodeClass::bit_and:
      return masked(op, m, depth);
    default:
      return std::nullopt;
  }
}

/// Whether what an operation takes as a number without sign is the same modulo `m`: a negative one is greater
/// by what its type can hold.
bool Slots::reads_unsigned(const OpView& op, uint64_t m) const {
  return wraps_whole(op.type(0), m) || intervals_.interval_of(op.operand(0)).low >= 0;
}

/// A remainder, or the lowest bits: the same as what is divided, modulo a divisor.
std::optional<uint64_t> Slots::masked(const OpView& op, uint64_t m, unsigned depth) const {
  const Number number = constants_.value_of(op.operand(1));
  if (!number || *number <= 0) return std::nullopt;
  const bool bits = isa::opcode_class(op) == OpcodeClass::bit_and;
  const uint64_t divisor = static_cast<uint64_t>(*number) + (bits ? 1 : 0);
  if ((bits && !std::has_single_bit(divisor)) || divisor % m != 0) return std::nullopt;
  if (isa::opcode_class(op) == OpcodeClass::rem_u && !reads_unsigned(op, m)) return std::nullopt;
  return congruence(op.operand(0), m, depth + 1);
}

/// Whether the value is made from the loop's induction variable.
bool Slots::counts(ValueId value, ValueId induction, unsigned depth) const {
  if (value == induction) return true;
  const uint32_t defining_op = value == kNoValue || depth > kMaxDepth ? kNoOp : constants_.defining_op(value);
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
