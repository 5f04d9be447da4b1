// Propagates storage roots through the program. Flow-insensitive: loops are visited until a
// fixpoint.
#include "plan/memory/storage_analysis.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/tile_queues.hpp"
#include "ir/instruction_phases.hpp"
#include "ir/op_queries.hpp"
#include "ir/scratch_bytes.hpp"
#include "isa/memory_spaces.hpp"
#include "isa/tile_defaults.hpp"
#include "support/saturating.hpp"

namespace pto::planner {

bool denotes_storage(const Type& type) {
  switch (type.kind) {
    case TypeKind::ptr:
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::tile_buf:
    case TypeKind::multi_tile:
    case TypeKind::memref:
      return true;
    default:
      return false;
  }
}

namespace {

Space space_of(const Type& type) {
  const bool off_chip = type.is_view() || type.space == Space::none;
  return off_chip ? Space::gm : type.space;
}

}  // namespace

Storage::Storage(const Program& program, SameValues same)
    : program_(program),
      same_(std::move(same)),
      sets_(1),
      value_set_(program.values.size(), 0),
      constants_(program),
      slots_(program, constants_),
      op_root_(program.ops.size(), 0) {
  if (has_queues(program)) find_queues();
  for (const Op& op : program.ops) {
    if (isa::row(op.row).opcode_class == isa::OpcodeClass::load_status) status_ = unknown(Space::none);
  }
  do {
    changed_ = false;
    bool loops = false;
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      visit(op);
      if (program.ops[op].n_regions > 0) {
        visit_regions(op);
        loops = true;
      }
    }
    if (!loops) break;
  } while (changed_);
  find_loop_carried();
  make_room_for_scratch();
}

/// Some instructions write behind their scratch tile: nothing else may lie there.
void Storage::make_room_for_scratch() {
  for (uint32_t index = 0; index < program_.ops.size(); ++index) {
    const OpView op(program_, index);
    if (isa::row(op.op().row).layer != isa::Layer::tile) continue;
    const std::optional<isa::Scratch> scratch = isa::scratch_of(op, isa::OpenExtents::most);
    if (!scratch || scratch->end() <= tile_bytes(op.type(scratch->slot))) continue;
    for (const RootId root : roots_of(op.operand(scratch->slot))) {
      if (roots_[root].kind == Root::Kind::tile && roots_[root].slots == 1)
        roots_[root].bytes = std::max(roots_[root].bytes, scratch->end());
    }
  }
}

/// Received tiles lie in the buffer of their queue.
void Storage::find_queues() {
  const QueueFacts queues(program_);
  for (const QueueUse& use : queues.uses) {
    const OpView op(program_, use.op);
    const isa::OpcodeClass opcode_class = isa::opcode_class(op);
    if (!use.end ||
        (opcode_class != isa::OpcodeClass::queue_pop && opcode_class != isa::OpcodeClass::queue_free))
      continue;
    const QueueEnd& end = queues.ends[*use.end];
    const int slot =
        isa::schema(op.op().row).operand_slot(opcode_class == isa::OpcodeClass::queue_pop ? "tile" : "entry");
    const ValueId value = op.op().n_results != 0 ? op.result(0)
                          : slot < 0             ? kNoValue
                                                 : op.operand(static_cast<unsigned>(slot));
    if (value != kNoValue && !program_.type_of(value).is_tile()) continue;
    // Of two directions the buffer that this function reserves is the one it receives in.
    for (const ValueId address : {end.local, end.peer_local}) {
      const std::optional<BufferKey> key = queues.buffer_of(address, *use.function);
      if (!key || key->first != use.function->info.op) continue;
      const uint32_t reserve = queues.reserve_in(key->first, key->second);
      if (reserve == ~0u) continue;
      if (opcode_class == isa::OpcodeClass::queue_pop) received_.emplace(value, reserve);
      buffer_of_.emplace(use.op, reserve);
    }
  }
}

/// The bytes of a queue's buffer, as one tile.
SetId Storage::reserved(uint32_t reserve) {
  if (op_root_[reserve] != 0) return op_root_[reserve];
  const OpView op(program_, reserve);
  const isa::EnumDomain* spaces = isa::find_enum("address_space");
  const bool vec = isa::case_name(*spaces, op.attr_int("location")) == "vec";
  Root root{.kind = Root::Kind::tile,
            .space = vec ? Space::ub : Space::l1,
            .op = reserve,
            .value = op.result(0),
            .bytes = static_cast<uint64_t>(std::max<int64_t>(op.attr_int("size"), 0))};
  root.planned = reserves_room(op);
  if (!root.planned) root.addr = static_cast<uint64_t>(std::max<int64_t>(op.attr_int("base"), 0));
  return op_root_[reserve] = single(new_root(root));
}

RootId Storage::new_root(Root root) {
  roots_.push_back(root);
  return static_cast<RootId>(roots_.size() - 1);
}

SetId Storage::single(RootId root) {
  const auto [at, added] = set_ids_.try_emplace({root}, static_cast<SetId>(sets_.size()));
  if (added) sets_.push_back({root});
  return at->second;
}

