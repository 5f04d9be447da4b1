// Loader: constants, regions, control flow, vector functions.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "exec/dense_constants.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/core_loader.hpp"
#include "sim/loader/loader.hpp"

namespace pto::sim {

void CoreKindLoader::load_region(const Region& region) {
  if (region.begin == region.end) return;
  if (depth_ == kMaxRunDepth)
    return fail(region.begin, "structures are nested deeper than " + std::to_string(kMaxRunDepth),
                Error::Kind::unsupported);
  ++depth_;
  std::optional<Blocks> outer = std::exchange(blocks_, blocks_of(region));
  for (const uint32_t op : ops_in(p_, region)) load_op(op);
  close_blocks();
  blocks_ = std::move(outer);
  --depth_;
}

auto CoreKindLoader::handler_of(isa::OpcodeClass opcode_class) -> Handler {
  using enum isa::OpcodeClass;
  switch (opcode_class) {
    case constant:
      return &CoreKindLoader::load_constant;
    case loop:
      return &CoreKindLoader::load_for;
    case branch:
      return &CoreKindLoader::load_if;
    case while_loop:
      return &CoreKindLoader::load_while;
    case inline_region:
      return &CoreKindLoader::load_execute_region;
    case yield:
      return &CoreKindLoader::load_yield;
    case condition:
      return &CoreKindLoader::load_condition;
    case block:
      return &CoreKindLoader::load_block;
    case jump:
      return &CoreKindLoader::load_jump;
    case cond_jump:
      return &CoreKindLoader::load_cond_jump;
    case index_switch:
      return &CoreKindLoader::load_index_switch;
    case check:
      return &CoreKindLoader::load_check;
    case call:
      return &CoreKindLoader::load_call;
    case ret:
      return &CoreKindLoader::load_return;
    case section_cube:
      return &CoreKindLoader::load_cube_section;
    case section_vector:
      return &CoreKindLoader::load_vector_section;
    case launch_threads:
      return &CoreKindLoader::load_launch;
    case describe_threads:
      return &CoreKindLoader::load_thread_dims;
    case thread_barrier:
    case thread_fence:
      return &CoreKindLoader::load_thread_sync;
    case vecscope:
    case strict_vecscope:
      return &CoreKindLoader::load_vecscope;
    case set_flag:
    case set_flag_dyn:
      return &CoreKindLoader::load_set_flag;
    case wait_flag:
    case wait_flag_dyn:
      return &CoreKindLoader::load_wait_flag;
    case record_event:
      return &CoreKindLoader::load_record_event;
    case wait_event:
      return &CoreKindLoader::load_wait_event;
    case barrier:
      return &CoreKindLoader::load_barrier;
    case fence:
      return &CoreKindLoader::load_fence;
    case barrier_kind:
      return &CoreKindLoader::load_barrier_sync;
    case get_buf:
      return &CoreKindLoader::load_get_buf;
    case rls_buf:
      return &CoreKindLoader::load_rls_buf;
    case memory_barrier:
      return &CoreKindLoader::load_mem_bar;
    case sync_set:
    case intra_set:
    case cross_set:
      return &CoreKindLoader::load_sync_set;
    case sync_wait:
    case intra_wait:
    case cross_wait:
      return &CoreKindLoader::load_sync_wait;
    case sync_all:
      return &CoreKindLoader::load_sync_all;
    case wait_tiles:
      return &CoreKindLoader::load_wait_tiles;
    case sync_base:
      return &CoreKindLoader::load_nothing;
    case reserve_buffer:
    case import_buffer:
      return &CoreKindLoader::load_reserved;
    case queue_init:
      return &CoreKindLoader::load_queue_init;
    case queue_alloc:
      return &CoreKindLoader::load_queue_alloc;
    case queue_push:
      return &CoreKindLoader::load_queue_push;
    case queue_pop:
      return &CoreKindLoader::load_queue_pop;
    case queue_free:
      return &CoreKindLoader::load_queue_free;
    default:
      return nullptr;
  }
}

void CoreKindLoader::load_op(uint32_t pc) {
  const OpView view(p_, pc);
  if (const Handler handler = handler_of(isa::opcode_class(view))) return (this->*handler)(view);
  load_instruction(view);
}

bool carries_out(const isa::Row& row) {
  const bool structure =
      row.opcode_class == isa::OpcodeClass::module || row.opcode_class == isa::OpcodeClass::function;
  return structure || CoreKindLoader::handler_of(row.opcode_class) != nullptr ||
         exec::find(row.name) != nullptr;
}

void CoreKindLoader::load_constant(const OpView& view) {
  const AttrValue* value = view.attr(0u);
  const ValueId result = view.result(0);
  const Type& type = p_.type_of(result);
  constants_.insert(result);
  if (value == nullptr) return reject(view.index(), "constant without a value");
  if (type.kind == TypeKind::vector) return load_vector_constant(view, *value, type);
  const exec::Word word = exec::constant_word(*value, type.elem);
  const uint32_t place = define(result);
  (in_vf() ? vf_ : su_).set(place, word);
}

void CoreKindLoader::load_vector_constant(const OpView& view, const AttrValue& value, const Type& type) {
  std::vector<std::byte> bytes(exec::words_of(type) * sizeof(exec::Word));
  const uint32_t size = byte_width(type.elem);
  const auto lanes = static_cast<uint32_t>(type.dims[0]);
  for (uint32_t i = 0; i < lanes; ++i) {
    const std::optional<exec::Word> word = exec::dense_element(p_, value, i, type.elem);
    if (!word) return refuse(view.index(), "with a dense literal of this form is not supported");
    std::copy_n(reinterpret_cast<const std::byte*>(&*word), size, bytes.data() + i * size);
  }
  const uint32_t place = define(view.result(0));
  for (uint32_t i = 0; i < exec::words_of(type); ++i) {
    exec::Word word = 0;
    std::copy_n(bytes.data() + i * sizeof word, sizeof word, reinterpret_cast<std::byte*>(&word));
    (in_vf() ? vf_ : su_).set(place + i, word);
  }
}

void CoreKindLoader::load_for(const OpView& view) {
  if (in_vf() || !opens_vector_scope(view)) return load_loop(view);
  if (view.op().n_results != 0)
    return refuse(view.index(), "as a vector scope with results is not supported");
  load_vector_function(view, [&] { load_loop(view); });
}

void CoreKindLoader::load_loop(const OpView& view) {
  const Region& region = body_of(view);
  const uint32_t pc = view.index();
  const ValueId lower = view.operand(0), upper = view.operand(1), step = view.operand(2);
  const std::vector<uint32_t> arguments = define_range(region.first_arg, region.n_args);
  const std::vector<uint32_t> carried(arguments.begin() + 1, arguments.end());
  const uint32_t induction = arguments[0];
  std::vector<ValueId> initial{lower};
  for (const ValueId value : view.operands(3)) initial.push_back(value);
  emit_moves(pc, initial, arguments);
  const uint32_t upper_at = at(upper), step_at = at(step);
  role_.loops.add({pc, region.first_arg, induction, in_vf(), known_constant(lower), known_constant(step)});
  const uint32_t test = here();
  BytecodeInst& code = emit(OpCode::for_test, pc);
  code.a = induction;
  code.b = upper_at;
  code.c = step_at;
  code.flags |= kCountsCycle;
  if (unknown(lower) || unknown(upper) || unknown(step)) code.flags |= kUnknown;
  endings_.push_back({Ending::Kind::forward, carried, {}, ~0u});
  load_region(region);
  endings_.pop_back();
  BytecodeInst& next = emit(OpCode::for_next, pc);
  next.a = induction;
  next.c = step_at;
  next.target = test;
  role_.code[test].target = here();
  copy_places(pc, carried, results_of(view), view);
}

std::optional<int64_t> CoreKindLoader::known_constant(ValueId value) {
  if (!constants_.contains(value)) return std::nullopt;
  return static_cast<int64_t>(in_vf() ? vf_.word(at(value)) : su_.word(at(value)));
}

void CoreKindLoader::copy_places(uint32_t pc, const std::vector<uint32_t>& from,
                                 const std::vector<uint32_t>& to, const OpView& view) {
  if (to.empty()) return;
  const uint32_t first = static_cast<uint32_t>(role_.copies.size());
  uint32_t total = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    const uint32_t words = exec::words_of(view.result_type(static_cast<unsigned>(i)));
    role_.copies.push_back({from[i], to[i], words});
    total += words;
  }
  emit_copies(pc, first, total);
}

