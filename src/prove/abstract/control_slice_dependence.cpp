// Dependences of values and lanes of a kernel: on parameters, blocks, counters and data.
#include <algorithm>

#include "exec/simt/simt_family.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"

namespace pto::driver {

using isa::OpcodeClass;

bool InputSlice::reads_block_id(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  return schema.operands.empty() && schema.results.size() == 1 && schema.results[0].name.starts_with("block");
}

/// What the last merge has counted, how the control register stands: the program may have set it, or data.
/// What threads ask of themselves is theirs, and all of them run.
bool InputSlice::reads_register(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  const bool given = op.op().n_operand_words == 0 && op.op().n_results != 0 && !gives_number(op) &&
                     op.result_type(0).kind == TypeKind::scalar && isa::schema(op.op().row).attrs.empty();
  if (!given) return false;
  if (row.opcode_class == OpcodeClass::load_status) return true;
  return (row.flags & isa::kPure) == 0 &&
         std::ranges::none_of(exec::thread_values(),
                              [&](const exec::Semantics& each) { return each.name == row.name; });
}

bool InputSlice::has_side_input(const OpView& op) {
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
bool InputSlice::depends_on(ValueId value, std::map<ValueId, bool>& known, Is is_so, bool with_choosers) {
  static const Def nowhere;
  std::map<ValueId, ValueId> made_of;  ///< by source: one of those that are made of it
  std::vector<std::pair<ValueId, ValueId>> left{{value, kNoValue}};
  std::vector<ValueId> sources;
  while (!left.empty()) {
    const auto [at, user] = left.back();
    left.pop_back();
    if (at == kNoValue || constant(at) || !made_of.emplace(at, user).second) continue;
    const auto before = known.find(at);
    if (before != known.end() && !before->second) continue;
    const auto found = defs_.find(at);
    const Def& origin = found == defs_.end() ? nowhere : found->second;
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

bool InputSlice::is_induction(ValueId value) {
  return depends_on(value, induction_, [&](const Def& origin) {
    return origin.kind == Def::Kind::counter && is_sampled(origin.at);
  });
}

bool InputSlice::is_input_dependent(ValueId value) {
  return depends_on(value, input_dependent_, [&](const Def& origin) {
    if (origin.kind != Def::Kind::op) return origin.kind <= Def::Kind::parameter;
    const OpView op(program_, origin.at);
    return reads_block_id(op) || has_side_input(op);
  });
}

bool InputSlice::varies_per_launch(ValueId value) {
  return depends_on(
      value, varies_per_launch_,
      [&](const Def& origin) {
        switch (origin.kind) {
          case Def::Kind::none:
          case Def::Kind::parameter:
            return true;
          case Def::Kind::counter:
            return false;
          case Def::Kind::phi:  // of several calls it may be any
            return !origin.incoming.empty() &&
                   isa::opcode_class(OpView(program_, origin.at)) == OpcodeClass::call;
          case Def::Kind::op:
            break;
        }
        const OpView op(program_, origin.at);
        return reads_block_id(op) || has_side_input(op);
      },
      true);
}

bool InputSlice::has_storage(const OpView& op) {
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
bool InputSlice::has_input_dependent_lanes(ValueId value) {
  return depends_on(
      value, input_dependent_lanes_,
      [&](const Def& origin) {
        if (origin.kind != Def::Kind::op) return origin.kind <= Def::Kind::parameter;
        const OpView op(program_, origin.at);
        return reads_block_id(op) || reads_register(op) || (op.op().n_operand_words != 0 && has_storage(op));
      },
      true);
}

bool InputSlice::is_data_dependent(ValueId value) {
  return depends_on(value, data_dependent_, [&](const Def& origin) {
    if (origin.kind != Def::Kind::op) return false;
    const OpView op(program_, origin.at);
    return has_side_input(op);
  });
}

}  // namespace pto::driver
