#include "timing/vector_op_count.hpp"

#include <algorithm>
#include <bit>

namespace pto::timing {
namespace {

uint64_t elements(const decode::ValueRef& ref, const decode::Word* frame) {
  if (ref.type == nullptr) return 0;
  if (ref.type->is_tile()) {
    const auto& tile = *reinterpret_cast<const decode::TileDesc*>(frame + ref.offset);
    return uint64_t{tile.valid_rows} * tile.valid_cols;
  }
  if (ref.type->kind == TypeKind::vreg || ref.type->kind == TypeKind::vmi_vreg)
    return static_cast<uint64_t>(std::max<int64_t>(0, ref.type->dims[0]));
  return 0;
}

/// Under the mask registers: so many elements in all, or a bit for each one of a repeat.
uint64_t masked(uint64_t repeats, Elem elem, const decode::ControlState& control) {
  if ((control.ctrl >> decode::kCtrlMaskCount & 1) != 0) return control.vector_mask[0];
  const uint64_t lanes = register_lanes(elem);
  uint64_t active = static_cast<uint64_t>(std::popcount(control.vector_mask[0]));
  if (lanes > 64) active += static_cast<uint64_t>(std::popcount(control.vector_mask[1]));
  return repeats * std::min(lanes, active);
}

}  // namespace

uint64_t vector_work(const decode::Inst& inst, const decode::Word* frame,
                     const decode::ControlState* control) {
  uint64_t most = 0;
  for (size_t slot = 0; slot < inst.schema->operands.size(); ++slot) {
    if (inst.schema->operands[slot].role == isa::Role::tmp) continue;
    for (uint32_t i = inst.slot_begin[slot]; i < inst.slot_begin[slot + 1]; ++i)
      most = std::max(most, elements(inst.values[i], frame));
  }
  for (const decode::ValueRef& result : inst.results) most = std::max(most, elements(result, frame));
  if (most != 0 || inst.values.empty() || inst.values[0].type->kind != TypeKind::ptr) return most;
  const int repeat = inst.schema->operand_slot("repeat");
  if (repeat < 0) return 0;
  const decode::ValueRef& count = inst.values[inst.slot_begin[static_cast<size_t>(repeat)]];
  const decode::ControlState none;
  return masked(frame[count.offset], inst.values[0].type->elem, control != nullptr ? *control : none);
}

}  // namespace pto::timing