uint32_t CoreKindLoader::emit_branch(uint32_t pc, ValueId condition) {
  const uint32_t condition_at = at(condition);
  BytecodeInst& code = emit(OpCode::branch_false, pc);
  code.a = condition_at;
  code.flags |= kCountsCycle;
  if (unknown(condition)) code.flags |= kUnknown;
  return here() - 1;
}

void CoreKindLoader::load_if(const OpView& view) {
  const std::span<const Region> regions = p_.regions_of(view.op());
  const std::vector<uint32_t> results = results_of(view);
  const uint32_t branch = emit_branch(view.index(), view.operand(0));
  endings_.push_back({Ending::Kind::forward, results, {}, ~0u});
  load_region(regions[0]);
  const bool has_else = regions.size() > 1 && regions[1].begin != regions[1].end;
  if (has_else) {
    const uint32_t over = here();
    emit(OpCode::jump, view.index());
    role_.code[branch].target = here();
    load_region(regions[1]);
    role_.code[over].target = here();
  } else {
    role_.code[branch].target = here();
  }
  endings_.pop_back();
}

void CoreKindLoader::load_while(const OpView& view) {
  const std::span<const Region> regions = p_.regions_of(view.op());
  const std::vector<uint32_t> before = define_range(regions[0].first_arg, regions[0].n_args);
  const std::vector<uint32_t> after = define_range(regions[1].first_arg, regions[1].n_args);
  emit_moves(view.index(), view.operands(0), before);
  const uint32_t count = count_iterations(view.index());
  const uint32_t top = here();
  endings_.push_back({Ending::Kind::condition, after, results_of(view), ~0u});
  load_region(regions[0]);
  const uint32_t exit = endings_.back().exit_patch;
  endings_.pop_back();
  endings_.push_back({Ending::Kind::forward, before, {}, ~0u});
  load_region(regions[1]);
  endings_.pop_back();
  BytecodeInst& next = emit(OpCode::next_iteration, view.index());
  next.a = count;
  next.target = top;
  if (exit != ~0u) role_.code[exit].target = here();
}

