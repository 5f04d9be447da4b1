// Loader: structured operations -> flat code with jump targets, fixed frames and capture lists.
#include "sim/load.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "exec/integer.hpp"
#include "isa/row.hpp"
#include "numeric/formats.hpp"
#include "sim/entry.hpp"
#include "sim/frame.hpp"
#include "sim/taint.hpp"

namespace pto::sim {
namespace {

using exec::ValueRef;

std::string at_line(const Program& program, uint32_t pc) {
  const Location where = program.ops[pc].where;
  const std::string file = program.source_name.empty() ? std::string("line ") : program.source_name + ":";
  return where.line == 0 ? program.source_name : file + std::to_string(where.line);
}

/// Instructions whose effect other pipes see although the scalar unit runs them.
bool touches_memory(const isa::Row& row, const OpView& view) {
  static const std::set<std::string_view> kScalarAccess = {"pto.load_scalar", "pto.store_scalar", "pto.load",     "pto.store",
                                                           "pto.tgetval",     "pto.tsetval",      "memref.load", "memref.store"};
  if (kScalarAccess.count(row.name)) return true;
  // A tile instruction on the scalar pipe (tci, tscatter on A2/A3) reads or writes tiles; descriptors only rename them.
  if (row.layer != isa::Layer::tile || isa::pipe_of(view) != Pipe::s) return false;
  const std::span<const exec::Semantics> descriptors = exec::descriptor();
  return std::none_of(descriptors.begin(), descriptors.end(), [&](const exec::Semantics& s) { return s.name == row.name; });
}

class RoleLoader {
 public:
  RoleLoader(const Program& program, const Machine& machine, Kernel& kernel, Role& role, const std::vector<uint8_t>& unknown)
      : p_(program), machine_(machine), kernel_(kernel), role_(role), unknown_(unknown), su_(program), vf_(program) {
    for (const FunctionInfo& f : functions(program)) functions_[f.name].push_back(f);
  }

  /// The first thing that was wrong, if anything was.
  std::optional<Error> load(std::span<const FunctionInfo> entries) {
    load_arguments(entries);
    for (const FunctionInfo& entry : entries) inline_entry(entry);
    emit(OpCode::halt, entries.front().op);
    for (size_t i = 0; i < pending_.size(); ++i) load_callee(pending_[i]);
    if (error_) return error_;
    for (const auto& [from, function] : calls_) role_.code[from].target = positions_.at(function);
    role_.frame = su_.take();
    role_.vf_frame = vf_.take();
    role_.rows.assign(rows_.begin(), rows_.end());
    return std::nullopt;
  }

 private:
  // ---- errors: the first one counts, loading goes on

  void fail(uint32_t pc, std::string message, Error::Kind kind) {
    if (!error_) error_ = Error{at_line(p_, pc) + ": " + std::move(message), kind};
  }
  void refuse(uint32_t pc, const std::string& why) {
    fail(pc, std::string(isa::row(p_.ops[pc].row).name) + " " + why, Error::Kind::unsupported);
  }
  void reject(uint32_t pc, const std::string& why) { fail(pc, why, Error::Kind::input); }

  // ---- emitting

  Code& emit(OpCode op, uint32_t pc) {
    Code code;
    code.op = op;
    code.pc = pc;
    role_.code.push_back(code);
    return role_.code.back();
  }
  [[nodiscard]] uint32_t here() const { return static_cast<uint32_t>(role_.code.size()); }
  [[nodiscard]] bool unknown(ValueId value) const { return value < unknown_.size() && unknown_[value] != 0; }
  [[nodiscard]] bool in_vf() const { return captures_ != nullptr; }

  // ---- values

  /// Offset of a value in the frame of the code being loaded. A vector function copies in what it takes from outside.
  uint32_t at(ValueId value) {
    if (!in_vf()) return su_.at(value);
    if (local_.count(value)) return local_.at(value);
    const uint32_t words = exec::words_of(p_.type_of(value));
    const uint32_t place = vf_.reserve(words);
    local_.emplace(value, place);
    if (defined_.count(value)) return place;
    if (constants_.count(value)) {
      for (uint32_t i = 0; i < words; ++i) vf_.set(place + i, su_.word(su_.at(value) + i));
    } else {
      captures_->push_back({su_.at(value), place, words});
    }
    return place;
  }
  /// A value that the code being loaded defines.
  uint32_t define(ValueId value) {
    if (in_vf()) defined_.insert(value);
    return at(value);
  }

