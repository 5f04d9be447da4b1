// Where operations look on the chip, when that moves with numbers of which not all are tried.
#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "isa/tile_defaults.hpp"
#include "prove/abstract/control_slice.hpp"
#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

constexpr size_t kMaxAddresses = 64;
constexpr uint64_t kWholeMemory = uint64_t{1} << 62;

bool on_chip(const Type& type) {
  const bool storage = type.is_tile() || type.kind == TypeKind::multi_tile || type.kind == TypeKind::ptr ||
                       type.kind == TypeKind::memref;
  return storage && type.space != Space::gm;
}

bool is_mask(const Type& type) { return type.kind == TypeKind::mask || type.kind == TypeKind::vmi_mask; }
bool is_register(const Type& type) { return type.kind == TypeKind::vreg || type.kind == TypeKind::vmi_vreg; }
/// What is put somewhere does not say where.
bool is_data(const isa::Schema& schema, unsigned slot) { return schema.operands[slot].name == "value"; }

/// Says how much an operation touches, or where; a float does not, nor does a place in GM.
bool sets_address(const Type& type) {
  if (type.is_view() || type.space == Space::gm) return false;
  return type.kind != TypeKind::scalar || !is_float(type.elem);
}

}  // namespace

/// Whether it may be a number that was not tried: made of a parameter, of data, or of a counter that goes on.
/// What all remainders and both sides of a comparison were tried of is not.
bool InputSlice::address_varies(ValueId value) {
  const auto goes_beyond = [&](ValueId at, const Def& origin) {
    if (origin.kind == Def::Kind::none || origin.kind == Def::Kind::parameter) return true;
    if (origin.kind == Def::Kind::counter) return is_unbounded(origin.at);
    if (origin.kind != Def::Kind::op) return false;
    const OpView op(program_, origin.at);
    if (resized_.contains(origin.at) || reads_block_id(op)) return true;
    return !is_fully_enumerated(at, op) && program_.type_of(at).kind == TypeKind::scalar &&
           has_side_input(op);
  };
  bool found = false;
  for_each_source(value, [&](ValueId at, const Def* origin) {
    if (found || constant(at) || !sets_address(program_.type_of(at))) return false;
    if (origin == nullptr || goes_beyond(at, *origin)) return !(found = true);
    return origin->kind != Def::Kind::op || !is_fully_enumerated(at, OpView(program_, origin->at));
  });
  return found;
}

/// All remainders of it, or both outcomes of the comparison that it is.
bool InputSlice::is_fully_enumerated(ValueId value, const OpView& op) const {
  return fully_enumerated_.contains(value) ||
         (isa::opcode_class(op) == OpcodeClass::compare && required_.contains(value));
}

/// Operations that make the tiles which a value may be.
std::set<uint32_t> InputSlice::defining_ops(ValueId value) const {
  std::set<uint32_t> found;
  std::set<ValueId> seen;
  std::vector<ValueId> left{value};
  while (!left.empty()) {
    const ValueId at = left.back();
    left.pop_back();
    if (!seen.insert(at).second) continue;
    const auto origin = defs_.find(at);
    if (origin == defs_.end()) continue;
    for (const ValueId each : origin->second.incoming) left.push_back(each);
    if (origin->second.kind != Def::Kind::op) continue;
    found.insert(origin->second.at);
    const OpView op(program_, origin->second.at);
    for (const ValueId from : op.op().n_operand_words != 0 ? op.operands(0) : std::span<const ValueId>()) {
      if (on_chip(program_.type_of(from))) left.push_back(from);
    }
    if (isa::opcode_class(op) == OpcodeClass::select) {
      left.push_back(op.operand(1));
      left.push_back(op.operand(2));
    }
  }
  return found;
}

/// Numbers that an address may be; nothing where they are not all known.
std::optional<std::set<int64_t>> InputSlice::addresses_of(ValueId value, int depth) const {
  if (const Number number = constant(value)) return std::set{*number};
  const auto found = defs_.find(value);
  if (found == defs_.end() || depth > 16) return std::nullopt;
  std::set<int64_t> all;
  const auto add = [&](ValueId from) {
    const auto some = addresses_of(from, depth + 1);
    if (some) all.insert(some->begin(), some->end());
    return some.has_value() && all.size() <= kMaxAddresses;
  };
  if (found->second.kind == Def::Kind::phi && !found->second.incoming.empty()) {
    for (const ValueId from : found->second.incoming) {
      if (!add(from)) return std::nullopt;
    }
    return all;
  }
  if (found->second.kind != Def::Kind::op) return std::nullopt;
  const OpView op(program_, found->second.at);
  switch (isa::opcode_class(op)) {
    case OpcodeClass::select:
      return add(op.operand(1)) && add(op.operand(2)) ? std::optional(all) : std::nullopt;
    case OpcodeClass::cast: {
      const auto taken = addresses_of(op.operand(0), depth + 1);
      if (!taken) return std::nullopt;
      for (const int64_t number : *taken) {
        const Number kept = fold(op, {number, std::nullopt, std::nullopt});
        if (!kept) return std::nullopt;
        all.insert(*kept);
      }
      return all;
    }
    case OpcodeClass::rem_u: {
      const Number period = constant(op.operand(1));
      if (!period || *period <= 0 || *period > static_cast<int64_t>(kMaxAddresses)) return std::nullopt;
      for (int64_t i = 0; i < *period; ++i) all.insert(i);
      return all;
    }
    case OpcodeClass::add:
    case OpcodeClass::mul: {
      const auto a = addresses_of(op.operand(0), depth + 1);
      const auto b = addresses_of(op.operand(1), depth + 1);
      if (!a || !b || a->size() * b->size() > kMaxAddresses) return std::nullopt;
      for (const int64_t x : *a) {
        for (const int64_t y : *b) {
          const Number number = fold(op, {x, y, std::nullopt});
          if (!number) return std::nullopt;
          all.insert(*number);
        }
      }
      return all;
    }
    default:
      return std::nullopt;
  }
}