SetId Storage::unknown(Space space) {
  SetId& id = unknown_[static_cast<size_t>(space)];
  if (id == 0) id = single(new_root({.kind = Root::Kind::unknown, .space = space}));
  return id;
}

SetId Storage::join_sets(SetId a, SetId b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  std::vector<RootId> both;
  std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(),
                 std::back_inserter(both));
  const auto [at, added] = set_ids_.try_emplace(both, static_cast<SetId>(sets_.size()));
  if (added) sets_.push_back(std::move(both));
  return at->second;
}

void Storage::join(ValueId to, SetId more) {
  const SetId joined = join_sets(value_set_[to], more);
  if (joined == value_set_[to]) return;
  value_set_[to] = joined;
  changed_ = true;
}

void Storage::flow(ValueId from, ValueId to) {
  if (from != kNoValue && denotes_storage(program_.type_of(to))) join(to, value_set_[from]);
}

void Storage::visit(uint32_t index) {
  const OpView op(program_, index);
  const isa::OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == isa::OpcodeClass::function) return visit_function(index);
  if (opcode_class == isa::OpcodeClass::alloc_tile || opcode_class == isa::OpcodeClass::assign) {
    if (op_root_[index] == 0) op_root_[index] = tile_made_by(op);
    return join(op.result(0), op_root_[index]);
  }
  if (opcode_class == isa::OpcodeClass::slot) return join(op.result(0), slots_meant(op));
  if (op.op().n_results == 0 || op.op().n_regions > 0) return;
  if (opcode_class == isa::OpcodeClass::reserve_buffer) {
    reserved(index);
    return;
  }
  if (const auto received = received_.find(op.result(0)); received != received_.end())
    return join(op.result(0), reserved(received->second));
  SetId sources = 0;
  if (opcode_class != isa::OpcodeClass::call) {
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot))
        if (denotes_storage(program_.type_of(value))) sources = join_sets(sources, value_set_[value]);
    }
  }
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (denotes_storage(op.result_type(i)))
      join(op.result(i), sources ? sources : unknown(space_of(op.result_type(i))));
  }
}

/// One root, or one for every slot.
SetId Storage::tile_made_by(const OpView& op) {
  const Type& type = op.result_type(0);
  const ValueId addr = op.operand(isa::opcode_class(op) == isa::OpcodeClass::alloc_tile ? 0 : 1);
  const Number given = constants_.value_of(addr);
  if (addr != kNoValue && !given) return unknown(type.space);
  const bool several = type.kind == TypeKind::multi_tile;
  const uint32_t slots = several ? static_cast<uint32_t>(type.dims[2]) : 1;
  SetId all = 0;
  for (uint32_t slot = 0; slot < slots; ++slot) {
    Root root{.kind = Root::Kind::tile,
              .space = type.space,
              .op = op.index(),
              .value = op.result(0),
              .bytes = occupied_bytes(several ? slot_type(type) : type),
              .slot = slot,
              .slots = slots,
              .offset = several ? sat_mul(isa::slot_stride(type), uint64_t{slot}) : 0};
    if (given && *given >= 0) root.addr = sat_add(static_cast<uint64_t>(*given), root.offset);
    root.planned = addr == kNoValue;
    all = join_sets(all, single(new_root(root)));
  }
  return all;
}

/// Of all slots that the source may be, those that the number allows.
SetId Storage::slots_meant(const OpView& get) {
  const SetId all = value_set_[get.operand(0)];
  if (all == 0) return unknown(space_of(get.result_type(0)));
  const std::optional<uint32_t> number = slots_.slots_of(get);
  if (!number) return all;
  const std::vector<RootId> roots = sets_[all];
  SetId meant = 0;
  for (const RootId root : roots) {
    if (roots_[root].slots == 1 || roots_[root].slot == *number) meant = join_sets(meant, single(root));
  }
  return meant;
}

void Storage::visit_function(uint32_t index) {
  if (op_root_[index] != 0) return;
  op_root_[index] =
      single(new_root({.kind = Root::Kind::unknown, .space = Space::none, .op = index}));  // visited
  for (const Region& region : program_.regions_of(program_.ops[index])) {
    for (uint32_t i = 0; i < region.n_args; ++i) {
      const ValueId value = region.first_arg + i;
      const Type& type = program_.type_of(value);
      if (!denotes_storage(type)) continue;
      const Space space = space_of(type);
      if (space != Space::gm) {
        join(value, unknown(space));
        continue;
      }
      const ValueId first = same_(value);  // another function's may have been met already
      if (value_set_[first] == 0)
        join(first,
             single(new_root({.kind = Root::Kind::buffer, .space = space, .op = index, .value = first})));
      join(value, value_set_[first]);
    }
  }
}

