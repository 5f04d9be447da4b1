// What the numbers and lanes of a kernel depend on: parameters, blocks, counters, data.
#include <algorithm>

#include "exec/simt/simt_family.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"

namespace pto::driver {

using isa::Does;

bool Deciders::asks_for_block(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  return schema.operands.empty() && schema.results.size() == 1 && schema.results[0].name.starts_with("block");
}

/// What the last merge has counted, how the control register stands: the program may have set it, or data.
/// What threads ask of themselves is theirs, and all of them run.
bool Deciders::reads_register(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  const bool given = op.op().n_operand_words == 0 && op.op().n_results != 0 && !gives_number(op) &&
                     op.result_type(0).kind == TypeKind::scalar && isa::schema(op.op().row).attrs.empty();
  if (!given) return false;
  if (row.does == Does::load_status) return true;
  return (row.flags & isa::kPure) == 0 &&
         std::ranges::none_of(exec::thread_values(),
                              [&](const exec::Semantics& each) { return each.name == row.name; });
}

bool Deciders::takes_from_elsewhere(const OpView& op) {
  if (reads_register(op)) return true;
  if (op.op().n_operand_words == 0 || gives_number(op)) return false;
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue) continue;
      const Type& type = op.program().type_of(value);
      if (type.kind != TypeKind::scalar || is_float(type.elem)) return true;
    }
  }
  return false;
}

/// Whether anything that a value is made of is so.
template <typename Is>
bool Deciders::depends(ValueId value, std::map<ValueId, bool>& known, Is is_so, bool with_choosers) {
  static const Origin nowhere;
  std::map<ValueId, ValueId> made_of;  ///< by source: one of those that are made of it
  std::vector<std::pair<ValueId, ValueId>> left{{value, kNoValue}};
  std::vector<ValueId> sources;
  while (!left.empty()) {
    const auto [at, user] = left.back();
    left.pop_back();
    if (at == kNoValue || constant(at) || !made_of.emplace(at, user).second) continue;
    const auto before = known.find(at);
    if (before != known.end() && !before->second) continue;
    const auto found = origins_.find(at);
    const Origin& origin = found == origins_.end() ? nowhere : found->second;
    if (before != known.end() || is_so(origin)) {
      for (ValueId each = at; each != kNoValue; each = made_of.at(each)) known[each] = true;
      return true;
    }
    sources.clear();
    add_sources(origin, with_choosers, sources);
    for (const ValueId source : sources) left.emplace_back(source, at);
  }
  for (const auto& [each, user] : made_of) known[each] = false;  // nothing behind any of them
  return false;
}

bool Deciders::counted(ValueId value) {
  return depends(value, counted_, [&](const Origin& origin) {
    return origin.kind == Origin::Kind::counter && goes_on(origin.at);
  });
}

bool Deciders::open(ValueId value) {
  return depends(value, open_, [&](const Origin& origin) {
    if (origin.kind != Origin::Kind::op) return origin.kind <= Origin::Kind::parameter;
    const OpView op(program_, origin.at);
    return asks_for_block(op) || takes_from_elsewhere(op);
  });
}

bool Deciders::moves(ValueId value) {
  return depends(
      value, moves_,
      [&](const Origin& origin) {
        switch (origin.kind) {
          case Origin::Kind::none:
          case Origin::Kind::parameter:
            return true;
          case Origin::Kind::counter:
            return false;
          case Origin::Kind::joined:  // of several calls it may be any
            return !origin.others.empty() && isa::does(OpView(program_, origin.at)) == Does::call;
          case Origin::Kind::op:
            break;
        }
        const OpView op(program_, origin.at);
        return asks_for_block(op) || takes_from_elsewhere(op);
      },
      true);
}

bool Deciders::has_storage(const OpView& op) {
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue) continue;
      const Type& type = op.program().type_of(value);
      if (type.is_tile() || type.is_view() || type.kind == TypeKind::multi_tile ||
          type.kind == TypeKind::ptr || type.kind == TypeKind::memref)
        return true;
    }
  }
  return false;
}

/// Whether which lanes take part may differ from one launch to another.
bool Deciders::lanes_are_open(ValueId value) {
  return depends(
      value, open_lanes_,
      [&](const Origin& origin) {
        if (origin.kind != Origin::Kind::op) return origin.kind <= Origin::Kind::parameter;
        const OpView op(program_, origin.at);
        return asks_for_block(op) || reads_register(op) || (op.op().n_operand_words != 0 && has_storage(op));
      },
      true);
}

bool Deciders::from_data(ValueId value) {
  return depends(value, data_, [&](const Origin& origin) {
    if (origin.kind != Origin::Kind::op) return false;
    const OpView op(program_, origin.at);
    return takes_from_elsewhere(op);
  });
}

}  // namespace pto::driver
