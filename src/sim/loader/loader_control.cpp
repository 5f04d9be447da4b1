#include "sim/loader/loader_control.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "exec/dense_constants.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/loader_calls.hpp"
#include "sim/loader/loader_queues.hpp"
#include "sim/loader/loader_vector.hpp"
#include "sim/loader/operation_table.hpp"

namespace pto::sim {
namespace {

void load_vector_constant(LoaderState& loader, const OpView& view, const AttrValue& value, const Type& type) {
  std::vector<std::byte> bytes(exec::words_of(type) * sizeof(exec::Word));
  const uint32_t size = byte_width(type.elem);
  const auto lanes = static_cast<uint32_t>(type.dims[0]);
  for (uint32_t i = 0; i < lanes; ++i) {
    const std::optional<exec::Word> word = exec::dense_element(loader.program, value, i, type.elem);
    if (!word) return loader.refuse(view.index(), "with a dense literal of this form is not supported");
    std::copy_n(reinterpret_cast<const std::byte*>(&*word), size, bytes.data() + i * size);
  }
  const uint32_t place = loader.frame.define(view.result(0));
  for (uint32_t i = 0; i < exec::words_of(type); ++i) {
    exec::Word word = 0;
    std::copy_n(bytes.data() + i * sizeof word, sizeof word, reinterpret_cast<std::byte*>(&word));
    loader.frame.current().set(place + i, word);
  }
}

void copy_to_results(LoaderState& loader, uint32_t pc, const std::vector<uint32_t>& from,
                     const std::vector<uint32_t>& to, const OpView& view) {
  if (to.empty()) return;
  const uint32_t first = static_cast<uint32_t>(loader.role.copies.size());
  uint32_t total = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    const uint32_t words = exec::words_of(view.result_type(static_cast<unsigned>(i)));
    loader.role.copies.push_back({from[i], to[i], words});
    total += words;
  }
  loader.code.emit_copies(pc, first, total);
}

uint32_t emit_branch(LoaderState& loader, uint32_t pc, ValueId condition) {
  const uint32_t condition_at = loader.frame.at(condition);
  BytecodeInst& code = loader.code.emit(OpCode::branch_false, pc);
  code.a = condition_at;
  code.flags |= kCountsCycle;
  if (loader.is_unknown(condition)) code.flags |= kUnknown;
  return loader.code.here() - 1;
}

void load_loop(LoaderState& loader, const OpView& view) {
  const Region& region = body_of(view);
  const uint32_t pc = view.index();
  const ValueId lower = view.operand(0), upper = view.operand(1), step = view.operand(2);
  const std::vector<uint32_t> arguments = loader.frame.define_range(region.first_arg, region.n_args);
  const std::vector<uint32_t> carried(arguments.begin() + 1, arguments.end());
  const uint32_t induction = arguments[0];
  std::vector<ValueId> initial{lower};
  for (const ValueId value : view.operands(3)) initial.push_back(value);
  loader.code.emit_moves(pc, initial, arguments);
  const uint32_t upper_at = loader.frame.at(upper), step_at = loader.frame.at(step);
  loader.role.loops.add({pc, region.first_arg, induction, loader.frame.in_vector_function(),
                         loader.frame.known_constant(lower), loader.frame.known_constant(step)});
  const uint32_t test = loader.code.here();
  BytecodeInst& code = loader.code.emit(OpCode::for_test, pc);
  code.a = induction;
  code.b = upper_at;
  code.c = step_at;
  code.flags |= kCountsCycle;
  if (loader.is_unknown(lower) || loader.is_unknown(upper) || loader.is_unknown(step)) code.flags |= kUnknown;
  loader.control.endings.push_back({Ending::Kind::forward, carried, {}, ~0u});
  load_region(loader, region);
  loader.control.endings.pop_back();
  BytecodeInst& next = loader.code.emit(OpCode::for_next, pc);
  next.a = induction;
  next.c = step_at;
  next.target = test;
  loader.code.patch(test);
  copy_to_results(loader, pc, carried, loader.frame.define_results(view), view);
}

uint32_t count_iterations(LoaderState& loader, uint32_t pc) {
  FrameLayout& frame = loader.frame.current();
  const uint32_t one = frame.reserve(1), count = frame.reserve(1);
  frame.set(one, 1);
  loader.role.copies.push_back({one, count, 1});
  loader.code.emit_copies(pc, static_cast<uint32_t>(loader.role.copies.size()) - 1, 1);
  loader.role.loops.add({pc, kNoValue, count, loader.frame.in_vector_function(), 1, 1});
  return count;
}

std::optional<Blocks> find_blocks(LoaderState& loader, const Region& region) {
  Blocks blocks;
  for (const uint32_t op : ops_in(loader.program, region)) {
    const OpView view(loader.program, op);
    if (isa::opcode_class(view) != isa::OpcodeClass::block) continue;
    blocks.begins.emplace(loader.program.strings[view.attr("name")->text], op);
    loader.frame.define_results(view);  // jumps to it may stand in front of it
  }
  if (blocks.begins.empty()) return std::nullopt;
  return blocks;
}

void close_blocks(LoaderState& loader) {
  if (!loader.control.blocks) return;
  for (const auto& [code, label] : loader.control.blocks->branches)
    loader.role.code[code].target =
        loader.control.blocks->positions.at(loader.control.blocks->begins.at(label));
  for (const uint32_t code : loader.control.blocks->exits) loader.code.patch(code);
}

void leave_region(LoaderState& loader, uint32_t pc) {
  if (!loader.control.blocks) return;
  loader.control.blocks->exits.push_back(loader.code.here());
  loader.code.emit(OpCode::jump, pc);
}

void emit_jump_to(LoaderState& loader, const OpView& branch, std::string_view label, unsigned slot) {
  const auto found = loader.control.blocks ? loader.control.blocks->begins.find(label)
                                           : std::map<std::string_view, uint32_t>::iterator();
  if (!loader.control.blocks || found == loader.control.blocks->begins.end())
    return loader.reject(branch.index(), "no block of this region is ^" + std::string(label));
  loader.code.emit_moves(branch.index(), branch.operands(slot),
                         loader.frame.define_results(OpView(loader.program, found->second)));
  loader.control.blocks->branches.emplace_back(loader.code.here(), label);
  loader.code.emit(OpCode::jump, branch.index());
}

}  // namespace