/// The slots that a tile which a queue gives may lie in; nothing where their buffer is not known.
std::optional<OnChipRange> InputSlice::slot_range_of(const OpView& pop) const {
  const Type& tile = pop.result_type(0);
  const QueueEnd* end = queues_.end_of(pop.index());
  if (end == nullptr || !tile.is_tile() || tile.rows() <= 0 || tile.cols() <= 0) return std::nullopt;
  const uint64_t slots = static_cast<uint64_t>(std::max(end->slots, end->local_slots.value_or(0)));
  const uint64_t stride = std::max(static_cast<uint64_t>(end->slot_size), occupied_bytes(tile));
  std::optional<OnChipRange> found;
  // What goes the other way lies in another memory, on the other core.
  for (const ValueId address : {end->local, end->peer_local}) {
    const auto key = queues_.buffer_of(address, *end->function);
    if (!key || key->first != end->function->info.op) continue;
    const uint32_t reserve = queues_.reserve_in(key->first, key->second);
    if (reserve == ~0u || queues_.view(reserve).attr("base") == nullptr || found) return std::nullopt;
    const auto base = static_cast<uint64_t>(queues_.view(reserve).attr_int("base"));
    found = OnChipRange{tile.space, base, base + sat_mul(slots, stride)};
  }
  return found;
}

/// The bytes that an operand on the chip may have, however far numbers move it within its tile.
std::vector<OnChipRange> InputSlice::ranges_of(ValueId value) const {
  std::vector<OnChipRange> places;
  const Space space = program_.type_of(value).space;
  std::set<ValueId> seen;
  std::vector<ValueId> left{value};
  const OnChipRange anywhere{space, 0, kWholeMemory};
  if (assigns_) return {anywhere};
  while (!left.empty()) {
    const ValueId at = left.back();
    left.pop_back();
    if (!seen.insert(at).second) continue;
    const auto found = defs_.find(at);
    if (found == defs_.end()) return {anywhere};
    const Def& origin = found->second;
    if (origin.kind == Def::Kind::phi && !origin.incoming.empty()) {
      left.insert(left.end(), origin.incoming.begin(), origin.incoming.end());
      continue;
    }
    if (origin.kind != Def::Kind::op) return {anywhere};
    const OpView op(program_, origin.at);
    switch (isa::opcode_class(op)) {
      case OpcodeClass::alloc_tile: {
        const Type& tile = op.result_type(0);
        const ValueId address = op.operand(0);
        const auto begins = address == kNoValue ? std::nullopt : addresses_of(address, 0);
        if (!begins || tile.rows() <= 0 || tile.cols() <= 0) return {anywhere};
        for (const int64_t begin : *begins)
          places.push_back({space, static_cast<uint64_t>(begin), begin + occupied_bytes(tile)});
        break;
      }
      case OpcodeClass::select:
        left.push_back(op.operand(1)), left.push_back(op.operand(2));
        break;
      case OpcodeClass::rename:
      case OpcodeClass::reshape:
      case OpcodeClass::subview:
        left.push_back(op.operand(0));
        break;
      case OpcodeClass::queue_pop: {
        const auto slots = slot_range_of(op);
        if (!slots) return {anywhere};
        places.push_back(*slots);
        break;
      }
      default:
        return {anywhere};
    }
  }
  return places;
}

/// Tiles whose valid region a number changes that was not tried.
void InputSlice::find_resized() {
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end; ++i) {
      const OpView op(program_, i);
      assigns_ = assigns_ || isa::opcode_class(op) == OpcodeClass::assign;
      if (isa::opcode_class(op) != OpcodeClass::set_extents && isa::opcode_class(op) != OpcodeClass::assign)
        continue;
      bool moved = false;
      for (unsigned slot = 1; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        for (const ValueId value : op.operands(slot)) moved = moved || address_varies(value);
      }
      if (moved) resized_.merge(defining_ops(op.operand(0)));
    }
  }
}

void InputSlice::find_input_dependent_lanes(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || !has_input_dependent_lanes(value)) continue;
      if (is_mask(program_.type_of(value))) input_dependent_masks_.insert(op.index());
      if (is_data(schema, slot)) any_bytes_.insert(op.index());
    }
  }
}

