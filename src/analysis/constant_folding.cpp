#include "analysis/constant_folding.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

/// The number if it fits; what wraps around is not followed.
Number fit(Number number, uint32_t bits) {
  if (!number || bits >= 64) return number;
  if (bits == 1) return *number & 1;
  const int64_t high = int64_t{1} << (bits - 1);
  return *number >= -high && *number < high ? number : std::nullopt;
}

uint64_t without_sign(int64_t number, uint32_t bits) {
  const auto all = static_cast<uint64_t>(number);
  return bits >= 64 ? all : all & ((uint64_t{1} << bits) - 1);
}

Number of_two(const Arithmetic& how, int64_t a, int64_t b) {
  int64_t out = 0;
  const auto whole = [&](auto divided) -> Number {
    if (b == 0) return std::nullopt;
    return static_cast<int64_t>(divided(without_sign(a, how.from), without_sign(b, how.from)));
  };
  switch (how.opcode_class) {
    case OpcodeClass::add:
      return __builtin_add_overflow(a, b, &out) ? std::nullopt : Number(out);
    case OpcodeClass::sub:
      return __builtin_sub_overflow(a, b, &out) ? std::nullopt : Number(out);
    case OpcodeClass::mul:
      return __builtin_mul_overflow(a, b, &out) ? std::nullopt : Number(out);
    case OpcodeClass::div_s:
      if (b == -1) return __builtin_sub_overflow(0, a, &out) ? std::nullopt : Number(out);
      return b == 0 ? std::nullopt : Number(a / b);
    case OpcodeClass::rem_s:
      if (b == -1) return 0;
      return b == 0 ? std::nullopt : Number(a % b);
    case OpcodeClass::div_u:
      return whole([](uint64_t x, uint64_t y) { return x / y; });
    case OpcodeClass::rem_u:
      return whole([](uint64_t x, uint64_t y) { return x % y; });
    case OpcodeClass::bit_and:
      return a & b;
    case OpcodeClass::bit_or:
      return a | b;
    case OpcodeClass::bit_xor:
      return a ^ b;
    case OpcodeClass::shift_left:
      if (b < 0 || b > 40) return std::nullopt;
      return __builtin_mul_overflow(a, int64_t{1} << b, &out) ? std::nullopt : Number(out);
    case OpcodeClass::min_s:
      return std::min(a, b);
    case OpcodeClass::max_s:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

/// True is 1 here, but -1 where i1 counts as a signed number.
bool counts_signed(const Arithmetic& how) {
  switch (how.opcode_class) {
    case OpcodeClass::div_s:
    case OpcodeClass::rem_s:
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
      return true;
    case OpcodeClass::compare:
      return isa::is_signed(how.predicate);
    default:
      return false;
  }
}

Number constant(const OpView& op) {
  const AttrValue* value = op.attr(0u);
  const bool integral = value != nullptr &&
                        (value->kind == AttrValue::Kind::integer || value->kind == AttrValue::Kind::boolean);
  return integral ? Number(value->integer) : std::nullopt;
}

}  // namespace

uint32_t number_bits(const Type& type) { return type.elem == Elem::i1 ? 1 : bit_width(type.elem); }

bool keeps_numbers(const OpView& cast) {
  const Arithmetic how = arithmetic_of(cast);
  return how.opcode_class == OpcodeClass::cast && how.from != 1 && how.to >= how.from;
}

isa::CmpPredicate cmp_predicate(const OpView& compare) {
  return static_cast<isa::CmpPredicate>(compare.attr_int("predicate"));
}

Arithmetic arithmetic_of(const OpView& op) {
  Arithmetic how{.opcode_class = isa::opcode_class(op),
                 .from = number_bits(op.type(0)),
                 .to = number_bits(op.result_type(0))};
  if (how.opcode_class == OpcodeClass::compare) how.predicate = cmp_predicate(op);
  return how;
}

Number evaluate(const Arithmetic& how, int64_t a, int64_t b) {
  if (how.from == 1 && counts_signed(how)) return std::nullopt;
  switch (how.opcode_class) {
    case OpcodeClass::cast:
      return fit(how.from == 1 ? -a : a, how.to);
    case OpcodeClass::cast_unsigned:
      return fit(static_cast<int64_t>(without_sign(a, how.from)), how.to);
    case OpcodeClass::compare:
      return isa::is_unsigned(how.predicate)
                 ? isa::holds(how.predicate, without_sign(a, how.from), without_sign(b, how.from))
                 : isa::holds(how.predicate, a, b);
    default:
      return fit(of_two(how, a, b), how.to);
  }
}

bool gives_number(const OpView& op) {
  return isa::is_scalar_computation(isa::opcode_class(op)) && op.op().n_results == 1;
}

Number fold(const OpView& op, const std::array<Number, 3>& operands) {
  if (!gives_number(op) || op.result_type(0).kind != TypeKind::scalar) return std::nullopt;
  const auto& [a, b, c] = operands;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::constant:
      return fit(constant(op), number_bits(op.result_type(0)));
    case OpcodeClass::select:
      return !a ? std::nullopt : fit(*a != 0 ? b : c, number_bits(op.result_type(0)));
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return a ? evaluate(arithmetic_of(op), *a) : std::nullopt;
    default:
      return a && b ? evaluate(arithmetic_of(op), *a, *b) : std::nullopt;
  }
}

Constants::Constants(const Program& program, std::span<const ValueId> given, int64_t number)
    : defining_ops_(program.values.size(), kNoOp), known_(program.values.size()) {
  for (const ValueId value : given) known_[value] = number;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    for (unsigned k = 0; k < op.op().n_results; ++k) defining_ops_[op.result(k)] = i;
    if (gives_number(op))
      known_[op.result(0)] = fold_with(op, [this](ValueId value) { return value_of(value); });
  }
}

}  // namespace pto