  /// Copies that happen as if all at once.
  void emit_moves(uint32_t pc, std::span<const ValueId> from, std::span<const uint32_t> to) {
    if (from.empty()) return;
    const uint32_t first = static_cast<uint32_t>(role_.copies.size());
    uint32_t total = 0;
    for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
      const uint32_t words = exec::words_of(p_.type_of(from[i]));
      role_.copies.push_back({at(from[i]), to[i], words});
      total += words;
    }
    emit_copies(pc, first, total);
  }
  void emit_copies(uint32_t pc, uint32_t first, uint32_t words) {
    role_.max_move_words = std::max(role_.max_move_words, words);
    Code& code = emit(OpCode::move, pc);
    code.a = first;
    code.b = static_cast<uint32_t>(role_.copies.size());
  }
  std::vector<uint32_t> define_range(uint32_t first, uint32_t count) {
    std::vector<uint32_t> places(count);
    for (uint32_t i = 0; i < count; ++i) places[i] = define(first + i);
    return places;
  }
  std::vector<uint32_t> results_of(const OpView& view) { return define_range(view.op().first_result, view.op().n_results); }

  // ---- functions

  void load_arguments(std::span<const FunctionInfo> entries) {
    const Region& region = p_.regions_of(p_.ops[entries.front().op])[0];
    role_.arguments.resize(region.n_args);
    for (const FunctionInfo& entry : entries) {
      const Region& body = p_.regions_of(p_.ops[entry.op])[0];
      for (uint32_t i = 0; i < body.n_args && i < region.n_args; ++i) {
        role_.arguments[i].push_back({0, su_.at(body.first_arg + i), exec::words_of(p_.type_of(body.first_arg + i))});
      }
    }
  }

  void inline_entry(const FunctionInfo& entry) {
    load_region(p_.regions_of(p_.ops[entry.op])[0]);
  }

  /// The function a call means for this kind of core: among several of one name the one of its own kind.
  const FunctionInfo* resolve(uint32_t pc, std::string_view name) {
    const auto found = functions_.find(name);
    if (found == functions_.end()) {
      reject(pc, "call of @" + std::string(name) + ", which is not defined");
      return nullptr;
    }
    const FunctionInfo* chosen = nullptr;
    bool other_kind = false;
    for (const FunctionInfo& f : found->second) {
      if (f.declaration) continue;
      if (!kind_runs_here(f.kind)) other_kind = true;
      else if (chosen == nullptr || f.kind != FunctionInfo::Kind::unknown) chosen = &f;
    }
    if (chosen == nullptr && !other_kind) reject(pc, "call of @" + std::string(name) + ", which has no body");
    return chosen;
  }
  [[nodiscard]] bool kind_runs_here(FunctionInfo::Kind kind) const {
    if (kind == FunctionInfo::Kind::cube) return role_.kind != CoreKind::aiv;
    if (kind == FunctionInfo::Kind::vector) return role_.kind != CoreKind::aic;
    return true;
  }

  void load_callee(uint32_t function) {
    positions_[function] = here();
    load_region(p_.regions_of(p_.ops[function])[0]);
    emit(OpCode::ret, function).a = return_slot(function);
  }
  uint32_t return_slot(uint32_t function) {
    const auto found = return_slots_.find(function);
    if (found != return_slots_.end()) return found->second;
    return return_slots_.emplace(function, su_.reserve(1)).first->second;
  }
  /// Where a function leaves the values it returns.
  const std::vector<uint32_t>& return_places(uint32_t function) {
    const auto found = return_places_.find(function);
    if (found != return_places_.end()) return found->second;
    const Region& body = p_.regions_of(p_.ops[function])[0];
    uint32_t last = body.begin;
    for (uint32_t i = body.begin; i < body.end; i = p_.end_of(i)) last = i;
    std::vector<uint32_t> places;
    for (const ValueId value : OpView(p_, last).operands(0)) places.push_back(su_.reserve(exec::words_of(p_.type_of(value))));
    return return_places_.emplace(function, std::move(places)).first->second;
  }

  void check_recursion(uint32_t pc, uint32_t callee) {
    std::vector<uint32_t> todo{callee};
    std::set<uint32_t> seen;
    while (!todo.empty()) {
      const uint32_t function = todo.back();
      todo.pop_back();
      if (!seen.insert(function).second) continue;
      for (uint32_t i = function; i < p_.end_of(function); ++i) {
        const OpView view(p_, i);
        if (view.mnemonic() != "func.call") continue;
        const AttrValue* name = view.attr("callee");
        const auto found = name == nullptr ? functions_.end() : functions_.find(p_.strings[name->text]);
        if (found == functions_.end()) continue;
        for (const FunctionInfo& f : found->second) {
          if (f.op == callee) reject(pc, "@" + std::string(f.name) + " calls itself; recursion has no meaning here");
          todo.push_back(f.op);
        }
      }
    }
  }