void Storage::visit_regions(uint32_t index) {
  const OpView op(program_, index);
  const std::span<const Region> regions = program_.regions_of(op.op());
  const auto yielded = [&](size_t region) { return yielded_values(program_, regions[region]); };
  const auto to_args = [&](std::span<const ValueId> from, const Region& region, uint32_t skip) {
    for (uint32_t i = 0; i < from.size() && i + skip < region.n_args; ++i)
      flow(from[i], region.first_arg + skip + i);
  };
  const auto to_results = [&](std::span<const ValueId> from) {
    for (uint32_t i = 0; i < from.size() && i < op.op().n_results; ++i) flow(from[i], op.result(i));
  };
  const isa::OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == isa::OpcodeClass::loop) {
    to_args(op.operands(3), regions[0], 1);
    to_args(yielded(0), regions[0], 1);
    to_results(op.operands(3));
    to_results(yielded(0));
  } else if (opcode_class == isa::OpcodeClass::branch || opcode_class == isa::OpcodeClass::inline_region ||
             opcode_class == isa::OpcodeClass::index_switch) {
    for (size_t i = 0; i < regions.size(); ++i) to_results(yielded(i));
  } else if (opcode_class == isa::OpcodeClass::while_loop && regions.size() == 2) {
    to_args(op.operands(0), regions[0], 0);
    to_args(yielded(1), regions[0], 0);
    to_args(yielded(0), regions[1], 0);
    to_results(yielded(0));
  } else if (opcode_class == isa::OpcodeClass::strict_vecscope) {
    to_args(op.operands(0), regions[0], 0);
  }
}

void Storage::find_loop_carried() {
  for (uint32_t index = 0; index < program_.ops.size(); ++index) {
    const Op& op = program_.ops[index];
    if (!isa::is_loop(isa::opcode_class(op))) continue;
    std::set<RootId> tiles;
    for (const ValueId value : yielded_values(program_, program_.regions_of(op).back())) {
      if (!denotes_storage(program_.type_of(value))) continue;
      for (const RootId root : roots_of(value)) {
        if (roots_[root].kind == Root::Kind::tile && roots_[root].op > index &&
            roots_[root].op < program_.end_of(index))
          tiles.insert(root - roots_[root].slot);
      }
    }
    for (const RootId root : tiles) carried_.push_back({index, root});
  }
}

std::vector<StorageUse> Storage::accesses(uint32_t index) const {
  std::vector<StorageUse> found;
  const OpView op(program_, index);
  const isa::Schema& schema = isa::schema(op.op().row);
  const isa::Layer layer = schema.row->layer;
  const isa::OpcodeClass opcode_class = schema.row->opcode_class;
  if (opcode_class == isa::OpcodeClass::call) {  // orders inside a vector scope only; elsewhere fenced
    for (const ValueId value : op.operands(0))
      if (value_set_[value] != 0) found.push_back({value_set_[value], true, true});
    return found;
  }
  if (layer == isa::Layer::sync || layer == isa::Layer::control || schema.row->pipe == "none") return found;
  if (opcode_class == isa::OpcodeClass::queue_init || opcode_class == isa::OpcodeClass::queue_alloc)
    return found;
  if (opcode_class == isa::OpcodeClass::queue_free) {  // behind everything that works on the slot
    const auto buffer = buffer_of_.find(index);
    if (buffer != buffer_of_.end() && isa::pipe_of(op) != Pipe::s)
      found.push_back({op_root_[buffer->second], true, true});
    return found;
  }
  // The scalar unit reads what the vector pipe has left in a register.
  if (opcode_class == isa::OpcodeClass::load_status) found.push_back({status_, true, false});
  if (status_ != 0 && isa::pipe_of(op) == Pipe::v && schema.row->scope != isa::Scope::inside)
    found.push_back({status_, false, true});
  // Pointer arithmetic of the scalar unit: what it gives denotes storage, nothing is touched.
  bool gives_storage = false;
  for (unsigned i = 0; i < op.op().n_results; ++i)
    gives_storage = gives_storage || denotes_storage(op.result_type(i));
  if (gives_storage && isa::pipe_of(op) == Pipe::s && layer == isa::Layer::scalar) return found;
  const isa::Phases phases = isa::phases_of(op);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const isa::Role role = schema.operands[slot].role;
    if (role == isa::Role::tmp && program_.target == Target::a5 && (schema.row->flags & isa::kTmpOnA2a3) != 0)
      continue;
    const bool changed = role != isa::Role::in || phases.changes(slot);
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || value_set_[value] == 0) continue;
      found.push_back({value_set_[value], role != isa::Role::out, changed, value});
    }
  }
  for (const isa::Phase& phase : phases.phases) {
    if (phase.rest) continue;
    const auto add = [&](const std::vector<uint8_t>& slots, bool writes) {
      for (const uint8_t slot : slots) {
        for (const ValueId value : op.operands(slot)) {
          if (value != kNoValue && value_set_[value] != 0)
            found.push_back({value_set_[value], !writes, writes, value, phase.pipe});
        }
      }
    };
    add(phase.reads, false);
    add(phase.writes, true);
  }
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (value_set_[op.result(i)] != 0) found.push_back({value_set_[op.result(i)], true, true});
  }
  return found;
}

}  // namespace pto::planner
