#include "sim/engine/current_instruction.hpp"

#include "isa/memory_spaces.hpp"
#include "sim/engine/iteration_vector.hpp"

namespace pto::sim {

std::string CurrentInstruction::thread_name() const {
  if (threads_ == nullptr) return {};
  threads_->show(core_->vf_frame);
  return " by thread " + threads_->name();
}

void CurrentInstruction::place(FootprintEvent& event) const {
  event.pipe = pipe_;
  event.pc = pc_;
  event.time = d_.now;
}

Moment CurrentInstruction::moment() const {
  return sim::moment_of(*d_.program, *core_, pc_, d_.now, block_end());
}

EntryMark CurrentInstruction::mark() const { return mark_of(*core_, pc_, d_.now, block_end()); }

Moment CurrentInstruction::moment_of(const EntryMark& mark) const {
  return sim::moment_of(*d_.program, *d_.cores[mark.core], mark);
}

/// Tiles, and pointers into memories on the chip.
std::span<const CurrentInstruction::ChipOperand> CurrentInstruction::chip_operands() const {
  const exec::Inst* const inst = core_->context.inst;
  const Key key{inst, pc_};
  if (key == operands_.last_key) return *operands_.last;
  std::vector<ChipOperand>& known = operands_.all[key];
  operands_.last_key = key;
  operands_.last = &known;
  const OpView view(*d_.program, pc_);
  if (!known.empty() || inst->row != view.op().row) return known;  // a queue's instruction moves its tile
  size_t flat = 0;
  for (unsigned slot = 0; slot < inst->schema->operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) {
      const exec::ValueRef& ref = inst->values[flat++];
      const Space space = isa::storage_space(*ref.type);
      if (ref.type->is_tile())
        known.push_back({value, space, true, ref.offset, tile_bytes(*ref.type)});
      else if (ref.type->kind == TypeKind::ptr)
        known.push_back({value, space, false, ref.offset, 0});
    }
  }
  return known;
}

/// The first tile that holds the address; else the only tile or pointer into this memory, or of
/// several pointers the last one that begins in front of it.
ValueId CurrentInstruction::operand_at(Space space, uint64_t addr) const {
  ValueId only = kNoValue;
  ValueId nearest = kNoValue;
  unsigned others = 0;
  uint64_t begin = 0;
  for (const ChipOperand& operand : chip_operands()) {
    if (operand.space != space || operand.value == only) continue;
    const exec::Word* const words = core_->context.frame + operand.offset;
    if (operand.tile) {
      const auto& tile = *reinterpret_cast<const exec::TileDesc*>(words);
      if (addr >= tile.addr && addr - tile.addr < operand.bytes) return operand.value;
    } else if (const uint64_t at = *words; at <= addr && (nearest == kNoValue || at > begin)) {
      nearest = operand.value;
      begin = at;
    }
    only = operand.value;
    ++others;
  }
  return others == 1 ? only : nearest;
}

}  // namespace pto::sim
