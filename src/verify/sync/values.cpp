#include "verify/sync/values.hpp"
#include "support/checked.hpp"

#include <algorithm>

namespace pto::legality::sync {
namespace {

constexpr Base kFirstValue = 64;   ///< bases of tiles and arguments follow those of the memories

Space space_of(const Type& type) { return type.is_view() || type.space == Space::none ? Space::gm : type.space; }

/// The number if it fits the type; what wraps around is not followed.
std::optional<int64_t> fit(std::optional<int64_t> number, const Type& type) {
  if (!number || type.kind != TypeKind::scalar) return std::nullopt;
  if (type.elem == Elem::i1) return *number & 1;
  const uint32_t bits = bit_width(type.elem);
  if (bits >= 64) return number;
  const int64_t high = int64_t{1} << (bits - 1);
  return *number >= -high && *number < high ? number : std::nullopt;
}

std::optional<int64_t> checked(Does does, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (does) {
    case Does::add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Does::sub: return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Does::mul: return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Does::div_s:
    case Does::div_u: return a < 0 || b <= 0 ? std::nullopt : std::optional(a / b);
    case Does::rem_s:
    case Does::rem_u: return a < 0 || b <= 0 ? std::nullopt : std::optional(a % b);
    case Does::bit_and: return a & b;
    case Does::bit_or: return a | b;
    case Does::bit_xor: return a ^ b;
    case Does::shift_left: return a < 0 || b < 0 || b > 30 || a > (int64_t{1} << 31) ? std::nullopt : std::optional(a << b);
    case Does::min_s: return std::min(a, b);
    case Does::max_s: return std::max(a, b);
    default: return std::nullopt;
  }
}

std::optional<int64_t> compare(int64_t predicate, int64_t a, int64_t b) {
  const bool unsigned_order = predicate >= 6;
  if (unsigned_order && (a < 0 || b < 0)) return std::nullopt;
  switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2:
    case 6: return a < b;
    case 3:
    case 7: return a <= b;
    case 4:
    case 8: return a > b;
    case 5:
    case 9: return a >= b;
    default: return std::nullopt;
  }
}

}  // namespace

bool denotes_storage(const Type& type) {
  return type.kind == TypeKind::ptr || type.is_view() || type.is_tile() || type.kind == TypeKind::memref;
}

std::optional<int64_t> Values::integer(ValueId value) const {
  const Known& known = of(value);
  return known.kind == Known::Kind::integer ? std::optional(known.number) : std::nullopt;
}

void Values::set_integer(ValueId value, std::optional<int64_t> number) {
  Known made;
  if (number) made = {.kind = Known::Kind::integer, .number = *number};
  known_[value] = made;
}

void Values::forget(ValueId value) {
  const Type& type = program_.type_of(value);
  known_[value] = denotes_storage(type) ? Known{.kind = Known::Kind::place, .space = space_of(type), .base = fresh_++} : Known{};
}

void Values::set_argument(ValueId value) {
  const Type& type = program_.type_of(value);
  known_[value] = denotes_storage(type) ? Known{.kind = Known::Kind::place, .space = space_of(type), .base = kFirstValue + value} : Known{};
}

void Values::evaluate(const OpView& op, const Facts& facts) {
  if (op.op().n_results == 0) return;
  switch (facts.does) {
    case Does::constant: {
      const AttrValue* number = op.attr(0u);
      const bool integral = number != nullptr && (number->kind == AttrValue::Kind::integer || number->kind == AttrValue::Kind::boolean);
      return set_integer(op.result(0), integral ? fit(number->integer, op.result_type(0)) : std::nullopt);
    }
    case Does::alloc: return place_tile(op, op.operand(0));
    case Does::assign: return place_tile(op, op.operand(1));
    case Does::cast_ptr: return cast_pointer(op);
    case Does::add_ptr: return add_pointer(op);
    case Does::rename: return rename(op);
    case Does::make_view: return set(op.result(0), of(op.operand(0)).kind == Known::Kind::place ? of(op.operand(0)) : Known{});
    case Does::subview: return window(op);
    case Does::partition: return partition(op);
    case Does::select: {
      const std::optional<int64_t> condition = integer(op.operand(0));
      if (condition) return set(op.result(0), of(op.operand(*condition != 0 ? 1 : 2)));
      if (of(op.operand(1)) == of(op.operand(2))) return set(op.result(0), of(op.operand(1)));
      return forget(op.result(0));
    }
    default: break;
  }
  if (facts.does >= Does::add && facts.does <= Does::cast_unsigned) return set_integer(op.result(0), arithmetic(op, facts.does));
  for (uint32_t i = 0; i < op.op().n_results; ++i) forget(op.result(i));
}

