// Loader: SIMT launches. The body of a SIMT function or section stands out of line like a vector function; a
// launch is one entry of PIPE_V that runs it on many threads.
#include <algorithm>

#include "exec/print_op.hpp"
#include "exec/simt/simt_family.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "sim/loader/core_loader.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {
namespace {

constexpr std::string_view kEntry = "pto.simt_entry";
constexpr size_t kMaxCode = size_t{1} << 20;  ///< of one kind of core, with helpers where they are called

bool one_of(std::span<const exec::Semantics> family, const isa::Row& row) {
  return std::ranges::any_of(family, [&](const exec::Semantics& s) { return s.name == row.name; });
}

}  // namespace

bool CoreKindLoader::is_thread_function(uint32_t function) const {
  return OpView(p_, function).attr(kEntry) != nullptr;
}

void CoreKindLoader::load_launch(const OpView& view) {
  if (view.op().n_regions != 0) return load_thread_section(view);
  if (in_vf()) return reject(view.index(), "a launch of threads inside of a vector function");
  const Function* target = resolve(view);
  if (target == nullptr) return;
  constexpr unsigned kArguments = 3;
  const ThreadFunction& body = thread_function(view, target->info.op);
  if (error_) return;
  std::vector<Copy> captures = body.arguments;
  const std::span<const ValueId> given = view.operands(kArguments);
  if (given.size() != captures.size())
    return reject(view.index(), "takes " + std::to_string(captures.size()) + " arguments, " +
                                    std::to_string(given.size()) + " given");
  for (size_t i = 0; i < captures.size(); ++i) captures[i].from = su_.at(given[i]);
  add_launch(view, body.entry, body.frame, captures,
             {su_.at(view.operand(0)), su_.at(view.operand(1)), su_.at(view.operand(2))});
}

/// The section's sizes are written down; what it uses from around is captured.
void CoreKindLoader::load_thread_section(const OpView& view) {
  if (in_vf()) return reject(view.index(), "a section of threads inside of a vector function");
  std::array<uint32_t, 3> dims{};
  constexpr std::array<std::string_view, 3> kNames{"dimX", "dimY", "dimZ"};
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = su_.reserve(1);
    su_.set(dims[i], static_cast<exec::Word>(view.attr_int(kNames[i])));
  }
  threads_ = true;
  const uint32_t begin = vf_.size();
  std::vector<Copy> captures;
  const uint32_t entry = load_out_of_line(view, captures, [&] { load_region(body_of(view)); });
  threads_ = false;
  add_launch(view, entry, {begin, vf_.size()}, captures, dims);
}

/// Loaded once, whoever launches it.
const CoreKindLoader::ThreadFunction& CoreKindLoader::thread_function(const OpView& view, uint32_t function) {
  const auto [at, fresh] = thread_functions_.try_emplace(function);
  if (!fresh) return at->second;
  ThreadFunction& built = at->second;
  const Region& region = body_of(p_, function);
  threads_ = true;
  built.frame[0] = vf_.size();
  std::vector<Copy> captures;
  built.entry = load_out_of_line(view, captures, [&] {
    for (uint32_t i = 0; i < region.n_args; ++i) {
      const ValueId argument = region.first_arg + i;
      built.arguments.push_back({0, define(argument), exec::words_of(p_.type_of(argument))});
    }
    endings_.push_back({Ending::Kind::forward, {}, {}, ~0u});
    load_region(region);
    endings_.pop_back();
  });
  built.frame[1] = vf_.size();
  threads_ = false;
  return built;
}

void CoreKindLoader::add_launch(const OpView& view, uint32_t entry, std::array<uint32_t, 2> frame,
                                const std::vector<Copy>& captures, std::array<uint32_t, 3> dims) {
  Queued queued;
  queued.threads = true;
  queued.entry = entry;
  queued.frame_begin = frame[0];
  queued.frame_end = frame[1];
  queued.inst = make_inst(view, Pipe::v);
  for (size_t i = 0; i < dims.size(); ++i) {
    queued.dims[i] = queued.block_words++;
    queued.captures.push_back({dims[i], queued.dims[i], 1});
  }
  for (const Copy& capture : captures) {
    queued.captures.push_back({capture.from, queued.block_words, capture.words});
    queued.unpack.push_back({queued.block_words, capture.to, capture.words});
    queued.block_words += capture.words;
  }
  add_queued(view, OpCode::vector_function, lane_of(Pipe::v), std::move(queued));
}