void load_region(LoaderState& loader, const Region& region) {
  if (region.begin == region.end) return;
  if (loader.control.depth == kMaxRunDepth)
    return loader.fail(region.begin, "structures are nested deeper than " + std::to_string(kMaxRunDepth),
                       Error::Kind::unsupported);
  ++loader.control.depth;
  std::optional<Blocks> outer = std::exchange(loader.control.blocks, find_blocks(loader, region));
  for (const uint32_t op : ops_in(loader.program, region)) load_operation(loader, op);
  close_blocks(loader);
  loader.control.blocks = std::move(outer);
  --loader.control.depth;
}

void load_constant(LoaderState& loader, const OpView& view) {
  const AttrValue* value = view.attr(0u);
  const ValueId result = view.result(0);
  const Type& type = loader.program.type_of(result);
  loader.frame.mark_constant(result);
  if (value == nullptr) return loader.reject(view.index(), "constant without a value");
  if (type.kind == TypeKind::vector) return load_vector_constant(loader, view, *value, type);
  const exec::Word word = exec::constant_word(*value, type.elem);
  const uint32_t place = loader.frame.define(result);
  loader.frame.current().set(place, word);
}

void load_for(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function() || !opens_vector_scope(view)) return load_loop(loader, view);
  if (view.op().n_results != 0)
    return loader.refuse(view.index(), "as a vector scope with results is not supported");
  load_vector_function(loader, view, [&] { load_loop(loader, view); });
}

void load_if(LoaderState& loader, const OpView& view) {
  const std::span<const Region> regions = loader.program.regions_of(view.op());
  const std::vector<uint32_t> results = loader.frame.define_results(view);
  const uint32_t branch = emit_branch(loader, view.index(), view.operand(0));
  loader.control.endings.push_back({Ending::Kind::forward, results, {}, ~0u});
  load_region(loader, regions[0]);
  const bool has_else = regions.size() > 1 && regions[1].begin != regions[1].end;
  if (has_else) {
    const uint32_t over = loader.code.here();
    loader.code.emit(OpCode::jump, view.index());
    loader.code.patch(branch);
    load_region(loader, regions[1]);
    loader.code.patch(over);
  } else {
    loader.code.patch(branch);
  }
  loader.control.endings.pop_back();
}

void load_while(LoaderState& loader, const OpView& view) {
  const std::span<const Region> regions = loader.program.regions_of(view.op());
  const std::vector<uint32_t> before = loader.frame.define_range(regions[0].first_arg, regions[0].n_args);
  const std::vector<uint32_t> after = loader.frame.define_range(regions[1].first_arg, regions[1].n_args);
  loader.code.emit_moves(view.index(), view.operands(0), before);
  const uint32_t count = count_iterations(loader, view.index());
  const uint32_t top = loader.code.here();
  loader.control.endings.push_back({Ending::Kind::condition, after, loader.frame.define_results(view), ~0u});
  load_region(loader, regions[0]);
  const uint32_t exit = loader.control.endings.back().exit_patch;
  loader.control.endings.pop_back();
  loader.control.endings.push_back({Ending::Kind::forward, before, {}, ~0u});
  load_region(loader, regions[1]);
  loader.control.endings.pop_back();
  BytecodeInst& next = loader.code.emit(OpCode::next_iteration, view.index());
  next.a = count;
  next.target = top;
  if (exit != ~0u) loader.code.patch(exit);
}

