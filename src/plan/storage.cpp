// Roots and what flows where. Flow-insensitive: loops are visited until nothing changes.
#include "plan/storage.hpp"

#include <algorithm>
#include <set>

#include "support/tile_defaults.hpp"

namespace pto::planner {

const Rows& Rows::get() {
  static const auto id = [](std::string_view name) { return isa::id_of(*isa::find_row(name)); };
  static const Rows rows = {.module = id("builtin.module"),
                            .func = id("func.func"),
                            .call = id("func.call"),
                            .ret = id("func.return"),
                            .for_ = id("scf.for"),
                            .if_ = id("scf.if"),
                            .while_ = id("scf.while"),
                            .execute_region = id("scf.execute_region"),
                            .yield = id("scf.yield"),
                            .condition = id("scf.condition"),
                            .alloc_tile = id("pto.alloc_tile"),
                            .tassign = id("pto.tassign"),
                            .constant = id("arith.constant"),
                            .select = id("arith.select"),
                            .reserve_buffer = id("pto.reserve_buffer"),
                            .vecscope = id("pto.vecscope"),
                            .strict_vecscope = id("pto.strict_vecscope"),
                            .section_cube = id("pto.section.cube"),
                            .section_vector = id("pto.section.vector"),
                            .set_flag = id("pto.set_flag"),
                            .wait_flag = id("pto.wait_flag"),
                            .barrier = id("pto.barrier")};
  return rows;
}

bool denotes_storage(const Type& type) {
  switch (type.kind) {
    case TypeKind::ptr:
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::tile_buf:
    case TypeKind::memref:
      return true;
    default:
      return false;
  }
}

std::optional<uint32_t> terminator(const Program& program, const Region& region) {
  // Flat order: the last operation belongs to the region itself unless it is nested, and terminators have no regions.
  if (region.begin == region.end) return std::nullopt;
  const uint32_t last = region.end - 1;
  if (!(isa::row(program.ops[last].row).flags & isa::kTerminator)) return std::nullopt;
  for (uint32_t op = region.begin; op < region.end; op = program.end_of(op)) {
    if (op == last) return last;
  }
  return std::nullopt;
}

namespace {

Space space_of(const Type& type) {
  const bool off_chip = type.is_view() || type.space == Space::none;
  return off_chip ? Space::gm : type.space;
}

}  // namespace

Storage::Storage(const Program& program)
    : program_(program),
      sets_(1),
      value_set_(program.values.size(), 0),
      def_op_(program.values.size(), ~0u),
      op_root_(program.ops.size(), 0) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    for (uint32_t i = 0; i < program.ops[op].n_results; ++i) def_op_[program.ops[op].first_result + i] = op;
  }
  do {
    changed_ = false;
    bool loops = false;
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      visit(op);
      if (program.ops[op].n_regions > 0) visit_regions(op), loops = true;
    }
    if (!loops) break;
  } while (changed_);
  find_carried();
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
  std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(), std::back_inserter(both));
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

std::optional<int64_t> Storage::constant(ValueId value) const {
  for (int steps = 0; steps < 8 && value != kNoValue && def_op_[value] != ~0u; ++steps) {
    const OpView op(program_, def_op_[value]);
    if (op.op().row == Rows::get().constant) {
      const AttrValue* given = op.attr("value");
      if (given == nullptr || given->kind != AttrValue::Kind::integer) return std::nullopt;
      return given->integer;
    }
    const std::string_view name = op.mnemonic();
    if (name != "arith.index_cast" && name != "arith.extsi" && name != "arith.trunci") return std::nullopt;
    value = op.operand(0);
  }
  return std::nullopt;
}

void Storage::visit(uint32_t index) {
  const Rows& rows = Rows::get();
  const OpView op(program_, index);
  const RowId row = op.op().row;
  if (row == rows.func) return visit_function(index);
  if (row == rows.alloc_tile || row == rows.tassign) {
    if (op_root_[index] == 0) {
      const Type& type = op.result_type(0);
      Root root{
          .kind = Root::Kind::tile, .space = type.space, .op = index, .value = op.result(0), .bytes = occupied_bytes(type)};
      const ValueId addr = op.operand(row == rows.alloc_tile ? 0 : 1);
      const std::optional<int64_t> given = addr == kNoValue ? std::nullopt : constant(addr);
      if (given && *given >= 0) root.addr = static_cast<uint64_t>(*given);
      root.planned = addr == kNoValue;
      op_root_[index] = addr == kNoValue || given ? single(new_root(root)) : unknown(type.space);
    }
    return join(op.result(0), op_root_[index]);
  }
  if (op.op().n_results == 0 || op.op().n_regions > 0) return;
  SetId sources = 0;
  if (row != rows.call) {
    for (unsigned slot = 0; slot < isa::schema(row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot))
        if (denotes_storage(program_.type_of(value))) sources = join_sets(sources, value_set_[value]);
    }
  }
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (denotes_storage(op.result_type(i))) join(op.result(i), sources ? sources : unknown(space_of(op.result_type(i))));
  }
}

