#include "analysis/core_kinds.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "isa/row_numbers.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;
using Kind = FunctionInfo::Kind;

constexpr CoreSet core_of(Kind kind) {
  return kind == Kind::cube ? CoreSet::cube : kind == Kind::vector ? CoreSet::vector : CoreSet::none;
}

/// Both cores have a scalar unit and MTE2.
constexpr CoreSet core_of(Pipe pipe) {
  switch (pipe) {
    case Pipe::m:
    case Pipe::mte1:
    case Pipe::fix:
      return CoreSet::cube;
    case Pipe::v:
    case Pipe::mte3:
      return CoreSet::vector;
    default:
      return CoreSet::none;
  }
}

/// Of the operands and results: the memories of the cube, L1 apart, decide before UB, and UB before L1, as in
/// the public assembler (PTOAS, pass PTONormalizeUncoveredTileSections, classifyTileOpByAddressSpace).
CoreSet by_memory(const OpView& op) {
  bool ub = false, l1 = false, other = false;
  const auto see = [&](const Type& type) {
    ub = ub || type.space == Space::ub;
    l1 = l1 || type.space == Space::l1;
    other = other || (type.space != Space::none && type.space != Space::gm && type.space != Space::ub &&
                      type.space != Space::l1);
  };
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value != kNoValue) see(op.program().type_of(value));
    }
  }
  for (uint32_t r = 0; r < op.op().n_results; ++r) see(op.result_type(r));
  return other ? CoreSet::cube : ub ? CoreSet::vector : l1 ? CoreSet::cube : CoreSet::none;
}

/// The pipe that an attribute names, as a pipe or as a kind of operation.
std::optional<Pipe> pipe_in(const OpView& op, std::string_view pipe, std::string_view kind) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (const std::string_view name : {pipe, kind}) {
    const int spec = schema.attr_index(name);
    if (spec < 0) continue;
    const isa::EnumDomain* domain = schema.attrs[static_cast<size_t>(spec)].domain;
    const int64_t number = op.attr_int(name);
    if (domain != nullptr && domain->name == "sync_op_type") return isa::pipe_of_sync_op(number);
    return static_cast<Pipe>(number);
  }
  return std::nullopt;
}

/// The pipe on which a flag's instruction runs decides, and where both cores have it, the one at its other
/// end; so too where MTE3 waits for a pipe of the cube, as it then stores from L1.
CoreSet of_flag(const OpView& op, bool sets) {
  const std::optional<Pipe> source = pipe_in(op, "src_pipe", "src_op"),
                            destination = pipe_in(op, "dst_pipe", "dst_op");
  if (!source || !destination) return CoreSet::none;
  const CoreSet own = core_of(sets ? *source : *destination), other = core_of(sets ? *destination : *source);
  const bool from_l1 = (sets ? *source : *destination) == Pipe::mte3 && other == CoreSet::cube;
  return own == CoreSet::none || from_l1 ? other : own;
}

CoreSet of_synchronisation(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  switch (opcode_class) {
    case OpcodeClass::set_flag:
    case OpcodeClass::set_flag_dyn:
    case OpcodeClass::record_event:
      return of_flag(op, true);
    case OpcodeClass::wait_flag:
    case OpcodeClass::wait_flag_dyn:
    case OpcodeClass::wait_event:
      return of_flag(op, false);
    case OpcodeClass::get_buf:
    case OpcodeClass::rls_buf:
    case OpcodeClass::barrier_kind:
      return core_of(pipe_in(op, "pipe", "op_type").value_or(Pipe::none));
    case OpcodeClass::barrier:
      return core_of(pipe_in(op, "pipe", "op_type").value_or(Pipe::all));
    default:
      return isa::is_signal(opcode_class) ? core_of(pipe_in(op, "pipe", "op_type").value_or(Pipe::none))
                                          : CoreSet::none;
  }
}

/// Values, names of storage, structure: every core has them.
bool is_common(const isa::Row& row) {
  return (row.flags & isa::kPure) != 0 || isa::is_scalar_evaluable(row.opcode_class) ||
         isa::is_structural(row.opcode_class);
}

/// No CoreSet: operands, attributes or other operations decide. Behind it what does not count, or is asked of
/// others.
constexpr uint8_t kDepends = 4, kSynchronises = 5, kDivides = 6, kCalls = 7;

uint8_t of_row(const isa::Row& row) {
  const auto number = [](CoreSet set) { return static_cast<uint8_t>(set); };
  if (isa::is_section(row.opcode_class)) return kDivides;
  if (row.opcode_class == OpcodeClass::call) return kCalls;
  if ((row.flags & isa::kCubeCore) != 0) return number(CoreSet::cube);
  if ((row.flags & isa::kVectorCore) != 0) return number(CoreSet::vector);
  if (isa::is_queue_transfer(row.opcode_class)) return kDivides;
  if (isa::is_synchronisation(row.opcode_class)) return kSynchronises;
  if (row.opcode_class == OpcodeClass::loop) return kDepends;
  const bool scope =
      row.opcode_class == OpcodeClass::vecscope || row.opcode_class == OpcodeClass::strict_vecscope;
  if (scope || row.opcode_class == OpcodeClass::launch_threads) return number(CoreSet::vector);
  // Outside of vector scopes a memory barrier holds nothing.
  if (row.opcode_class == OpcodeClass::memory_barrier || row.pipe.empty() || is_common(row))
    return number(CoreSet::none);
  const std::optional<Pipe> pipe = isa::fixed_pipe(isa::id_of(row));
  if (pipe == Pipe::none) return number(CoreSet::none);
  if (pipe == Pipe::v) return number(CoreSet::vector);
  return pipe && core_of(*pipe) == CoreSet::cube ? number(CoreSet::cube) : kDepends;
}

