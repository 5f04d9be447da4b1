#include "sim/loader/loader_calls.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "ir/regions.hpp"
#include "sim/loader/loader_control.hpp"
#include "sim/loader/loader_queues.hpp"
#include "sim/loader/loader_simt.hpp"

namespace pto::sim {
namespace {

bool runs_on_core_kind(LoaderState& loader, FunctionInfo::Kind kind) {
  if (kind == FunctionInfo::Kind::cube) return loader.role.kind != CoreKind::aiv;
  if (kind == FunctionInfo::Kind::vector) return loader.role.kind != CoreKind::aic;
  return true;
}

uint32_t return_slot(LoaderState& loader, uint32_t function) {
  const auto [at, fresh] = loader.calls.return_slots.try_emplace(function, 0);
  if (!fresh) return at->second;
  loader.calls.pending.push_back(function);
  return at->second = loader.frame.scalar.reserve(1);
}

/// A vector function has no way back from elsewhere: what it calls becomes part of it.
void inline_call(LoaderState& loader, const OpView& view, uint32_t callee) {
  constexpr uint32_t kMaxCode = 1u << 20;  // calls of calls multiply
  if (loader.code.here() > kMaxCode)
    return loader.refuse(view.index(), "makes this vector function too long");
  const Region& body = body_of(loader.program, callee);
  loader.code.emit_moves(view.index(), view.operands(0),
                         loader.frame.define_range(body.first_arg, body.n_args));
  const std::vector<Ending> outer = std::exchange(loader.control.endings, {});
  loader.control.inlined.push_back(loader.frame.define_results(view));
  load_region(loader, body);
  loader.control.inlined.pop_back();
  loader.control.endings = outer;
}

}  // namespace

const Function* resolve_callee(LoaderState& loader, const OpView& call) {
  const Function* from = loader.functions.enclosing_function(call.index());
  const std::span<const uint32_t> meant =
      from == nullptr ? std::span<const uint32_t>() : loader.functions.called(call, *from);
  const auto refuse_as = [&](std::string_view why) {
    const AttrValue* name = call.attr("callee");
    loader.reject(call.index(), "call of @" + std::string(loader.program.strings[name->text]) + ", which " +
                                    std::string(why));
    return nullptr;
  };
  if (meant.empty()) return refuse_as("is not defined");
  if (loader.functions.ambiguous(meant)) return refuse_as("several modules define for the same kind of core");
  const Function* chosen = nullptr;
  bool other_kind = false;
  for (const uint32_t index : meant) {
    const FunctionInfo& info = loader.functions[index].info;
    if (info.declaration) continue;
    if (!runs_on_core_kind(loader, info.kind))
      other_kind = true;
    else if (chosen == nullptr || info.kind != FunctionInfo::Kind::unknown)
      chosen = &loader.functions[index];
  }
  if (chosen == nullptr && !other_kind) return refuse_as("has no body");
  return chosen;
}

void load_callee(LoaderState& loader, uint32_t function) {
  loader.calls.positions[function] = loader.code.here();
  const bool vector = loader.functions.enclosing_function(function)->info.kind == FunctionInfo::Kind::vector;
  const uint32_t guard =
      vector ? guard_first_subblock(loader, function, loader.program.end_of(function)) : ~0u;
  load_region(loader, body_of(loader.program, function));
  close_guard(loader, guard);
  loader.code.emit(OpCode::ret, function).a = return_slot(loader, function);
}

const std::vector<uint32_t>& return_values(LoaderState& loader, uint32_t function) {
  const auto found = loader.calls.return_values.find(function);
  if (found != loader.calls.return_values.end()) return found->second;
  std::vector<uint32_t> places;
  for (const uint32_t op : ops_in(loader.program, body_of(loader.program, function))) {
    const OpView view(loader.program, op);
    if (isa::opcode_class(view) != isa::OpcodeClass::ret) continue;
    for (const ValueId value : view.operands(0))
      places.push_back(loader.frame.scalar.reserve(exec::words_of(loader.program.type_of(value))));
    break;  // all of them return values of the same types
  }
  return loader.calls.return_values.emplace(function, std::move(places)).first->second;
}

void load_call(LoaderState& loader, const OpView& view) {
  const AttrValue* name = view.attr("callee");
  if (name == nullptr) return loader.reject(view.index(), "call without a callee");
  const Function* target = resolve_callee(loader, view);
  if (target == nullptr) {  // the other kind of core runs it
    if (view.op().n_results != 0)
      loader.reject(view.index(), "results of a helper that runs on the other kind of core");
    return;
  }
  const uint32_t callee = target->info.op;
  if (std::ranges::binary_search(loader.call_graph.recursive(), loader.functions.index_of(*target)))
    return loader.reject(
        view.index(), "@" + std::string(target->info.name) + " calls itself; recursion has no meaning here");
  if (loader.threads.active) return load_thread_call(loader, view, callee);
  if (is_thread_function(loader, callee)) {
    if (loader.frame.in_vector_function())
      return loader.refuse(view.index(), "inside a vecscope is not supported");
    return load_described_launch(loader, view, callee);
  }
  if (loader.frame.in_vector_function()) return inline_call(loader, view, callee);
  const Region& body = body_of(loader.program, callee);
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < body.n_args; ++i) places.push_back(loader.frame.scalar.at(body.first_arg + i));
  loader.code.emit_moves(view.index(), view.operands(0), places);
  const uint32_t slot = return_slot(loader, callee);
  BytecodeInst& code = loader.code.emit(OpCode::call, view.index());
  code.a = slot;
  code.flags |= kCountsCycle;
  loader.calls.calls.emplace_back(loader.code.here() - 1, callee);
  if (view.op().n_results == 0) return;
  const std::vector<uint32_t>& from = return_values(loader, callee);
  const uint32_t first = static_cast<uint32_t>(loader.role.copies.size());
  uint32_t total = 0;
  for (uint32_t i = 0; i < view.op().n_results; ++i) {
    const uint32_t words = exec::words_of(view.result_type(i));
    loader.role.copies.push_back({from[i], loader.frame.define(view.result(i)), words});
    total += words;
  }
  loader.code.emit_copies(view.index(), first, total);
}

}  // namespace pto::sim