  void load_call(const OpView& view) {
    const AttrValue* name = view.attr("callee");
    if (name == nullptr) return reject(view.index(), "call without a callee");
    if (in_vf()) return refuse(view.index(), "inside a vecscope is not supported");
    const FunctionInfo* callee = resolve(view.index(), p_.strings[name->text]);
    if (callee == nullptr) {   // the other kind of core runs it
      if (view.op().n_results != 0) reject(view.index(), "results of a helper that runs on the other kind of core");
      return;
    }
    check_recursion(view.index(), callee->op);
    const Region& body = p_.regions_of(p_.ops[callee->op])[0];
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < body.n_args; ++i) places.push_back(su_.at(body.first_arg + i));
    emit_moves(view.index(), view.operands(0), places);
    if (std::find(pending_.begin(), pending_.end(), callee->op) == pending_.end()) pending_.push_back(callee->op);
    const uint32_t slot = return_slot(callee->op);
    Code& code = emit(OpCode::call, view.index());
    code.a = slot;
    code.flags |= kCountsCycle;
    calls_.emplace_back(here() - 1, callee->op);
    if (view.op().n_results == 0) return;
    const std::vector<uint32_t>& from = return_places(callee->op);
    const uint32_t first = static_cast<uint32_t>(role_.copies.size());
    uint32_t total = 0;
    for (uint32_t i = 0; i < view.op().n_results; ++i) {
      const uint32_t words = exec::words_of(view.result_type(i));
      role_.copies.push_back({from[i], define(view.result(i)), words});
      total += words;
    }
    emit_copies(view.index(), first, total);
  }

  // ---- regions and control flow

  void load_region(const Region& region) {
    for (uint32_t i = region.begin; i < region.end; i = p_.end_of(i)) load_op(i);
  }

  void load_op(uint32_t pc) {
    const OpView view(p_, pc);
    const std::string_view name = view.mnemonic();
    using Handler = void (RoleLoader::*)(const OpView&);
    static const std::unordered_map<std::string_view, Handler> kHandlers = {
        {"arith.constant", &RoleLoader::load_constant},
        {"scf.for", &RoleLoader::load_for},
        {"scf.if", &RoleLoader::load_if},
        {"scf.while", &RoleLoader::load_while},
        {"scf.execute_region", &RoleLoader::load_execute_region},
        {"scf.yield", &RoleLoader::load_yield},
        {"scf.condition", &RoleLoader::load_condition},
        {"func.call", &RoleLoader::load_call},
        {"func.return", &RoleLoader::load_return},
        {"pto.section.cube", &RoleLoader::load_cube_section},
        {"pto.section.vector", &RoleLoader::load_vector_section},
        {"pto.vecscope", &RoleLoader::load_vecscope},
        {"pto.strict_vecscope", &RoleLoader::load_vecscope},
        {"pto.set_flag", &RoleLoader::load_set_flag},
        {"pto.wait_flag", &RoleLoader::load_wait_flag},
        {"pto.set_flag_dyn", &RoleLoader::load_set_flag},
        {"pto.wait_flag_dyn", &RoleLoader::load_wait_flag},
        {"pto.record_event", &RoleLoader::load_record_event},
        {"pto.wait_event", &RoleLoader::load_wait_event},
        {"pto.barrier", &RoleLoader::load_barrier},
        {"pto.pipe_barrier", &RoleLoader::load_barrier},
        {"pto.barrier_sync", &RoleLoader::load_barrier_sync},
        {"pto.get_buf", &RoleLoader::load_get_buf},
        {"pto.rls_buf", &RoleLoader::load_rls_buf},
        {"pto.mem_bar", &RoleLoader::load_mem_bar},
        {"pto.sync.set", &RoleLoader::load_sync_set},
        {"pto.sync.wait", &RoleLoader::load_sync_wait},
        {"pto.set_ffts", &RoleLoader::load_nothing},
    };
    const auto handler = kHandlers.find(name);
    if (handler != kHandlers.end()) return (this->*handler->second)(view);
    load_instruction(view);
  }

  void load_nothing(const OpView&) {}