uint8_t known_of_row(RowId id) {
  static isa::RowNumbers known;
  return known.of(id, [id] { return of_row(isa::row(id)); });
}

/// Of an instruction that is no section, call, or use of a queue.
CoreSet of_operation(const OpView& op) {
  if (const uint8_t known = known_of_row(op.op().row); known < kDepends) return static_cast<CoreSet>(known);
  const isa::Row& row = isa::row(op.op().row);
  if (opens_vector_scope(op)) return CoreSet::vector;
  if (isa::is_synchronisation(row.opcode_class)) return of_synchronisation(op);
  if (is_common(row)) return CoreSet::none;
  const Pipe pipe = isa::pipe_of(op);
  if (pipe == Pipe::none) return CoreSet::none;
  if (pipe == Pipe::v) return CoreSet::vector;
  if (core_of(pipe) == CoreSet::cube) return CoreSet::cube;
  const CoreSet memory = by_memory(op);
  return memory != CoreSet::none || pipe == Pipe::s ? memory : core_of(pipe);
}

}  // namespace

bool may_need_division(const Program& program) {
  CoreSet needed = CoreSet::none, callees = CoreSet::none;
  bool calls = false;
  for (const FunctionInfo& function : functions(program)) {
    if (function.kind != Kind::unknown) callees = callees | core_of(function.kind);
    if (function.kind != Kind::unknown || function.declaration) continue;
    const uint32_t end = program.end_of(function.op);
    for (uint32_t op = function.op + 1; op < end; ++op) {
      const uint8_t known = known_of_row(program.ops[op].row);
      if (known == kDivides) return true;
      calls = calls || known == kCalls;
      if (known <= kDepends)
        needed =
            needed | (known < kDepends ? static_cast<CoreSet>(known) : of_operation(OpView(program, op)));
    }
  }
  return (calls ? needed | callees : needed) == CoreSet::both;
}

Cores::Cores(const Program& program, const Functions& functions, const CallGraph& calls)
    : program_(program), functions_(functions), needed_(functions.all().size(), CoreSet::none) {
  if (has_queues(program)) queues_.emplace(program);
  for (const Call& call : calls.calls()) callees_.emplace_back(call.op, call.callee);
  std::ranges::sort(callees_);
  for (const uint32_t index : calls.callees_first()) {
    const Function& function = functions[index];
    CoreSet& needed = needed_[index];
    needed = core_of(function.info.kind);
    if (needed != CoreSet::none || function.info.declaration) continue;
    for (const uint32_t op : descendants(program, function.info.op)) {
      const OpcodeClass opcode_class = isa::row(program.ops[op].row).opcode_class;
      if (!isa::is_synchronisation(opcode_class)) needed = needed | cores_of(op);
    }
    for (const Call& call : calls.calls_of(index)) needed = needed | needed_[call.callee];
  }
}

CoreSet Cores::cores_of(uint32_t index) const {
  const OpView op(program_, index);
  const isa::Row& row = isa::row(op.op().row);
  if (row.opcode_class == OpcodeClass::section_cube) return CoreSet::cube;
  if (row.opcode_class == OpcodeClass::section_vector) return CoreSet::vector;
  if (row.opcode_class == OpcodeClass::call) return cores_of_call(index);
  // What only one kind of core has says it by its row.
  if (isa::is_queue_transfer(row.opcode_class) && (row.flags & (isa::kCubeCore | isa::kVectorCore)) == 0)
    return cores_of_queue(index);
  return of_operation(op);
}

CoreSet Cores::cores_of_all(uint32_t index) const {
  CoreSet all = cores_of(index);
  const OpView op(program_, index);
  if (isa::is_section(isa::opcode_class(op)) || opens_vector_scope(op)) return all;
  for (const uint32_t child : ops_in(program_, index)) {
    if (!isa::is_section(isa::row(program_.ops[child].row).opcode_class)) all = all | cores_of_all(child);
  }
  return all;
}

bool Cores::is_unknown(uint32_t index) const {
  const OpcodeClass opcode_class = isa::row(program_.ops[index].row).opcode_class;
  const bool one_pipe = opcode_class == OpcodeClass::get_buf || opcode_class == OpcodeClass::rls_buf ||
                        isa::is_signal(opcode_class);
  return (one_pipe || isa::is_pipe_pair_synchronisation(opcode_class)) && cores_of(index) == CoreSet::none;
}

CoreSet Cores::cores_of_call(uint32_t op) const {
  CoreSet all = CoreSet::none;
  for (auto at = std::ranges::lower_bound(callees_, std::pair(op, 0U));
       at != callees_.end() && at->first == op; ++at) {
    if (functions_[at->second].info.kind == Kind::unknown) all = all | needed_[at->second];
  }
  return all;
}

/// The end that the cube core sends from, or receives at.
CoreSet Cores::cores_of_queue(uint32_t op) const {
  const QueueEnd* end = queues_ ? queues_->end_of(op) : nullptr;
  const OpView view(program_, op);
  if (end == nullptr || (end->directions != 1 && end->directions != 2)) return by_memory(view);
  const OpcodeClass opcode_class = isa::opcode_class(view);
  const bool sends = opcode_class == OpcodeClass::queue_alloc || opcode_class == OpcodeClass::queue_push;
  return sends == (end->directions == 1) ? CoreSet::cube : CoreSet::vector;
}

}  // namespace pto
