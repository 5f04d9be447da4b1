#include "isa/constants.hpp"

#include <algorithm>

#include "isa/row.hpp"

namespace pto {
namespace {

using isa::Does;

/// The number if it fits the type; what wraps around is not followed.
Number fit(Number number, const Type& type) {
  if (!number || type.kind != TypeKind::scalar) return std::nullopt;
  if (type.elem == Elem::i1) return *number & 1;
  const uint32_t bits = bit_width(type.elem);
  if (bits >= 64) return number;
  const int64_t high = int64_t{1} << (bits - 1);
  return *number >= -high && *number < high ? number : std::nullopt;
}

Number checked(Does does, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (does) {
    case Does::add:
      return __builtin_add_overflow(a, b, &out) ? std::nullopt : Number(out);
    case Does::sub:
      return __builtin_sub_overflow(a, b, &out) ? std::nullopt : Number(out);
    case Does::mul:
      return __builtin_mul_overflow(a, b, &out) ? std::nullopt : Number(out);
    case Does::div_s:
    case Does::div_u:
      return a < 0 || b <= 0 ? std::nullopt : Number(a / b);
    case Does::rem_s:
    case Does::rem_u:
      return a < 0 || b <= 0 ? std::nullopt : Number(a % b);
    case Does::bit_and:
      return a & b;
    case Does::bit_or:
      return a | b;
    case Does::bit_xor:
      return a ^ b;
    case Does::shift_left:
      return a < 0 || b < 0 || b > 30 || a > (int64_t{1} << 31) ? std::nullopt : Number(a << b);
    case Does::min_s:
      return std::min(a, b);
    case Does::max_s:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

constexpr int64_t kFirstUnsigned = 6;  ///< of the predicates of arith.cmpi

Number compare(int64_t predicate, int64_t a, int64_t b) {
  if (predicate >= kFirstUnsigned && (a < 0 || b < 0)) return std::nullopt;
  switch (predicate) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
    case 6:
      return a < b;
    case 3:
    case 7:
      return a <= b;
    case 4:
    case 8:
      return a > b;
    case 5:
    case 9:
      return a >= b;
    default:
      return std::nullopt;
  }
}

/// True is 1 here, but -1 where i1 counts as a signed number.
bool counts_signed(const OpView& op) {
  switch (isa::does(op)) {
    case Does::div_s:
    case Does::rem_s:
    case Does::min_s:
    case Does::max_s:
      return true;
    case Does::compare: {
      const int64_t predicate = op.attr_int("predicate");
      return predicate > 1 && predicate < kFirstUnsigned;
    }
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

Number cast(const OpView& op, int64_t number) {
  const bool extends_sign = isa::does(op) == Does::cast;
  if (!extends_sign && number < 0) return std::nullopt;
  return extends_sign && op.type(0).elem == Elem::i1 ? -number : number;
}

Number arithmetic(const OpView& op, int64_t a, int64_t b) {
  if (op.type(0).elem == Elem::i1 && counts_signed(op)) return std::nullopt;
  const Does does = isa::does(op);
  return does == Does::compare ? compare(op.attr_int("predicate"), a, b) : checked(does, a, b);
}

Number unfitted(const OpView& op, const std::array<Number, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (isa::does(op)) {
    case Does::constant:
      return constant(op);
    case Does::cast:
    case Does::cast_unsigned:
      return a ? cast(op, *a) : std::nullopt;
    case Does::select:
      return !a ? std::nullopt : *a != 0 ? b : c;
    default:
      return a && b ? arithmetic(op, *a, *b) : std::nullopt;
  }
}

}  // namespace

bool gives_number(const OpView& op) {
  const Does does = isa::does(op);
  return does >= Does::constant && does <= Does::select && op.op().n_results == 1;
}

Number fold(const OpView& op, const std::array<Number, 3>& operands) {
  return gives_number(op) ? fit(unfitted(op, operands), op.result_type(0)) : std::nullopt;
}

Constants::Constants(const Program& program)
    : makers_(program.values.size(), kNoOp), known_(program.values.size()) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    for (unsigned k = 0; k < op.op().n_results; ++k) makers_[op.result(k)] = i;
    if (gives_number(op)) known_[op.result(0)] = fold_with(op, [this](ValueId value) { return of(value); });
  }
}

}  // namespace pto