void Storage::visit_function(uint32_t index) {
  if (op_root_[index] != 0) return;
  op_root_[index] = single(new_root({.kind = Root::Kind::unknown, .space = Space::none, .op = index}));  // visited
  for (const Region& region : program_.regions_of(program_.ops[index])) {
    for (uint32_t i = 0; i < region.n_args; ++i) {
      const ValueId value = region.first_arg + i;
      const Type& type = program_.type_of(value);
      if (!denotes_storage(type)) continue;
      const Space space = space_of(type);
      if (space != Space::gm)
        join(value, unknown(space));
      else
        join(value, single(new_root({.kind = Root::Kind::buffer, .space = space, .op = index, .value = value})));
    }
  }
}

void Storage::visit_regions(uint32_t index) {
  const Rows& rows = Rows::get();
  const OpView op(program_, index);
  const std::span<const Region> regions = program_.regions_of(op.op());
  const auto yielded = [&](size_t region) -> std::span<const ValueId> {
    const std::optional<uint32_t> last = terminator(program_, regions[region]);
    if (!last) return {};
    const OpView end(program_, *last);
    return end.operands(end.op().row == rows.condition ? 1 : 0);
  };
  const auto to_args = [&](std::span<const ValueId> from, const Region& region, uint32_t skip) {
    for (uint32_t i = 0; i < from.size() && i + skip < region.n_args; ++i) flow(from[i], region.first_arg + skip + i);
  };
  const auto to_results = [&](std::span<const ValueId> from) {
    for (uint32_t i = 0; i < from.size() && i < op.op().n_results; ++i) flow(from[i], op.result(i));
  };
  const RowId row = op.op().row;
  if (row == rows.for_) {
    to_args(op.operands(3), regions[0], 1);
    to_args(yielded(0), regions[0], 1);
    to_results(op.operands(3));
    to_results(yielded(0));
  } else if (row == rows.if_ || row == rows.execute_region) {
    for (size_t i = 0; i < regions.size(); ++i) to_results(yielded(i));
  } else if (row == rows.while_ && regions.size() == 2) {
    to_args(op.operands(0), regions[0], 0);
    to_args(yielded(1), regions[0], 0);
    to_args(yielded(0), regions[1], 0);
    to_results(yielded(0));
  } else if (row == rows.strict_vecscope) {
    to_args(op.operands(0), regions[0], 0);
  }
}

void Storage::find_carried() {
  const Rows& rows = Rows::get();
  for (uint32_t index = 0; index < program_.ops.size(); ++index) {
    const Op& op = program_.ops[index];
    if (op.row != rows.for_ && op.row != rows.while_) continue;
    const Region& last = program_.regions[op.regions + op.n_regions - 1u];
    const std::optional<uint32_t> end = terminator(program_, last);
    if (!end) continue;
    std::set<RootId> handed_on;
    for (const ValueId value : OpView(program_, *end).operands(0)) {
      if (!denotes_storage(program_.type_of(value))) continue;
      for (const RootId root : roots_of(value)) {
        if (roots_[root].kind == Root::Kind::tile && roots_[root].op > index && roots_[root].op < program_.end_of(index))
          handed_on.insert(root);
      }
    }
    for (const RootId root : handed_on) carried_.push_back({index, root});
  }
}

namespace {

/// Rows whose tmp operand A5 keeps for compatibility with A2/A3 only: there it is neither read nor written. Source:
/// pto-isa include/pto/npu/a5 (TRowReduce, TRowReduceIdx, TSel, TXor).
bool ignores_tmp_on_a5(std::string_view row) {
  static constexpr std::string_view kNames[] = {"pto.trowargmax", "pto.trowargmin", "pto.trowsum", "pto.trowmax",
                                                "pto.trowmin",    "pto.tsel",       "pto.txor"};
  return std::find(std::begin(kNames), std::end(kNames), row) != std::end(kNames);
}

}  // namespace

std::vector<Access> Storage::accesses(uint32_t index) const {
  std::vector<Access> found;
  const OpView op(program_, index);
  const isa::Schema& schema = isa::schema(op.op().row);
  const isa::Layer layer = schema.row->layer;
  if (op.op().row == Rows::get().call) {  // counts inside a vector scope only; elsewhere calls are fenced
    for (const ValueId value : op.operands(0))
      if (value_set_[value] != 0) found.push_back({value_set_[value], true, true});
    return found;
  }
  if (layer == isa::Layer::sync || layer == isa::Layer::control || schema.row->pipe == "none") return found;
  // Pointer arithmetic of the scalar unit: what it gives denotes storage, nothing is touched.
  bool gives_storage = false;
  for (unsigned i = 0; i < op.op().n_results; ++i) gives_storage = gives_storage || denotes_storage(op.result_type(i));
  if (gives_storage && isa::pipe_of(op) == Pipe::s && layer == isa::Layer::scalar) return found;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const isa::Role role = schema.operands[slot].role;
    if (role == isa::Role::tmp && program_.target == Target::a5 && ignores_tmp_on_a5(schema.row->name)) continue;
    for (const ValueId value : op.operands(slot)) {
      if (value_set_[value] == 0) continue;
      found.push_back({value_set_[value], role != isa::Role::out, role != isa::Role::in});
    }
  }
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (value_set_[op.result(i)] != 0) found.push_back({value_set_[op.result(i)], true, true});
  }
  return found;
}

}  // namespace pto::planner