uint32_t CoreKindLoader::count_iterations(uint32_t pc) {
  FrameLayout& frame = in_vf() ? vf_ : su_;
  const uint32_t one = frame.reserve(1), count = frame.reserve(1);
  frame.set(one, 1);
  role_.copies.push_back({one, count, 1});
  emit_copies(pc, static_cast<uint32_t>(role_.copies.size()) - 1, 1);
  role_.loops.add({pc, kNoValue, count, in_vf(), 1, 1});
  return count;
}

void CoreKindLoader::load_execute_region(const OpView& view) {
  endings_.push_back({Ending::Kind::forward, results_of(view), {}, ~0u});
  load_region(body_of(view));
  endings_.pop_back();
}

void CoreKindLoader::load_yield(const OpView& view) {
  if (!endings_.empty())
    emit_moves(view.index(), view.operands(0), std::vector<uint32_t>(endings_.back().yield_to));
  leave_region(view.index());
}

void CoreKindLoader::load_condition(const OpView& view) {
  // Both outcomes forward the same values: to the results when the loop ends, to the second region otherwise.
  const std::vector<uint32_t> results = endings_.back().results, after = endings_.back().yield_to;
  const uint32_t branch = emit_branch(view.index(), view.operand(0));
  emit_moves(view.index(), view.operands(1), after);
  const uint32_t over = here();
  emit(OpCode::jump, view.index());
  role_.code[branch].target = here();
  emit_moves(view.index(), view.operands(1), results);
  const uint32_t leave = here();
  emit(OpCode::jump, view.index());
  role_.code[over].target = here();
  endings_.back().exit_patch = leave;
}

void CoreKindLoader::load_return(const OpView& view) {
  if (threads_) return load_yield(view);  // of a helper that stands where it is called
  const std::span<const ValueId> values = view.operands(0);
  if (!values.empty())
    emit_moves(view.index(), values,
               inlined_.empty() ? return_places(functions_.enclosing_function(view.index())->info.op)
                                : inlined_.back());
  leave_region(view.index());
}

