#include "sim/loader/loader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/data_dependence.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/launch_cores.hpp"
#include "sim/loader/loader_calls.hpp"
#include "sim/loader/loader_control.hpp"
#include "sim/loader/loader_queues.hpp"

namespace pto::sim {
namespace {

void load_arguments(LoaderState& loader, std::span<const FunctionInfo> entries) {
  const auto count = static_cast<uint32_t>(loader.kernel.argument_types.size());
  loader.role.arguments.resize(count);
  for (const FunctionInfo& entry : entries) {
    const Region& body = body_of(loader.program, entry.op);
    // One parameter more than the cube function of the launch has: which of the vector cores this is.
    const bool lane = loader.role.kind == CoreKind::aiv && body.n_args == count + 1;
    if (body.n_args != count && !lane)
      return loader.reject(entry.op, "@" + std::string(entry.name) + " takes " + std::to_string(body.n_args) +
                                         " arguments, the launch has " + std::to_string(count));
    if (lane) loader.role.subblock_words.push_back(loader.frame.scalar.at(body.first_arg + count));
    for (uint32_t i = 0; i < count; ++i) {
      loader.role.arguments[i].push_back({0, loader.frame.scalar.at(body.first_arg + i),
                                          exec::words_of(loader.program.type_of(body.first_arg + i))});
    }
  }
}

void inline_entry(LoaderState& loader, const FunctionInfo& entry) {
  const bool vector = entry.kind == FunctionInfo::Kind::vector;
  const uint32_t guard =
      vector ? guard_first_subblock(loader, entry.op, loader.program.end_of(entry.op)) : ~0u;
  load_region(loader, body_of(loader.program, entry.op));
  close_guard(loader, guard);
}

/// Loads the code of one kind of core; the first thing that was wrong, if anything was.
std::optional<Error> load_core(LoaderState& loader, std::span<const FunctionInfo> entries) {
  load_arguments(loader, entries);
  for (const FunctionInfo& entry : entries) inline_entry(loader, entry);
  loader.code.emit(OpCode::halt, entries.front().op);
  for (size_t i = 0; i < loader.calls.pending.size(); ++i) load_callee(loader, loader.calls.pending[i]);
  if (loader.error) return loader.error;
  for (const auto& [from, function] : loader.calls.calls) {
    loader.role.code[from].target = loader.calls.positions.at(function);
    loader.role.loops.add_call(function, loader.role.code[from].pc);
  }
  loader.role.loops.finish(loader.program, loader.role);
  loader.role.frame = loader.frame.scalar.allocate();
  loader.role.vf_frame = loader.frame.vector.allocate();
  loader.role.rows.assign(loader.code.rows.begin(), loader.code.rows.end());
  return std::nullopt;
}

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
  for (uint32_t i = 0; i < body.n_args; ++i) {
    kernel->argument_types.push_back(program.values[body.first_arg + i].type);
    kernel->parameters.push_back(body.first_arg + i);
  }
  const Functions functions(program);
  const CallGraph calls(program, functions);
  const std::vector<uint8_t> unknown = data_dependent_values(program, functions, calls);
  std::optional<QueueWiring> queues;
  if (has_queues(program)) queues.emplace(program);
  for (const EntryRole& from : plan->roles) {
    CoreCode role;
    role.kind = from.kind;
    LoaderState loader(program, functions, calls, machine, *kernel, role, unknown,
                       queues ? &*queues : nullptr);
    if (std::optional<Error> error = load_core(loader, from.functions)) return *error;
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