  void load_constant(const OpView& view) {
    const AttrValue* value = view.attr(0u);
    const ValueId result = view.result(0);
    const Type& type = p_.type_of(result);
    constants_.insert(result);
    if (value == nullptr) return reject(view.index(), "constant without a value");
    if (type.kind == TypeKind::vector) return load_vector_constant(view, *value, type);
    const exec::Word word = constant_word(*value, type.elem);
    const uint32_t place = define(result);
    (in_vf() ? vf_ : su_).set(place, word);
  }
  static exec::Word constant_word(const AttrValue& value, Elem elem) {
    if (value.kind == AttrValue::Kind::floating) return num::from_f64(elem, value.floating);
    if (is_float(elem)) return value.kind == AttrValue::Kind::integer ? static_cast<exec::Word>(value.integer) : 0;   // 0x7F800000 : f32
    return exec::int_word(elem, static_cast<uint64_t>(value.integer));
  }
  void load_vector_constant(const OpView& view, const AttrValue& value, const Type& type) {
    std::vector<std::byte> bytes(exec::words_of(type) * sizeof(exec::Word));
    const uint32_t size = byte_width(type.elem);
    const auto lanes = static_cast<uint32_t>(type.dims[0]);
    for (uint32_t i = 0; i < lanes; ++i) {
      exec::Word word = 0;
      if (value.kind == AttrValue::Kind::int_array) {
        const uint32_t count = value.array.count;
        if (count == 0) continue;
        word = static_cast<exec::Word>(p_.ints[value.array.first + (count == 1 ? 0 : std::min(i, count - 1))]);
      } else if (value.kind == AttrValue::Kind::integer || value.kind == AttrValue::Kind::floating || value.kind == AttrValue::Kind::boolean) {
        word = constant_word(value, type.elem);
      } else {
        return refuse(view.index(), "with a dense literal of this form is not supported");
      }
      std::copy_n(reinterpret_cast<const std::byte*>(&word), size, bytes.data() + i * size);
    }
    const uint32_t place = define(view.result(0));
    for (uint32_t i = 0; i < exec::words_of(type); ++i) {
      exec::Word word = 0;
      std::copy_n(bytes.data() + i * sizeof word, sizeof word, reinterpret_cast<std::byte*>(&word));
      (in_vf() ? vf_ : su_).set(place + i, word);
    }
  }

  /// What scf.yield and scf.condition of the innermost region do.
  struct Frame {
    enum class Kind : uint8_t { forward, condition } kind = Kind::forward;
    std::vector<uint32_t> yield_to;       ///< places of the yielded values
    std::vector<uint32_t> results;        ///< condition: places when the loop ends
    uint32_t exit_patch = ~0u;            ///< condition: code whose target is the loop's end
  };

  void load_for(const OpView& view) {
    const Region& region = p_.regions_of(view.op())[0];
    const uint32_t pc = view.index();
    const ValueId lower = view.operand(0), upper = view.operand(1), step = view.operand(2);
    const std::vector<uint32_t> arguments = define_range(region.first_arg, region.n_args);
    const std::vector<uint32_t> carried(arguments.begin() + 1, arguments.end());
    const uint32_t induction = arguments[0];
    std::vector<ValueId> initial{lower};
    for (const ValueId value : view.operands(3)) initial.push_back(value);
    emit_moves(pc, initial, arguments);
    const uint32_t upper_at = at(upper), step_at = at(step);
    const uint32_t test = here();
    Code& code = emit(OpCode::for_test, pc);
    code.a = induction;
    code.b = upper_at;
    code.c = step_at;
    code.flags |= kCountsCycle;
    if (unknown(lower) || unknown(upper) || unknown(step)) code.flags |= kUnknown;
    frames_.push_back({Frame::Kind::forward, carried, {}, ~0u});
    load_region(region);
    frames_.pop_back();
    Code& next = emit(OpCode::for_next, pc);
    next.a = induction;
    next.c = step_at;
    next.target = test;
    role_.code[test].target = here();
    copy_places(pc, carried, results_of(view), view);
  }