// ---- several blocks in one region

auto CoreKindLoader::blocks_of(const Region& region) -> std::optional<Blocks> {
  Blocks blocks;
  for (const uint32_t op : ops_in(p_, region)) {
    const OpView view(p_, op);
    if (isa::opcode_class(view) != isa::OpcodeClass::block) continue;
    blocks.begins.emplace(p_.strings[view.attr("name")->text], op);
    results_of(view);  // jumps to it may stand in front of it
  }
  if (blocks.begins.empty()) return std::nullopt;
  return blocks;
}

void CoreKindLoader::close_blocks() {
  if (!blocks_) return;
  for (const auto& [code, label] : blocks_->branches)
    role_.code[code].target = blocks_->positions.at(blocks_->begins.at(label));
  for (const uint32_t code : blocks_->exits) role_.code[code].target = here();
}

void CoreKindLoader::leave_region(uint32_t pc) {
  if (!blocks_) return;
  blocks_->exits.push_back(here());
  emit(OpCode::jump, pc);
}

void CoreKindLoader::load_block(const OpView& view) { blocks_->positions[view.index()] = here(); }

void CoreKindLoader::go_to(const OpView& branch, std::string_view label, unsigned slot) {
  const auto found = blocks_ ? blocks_->begins.find(label) : std::map<std::string_view, uint32_t>::iterator();
  if (!blocks_ || found == blocks_->begins.end())
    return reject(branch.index(), "no block of this region is ^" + std::string(label));
  emit_moves(branch.index(), branch.operands(slot), results_of(OpView(p_, found->second)));
  blocks_->branches.emplace_back(here(), label);
  emit(OpCode::jump, branch.index());
}

void CoreKindLoader::load_jump(const OpView& view) { go_to(view, p_.strings[view.attr("dest")->text], 0); }

void CoreKindLoader::load_cond_jump(const OpView& view) {
  const uint32_t branch = emit_branch(view.index(), view.operand(0));
  go_to(view, p_.strings[view.attr("trueDest")->text], 1);
  role_.code[branch].target = here();
  go_to(view, p_.strings[view.attr("falseDest")->text], 2);
}

void CoreKindLoader::load_index_switch(const OpView& view) {
  const std::span<const Region> regions = p_.regions_of(view.op());
  const AttrValue* const cases = view.attr("cases");
  const uint32_t count = cases == nullptr ? 0 : cases->array.count;
  const bool default_first = view.attr("default_first") != nullptr;
  const uint32_t number = at(view.operand(0));
  std::vector<uint32_t> over;
  endings_.push_back({Ending::Kind::forward, results_of(view), {}, ~0u});
  for (uint32_t i = 0; i < count; ++i) {
    FrameLayout& frame = in_vf() ? vf_ : su_;
    const uint32_t wanted = frame.reserve(1);
    frame.set(wanted, static_cast<exec::Word>(p_.ints[cases->array.first + i]));
    const uint32_t test = here();
    BytecodeInst& code = emit(OpCode::branch_differs, view.index());
    code.a = number;
    code.b = wanted;
    code.flags |= kCountsCycle;
    if (unknown(view.operand(0))) code.flags |= kUnknown;
    load_region(regions[i + (default_first ? 1 : 0)]);
    over.push_back(here());
    emit(OpCode::jump, view.index());
    role_.code[test].target = here();
  }
  load_region(regions[default_first ? 0 : count]);
  endings_.pop_back();
  for (const uint32_t code : over) role_.code[code].target = here();
}

void CoreKindLoader::load_check(const OpView& view) {
  const uint32_t condition = at(view.operand(0));
  BytecodeInst& code = emit(OpCode::check, view.index());
  code.a = condition;
  if (unknown(view.operand(0))) code.flags |= kUnknown;
}

void CoreKindLoader::load_cube_section(const OpView& view) {
  if (role_.kind != CoreKind::aiv) load_region(body_of(view));
}

void CoreKindLoader::load_vector_section(const OpView& view) {
  if (role_.kind == CoreKind::aic) return;
  const uint32_t guard = guard_first_subblock(view.index(), p_.end_of(view.index()));
  load_region(body_of(view));
  close_guard(guard);
}

}  // namespace pto::sim
