#include "sim/engine/iteration_vector.hpp"

#include <algorithm>
#include <cstddef>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

/// Entries of a queue: they run later than they issue.
bool queued(const BytecodeInst& code) {
  return code.op >= OpCode::enqueue && code.op != OpCode::barrier_all && code.op != OpCode::meet;
}

}  // namespace

void LoopNestTable::add_call(uint32_t function, uint32_t call) {
  const auto [at, fresh] = calls_.emplace(function, call);
  if (!fresh && at->second != call) at->second = kSeveral;
}

void LoopNestTable::finish(const Program& program, CoreCode& role) {
  const RowId function_row = isa::id_of(isa::OpcodeClass::function);
  innermost_.assign(program.ops.size(), kNone);
  EnclosingOps enclosing(program);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    enclosing.advance_to(i);
    innermost_[i] = enclosing.innermost();
    if (loops_.contains(i) || program.ops[i].row == function_row) enclosing.enter(i);
  }
  nest_.assign(program.ops.size(), kNone);
  for (BytecodeInst& code : role.code) {
    if (queued(code)) code.c = nest_around(code.pc);
  }
}

uint32_t LoopNestTable::nest_around(uint32_t pc) const {
  if (pc >= nest_.size()) return 0;
  uint32_t& nest = nest_[pc];
  if (nest != kNone) return nest;
  std::vector<uint32_t> places;
  for (const LoopVariable* loop : around(pc)) {
    if (!loop->in_vector_function) places.insert(places.begin(), loop->place);
  }
  const auto [at, fresh] = numbers_.emplace(places, static_cast<uint32_t>(nests_.size()));
  if (fresh) nests_.push_back(std::move(places));
  return nest = at->second;
}

std::vector<const LoopVariable*> LoopNestTable::around(uint32_t pc) const {
  std::vector<const LoopVariable*> list;
  for (uint32_t at = pc < innermost_.size() ? innermost_[pc] : kNone; at != kNone; at = innermost_[at]) {
    if (const auto loop = loops_.find(at); loop != loops_.end()) {
      list.push_back(&loop->second);
    } else if (const auto call = calls_.find(at); call != calls_.end() && call->second != kSeveral) {
      at = call->second;  // goes on with what is around the call
    } else {
      break;
    }
  }
  return list;
}

Moment moment_of_entry(const Program& program, const Core& core, const Lane& lane, uint64_t serial,
                       uint64_t cycle) {
  return moment_of(program, core, lane.slot(serial).code->pc, cycle, core.end_of_block(lane.slot(serial)));
}

EntryMark mark_of(const Core& core, uint32_t pc, uint64_t cycle, const exec::Word* block_end) {
  EntryMark mark{.cycle = cycle, .core = core.info.index, .pc = pc};
  if (core.retired) return mark;  // what it knew of its loops is gone
  if (block_end != nullptr && !core.captures_loops) return mark;
  const std::span<const uint32_t> places = core.role->loops.captured_slots(pc);
  for (size_t i = 0; i < places.size(); ++i)
    mark.add(block_end == nullptr ? core.frame[places[i]] : (block_end - places.size())[i]);
  return mark;
}

namespace {

/// Of the planner's loops that do several of the author's iterations at a time (plan/loops/multi_buffer.hpp):
/// how many, and which of them an operation belongs to.
struct Copies {
  int64_t count = 1, own = 0;
};

/// Each copy but the first begins with the sum of the loop's variable and an offset, at the place of the
/// loop; a text has no operation there.
Copies copies_in(const Program& program, uint32_t loop, uint32_t pc) {
  Copies copies;
  const Op& op = program.ops[loop];
  if (op.n_regions == 0) return copies;
  const Region& body = body_of(program, loop);
  for (const uint32_t child : ops_in(program, body)) {
    const OpView view(program, child);
    if (isa::opcode_class(view) != isa::OpcodeClass::add || view.op().where != op.where ||
        op.where.line == 0 || view.operand(0) != body.first_arg)
      continue;
    ++copies.count;
    if (child <= pc) ++copies.own;
  }
  return copies;
}

Moment moment_of(const Program& program, const Core& core, const EntryMark& mark, bool inner_loops) {
  Moment moment = moment_at(core.info, mark.cycle);
  const std::vector<const LoopVariable*> loops = core.role->loops.around(mark.pc);
  uint32_t marked = 0;
  for (auto at = loops.rbegin(); at != loops.rend(); ++at) {
    const LoopVariable& loop = **at;
    if (loop.in_vector_function ? !inner_loops || core.retired : marked == mark.depth) continue;
    const exec::Word word = loop.in_vector_function ? core.vf_frame[loop.place] : mark.variable(marked++);
    Moment::Iteration iteration{loop.pc, program.ops[loop.pc].where, 0,
                                loop.value == kNoValue ? "" : isa::value_name(program, loop.value),
                                static_cast<int64_t>(word)};
    if (loop.lower && loop.step && *loop.step > 0 && iteration.value >= *loop.lower) {
      Copies copies = copies_in(program, loop.pc, mark.pc);
      if (*loop.step % copies.count != 0) copies = {};
      const int64_t step = *loop.step / copies.count;
      const uint64_t passed = word - static_cast<uint64_t>(*loop.lower);
      iteration.number = passed / static_cast<uint64_t>(step) + static_cast<uint64_t>(copies.own) + 1;
      iteration.value += copies.own * step;
    }
    if (loop.value == kNoValue) iteration.value = 0;  // counted for the number only
    moment.loops.push_back(std::move(iteration));
  }
  return moment;
}

}  // namespace

Moment moment_of(const Program& program, const Core& core, uint32_t pc, uint64_t cycle,
                 const exec::Word* block_end) {
  return moment_of(program, core, mark_of(core, pc, cycle, block_end), true);
}

Moment moment_of(const Program& program, const Core& core, const EntryMark& mark) {
  return moment_of(program, core, mark, false);
}

}  // namespace pto::sim