/// Whether data say which bytes it touches: what a tile holds, a register that not only constants make, or
/// how many lanes an instruction before has kept.
bool InputSlice::is_addressed_by_data(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if ((row.flags & isa::kByData) == 0) return false;
  if (row.layer == isa::Layer::tile) return true;
  if (row.opcode_class == OpcodeClass::store_stream) return !input_dependent_masks_.empty();
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (is_data(schema, slot)) continue;
    for (const ValueId value : op.operands(slot)) {
      if (value != kNoValue && is_register(program_.type_of(value)) && has_input_dependent_lanes(value))
        return true;
    }
  }
  return false;
}

void InputSlice::find_varying_accesses(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  std::vector<OnChipRange> places;
  std::vector<ValueId> says_where;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (is_data(schema, slot)) continue;
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || is_register(program_.type_of(value)) || is_mask(program_.type_of(value)))
        continue;
      says_where.push_back(value);
      if (!on_chip(program_.type_of(value))) continue;
      for (OnChipRange place : ranges_of(value)) {
        place.written = schema.operands[slot].role != isa::Role::in;
        places.push_back(place);
      }
    }
  }
  // What an address is made of can be long, so only of operations that have one.
  const bool writes_mode = (isa::row(op.op().row).flags & isa::kModeWrite) != 0;
  if (places.empty() && !writes_mode) return;
  const bool by_data = is_addressed_by_data(op);
  const bool moved =
      by_data || std::ranges::any_of(says_where, [&](ValueId value) { return address_varies(value); });
  if (by_data && !places.empty()) data_dependent_ranges_[op.index()] = places;
  if (moved && writes_mode) moves_registers_ = true;
  if (moved && !places.empty()) varying_ranges_[op.index()] = std::move(places);
}

/// Two accesses of a vector function, one a store, that go by one pointer: whether they need a barrier
/// between them is up to the numbers that move one of them. Stores of one instruction, and those of a stream,
/// go out in order.
void InputSlice::visit_vector_scope(const OpView& scope) {
  struct Access {
    uint32_t op = 0;
    bool store = false, stream = false;
    std::set<uint32_t> makers;
  };
  std::vector<Access> accesses;
  for (const uint32_t i : descendants(program_, scope.index())) {
    const OpView op(program_, i);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    const isa::Schema& schema = isa::schema(op.op().row);
    if ((schema.row->flags & isa::kPure) != 0 || opcode_class == OpcodeClass::add_ptr ||
        opcode_class == OpcodeClass::cast_ptr || opcode_class == OpcodeClass::yield || op.op().n_regions != 0)
      continue;
    const bool stream = opcode_class == OpcodeClass::store_stream;
    Access access{i, stream, stream, {}};
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (value == kNoValue || !on_chip(program_.type_of(value))) continue;
        access.store =
            access.store || schema.operands[slot].role != isa::Role::in || opcode_class == OpcodeClass::store;
        access.makers.merge(defining_ops(value));
      }
    }
    if (!access.makers.empty()) accesses.push_back(std::move(access));
  }
  for (const Access& a : accesses) {
    for (const Access& b : accesses) {
      if (b.op <= a.op || (!a.store && !b.store) || (a.stream && b.stream) ||
          (!varying_ranges_.contains(a.op) && !varying_ranges_.contains(b.op)))
        continue;
      const bool same =
          std::ranges::any_of(a.makers, [&](uint32_t defining_op) { return b.makers.contains(defining_op); });
      if (same)
        inconclusive_.insert(
            {b.op, a.op, "input values decide whether it overlaps another access of its function"});
    }
  }
}

void InputSlice::find_varying_accesses() {
  find_resized();
  const auto each = [&](auto visit) {
    for (const uint32_t function : functions_used_) {
      for (uint32_t i = functions_[function].info.op + 1; i < functions_[function].end; ++i) visit(i);
    }
  };
  each([&](uint32_t i) { find_input_dependent_lanes(OpView(program_, i)); });
  each([&](uint32_t i) { find_varying_accesses(OpView(program_, i)); });
  each([&](uint32_t i) {
    if (opens_vector_scope(OpView(program_, i))) visit_vector_scope(OpView(program_, i));
  });
  if (!moves_registers_) return;
  // How far an instruction goes may be up to what a register holds.
  each([&](uint32_t i) {
    if (!isa::row(program_.ops[i].row).pipe.empty()) varying_ranges_[i].clear();
  });
}

/// Of an access that begins at `begin`: what it may touch with other numbers. Nothing where it is always so.
std::optional<OnChipRange> InputSlice::may_touch(uint32_t op, Space space, uint64_t begin) const {
  const auto found = varying_ranges_.find(op);
  if (found == varying_ranges_.end()) return std::nullopt;
  OnChipRange all{space, kWholeMemory, 0};
  for (const OnChipRange& place : found->second) {
    if (place.space != space || begin < place.begin || begin >= place.end) continue;
    all.begin = std::min(all.begin, place.begin);
    all.end = std::max(all.end, place.end);
  }
  return all.begin < all.end ? all : OnChipRange{space, 0, kWholeMemory};
}

}  // namespace pto::driver
