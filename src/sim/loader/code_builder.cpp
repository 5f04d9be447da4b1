#include "sim/loader/code_builder.hpp"

#include <algorithm>
#include <utility>

namespace pto::sim {

void append_copy(std::vector<Copy>& copies, Copy copy) {
  if (!copies.empty() && copies.back().from + copies.back().words == copy.from &&
      copies.back().to + copies.back().words == copy.to) {
    copies.back().words += copy.words;
  } else {
    copies.push_back(copy);
  }
}

void add_captures(Queued& queued, const std::vector<Copy>& captures) {
  for (const Copy& capture : captures) {
    queued.captures.push_back({capture.from, queued.block_words, capture.words});
    queued.unpack.push_back({queued.block_words, capture.to, capture.words});
    queued.block_words += capture.words;
  }
}

bool reaches_gm(const exec::Inst& inst) {
  return std::ranges::any_of(inst.values, [](const exec::ValueRef& v) {
    return v.type->is_view() || v.type->kind == TypeKind::memref ||
           (v.type->kind == TypeKind::ptr && v.type->space == Space::gm);
  });
}

BytecodeInst& CodeBuilder::emit(OpCode op, uint32_t pc) {
  BytecodeInst code;
  code.op = op;
  code.pc = pc;
  role_.code.push_back(code);
  return role_.code.back();
}

void CodeBuilder::emit_moves(uint32_t pc, std::span<const ValueId> from, std::span<const uint32_t> to) {
  if (from.empty()) return;
  const auto first = static_cast<uint32_t>(role_.copies.size());
  uint32_t total = 0;
  for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
    const uint32_t words = exec::words_of(program_.type_of(from[i]));
    role_.copies.push_back({frame_.at(from[i]), to[i], words});
    total += words;
  }
  emit_copies(pc, first, total);
}

void CodeBuilder::emit_copies(uint32_t pc, uint32_t first, uint32_t words) {
  role_.max_move_words = std::max(role_.max_move_words, words);
  BytecodeInst& code = emit(OpCode::move, pc);
  code.a = first;
  code.b = static_cast<uint32_t>(role_.copies.size());
}

BytecodeInst& CodeBuilder::emit_inst(OpCode op, const exec::Inst& inst) {
  BytecodeInst& code = emit(op, inst.pc);
  code.inst = static_cast<uint32_t>(role_.insts.size());
  role_.insts.push_back(inst);
  return code;
}

BytecodeInst& CodeBuilder::emit_queued(uint32_t pc, OpCode op, int lane, Queued queued) {
  BytecodeInst& code = emit(op, pc);
  code.lane = static_cast<uint8_t>(lane);
  code.inst = static_cast<uint32_t>(role_.queued.size());
  if (!queued.results.empty()) code.flags |= kHasResults;
  queued.alone = op == OpCode::enqueue ? !reaches_gm(queued.inst) : !queued.threads;
  role_.queued.push_back(std::move(queued));
  return code;
}

}  // namespace pto::sim