  /// Moves between places of known types (loop-carried values to results).
  void copy_places(uint32_t pc, const std::vector<uint32_t>& from, const std::vector<uint32_t>& to, const OpView& view) {
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

  uint32_t emit_branch(uint32_t pc, ValueId condition) {
    const uint32_t condition_at = at(condition);
    Code& code = emit(OpCode::branch_false, pc);
    code.a = condition_at;
    code.flags |= kCountsCycle;
    if (unknown(condition)) code.flags |= kUnknown;
    return here() - 1;
  }

  void load_if(const OpView& view) {
    const std::span<const Region> regions = p_.regions_of(view.op());
    const std::vector<uint32_t> results = results_of(view);
    const uint32_t branch = emit_branch(view.index(), view.operand(0));
    frames_.push_back({Frame::Kind::forward, results, {}, ~0u});
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
    frames_.pop_back();
  }

  void load_while(const OpView& view) {
    const std::span<const Region> regions = p_.regions_of(view.op());
    const std::vector<uint32_t> before = define_range(regions[0].first_arg, regions[0].n_args);
    const std::vector<uint32_t> after = define_range(regions[1].first_arg, regions[1].n_args);
    emit_moves(view.index(), view.operands(0), before);
    const uint32_t top = here();
    frames_.push_back({Frame::Kind::condition, after, results_of(view), ~0u});
    load_region(regions[0]);
    const uint32_t exit = frames_.back().exit_patch;
    frames_.pop_back();
    frames_.push_back({Frame::Kind::forward, before, {}, ~0u});
    load_region(regions[1]);
    frames_.pop_back();
    emit(OpCode::jump, view.index()).target = top;
    if (exit != ~0u) role_.code[exit].target = here();
  }

  void load_execute_region(const OpView& view) {
    frames_.push_back({Frame::Kind::forward, results_of(view), {}, ~0u});
    load_region(p_.regions_of(view.op())[0]);
    frames_.pop_back();
  }

  void load_yield(const OpView& view) {
    if (!frames_.empty()) emit_moves(view.index(), view.operands(0), std::vector<uint32_t>(frames_.back().yield_to));
  }

  void load_condition(const OpView& view) {
    // Both outcomes forward the same values: to the results when the loop ends, to the second region otherwise.
    const std::vector<uint32_t> results = frames_.back().results, after = frames_.back().yield_to;
    const uint32_t branch = emit_branch(view.index(), view.operand(0));
    emit_moves(view.index(), view.operands(1), after);
    const uint32_t over = here();
    emit(OpCode::jump, view.index());
    role_.code[branch].target = here();
    emit_moves(view.index(), view.operands(1), results);
    const uint32_t leave = here();
    emit(OpCode::jump, view.index());
    role_.code[over].target = here();
    frames_.back().exit_patch = leave;
  }

  void load_return(const OpView& view) {
    const std::span<const ValueId> values = view.operands(0);
    if (values.empty()) return;
    uint32_t function = view.index();
    while (p_.ops[function].row != func_row_) --function;
    emit_moves(view.index(), values, return_places(function));
  }

  void load_cube_section(const OpView& view) {
    if (role_.kind != CoreKind::aiv) load_region(p_.regions_of(view.op())[0]);
  }
  void load_vector_section(const OpView& view) {
    if (role_.kind != CoreKind::aic) load_region(p_.regions_of(view.op())[0]);
  }

  // ---- vector functions

  /// A vector function is one entry of pipe V; its code stands out of line and works on its own frame.
  void load_vecscope(const OpView& view) {
    if (in_vf()) return reject(view.index(), "a vecscope inside a vecscope");
    const Region& region = p_.regions_of(view.op())[0];
    std::vector<Copy> captures;
    captures_ = &captures;
    local_.clear();
    defined_.clear();
    const std::vector<Frame> outer = std::move(frames_);
    frames_.clear();
    const uint32_t over = here();
    emit(OpCode::jump, view.index());
    const uint32_t body = here();
    const std::vector<uint32_t> arguments = define_range(region.first_arg, region.n_args);
    if (!isa::schema(view.op().row).operands.empty()) emit_moves(view.index(), view.operands(0), arguments);
    load_region(region);
    emit(OpCode::halt, view.index());
    captures_ = nullptr;
    frames_ = outer;
    role_.code[over].target = here();

    Queued queued;
    queued.entry = body;
    queued.inst = make_inst(view, Pipe::v);
    for (const Copy& capture : captures) {
      queued.captures.push_back({capture.from, queued.block_words, capture.words});
      queued.unpack.push_back({queued.block_words, capture.to, capture.words});
      queued.block_words += capture.words;
    }
    add_queued(view, OpCode::vector_function, lane_of(Pipe::v), std::move(queued));
  }

  // ---- instructions

  exec::Inst make_inst(const OpView& view, Pipe pipe) {
    exec::Inst inst;
    inst.pc = view.index();
    inst.row = view.op().row;
    inst.pipe = pipe;
    inst.schema = &isa::schema(inst.row);
    inst.fn = exec::find(inst.schema->row->name);
    std::vector<AttrValue> attrs(inst.schema->attrs.size());
    std::vector<uint8_t> written(attrs.size(), 0);
    for (size_t i = 0; i < attrs.size(); ++i) {
      attrs[i].integer = inst.schema->attrs[i].default_int;
      if (const AttrValue* value = view.attr(static_cast<unsigned>(i))) {
        attrs[i] = *value;
        if (value->kind == AttrValue::Kind::unit) attrs[i].integer = 1;
        written[i] = 1;
      }
    }
    inst.attrs = kernel_.attr_arena.emplace_back(std::move(attrs));
    inst.attr_set = kernel_.set_arena.emplace_back(std::move(written));
    return inst;
  }

  /// Places of operands and results, by a function from value to offset.
  using Place = std::function<uint32_t(ValueId)>;
  void place_values(exec::Inst& inst, const OpView& view, const Place& operand, const Place& result) {
    std::vector<uint32_t> slots;
    std::vector<ValueRef> values, results;
    for (unsigned slot = 0; slot < inst.schema->operands.size(); ++slot) {
      slots.push_back(static_cast<uint32_t>(values.size()));
      for (const ValueId value : view.operands(slot)) values.push_back({operand(value), &p_.type_of(value)});
    }
    slots.push_back(static_cast<uint32_t>(values.size()));
    for (uint32_t r = 0; r < view.op().n_results; ++r) results.push_back({result(view.result(r)), &view.result_type(r)});
    inst.slot_begin = kernel_.slot_arena.emplace_back(std::move(slots));
    inst.values = kernel_.ref_arena.emplace_back(std::move(values));
    inst.results = kernel_.ref_arena.emplace_back(std::move(results));
  }

  void check_semantics(const OpView& view, const exec::Inst& inst) {
    if ((inst.schema->row->flags & isa::kNotExecuted) != 0 || inst.fn == nullptr) refuse(view.index(), "is not supported by the simulator yet");
  }

  void load_instruction(const OpView& view) {
    const Pipe pipe = isa::pipe_of(view);
    if (view.op().n_regions != 0) return refuse(view.index(), "is not supported by the simulator yet");
    if (in_vf() || pipe == Pipe::none || pipe == Pipe::s) return load_direct(view, pipe);
    if ((isa::row(view.op().row).flags & isa::kVecScope) != 0) return reject(view.index(), "vector instruction outside of a vecscope");
    const uint8_t lane = lane_of(pipe);
    if (lane == kNoLane) return refuse(view.index(), "runs on " + std::string(to_string(pipe)) + ", which no core has");
    load_queued(view, pipe, lane);
  }

  /// Runs in the frame of the code it stands in: scalar work, descriptors, and everything inside a vector function.
  void load_direct(const OpView& view, Pipe pipe) {
    exec::Inst inst = make_inst(view, pipe);
    check_semantics(view, inst);
    place_values(inst, view, [this](ValueId v) { return at(v); }, [this](ValueId v) { return define(v); });
    const bool timed = !in_vf() && touches_memory(*inst.schema->row, view);
    Code& code = emit(timed ? OpCode::exec_timed : OpCode::exec, view.index());
    code.inst = static_cast<uint32_t>(role_.insts.size());
    if (pipe != Pipe::none) code.flags |= kCountsCycle;
    if ((inst.schema->row->flags & isa::kModeWrite) != 0) code.flags |= kWritesMode;
    code.lane = in_vf() ? lane_of(Pipe::v) : kScalarLane;
    if (in_vf() && pipe == Pipe::v) {
      rows_.insert(inst.row);
      if (needs_data(inst)) code.flags |= kUnknown;
    }
    if (timed && loads_data(view.mnemonic())) code.flags |= kUnknown;
    if (timed && view.op().n_results == 0) code.flags |= kUnknown;   // a store of a scalar: no memory in time mode
    role_.insts.push_back(inst);
  }

  /// Whether time mode skips a vector instruction: all but those that make scalars and masks out of scalars.
  static bool needs_data(const exec::Inst& inst) {
    const auto is_data = [](const ValueRef& v) {
      return v.type->kind == TypeKind::vreg || v.type->kind == TypeKind::ptr || v.type->kind == TypeKind::align ||
             v.type->kind == TypeKind::tile_buf || v.type->kind == TypeKind::memref || v.type->kind == TypeKind::mask;
    };
    if (std::any_of(inst.values.begin(), inst.values.end(), is_data)) {
      // A post-updated pointer is a scalar result the loop goes on with.
      return std::none_of(inst.results.begin(), inst.results.end(), [](const ValueRef& v) { return v.type->kind == TypeKind::ptr; });
    }
    return std::none_of(inst.results.begin(), inst.results.end(), [](const ValueRef& v) { return v.type->kind == TypeKind::scalar; });
  }

  void load_queued(const OpView& view, Pipe pipe, uint8_t lane) {
    Queued queued;
    queued.inst = make_inst(view, pipe);
    check_semantics(view, queued.inst);
    std::map<ValueId, uint32_t> places;
    const Place operand = [&](ValueId value) {
      const auto found = places.find(value);
      if (found != places.end()) return found->second;
      const uint32_t words = exec::words_of(p_.type_of(value)), to = queued.block_words;
      append_copy(queued.captures, {su_.at(value), to, words});
      queued.block_words += words;
      places.emplace(value, to);
      return to;
    };
    const Place result = [&](ValueId value) {
      const uint32_t words = exec::words_of(p_.type_of(value)), to = queued.block_words;
      queued.block_words += words;
      queued.results.push_back({to, su_.at(value), words});
      return to;
    };
    place_values(queued.inst, view, operand, result);
    rows_.insert(queued.inst.row);
    add_queued(view, OpCode::enqueue, lane, std::move(queued));
  }

  /// Neighbours in both frame and block become one copy.
  static void append_copy(std::vector<Copy>& copies, Copy copy) {
    if (!copies.empty() && copies.back().from + copies.back().words == copy.from && copies.back().to + copies.back().words == copy.to) {
      copies.back().words += copy.words;
    } else {
      copies.push_back(copy);
    }
  }

  void add_queued(const OpView& view, OpCode op, uint8_t lane, Queued queued) {
    role_.max_block_words = std::max(role_.max_block_words, queued.block_words);
    Code& code = emit(op, view.index());
    code.lane = lane;
    code.inst = static_cast<uint32_t>(role_.queued.size());
    if (!queued.results.empty()) code.flags |= kHasResults;
    role_.queued.push_back(std::move(queued));
  }

  // ---- synchronisation

  void no_sync_in_vf(const OpView& view) {
    if (in_vf()) reject(view.index(), std::string(view.mnemonic()) + " inside a vecscope; synchronise around it");
  }

  uint8_t lane_attr(const OpView& view, std::string_view attribute) {
    const Pipe pipe = pipe_attr(view, attribute);
    const uint8_t lane = lane_of(pipe);
    if (lane != kNoLane) return lane;
    refuse(view.index(), "with a pipe that no core has is not supported");
    return kScalarLane;
  }
  /// A pipe named by a pipe or by the kind of operation that runs on it.
  Pipe pipe_attr(const OpView& view, std::string_view attribute) {
    const AttrValue* value = view.attr(attribute);
    const std::optional<Pipe> pipe = value == nullptr ? std::nullopt : named_pipe(p_, view, attribute, *value);
    if (!pipe) reject(view.index(), "'" + std::string(attribute) + "' names no pipe");
    return pipe.value_or(Pipe::s);
  }

  /// Literal or dynamic id of a flag or semaphore.
  void take_id(const OpView& view, Code& code, std::string_view attribute, unsigned slot) {
    const bool dynamic = slot < isa::schema(view.op().row).operands.size() && !view.operands(slot).empty();
    if (!dynamic) {
      code.id = static_cast<int16_t>(view.attr_int(attribute));
      return;
    }
    const ValueId value = view.operand(slot);
    code.flags |= kDynamicId;
    if (unknown(value)) code.flags |= kUnknown;
    code.a = su_.at(value);
  }

  void emit_flag(const OpView& view, bool set, uint8_t src, uint8_t dst) {
    Code code;
    code.op = set ? OpCode::set_flag : OpCode::wait_flag;
    code.pc = view.index();
    code.src = src;
    code.dst = dst;
    code.lane = set ? src : dst;
    take_id(view, code, "event_id", 0);
    role_.code.push_back(code);
  }
  void load_set_flag(const OpView& view) {
    no_sync_in_vf(view);
    emit_flag(view, true, lane_attr(view, "src_pipe"), lane_attr(view, "dst_pipe"));
  }
  void load_wait_flag(const OpView& view) {
    no_sync_in_vf(view);
    emit_flag(view, false, lane_attr(view, "src_pipe"), lane_attr(view, "dst_pipe"));
  }
  void load_record_event(const OpView& view) {
    no_sync_in_vf(view);
    emit_flag(view, true, lane_attr(view, "src_op"), lane_attr(view, "dst_op"));
  }
  void load_wait_event(const OpView& view) {
    no_sync_in_vf(view);
    emit_flag(view, false, lane_attr(view, "src_op"), lane_attr(view, "dst_op"));
  }

  void emit_barrier(const OpView& view, Pipe pipe) {
    no_sync_in_vf(view);
    const uint8_t lane = lane_of(pipe);
    if (lane == kNoLane && pipe != Pipe::all) return refuse(view.index(), "with a pipe that no core has is not supported");
    Code& code = emit(pipe == Pipe::all ? OpCode::barrier_all : OpCode::barrier, view.index());
    code.lane = pipe == Pipe::all ? kScalarLane : lane;
  }
  void load_barrier(const OpView& view) { emit_barrier(view, pipe_attr(view, "pipe")); }
  void load_barrier_sync(const OpView& view) { emit_barrier(view, pipe_attr(view, "op_type")); }

  void emit_buffer(const OpView& view, OpCode op) {
    no_sync_in_vf(view);
    const uint8_t lane = lane_attr(view, "op_type");
    const int64_t id = view.attr_int("buf_id");
    if (id < 0 || id >= machine_.buffer_ids) {
      return reject(view.index(), "buffer id " + std::to_string(id) + "; the target has ids 0.." + std::to_string(machine_.buffer_ids - 1));
    }
    if (op == OpCode::get_buf) role_.buffer_getters[static_cast<size_t>(id)] |= static_cast<uint8_t>(1u << lane);
    const int64_t mode = view.attr_int("mode");
    Code& code = emit(op, view.index());
    code.lane = lane;
    code.id = static_cast<int16_t>(id);
    code.b = static_cast<uint32_t>(mode);
    role_.max_block_words = std::max(role_.max_block_words, kLanes);
  }
  void load_get_buf(const OpView& view) { emit_buffer(view, OpCode::get_buf); }
  void load_rls_buf(const OpView& view) { emit_buffer(view, OpCode::rls_buf); }

  /// Accesses of a vector function and of the scalar unit happen in program order here, so a barrier has nothing to hold.
  void load_mem_bar(const OpView&) {}

  void load_sync(const OpView& view, OpCode op) {
    no_sync_in_vf(view);
    Code code;
    code.op = op;
    code.pc = view.index();
    code.lane = lane_attr(view, "pipe");
    take_id(view, code, "event_id", 0);
    const AttrValue* mode = op == OpCode::sync_set ? view.attr("ffts_mode") : nullptr;
    code.b = mode == nullptr ? 2 : static_cast<uint32_t>(mode->integer);
    role_.code.push_back(code);
  }
  void load_sync_set(const OpView& view) { load_sync(view, OpCode::sync_set); }
  void load_sync_wait(const OpView& view) { load_sync(view, OpCode::sync_wait); }

  const Program& p_;
  const Machine& machine_;
  Kernel& kernel_;
  Role& role_;
  const std::vector<uint8_t>& unknown_;
  FrameLayout su_, vf_;
  const RowId func_row_ = isa::id_of(*isa::find_row("func.func"));
  std::unordered_map<std::string_view, std::vector<FunctionInfo>> functions_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> pending_;
  std::map<uint32_t, uint32_t> positions_, return_slots_;
  std::map<uint32_t, std::vector<uint32_t>> return_places_;
  std::vector<std::pair<uint32_t, uint32_t>> calls_;
  std::set<ValueId> constants_;
  std::set<RowId> rows_;
  std::optional<Error> error_;
  // the vector function being loaded
  std::vector<Copy>* captures_ = nullptr;
  std::unordered_map<ValueId, uint32_t> local_;
  std::set<ValueId> defined_;
};

}  // namespace

Result<std::unique_ptr<Kernel>> load_kernel(const Program& program, const std::string& entry, const Machine& machine) {
  Result<EntryPlan> plan = plan_entry(program, entry);
  if (!plan) return plan.error();
  auto kernel = std::make_unique<Kernel>();
  kernel->program = &program;
  kernel->name = plan->name;
  const Region& body = program.regions_of(program.ops[plan->roles.front().functions.front().op])[0];
  for (uint32_t i = 0; i < body.n_args; ++i) kernel->argument_types.push_back(program.values[body.first_arg + i].type);
  const std::vector<uint8_t> unknown = data_dependent_values(program);
  for (const EntryRole& from : plan->roles) {
    Role role;
    role.kind = from.kind;
    if (std::optional<Error> error = RoleLoader(program, machine, *kernel, role, unknown).load(from.functions)) return *error;
    const auto index = static_cast<uint32_t>(kernel->roles.size());
    for (uint32_t s = 0; s < from.cores; ++s) kernel->cores.push_back({index, from.kind, s});
    kernel->roles.push_back(std::move(role));
  }
  return kernel;
}

}  // namespace pto::sim