std::optional<int64_t> Values::arithmetic(const OpView& op, Does does) const {
  const std::optional<int64_t> a = integer(op.operand(0));
  if (!a) return std::nullopt;
  if (does == Does::cast_unsigned && *a < 0) return std::nullopt;
  if (does == Does::cast || does == Does::cast_unsigned) return fit(a, op.result_type(0));
  const std::optional<int64_t> b = integer(op.operand(1));
  if (!b) return std::nullopt;
  return fit(does == Does::compare ? compare(op.attr_int("predicate"), *a, *b) : checked(does, *a, *b), op.result_type(0));
}

void Values::place_tile(const OpView& op, ValueId address) {
  const ValueId value = op.result(0);
  const Space space = space_of(op.result_type(0));
  Known made{.kind = Known::Kind::place, .space = space, .base = kFirstValue + value, .tile = value};
  if (address != kNoValue) {
    const std::optional<int64_t> given = integer(address);
    made.base = given ? memory_base(space) : fresh_++;
    made.number = given.value_or(0);
  }
  set(value, made);
}

void Values::cast_pointer(const OpView& op) {
  const Type& type = op.result_type(0);
  const Known& from = of(op.operand(0));
  if (type.kind != TypeKind::ptr) return forget(op.result(0));
  if (from.kind == Known::Kind::place && from.space == space_of(type)) return set(op.result(0), from);
  const bool constant = from.kind == Known::Kind::integer && type.space != Space::gm && type.space != Space::none;
  if (!constant) return forget(op.result(0));
  set(op.result(0), {.kind = Known::Kind::place, .space = type.space, .base = memory_base(type.space), .number = from.number});
}

void Values::add_pointer(const OpView& op) {
  Known made = of(op.operand(0));
  const std::optional<int64_t> count = integer(op.operand(1));
  if (made.kind != Known::Kind::place || !count || bit_width(op.result_type(0).elem) % 8 != 0) return forget(op.result(0));
  const int64_t step = byte_width(op.result_type(0).elem) * std::max<int64_t>(1, op.result_type(0).vec_lanes);
  made.number = sat_add(made.number, sat_mul(*count, step));
  set(op.result(0), made);
}

/// treshape, bitcast and the addresses of tiles and views: the same place under another type.
void Values::rename(const OpView& op) {
  const Known& from = of(op.operand(0));
  if (from.kind != Known::Kind::place || from.space != space_of(op.result_type(0))) return forget(op.result(0));
  set(op.result(0), from);
}

/// A subview begins where its first element is; only row-major tiles without boxes are followed.
void Values::window(const OpView& op) {
  Known made = of(op.operand(0));
  const Type& tile = op.type(0);
  const std::span<const ValueId> offsets = op.operands(1);
  const bool plain = tile.is_tile() && !made.window && tile.slayout == SLayout::none_box && tile.blayout == BLayout::row_major && bit_width(tile.elem) % 8 == 0;
  const std::optional<int64_t> row = offsets.size() == 2 ? integer(offsets[0]) : std::nullopt;
  const std::optional<int64_t> col = offsets.size() == 2 ? integer(offsets[1]) : std::nullopt;
  if (made.kind != Known::Kind::place || !plain || !row || !col) return forget(op.result(0));
  const int64_t elements = sat_add(sat_mul(*row, tile.cols()), *col);
  made.number = sat_add(made.number, sat_mul<int64_t>(elements, byte_width(tile.elem)));
  made.window = true;
  set(op.result(0), made);
}

/// A window of GM with constant offsets at the view's begin; others are places of their own.
void Values::partition(const OpView& op) {
  const Known& from = of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1);
  const bool at_begin = from.kind == Known::Kind::place && std::ranges::all_of(offsets, [&](ValueId v) { return integer(v) == 0; });
  if (at_begin) return set(op.result(0), from);
  forget(op.result(0));
}

}  // namespace pto::legality::sync
