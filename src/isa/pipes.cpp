// Which pipe an operation runs on. Facts: docs/isa.md, "Pipes".
#include "isa/pipes.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "isa/row.hpp"

namespace pto::isa {
namespace {

struct NamedPipe {
  std::string_view name;
  Pipe pipe;
};
constexpr NamedPipe kNamed[] = {
    {"S", Pipe::s},       {"V", Pipe::v},       {"M", Pipe::m},
    {"MTE1", Pipe::mte1}, {"MTE2", Pipe::mte2}, {"MTE3", Pipe::mte3},
    {"FIX", Pipe::fix},   {"none", Pipe::none}, {"@all", Pipe::all},
};

bool on_a5(const OpView& op) { return op.program().target == Target::a5; }
Space space_of(const OpView& op, std::string_view operand) {
  const int slot = schema(op.op().row).operand_slot(operand);
  return slot < 0 ? Space::none : op.type(static_cast<unsigned>(slot)).space;
}
bool operand_side(Space space) { return space == Space::l0a || space == Space::l0b || space == Space::bt; }

/// Vector pipe for UB tiles, the load pipe for matrix tiles (filled through MTE2).
Pipe vec_or_mat(const OpView& op) { return space_of(op, "dst") == Space::l1 ? Pipe::mte2 : Pipe::v; }
/// The accumulator leaves through the fixpipe, everything else through MTE3.
Pipe store(const OpView& op) { return space_of(op, "src") == Space::l0c ? Pipe::fix : Pipe::mte3; }

Pipe tmov(const OpView& op) {
  const Space from = space_of(op, "src"), to = space_of(op, "dst");
  if (from == Space::l0c || to == Space::fb) return Pipe::fix;
  if (from == Space::l1 && (operand_side(to) || to == Space::ub)) return Pipe::mte1;
  if (from == Space::ub && to == Space::l1) return on_a5(op) ? Pipe::mte3 : Pipe::fix;
  return Pipe::v;
}

Pipe textract(const OpView& op) {
  const Space from = space_of(op, "src"), to = space_of(op, "dst");
  if (from == Space::l1 && (operand_side(to) || to == Space::fb)) return Pipe::mte1;
  if (from == Space::l0c) return Pipe::fix;
  if (from == Space::ub && to == Space::l1) return on_a5(op) ? Pipe::mte3 : Pipe::fix;
  return Pipe::v;
}

Pipe tinsert(const OpView& op) {
  const Space from = space_of(op, "src"), to = space_of(op, "dst");
  if (from == Space::ub && to == Space::ub) return Pipe::v;
  return from == Space::ub && to == Space::l1 && on_a5(op) ? Pipe::mte3 : Pipe::fix;
}

Pipe tscatter(const OpView& op) { return on_a5(op) ? Pipe::v : Pipe::s; }
Pipe mgather(const OpView& op) { return space_of(op, "dst") == Space::l1 ? Pipe::mte2 : Pipe::v; }
/// A2/A3 wait on the scalar unit (the whole core); A5 only the named pipe.
Pipe sync_wait(const OpView& op) { return on_a5(op) ? static_cast<Pipe>(op.attr_int("pipe")) : Pipe::s; }
Pipe fifo_push(const OpView& op) {
  if (space_of(op, "tile") == Space::none)
    return (row(op.op().row).flags & kCubeCore) != 0 ? Pipe::fix : Pipe::mte3;
  return space_of(op, "tile") == Space::l0c ? Pipe::fix : Pipe::mte3;
}
/// A2/A3 load the slot from GM. A5 binds the tile to the slot in local memory, and the pipe that works on it
/// waits.
Pipe fifo_pop(const OpView& op) {
  if (!on_a5(op)) return Pipe::mte2;
  const Space space = op.op().n_results != 0 ? op.result_type(0).space : space_of(op, "tile");
  return space == Space::ub ? Pipe::v : space == Space::l1 ? Pipe::mte1 : Pipe::mte2;
}
/// A2/A3 have given the slot of a tile back with the load; views are given back behind the program's loads.
Pipe fifo_free(const OpView& op) {
  const int slot = schema(op.op().row).operand_slot("entry");
  const auto entry = static_cast<unsigned>(slot);
  if (op.operand(entry) != kNoValue && op.type(entry).is_view()) return Pipe::mte2;
  if (!on_a5(op)) return Pipe::s;
  const uint32_t flags = row(op.op().row).flags;
  const Space space = space_of(op, "entry");
  if ((flags & kVectorCore) != 0 || space == Space::ub) return Pipe::v;
  return (flags & kCubeCore) != 0 || space == Space::l1 ? Pipe::mte1 : Pipe::s;
}

Pipe src_op(const OpView& op) { return pipe_of_sync_op(op.attr_int("src_op")); }
Pipe dst_op(const OpView& op) { return pipe_of_sync_op(op.attr_int("dst_op")); }
Pipe op_type(const OpView& op) { return pipe_of_sync_op(op.attr_int("op_type")); }

struct PipeRule {
  std::string_view name;
  Pipe (*rule)(const OpView&);
};
constexpr PipeRule kRules[] = {
    {":vec_or_mat", vec_or_mat}, {":acc_fix_else_mte3", store}, {":tmov", tmov},
    {":textract", textract},     {":tinsert", tinsert},         {":tscatter", tscatter},
    {":mgather", mgather},       {":sync_wait", sync_wait},     {":fifo_push", fifo_push},
    {":fifo_pop", fifo_pop},     {":fifo_free", fifo_free},     {":src_op", src_op},
    {":dst_op", dst_op},         {":op_type", op_type},
};

}  // namespace

Pipe pipe_of_sync_op(int64_t kind) {
  constexpr std::array kPipes = {Pipe::mte2, Pipe::fix, Pipe::mte3, Pipe::mte1, Pipe::fix, Pipe::mte1,
                                 Pipe::v,    Pipe::fix, Pipe::m,    Pipe::v,    Pipe::v};
  return kind >= 0 && static_cast<size_t>(kind) < kPipes.size() ? kPipes[static_cast<size_t>(kind)] : Pipe::s;
}

bool known_pipe(const Row& row) {
  for (const auto& [name, pipe] : kNamed) {
    if (name == row.pipe) return true;
  }
  for (const auto& [name, rule] : kRules) {
    if (name == row.pipe) return true;
  }
  Schema compiled;
  std::string problem;
  return row.pipe.starts_with('@') && compile_schema(row, compiled, problem) &&
         compiled.attr_index(row.pipe.substr(1)) >= 0;
}

Pipe pipe_of(const OpView& op) {
  const std::string_view text = row(op.op().row).pipe;
  for (const auto& [name, pipe] : kNamed) {
    if (name == text) return pipe;
  }
  for (const auto& [name, rule] : kRules) {
    if (name == text) return rule(op);
  }
  if (text.starts_with('@')) return static_cast<Pipe>(op.attr_int(text.substr(1)));
  throw std::logic_error("instruction table: unknown pipe '" + std::string(text) + "'");
}

}  // namespace pto::isa