void load_execute_region(LoaderState& loader, const OpView& view) {
  loader.control.endings.push_back({Ending::Kind::forward, loader.frame.define_results(view), {}, ~0u});
  load_region(loader, body_of(view));
  loader.control.endings.pop_back();
}

void load_yield(LoaderState& loader, const OpView& view) {
  if (!loader.control.endings.empty())
    loader.code.emit_moves(view.index(), view.operands(0),
                           std::vector<uint32_t>(loader.control.endings.back().yield_to));
  leave_region(loader, view.index());
}

void load_condition(LoaderState& loader, const OpView& view) {
  // Both outcomes forward the same values: to the results when the loop ends, to the second region otherwise.
  const std::vector<uint32_t> results = loader.control.endings.back().results,
                              after = loader.control.endings.back().yield_to;
  const uint32_t branch = emit_branch(loader, view.index(), view.operand(0));
  loader.code.emit_moves(view.index(), view.operands(1), after);
  const uint32_t over = loader.code.here();
  loader.code.emit(OpCode::jump, view.index());
  loader.code.patch(branch);
  loader.code.emit_moves(view.index(), view.operands(1), results);
  const uint32_t leave = loader.code.here();
  loader.code.emit(OpCode::jump, view.index());
  loader.code.patch(over);
  loader.control.endings.back().exit_patch = leave;
}

void load_return(LoaderState& loader, const OpView& view) {
  if (loader.threads.active) return load_yield(loader, view);  // of a helper that stands where it is called
  const std::span<const ValueId> values = view.operands(0);
  if (!values.empty())
    loader.code.emit_moves(
        view.index(), values,
        loader.control.inlined.empty()
            ? return_values(loader, loader.functions.enclosing_function(view.index())->info.op)
            : loader.control.inlined.back());
  leave_region(loader, view.index());
}

void load_block(LoaderState& loader, const OpView& view) {
  loader.control.blocks->positions[view.index()] = loader.code.here();
}

void load_jump(LoaderState& loader, const OpView& view) {
  emit_jump_to(loader, view, loader.program.strings[view.attr("dest")->text], 0);
}

void load_cond_jump(LoaderState& loader, const OpView& view) {
  const uint32_t branch = emit_branch(loader, view.index(), view.operand(0));
  emit_jump_to(loader, view, loader.program.strings[view.attr("trueDest")->text], 1);
  loader.code.patch(branch);
  emit_jump_to(loader, view, loader.program.strings[view.attr("falseDest")->text], 2);
}

void load_index_switch(LoaderState& loader, const OpView& view) {
  const std::span<const Region> regions = loader.program.regions_of(view.op());
  const AttrValue* const cases = view.attr("cases");
  const uint32_t count = cases == nullptr ? 0 : cases->array.count;
  const bool default_first = view.attr("default_first") != nullptr;
  const uint32_t number = loader.frame.at(view.operand(0));
  std::vector<uint32_t> over;
  loader.control.endings.push_back({Ending::Kind::forward, loader.frame.define_results(view), {}, ~0u});
  for (uint32_t i = 0; i < count; ++i) {
    FrameLayout& frame = loader.frame.current();
    const uint32_t wanted = frame.reserve(1);
    frame.set(wanted, static_cast<exec::Word>(loader.program.ints[cases->array.first + i]));
    const uint32_t test = loader.code.here();
    BytecodeInst& code = loader.code.emit(OpCode::branch_differs, view.index());
    code.a = number;
    code.b = wanted;
    code.flags |= kCountsCycle;
    if (loader.is_unknown(view.operand(0))) code.flags |= kUnknown;
    load_region(loader, regions[i + (default_first ? 1 : 0)]);
    over.push_back(loader.code.here());
    loader.code.emit(OpCode::jump, view.index());
    loader.code.patch(test);
  }
  load_region(loader, regions[default_first ? 0 : count]);
  loader.control.endings.pop_back();
  for (const uint32_t code : over) loader.code.patch(code);
}

void load_check(LoaderState& loader, const OpView& view) {
  const uint32_t condition = loader.frame.at(view.operand(0));
  BytecodeInst& code = loader.code.emit(OpCode::check, view.index());
  code.a = condition;
  if (loader.is_unknown(view.operand(0))) code.flags |= kUnknown;
}

void load_cube_section(LoaderState& loader, const OpView& view) {
  if (loader.role.kind != CoreKind::aiv) load_region(loader, body_of(view));
}

void load_vector_section(LoaderState& loader, const OpView& view) {
  if (loader.role.kind == CoreKind::aic) return;
  const uint32_t guard = guard_first_subblock(loader, view.index(), loader.program.end_of(view.index()));
  load_region(loader, body_of(view));
  close_guard(loader, guard);
}

}  // namespace pto::sim
