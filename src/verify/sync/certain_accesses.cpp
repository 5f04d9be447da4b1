#include "verify/sync/certain_accesses.hpp"

#include <algorithm>

#include "ir/scratch_bytes.hpp"
#include "support/saturating.hpp"

namespace pto::legality::sync {
namespace {

int64_t bytes_of(int64_t elements, Elem elem) {
  return std::max<int64_t>(1, sat_mul<int64_t>(elements, bit_width(elem)) / 8);
}

/// A tile's valid elements as far as they lie side by side from its first one.
int64_t contiguous_valid_bytes(const Type& tile, bool window) {
  const int64_t rows = tile.valid[0] == kDynamic ? 1 : tile.valid[0],
                cols = tile.valid[1] == kDynamic ? 1 : tile.valid[1];
  const bool whole = !window && rows == tile.rows() && cols == tile.cols();
  if (whole) return static_cast<int64_t>(tile_bytes(tile));
  if (tile.slayout != SLayout::none_box) return bytes_of(1, tile.elem);
  const bool by_rows = tile.blayout == BLayout::row_major;
  const int64_t inner = by_rows ? cols : rows, outer = by_rows ? rows : cols,
                pitch = by_rows ? tile.cols() : tile.rows();
  return bytes_of(inner == pitch && !window ? sat_mul(inner, outer) : inner, tile.elem);
}

ByteRange footprint_of(const AbstractValue& place, const Type& type, const OperationFacts& facts) {
  ByteRange built{.base = place.base, .begin = place.number, .end = sat_add<int64_t>(place.number, 1)};
  if (!type.is_tile())
    return built;  // pointers and views: the first byte is touched, how many more is not followed
  built.all = !facts.partial;
  built.end = sat_add(built.begin, facts.partial ? static_cast<int64_t>(tile_bytes(type))
                                                 : contiguous_valid_bytes(type, place.window));
  return built;
}

bool is_atomic(const OpView& op) {
  return isa::schema(op.op().row).attr_index("atomicType") >= 0 && op.attr("atomicType") != nullptr &&
         op.attr_int("atomicType") != 0;
}

/// Extents that are numbers; how much of pointers is touched, say operands. A mask may leave nothing.
bool certainly_touches(const OpView& op, const Type& type, const AbstractValues& values) {
  if (type.is_tile()) return type.valid[0] > 0 && type.valid[1] > 0;
  if (type.is_view() &&
      std::ranges::any_of(std::span(type.dims).first(type.rank), [](int64_t n) { return n <= 0; }))
    return false;
  const auto settled = [&](ValueId value) {
    if (value == kNoValue) return true;  // left out
    const Type& known = op.program().type_of(value);
    const bool number = known.kind == TypeKind::scalar && is_integer(known.elem);
    return known.kind != TypeKind::mask && (!number || values.integer(value).has_value());
  };
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
    if (!std::ranges::all_of(op.operands(slot), settled)) return false;
  }
  return true;
}

/// The bytes of a scratch tile that are certainly written: of parts with gaps the first row.
void find_scratch(const OpView& op, const AbstractValues& values, bool early,
                  std::vector<TileAccess>& found) {
  const std::optional<isa::Scratch> scratch = isa::scratch_of(op, isa::OpenExtents::least);
  if (!scratch || !scratch->stated) return;
  const AbstractValue& place = values.value_of(op.operand(scratch->slot));
  if (place.kind != AbstractValue::Kind::place) return;
  for (const isa::ScratchPart& part : scratch->parts) {
    if (early && !part.early) continue;
    const int64_t begin = sat_add(place.number, static_cast<int64_t>(part.begin));
    // What an early phase has left is read by the others.
    found.push_back({.bytes = {.base = place.base,
                               .begin = begin,
                               .end = sat_add(begin, static_cast<int64_t>(part.row_bytes))},
                     .space = place.space,
                     .slot = static_cast<uint8_t>(scratch->slot),
                     .read = !early && part.early,
                     .write = early || !part.early,
                     .certain = true,
                     .scratch = true,
                     .tile = place.tile});
  }
}

}  // namespace

void find_phase_accesses(const OpView& op, const OperationFacts& facts, const isa::Phase& phase, bool early,
                         const AbstractValues& values, std::vector<TileAccess>& found) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const int scratch = schema.operand_slot("tmp");
  const auto add = [&](uint8_t slot, bool write) {
    if (slot == scratch) return find_scratch(op, values, early, found);
    const ValueId value = op.operand(slot);
    const AbstractValue& place = values.value_of(value);
    const Type& type = op.program().type_of(value);
    if (place.kind != AbstractValue::Kind::place || !type.is_tile()) return;
    found.push_back({.bytes = footprint_of(place, type, facts),
                     .space = place.space,
                     .slot = slot,
                     .read = !write,
                     .write = write,
                     .certain = certainly_touches(op, type, values),
                     .tile = place.tile});
  };
  for (const uint8_t slot : phase.reads) add(slot, false);
  for (const uint8_t slot : phase.writes) add(slot, true);
}

void find_accesses(const OpView& op, const OperationFacts& facts, const isa::Phases& phases,
                   const AbstractValues& values, std::vector<TileAccess>& found) {
  const isa::UnitFlag unit = facts.unit_flag ? isa::unit_flag(op) : isa::UnitFlag{};
  for (const OperandSlot& slot : facts.places) {
    const ValueId value = op.operand(slot.index);
    const AbstractValue& place = values.value_of(value);
    if (place.kind != AbstractValue::Kind::place) continue;
    const Type& type = op.program().type_of(value);
    const auto at_begin = [&](uint8_t position) { return values.integer(op.operand(position)) == 0; };
    if (slot.role == isa::Role::in && !std::ranges::all_of(facts.positions, at_begin)) continue;
    TileAccess built{.bytes = footprint_of(place, type, facts),
                     .space = place.space,
                     .slot = slot.index,
                     .certain = certainly_touches(op, type, values),
                     .tile = place.tile};
    if (slot.index == unit.slot && place.space == Space::l0c) built.unit_flag = unit.phase;
    built.read = slot.role != isa::Role::out;
    built.write = slot.role != isa::Role::in || phases.changes(slot.index);
    built.clobbered = std::ranges::find(phases.clobbers, slot.index) != phases.clobbers.end();
    if (facts.offset_slot >= 0 && !type.is_tile()) {
      const std::optional<int64_t> offset =
          values.integer(op.operand(static_cast<unsigned>(facts.offset_slot)));
      if (!offset || type.kind != TypeKind::ptr) continue;
      built.bytes.begin = sat_add(built.bytes.begin, sat_mul<int64_t>(*offset, byte_width(type.elem)));
      built.bytes.end = sat_add<int64_t>(built.bytes.begin, 1);
    }
    if (built.write && place.space == Space::gm) built.update = is_atomic(op);
    // Row views of GM and subviews of which the type's extents say nothing certain.
    if (facts.partial && !type.is_tile()) continue;
    found.push_back(built);
  }
  if (isa::row(op.op().row).layer == isa::Layer::tile) find_scratch(op, values, false, found);
}

}  // namespace pto::legality::sync
