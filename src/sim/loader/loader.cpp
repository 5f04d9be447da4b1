// Loader: structured operations -> flat code with jump targets, fixed frames and capture lists.
#include "sim/loader/loader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/data_dependence.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/core_loader.hpp"
#include "sim/loader/launch_cores.hpp"

namespace pto::sim {
namespace {

std::string at_line(const Program& program, uint32_t pc) {
  const Location where = program.ops[pc].where;
  const std::string file = program.source_name.empty() ? std::string("line ") : program.source_name + ":";
  return where.line == 0 ? program.source_name : file + std::to_string(where.line);
}

}  // namespace

std::optional<Error> CoreKindLoader::load(std::span<const FunctionInfo> entries) {
  load_arguments(entries);
  for (const FunctionInfo& entry : entries) inline_entry(entry);
  emit(OpCode::halt, entries.front().op);
  for (size_t i = 0; i < pending_.size(); ++i) load_callee(pending_[i]);
  if (error_) return error_;
  for (const auto& [from, function] : calls_) {
    role_.code[from].target = positions_.at(function);
    role_.loops.add_call(function, role_.code[from].pc);
  }
  role_.loops.finish(p_, role_);
  role_.frame = su_.allocate();
  role_.vf_frame = vf_.allocate();
  role_.rows.assign(rows_.begin(), rows_.end());
  return std::nullopt;
}

void CoreKindLoader::fail(uint32_t pc, std::string message, Error::Kind kind) {
  if (!error_) error_ = Error{at_line(p_, pc) + ": " + std::move(message), kind};
}

void CoreKindLoader::refuse(uint32_t pc, const std::string& why) {
  fail(pc, std::string(isa::row(p_.ops[pc].row).name) + " " + why, Error::Kind::unsupported);
}

BytecodeInst& CoreKindLoader::emit(OpCode op, uint32_t pc) {
  BytecodeInst code;
  code.op = op;
  code.pc = pc;
  role_.code.push_back(code);
  return role_.code.back();
}

uint32_t CoreKindLoader::at(ValueId value) {
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

uint32_t CoreKindLoader::define(ValueId value) {
  if (in_vf()) defined_.insert(value);
  return at(value);
}

void CoreKindLoader::emit_moves(uint32_t pc, std::span<const ValueId> from, std::span<const uint32_t> to) {
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

void CoreKindLoader::emit_copies(uint32_t pc, uint32_t first, uint32_t words) {
  role_.max_move_words = std::max(role_.max_move_words, words);
  BytecodeInst& code = emit(OpCode::move, pc);
  code.a = first;
  code.b = static_cast<uint32_t>(role_.copies.size());
}

std::vector<uint32_t> CoreKindLoader::define_range(uint32_t first, uint32_t count) {
  std::vector<uint32_t> places(count);
  for (uint32_t i = 0; i < count; ++i) places[i] = define(first + i);
  return places;
}

void CoreKindLoader::load_arguments(std::span<const FunctionInfo> entries) {
  const auto count = static_cast<uint32_t>(kernel_.argument_types.size());
  role_.arguments.resize(count);
  for (const FunctionInfo& entry : entries) {
    const Region& body = body_of(p_, entry.op);
    // One parameter more than the cube function of the launch has: which of the vector cores this is.
    const bool lane = role_.kind == CoreKind::aiv && body.n_args == count + 1;
    if (body.n_args != count && !lane)
      return reject(entry.op, "@" + std::string(entry.name) + " takes " + std::to_string(body.n_args) +
                                  " arguments, the launch has " + std::to_string(count));
    if (lane) role_.subblock_words.push_back(su_.at(body.first_arg + count));
    for (uint32_t i = 0; i < count; ++i) {
      role_.arguments[i].push_back(
          {0, su_.at(body.first_arg + i), exec::words_of(p_.type_of(body.first_arg + i))});
    }
  }
}

void CoreKindLoader::inline_entry(const FunctionInfo& entry) {
  const bool vector = entry.kind == FunctionInfo::Kind::vector;
  const uint32_t guard = vector ? guard_first_subblock(entry.op, p_.end_of(entry.op)) : ~0u;
  load_region(body_of(p_, entry.op));
  close_guard(guard);
}

const Function* CoreKindLoader::resolve(const OpView& call) {
  const Function* from = functions_.enclosing_function(call.index());
  const std::span<const uint32_t> meant =
      from == nullptr ? std::span<const uint32_t>() : functions_.called(call, *from);
  const auto refuse_as = [&](std::string_view why) {
    const AttrValue* name = call.attr("callee");
    reject(call.index(), "call of @" + std::string(p_.strings[name->text]) + ", which " + std::string(why));
    return nullptr;
  };
  if (meant.empty()) return refuse_as("is not defined");
  if (functions_.ambiguous(meant)) return refuse_as("several modules define for the same kind of core");
  const Function* chosen = nullptr;
  bool other_kind = false;
  for (const uint32_t index : meant) {
    const FunctionInfo& info = functions_[index].info;
    if (info.declaration) continue;
    if (!kind_runs_here(info.kind))
      other_kind = true;
    else if (chosen == nullptr || info.kind != FunctionInfo::Kind::unknown)
      chosen = &functions_[index];
  }
  if (chosen == nullptr && !other_kind) return refuse_as("has no body");
  return chosen;
}

bool CoreKindLoader::kind_runs_here(FunctionInfo::Kind kind) const {
  if (kind == FunctionInfo::Kind::cube) return role_.kind != CoreKind::aiv;
  if (kind == FunctionInfo::Kind::vector) return role_.kind != CoreKind::aic;
  return true;
}

void CoreKindLoader::load_callee(uint32_t function) {
  positions_[function] = here();
  const bool vector = functions_.enclosing_function(function)->info.kind == FunctionInfo::Kind::vector;
  const uint32_t guard = vector ? guard_first_subblock(function, p_.end_of(function)) : ~0u;
  load_region(body_of(p_, function));
  close_guard(guard);
  emit(OpCode::ret, function).a = return_slot(function);
}

uint32_t CoreKindLoader::return_slot(uint32_t function) {
  const auto [at, fresh] = return_slots_.try_emplace(function, 0);
  if (!fresh) return at->second;
  pending_.push_back(function);
  return at->second = su_.reserve(1);
}

const std::vector<uint32_t>& CoreKindLoader::return_places(uint32_t function) {
  const auto found = return_places_.find(function);
  if (found != return_places_.end()) return found->second;
  std::vector<uint32_t> places;
  for (const uint32_t op : ops_in(p_, body_of(p_, function))) {
    const OpView view(p_, op);
    if (isa::opcode_class(view) != isa::OpcodeClass::ret) continue;
    for (const ValueId value : view.operands(0))
      places.push_back(su_.reserve(exec::words_of(p_.type_of(value))));
    break;  // all of them return values of the same types
  }
  return return_places_.emplace(function, std::move(places)).first->second;
}

void CoreKindLoader::load_call(const OpView& view) {
  const AttrValue* name = view.attr("callee");
  if (name == nullptr) return reject(view.index(), "call without a callee");
  const Function* target = resolve(view);
  if (target == nullptr) {  // the other kind of core runs it
    if (view.op().n_results != 0)
      reject(view.index(), "results of a helper that runs on the other kind of core");
    return;
  }
  const uint32_t callee = target->info.op;
  if (std::ranges::binary_search(call_graph_.recursive(), functions_.index_of(*target)))
    return reject(view.index(),
                  "@" + std::string(target->info.name) + " calls itself; recursion has no meaning here");
  if (threads_) return load_thread_call(view, callee);
  if (is_thread_function(callee)) {
    if (in_vf()) return refuse(view.index(), "inside a vecscope is not supported");
    return load_described_launch(view, callee);
  }
  if (in_vf()) return inline_call(view, callee);
  const Region& body = body_of(p_, callee);
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < body.n_args; ++i) places.push_back(su_.at(body.first_arg + i));
  emit_moves(view.index(), view.operands(0), places);
  const uint32_t slot = return_slot(callee);
  BytecodeInst& code = emit(OpCode::call, view.index());
  code.a = slot;
  code.flags |= kCountsCycle;
  calls_.emplace_back(here() - 1, callee);
  if (view.op().n_results == 0) return;
  const std::vector<uint32_t>& from = return_places(callee);
  const uint32_t first = static_cast<uint32_t>(role_.copies.size());
  uint32_t total = 0;
  for (uint32_t i = 0; i < view.op().n_results; ++i) {
    const uint32_t words = exec::words_of(view.result_type(i));
    role_.copies.push_back({from[i], define(view.result(i)), words});
    total += words;
  }
  emit_copies(view.index(), first, total);
}

/// A vector function has no way back from elsewhere: what it calls becomes part of it.
void CoreKindLoader::inline_call(const OpView& view, uint32_t callee) {
  constexpr uint32_t kMaxCode = 1u << 20;  // calls of calls multiply
  if (here() > kMaxCode) return refuse(view.index(), "makes this vector function too long");
  const Region& body = body_of(p_, callee);
  emit_moves(view.index(), view.operands(0), define_range(body.first_arg, body.n_args));
  const std::vector<Ending> outer = std::exchange(endings_, {});
  inlined_.push_back(results_of(view));
  load_region(body);
  inlined_.pop_back();
  endings_ = outer;
}

namespace {

/// Values live in the frame of every core.
std::optional<Error> check_values(const Program& program) {
  constexpr uint32_t kMaxWords = 1u << 20;
  for (TypeId id = 0; id < program.types.size(); ++id) {
    const uint32_t words = exec::words_of(program.types[id]);
    if (words > kMaxWords)
      return Error{to_string(program.types[id]) + " is larger than the 8 MiB that a value may take",
                   Error::Kind::unsupported};
  }
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Kernel>> load_kernel(const Program& program, const std::string& entry,
                                            const Machine& machine) {
  if (std::optional<Error> error = check_values(program)) return *error;
  Result<EntryPlan> plan = plan_entry(program, entry);
  if (!plan) return plan.error();
  auto kernel = std::make_unique<Kernel>();
  kernel->program = &program;
  kernel->name = plan->name;
  const Region& body = body_of(program, plan->roles.front().functions.front().op);
  for (uint32_t i = 0; i < body.n_args; ++i)
    kernel->argument_types.push_back(program.values[body.first_arg + i].type),
        kernel->parameters.push_back(body.first_arg + i);
  const Functions functions(program);
  const CallGraph calls(program, functions);
  const std::vector<uint8_t> unknown = data_dependent_values(program, functions, calls);
  std::optional<QueueWiring> queues;
  if (has_queues(program)) queues.emplace(program);
  for (const EntryRole& from : plan->roles) {
    CoreCode role;
    role.kind = from.kind;
    if (std::optional<Error> error = CoreKindLoader(program, functions, calls, machine, *kernel, role,
                                                    unknown, queues ? &*queues : nullptr)
                                         .load(from.functions))
      return *error;
    const auto index = static_cast<uint32_t>(kernel->roles.size());
    for (uint32_t s = 0; s < from.cores; ++s) kernel->cores.push_back({index, from.kind, s});
    kernel->roles.push_back(std::move(role));
  }
  return kernel;
}

void fill_masks(Kernel& kernel, const std::vector<uint32_t>& ops) {
  const auto is_mask = [](const exec::ValueRef& ref) {
    return ref.type->kind == TypeKind::mask || ref.type->kind == TypeKind::vmi_mask;
  };
  for (CoreCode& role : kernel.roles) {
    for (exec::Inst& inst : role.insts) {
      if (!std::ranges::binary_search(ops, inst.pc)) continue;
      std::vector<exec::ValueRef> values(inst.values.begin(), inst.values.end());
      for (exec::ValueRef& each : values) {
        if (!is_mask(each)) continue;
        each.offset = static_cast<uint32_t>(role.vf_frame.size());
        role.vf_frame.resize(role.vf_frame.size() + exec::words_of(*each.type), ~exec::Word{0});
      }
      inst.values = kernel.ref_arena.emplace_back(std::move(values));
    }
  }
}

}  // namespace pto::sim
