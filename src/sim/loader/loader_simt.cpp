#include "sim/loader/loader_simt.hpp"

#include <algorithm>

#include "exec/print_op.hpp"
#include "exec/simt/simt_family.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/loader_calls.hpp"
#include "sim/loader/loader_control.hpp"
#include "sim/loader/loader_instructions.hpp"
#include "sim/loader/loader_vector.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {
namespace {

constexpr std::string_view kEntry = "pto.simt_entry";

constexpr size_t kMaxCode = size_t{1} << 20;  ///< of one kind of core, with helpers where they are called

/// Loaded once, whoever launches it.
const ThreadFunction& load_thread_function(LoaderState& loader, const OpView& view, uint32_t function) {
  const auto [at, fresh] = loader.threads.functions.try_emplace(function);
  if (!fresh) return at->second;
  ThreadFunction& built = at->second;
  const Region& region = body_of(loader.program, function);
  loader.threads.active = true;
  built.frame[0] = loader.frame.vector.size();
  std::vector<Copy> captures;
  built.entry = load_out_of_line(loader, view, captures, [&] {
    for (uint32_t i = 0; i < region.n_args; ++i) {
      const ValueId argument = region.first_arg + i;
      built.arguments.push_back(
          {0, loader.frame.define(argument), exec::words_of(loader.program.type_of(argument))});
    }
    loader.control.endings.push_back({Ending::Kind::forward, {}, {}, ~0u});
    load_region(loader, region);
    loader.control.endings.pop_back();
  });
  built.frame[1] = loader.frame.vector.size();
  loader.threads.active = false;
  return built;
}

void add_launch(LoaderState& loader, const OpView& view, uint32_t entry, std::array<uint32_t, 2> frame,
                const std::vector<Copy>& captures, std::array<uint32_t, 3> dims) {
  Queued queued;
  queued.threads = true;
  queued.entry = entry;
  queued.frame_begin = frame[0];
  queued.frame_end = frame[1];
  queued.inst = make_inst(loader, view, Pipe::v);
  for (size_t i = 0; i < dims.size(); ++i) {
    queued.dims[i] = queued.block_words++;
    queued.captures.push_back({dims[i], queued.dims[i], 1});
  }
  add_captures(queued, captures);
  loader.code.emit_queued(view.index(), OpCode::vector_function, lane_of(Pipe::v), std::move(queued));
}

/// The section's sizes are written down; what it uses from around is captured.
void load_thread_section(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function())
    return loader.reject(view.index(), "a section of threads inside of a vector function");
  std::array<uint32_t, 3> dims{};
  constexpr std::array<std::string_view, 3> kNames{"dimX", "dimY", "dimZ"};
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = loader.frame.scalar.reserve(1);
    loader.frame.scalar.set(dims[i], static_cast<exec::Word>(view.attr_int(kNames[i])));
  }
  loader.threads.active = true;
  const uint32_t begin = loader.frame.vector.size();
  std::vector<Copy> captures;
  const uint32_t entry =
      load_out_of_line(loader, view, captures, [&] { load_region(loader, body_of(view)); });
  loader.threads.active = false;
  add_launch(loader, view, entry, {begin, loader.frame.vector.size()}, captures, dims);
}

}  // namespace

bool is_thread_function(LoaderState& loader, uint32_t function) {
  return OpView(loader.program, function).attr(kEntry) != nullptr;
}

void load_launch(LoaderState& loader, const OpView& view) {
  if (view.op().n_regions != 0) return load_thread_section(loader, view);
  if (loader.frame.in_vector_function())
    return loader.reject(view.index(), "a launch of threads inside of a vector function");
  const Function* target = resolve_callee(loader, view);
  if (target == nullptr) return;
  constexpr unsigned kArguments = 3;
  const ThreadFunction& body = load_thread_function(loader, view, target->info.op);
  if (loader.error) return;
  std::vector<Copy> captures = body.arguments;
  const std::span<const ValueId> given = view.operands(kArguments);
  if (given.size() != captures.size())
    return loader.reject(view.index(), "takes " + std::to_string(captures.size()) + " arguments, " +
                                           std::to_string(given.size()) + " given");
  for (size_t i = 0; i < captures.size(); ++i) captures[i].from = loader.frame.scalar.at(given[i]);
  add_launch(loader, view, body.entry, body.frame, captures,
             {loader.frame.scalar.at(view.operand(0)), loader.frame.scalar.at(view.operand(1)),
              loader.frame.scalar.at(view.operand(2))});
}

