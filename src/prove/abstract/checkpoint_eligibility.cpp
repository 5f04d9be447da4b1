// Which kernels can be cut: the state at a cut contains the effects of their operations.
#include <algorithm>

#include "ir/accumulator_flag.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

/// Changes what operations that come later touch.
bool leaves_state(const isa::Row& row) {
  return row.opcode_class == OpcodeClass::set_extents || (row.flags & isa::kModeWrite) != 0;
}

}  // namespace

/// What it leaves behind is seen in what is ordered and what is pending.
bool InputSlice::can_checkpoint_at(const OpView& op) const {
  switch (isa::opcode_class(op)) {
    case OpcodeClass::launch_threads:
      return false;
    case OpcodeClass::call:  // where the callee comes to a load that decides, nothing tells who has called it
      return std::ranges::none_of(functions_.called(op, *functions_.enclosing_function(op.index())),
                                  [&](uint32_t callee) { return has_control_relevant_input_in(callee); });
    case OpcodeClass::set_flag:
    case OpcodeClass::set_flag_dyn:
    case OpcodeClass::wait_flag:
    case OpcodeClass::wait_flag_dyn:
    case OpcodeClass::barrier:
    case OpcodeClass::sync_set:
    case OpcodeClass::sync_wait:
    case OpcodeClass::memory_barrier:
    case OpcodeClass::sync_base:
    case OpcodeClass::fence:
      return true;
    default:
      return !isa::is_synchronisation(isa::opcode_class(op)) &&
             isa::unit_flag(op).phase == isa::UnitFlag::Phase::none;
  }
}

/// Whether a function loads what decides, or one that it calls.
bool InputSlice::has_control_relevant_input_in(uint32_t function) const {
  std::vector<uint32_t> all{function};
  for (size_t i = 0; i < all.size(); ++i) {
    const Function& each = functions_[all[i]];
    const auto load = loads_.lower_bound(each.info.op);
    if (load != loads_.end() && load->first < each.end) return true;
    for (const Call& call : calls_.calls_of(all[i])) {
      if (std::ranges::find(all, call.callee) == all.end()) all.push_back(call.callee);
    }
  }
  return false;
}

bool InputSlice::has_ordered_effects(uint32_t op, bool with_scalar) const {
  for (const uint32_t i : descendants(program_, op)) {
    const isa::Row& row = isa::row(program_.ops[i].row);
    const bool pipe = !row.pipe.empty() && row.pipe != "S" && row.pipe != "none";
    const bool scalar = isa::is_scalar_memory_access(row.opcode_class);
    if (pipe || isa::is_synchronisation(row.opcode_class) || row.opcode_class == OpcodeClass::call ||
        row.opcode_class == OpcodeClass::fence || leaves_state(row) || (with_scalar && scalar))
      return true;
  }
  return false;
}

bool InputSlice::affects_synchronisation(const OpView& op) const {
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (needed_[op.result(i)]) return true;
  }
  return has_ordered_effects(op.index(), true);
}

/// Whether what data say stays in a register or in the valid region of a tile: no state of a run tells it.
bool InputSlice::leaves_live_data(const OpView& op) {
  const auto data_in = [&](const OpView& from) {
    bool data = false;
    const isa::Schema& schema = isa::schema(from.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : from.operands(slot)) {
        if (value == kNoValue || program_.type_of(value).kind != TypeKind::scalar) continue;
        data = data || is_data_dependent(value);
      }
    }
    return data;
  };
  if (leaves_state(isa::row(op.op().row))) return data_in(op);
  bool data = false;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
    case OpcodeClass::branch:
    case OpcodeClass::index_switch:
      data = data_in(op);
      break;
    case OpcodeClass::while_loop:
      if (const auto last = terminator(program_, program_.regions_of(op.op())[0]))
        data = is_data_dependent(OpView(program_, *last).operand(0));
      break;
    default:
      return false;
  }
  if (!data) return false;
  for (const uint32_t i : descendants(program_, op.index())) {
    if (!leaves_state(isa::row(program_.ops[i].row))) continue;
    // Nobody sees the valid region of a tile that is made in there when that has ended.
    const OpView in(program_, i);
    const auto tile =
        isa::opcode_class(in) == OpcodeClass::set_extents ? defs_.find(in.operand(0)) : defs_.end();
    const bool own = tile != defs_.end() && tile->second.kind == Def::Kind::op &&
                     tile->second.at > op.index() && tile->second.at < program_.end_of(op.index());
    if (!own) return true;
  }
  return false;
}

}  // namespace pto::driver