void CoreKindLoader::load_thread_dims(const OpView& view) {
  if (in_vf()) return reject(view.index(), "inside of a vector function");
  if (!thread_dims_) thread_dims_ = {su_.reserve(1), su_.reserve(1), su_.reserve(1)};
  // The operands name z first.
  const auto [x, y, z] = *thread_dims_;
  emit_moves(view.index(), view.operands(0), std::array{z});
  emit_moves(view.index(), view.operands(1), std::array{y});
  emit_moves(view.index(), view.operands(2), std::array{x});
}

void CoreKindLoader::load_described_launch(const OpView& view, uint32_t function) {
  if (!thread_dims_) thread_dims_ = {su_.reserve(1), su_.reserve(1), su_.reserve(1)};
  const ThreadFunction& body = thread_function(view, function);
  if (error_) return;
  std::vector<Copy> captures = body.arguments;
  const std::span<const ValueId> given = view.operands(0);
  for (size_t i = 0; i < captures.size() && i < given.size(); ++i) captures[i].from = su_.at(given[i]);
  add_launch(view, body.entry, body.frame, captures, *thread_dims_);
}

void CoreKindLoader::load_thread_call(const OpView& view, uint32_t function) {
  if (role_.code.size() > kMaxCode)
    return fail(view.index(), "the helpers that threads call make too much code", Error::Kind::unsupported);
  const Region& region = body_of(p_, function);
  emit_moves(view.index(), view.operands(0), define_range(region.first_arg, region.n_args));
  endings_.push_back({Ending::Kind::forward, results_of(view), {}, ~0u});
  load_region(region);
  endings_.pop_back();
}

void CoreKindLoader::load_thread_sync(const OpView& view) {
  if (!threads_) return refuse(view.index(), "belongs to SIMT threads");
  const bool barrier = isa::opcode_class(view) == isa::OpcodeClass::thread_barrier;
  BytecodeInst& code = emit(barrier ? OpCode::thread_barrier : OpCode::thread_fence, view.index());
  code.flags |= kCountsCycle;
  code.target = here();
  rows_.insert(view.op().row);
}

/// What threads do: scalar work, accesses of memory, what belongs to threads only.
void CoreKindLoader::load_thread_instruction(const OpView& view) {
  const isa::Row& row = isa::row(view.op().row);
  const Pipe pipe = isa::pipe_of(view);
  if (one_of(exec::prints(), row) || (pipe != Pipe::none && pipe != Pipe::s))
    return refuse(view.index(), "among SIMT threads is not supported");
  exec::Inst inst = make_inst(view, pipe);
  check_semantics(view, inst);
  place_values(
      inst, view, [this](ValueId v) { return at(v); }, [this](ValueId v) { return define(v); });
  BytecodeInst& code =
      emit(one_of(exec::lane_exchange(), row) ? OpCode::exec_lanes : OpCode::exec, view.index());
  code.inst = static_cast<uint32_t>(role_.insts.size());
  if (pipe != Pipe::none) code.flags |= kCountsCycle;
  if (!row.cost.empty() && !timing::engine_timed(row.cost)) {
    code.flags |= kHasCost;
    rows_.insert(inst.row);
  }
  // Where it accesses memory is not known when a pointer or a number it takes is not.
  const auto open = [&](const unsigned slot) {
    return std::ranges::any_of(view.operands(slot), [&](ValueId value) { return unknown(value); });
  };
  for (unsigned slot = 0; slot < inst.schema->operands.size(); ++slot) {
    if (open(slot)) code.flags |= kUnknown;
  }
  role_.insts.push_back(inst);
}

}  // namespace pto::sim
