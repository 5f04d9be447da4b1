// Which kernels can be cut: what their operations leave behind is told by the state at a cut.
#include <algorithm>

#include "ir/accumulator_flag.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"

namespace pto::driver {
namespace {

using isa::Does;

/// Changes what operations that come later touch.
bool leaves_state(const isa::Row& row) {
  return row.does == Does::set_extents || (row.flags & isa::kModeWrite) != 0;
}

}  // namespace

/// What it leaves behind is seen in what is ordered and what is pending.
bool Deciders::can_be_cut_at(const OpView& op) const {
  switch (isa::does(op)) {
    case Does::launch_threads:
      return false;
    case Does::call:  // where the callee comes to a load that decides, nothing tells who has called it
      return std::ranges::none_of(functions_.called(op, *functions_.around(op.index())),
                                  [&](uint32_t callee) { return decides_in(callee); });
    case Does::set_flag:
    case Does::set_flag_dyn:
    case Does::wait_flag:
    case Does::wait_flag_dyn:
    case Does::barrier:
    case Does::sync_set:
    case Does::sync_wait:
    case Does::memory_barrier:
    case Does::sync_base:
    case Does::fence:
      return true;
    default:
      return !isa::synchronises(isa::does(op)) && isa::unit_flag(op).phase == isa::UnitFlag::Phase::none;
  }
}

/// Whether a function loads what decides, or one that it calls.
bool Deciders::decides_in(uint32_t function) const {
  std::vector<uint32_t> all{function};
  for (size_t i = 0; i < all.size(); ++i) {
    const Function& each = functions_[all[i]];
    const auto load = loads_.lower_bound(each.info.op);
    if (load != loads_.end() && load->first < each.end) return true;
    for (const Call& call : calls_.of(all[i])) {
      if (std::ranges::find(all, call.callee) == all.end()) all.push_back(call.callee);
    }
  }
  return false;
}

bool Deciders::orders(uint32_t op, bool with_scalar) const {
  for (const uint32_t i : inside(program_, op)) {
    const isa::Row& row = isa::row(program_.ops[i].row);
    const bool pipe = !row.pipe.empty() && row.pipe != "S" && row.pipe != "none";
    const bool scalar = row.does >= Does::load && row.does <= Does::store_element;
    if (pipe || isa::synchronises(row.does) || row.does == Does::call || row.does == Does::fence ||
        leaves_state(row) || (with_scalar && scalar))
      return true;
  }
  return false;
}

bool Deciders::matters(const OpView& op) const {
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (needed_[op.result(i)]) return true;
  }
  return orders(op.index(), true);
}

/// Whether what data say stays in a register or in the valid region of a tile: no state of a run tells it.
bool Deciders::leaves_data_behind(const OpView& op) {
  const auto data_in = [&](const OpView& from) {
    bool data = false;
    const isa::Schema& schema = isa::schema(from.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : from.operands(slot)) {
        if (value == kNoValue || program_.type_of(value).kind != TypeKind::scalar) continue;
        data = data || from_data(value);
      }
    }
    return data;
  };
  if (leaves_state(isa::row(op.op().row))) return data_in(op);
  bool data = false;
  switch (isa::does(op)) {
    case Does::loop:
    case Does::branch:
    case Does::index_switch:
      data = data_in(op);
      break;
    case Does::while_loop:
      if (const auto last = terminator(program_, program_.regions_of(op.op())[0]))
        data = from_data(OpView(program_, *last).operand(0));
      break;
    default:
      return false;
  }
  if (!data) return false;
  for (const uint32_t i : inside(program_, op.index())) {
    if (!leaves_state(isa::row(program_.ops[i].row))) continue;
    // Nobody sees the valid region of a tile that is made in there when that has ended.
    const OpView in(program_, i);
    const auto tile = isa::does(in) == Does::set_extents ? origins_.find(in.operand(0)) : origins_.end();
    const bool own = tile != origins_.end() && tile->second.kind == Origin::Kind::op &&
                     tile->second.at > op.index() && tile->second.at < program_.end_of(op.index());
    if (!own) return true;
  }
  return false;
}

}  // namespace pto::driver