void load_described_launch(LoaderState& loader, const OpView& view, uint32_t function) {
  if (!loader.threads.dims)
    loader.threads.dims = {loader.frame.scalar.reserve(1), loader.frame.scalar.reserve(1),
                           loader.frame.scalar.reserve(1)};
  const ThreadFunction& body = load_thread_function(loader, view, function);
  if (loader.error) return;
  std::vector<Copy> captures = body.arguments;
  const std::span<const ValueId> given = view.operands(0);
  for (size_t i = 0; i < captures.size() && i < given.size(); ++i)
    captures[i].from = loader.frame.scalar.at(given[i]);
  add_launch(loader, view, body.entry, body.frame, captures, *loader.threads.dims);
}

void load_thread_dims(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function()) return loader.reject(view.index(), "inside of a vector function");
  if (!loader.threads.dims)
    loader.threads.dims = {loader.frame.scalar.reserve(1), loader.frame.scalar.reserve(1),
                           loader.frame.scalar.reserve(1)};
  // The operands name z first.
  const auto [x, y, z] = *loader.threads.dims;
  loader.code.emit_moves(view.index(), view.operands(0), std::array{z});
  loader.code.emit_moves(view.index(), view.operands(1), std::array{y});
  loader.code.emit_moves(view.index(), view.operands(2), std::array{x});
}

void load_thread_sync(LoaderState& loader, const OpView& view) {
  if (!loader.threads.active) return loader.refuse(view.index(), "belongs to SIMT threads");
  const bool barrier = isa::opcode_class(view) == isa::OpcodeClass::thread_barrier;
  BytecodeInst& code =
      loader.code.emit(barrier ? OpCode::thread_barrier : OpCode::thread_fence, view.index());
  code.flags |= kCountsCycle;
  code.target = loader.code.here();
  loader.code.rows.insert(view.op().row);
}

void load_thread_call(LoaderState& loader, const OpView& view, uint32_t function) {
  if (loader.role.code.size() > kMaxCode)
    return loader.fail(view.index(), "the helpers that threads call make too much code",
                       Error::Kind::unsupported);
  const Region& region = body_of(loader.program, function);
  loader.code.emit_moves(view.index(), view.operands(0),
                         loader.frame.define_range(region.first_arg, region.n_args));
  loader.control.endings.push_back({Ending::Kind::forward, loader.frame.define_results(view), {}, ~0u});
  load_region(loader, region);
  loader.control.endings.pop_back();
}

void load_thread_instruction(LoaderState& loader, const OpView& view) {
  const isa::Row& row = isa::row(view.op().row);
  const Pipe pipe = isa::pipe_of(view);
  if (one_of(exec::prints(), row) || (pipe != Pipe::none && pipe != Pipe::s))
    return loader.refuse(view.index(), "among SIMT threads is not supported");
  exec::Inst inst = make_inst(loader, view, pipe);
  check_semantics(loader, view, inst);
  place_in_frame(loader, inst, view);
  BytecodeInst& code =
      loader.code.emit_inst(one_of(exec::lane_exchange(), row) ? OpCode::exec_lanes : OpCode::exec, inst);
  if (pipe != Pipe::none) code.flags |= kCountsCycle;
  if (!row.cost.empty() && !timing::engine_timed(row.cost)) {
    code.flags |= kHasCost;
    loader.code.rows.insert(inst.row);
  }
  // Where it accesses memory is not known when a pointer or a number it takes is not.
  const auto open = [&](const unsigned slot) {
    return std::ranges::any_of(view.operands(slot), [&](ValueId value) { return loader.is_unknown(value); });
  };
  for (unsigned slot = 0; slot < inst.schema->operands.size(); ++slot) {
    if (open(slot)) code.flags |= kUnknown;
  }
}

}  // namespace pto::sim
