#include "verify/sync/known_values.hpp"

#include <algorithm>

#include "isa/memory_spaces.hpp"
#include "support/saturating.hpp"

namespace pto::legality::sync {
namespace {

constexpr Base kFirstValue = 64;  ///< bases of tiles and arguments follow those of the memories

Space space_of(const Type& type) {
  return type.is_view() || type.space == Space::none ? Space::gm : isa::storage_space(type);
}

}  // namespace

bool denotes_storage(const Type& type) {
  return type.kind == TypeKind::ptr || type.is_view() || type.is_tile() || type.kind == TypeKind::memref ||
         type.kind == TypeKind::multi_tile;
}

std::optional<int64_t> AbstractValues::integer(ValueId value) const {
  const AbstractValue& known = value_of(value);
  return known.kind == AbstractValue::Kind::integer ? std::optional(known.number) : std::nullopt;
}

void AbstractValues::set_integer(ValueId value, std::optional<int64_t> number) {
  AbstractValue built;
  if (number) built = {.kind = AbstractValue::Kind::integer, .number = *number};
  known_[value] = built;
}

void AbstractValues::forget(ValueId value) {
  const Type& type = program_.type_of(value);
  known_[value] =
      denotes_storage(type)
          ? AbstractValue{.kind = AbstractValue::Kind::place, .space = space_of(type), .base = fresh_++}
          : AbstractValue{};
}

void AbstractValues::set_argument(ValueId value) {
  const Type& type = program_.type_of(value);
  known_[value] = denotes_storage(type) ? AbstractValue{.kind = AbstractValue::Kind::place,
                                                        .space = space_of(type),
                                                        .base = kFirstValue + value}
                                        : AbstractValue{};
}

void AbstractValues::evaluate(const OpView& op, const OperationFacts& facts) {
  if (op.op().n_results == 0) return;
  switch (facts.opcode_class) {
    case OpcodeClass::alloc_tile:
      return place_tile(op, op.operand(0));
    case OpcodeClass::assign:
      return place_tile(op, op.operand(1));
    case OpcodeClass::cast_ptr:
      return cast_pointer(op);
    case OpcodeClass::add_ptr:
      return add_pointer(op);
    case OpcodeClass::rename:
    case OpcodeClass::reshape:
      return rename(op);
    case OpcodeClass::make_view:
      return set(op.result(0), value_of(op.operand(0)).kind == AbstractValue::Kind::place
                                   ? value_of(op.operand(0))
                                   : AbstractValue{});
    case OpcodeClass::subview:
      return window(op);
    case OpcodeClass::slot:
      return slot(op);
    case OpcodeClass::partition:
      return partition(op);
    case OpcodeClass::select: {
      const std::optional<int64_t> condition = integer(op.operand(0));
      if (condition) return set(op.result(0), value_of(op.operand(*condition != 0 ? 1 : 2)));
      if (value_of(op.operand(1)) == value_of(op.operand(2)))
        return set(op.result(0), value_of(op.operand(1)));
      return forget(op.result(0));
    }
    default:
      break;
  }
  if (gives_number(op))
    return set_integer(op.result(0), fold_with(op, [this](ValueId value) { return integer(value); }));
  for (uint32_t i = 0; i < op.op().n_results; ++i) forget(op.result(i));
}

void AbstractValues::place_tile(const OpView& op, ValueId address) {
  const ValueId value = op.result(0);
  const Space space = space_of(op.result_type(0));
  AbstractValue built{
      .kind = AbstractValue::Kind::place, .space = space, .base = kFirstValue + value, .tile = value};
  if (address != kNoValue) {
    const std::optional<int64_t> given = integer(address);
    built.base = given ? memory_base(space) : fresh_++;
    built.number = given.value_or(0);
  }
  set(value, built);
}

void AbstractValues::slot(const OpView& op) {
  AbstractValue built = value_of(op.operand(0));
  const std::optional<int64_t> index = integer(op.operand(1));
  if (built.kind != AbstractValue::Kind::place || !index) return forget(op.result(0));
  built.number = sat_add(built.number, sat_mul(*index, static_cast<int64_t>(isa::slot_stride(op.type(0)))));
  set(op.result(0), built);
}

void AbstractValues::cast_pointer(const OpView& op) {
  const Type& type = op.result_type(0);
  const AbstractValue& from = value_of(op.operand(0));
  if (type.kind != TypeKind::ptr) return forget(op.result(0));
  if (from.kind == AbstractValue::Kind::place && from.space == space_of(type)) return set(op.result(0), from);
  const bool constant =
      from.kind == AbstractValue::Kind::integer && type.space != Space::gm && type.space != Space::none;
  if (!constant) return forget(op.result(0));
  set(op.result(0), {.kind = AbstractValue::Kind::place,
                     .space = type.space,
                     .base = memory_base(type.space),
                     .number = from.number});
}

void AbstractValues::add_pointer(const OpView& op) {
  AbstractValue built = value_of(op.operand(0));
  const std::optional<int64_t> count = integer(op.operand(1));
  if (built.kind != AbstractValue::Kind::place || !count || bit_width(op.result_type(0).elem) % 8 != 0)
    return forget(op.result(0));
  const int64_t step = byte_width(op.result_type(0).elem) * std::max<int64_t>(1, op.result_type(0).vec_lanes);
  built.number = sat_add(built.number, sat_mul(*count, step));
  set(op.result(0), built);
}

/// treshape, bitcast and the addresses of tiles and views: the same place under another type.
void AbstractValues::rename(const OpView& op) {
  const AbstractValue& from = value_of(op.operand(0));
  if (from.kind != AbstractValue::Kind::place || from.space != space_of(op.result_type(0)))
    return forget(op.result(0));
  set(op.result(0), from);
}

/// A subview begins where its first element is; only row-major tiles without boxes are followed.
void AbstractValues::window(const OpView& op) {
  AbstractValue built = value_of(op.operand(0));
  const Type& tile = op.type(0);
  const std::span<const ValueId> offsets = op.operands(1);
  const bool plain = tile.is_tile() && !built.window && tile.slayout == SLayout::none_box &&
                     tile.blayout == BLayout::row_major && bit_width(tile.elem) % 8 == 0;
  const std::optional<int64_t> row = offsets.size() == 2 ? integer(offsets[0]) : std::nullopt;
  const std::optional<int64_t> col = offsets.size() == 2 ? integer(offsets[1]) : std::nullopt;
  if (built.kind != AbstractValue::Kind::place || !plain || !row || !col) return forget(op.result(0));
  const int64_t elements = sat_add(sat_mul(*row, tile.cols()), *col);
  built.number = sat_add(built.number, sat_mul<int64_t>(elements, byte_width(tile.elem)));
  built.window = true;
  set(op.result(0), built);
}

/// A window of GM with constant offsets at the view's begin; others are places of their own.
void AbstractValues::partition(const OpView& op) {
  const AbstractValue& from = value_of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1);
  const bool at_begin = from.kind == AbstractValue::Kind::place &&
                        std::ranges::all_of(offsets, [&](ValueId v) { return integer(v) == 0; });
  if (at_begin) return set(op.result(0), from);
  forget(op.result(0));
}

}  // namespace pto::legality::sync
