// Which pipe an operation runs on. Facts: docs/internals/instruction-table.md, "Pipes".
#include "ir/pipe_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"
#include "isa/row_numbers.hpp"

namespace pto::isa {
namespace {

constexpr std::array kPipes = {Pipe::s,    Pipe::v,    Pipe::m,   Pipe::mte1,
                               Pipe::mte2, Pipe::mte3, Pipe::fix, Pipe::none};

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
  const auto dst = static_cast<unsigned>(schema(op.op().row).operand_slot("dst"));
  if (to == Space::fb && op.type(dst).elem == Elem::f8e8m0) return Pipe::mte1;
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
bool has_operand(const OpView& op, std::string_view name) {
  const int slot = schema(op.op().row).operand_slot(name);
  return slot >= 0 && op.operand(static_cast<unsigned>(slot)) != kNoValue;
}
/// Whether A5 has the slots of the operation's queue in GM: it is made with a view of them there.
bool slots_in_gm(const OpView& op) {
  const int slot = schema(op.op().row).operand_slot("pipe_handle");
  const ValueId handle = slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
  for (uint32_t i = op.index(); i-- > 0;) {
    const OpView built(op.program(), i);
    if (opcode_class(built) == OpcodeClass::function) break;
    if (opcode_class(built) != OpcodeClass::queue_init) continue;
    const bool by_handle = built.op().n_results != 0;
    if (by_handle ? built.result(0) == handle : slot < 0 && built.attr_int("id") == op.attr_int("id"))
      return has_operand(built, by_handle ? "gm_addr" : "gm_slot_tensor");
  }
  return false;
}

/// A2/A3 load the slot from GM, and A5 does where it is there. Otherwise A5 binds the tile to the slot in
/// local memory, and the pipe that works on it waits.
Pipe fifo_pop(const OpView& op) {
  if (!on_a5(op) || slots_in_gm(op)) return Pipe::mte2;
  const Space space = op.op().n_results != 0 ? op.result_type(0).space : space_of(op, "tile");
  return space == Space::ub ? Pipe::v : space == Space::l1 ? Pipe::mte1 : Pipe::mte2;
}
/// The slot of a tile has been given back with the load, where there was one; views are given back behind the
/// program's loads.
Pipe fifo_free(const OpView& op) {
  const int slot = schema(op.op().row).operand_slot("entry");
  const auto entry = static_cast<unsigned>(slot);
  if (op.operand(entry) != kNoValue && op.type(entry).is_view()) return Pipe::mte2;
  if (!on_a5(op) || slots_in_gm(op)) return Pipe::s;
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
  std::string_view a2a3, a5;  ///< the rule in words; a5 empty: the same
};
constexpr PipeRule kRules[] = {
    {":vec_or_mat", vec_or_mat, "MTE2 for a destination in mat, else V", ""},
    {":acc_fix_else_mte3", store, "FIX for a source in acc, else MTE3", ""},
    {":tmov", tmov,
     "FIX from acc and to scaling, MTE1 from mat to left, right, bias and vec, FIX from vec to mat, "
     "else V",
     "FIX from acc and to scaling, MTE1 from mat to left, right, bias, vec and MX scales (f8E8M0), MTE3 from "
     "vec to mat, else V"},
    {":textract", textract,
     "MTE1 from mat to left, right, bias and scaling, FIX from acc, FIX from vec to mat, else V",
     "MTE1 from mat to left, right, bias and scaling, FIX from acc, MTE3 from vec to mat, else V"},
    {":tinsert", tinsert, "V within vec, else FIX", "V within vec, MTE3 from vec to mat, else FIX"},
    {":tscatter", tscatter, "S", "V"},
    {":mgather", mgather, "MTE2 for a destination in mat, else V", ""},
    {":sync_wait", sync_wait, "S: the whole core waits", "the one that `pipe` names"},
    {":fifo_push", fifo_push, "FIX for a tile in acc and on the cube core, else MTE3", ""},
    {":fifo_pop", fifo_pop, "MTE2",
     "V for a tile in vec, MTE1 for one in mat, else MTE2; MTE2 where the slots are in GM"},
    {":fifo_free", fifo_free, "MTE2 for a view, else S",
     "V for a tile in vec, MTE1 for one in mat, S where the slots are in GM, MTE2 for a view"},
    {":src_op", src_op, "the one of the operation kind `src_op`", ""},
    {":dst_op", dst_op, "the one of the operation kind `dst_op`", ""},
    {":op_type", op_type, "the one of the operation kind `op_type`", ""},
};

const PipeRule* find_rule(std::string_view name) {
  const auto* found = std::ranges::find(kRules, name, &PipeRule::name);
  return found == std::end(kRules) ? nullptr : found;
}

}  // namespace

std::optional<Pipe> named_pipe(std::string_view text) {
  static const std::array<std::string_view, kPipes.size()> kNames = [] {
    std::array<std::string_view, kPipes.size()> names;
    std::ranges::transform(kPipes, names.begin(), short_name);
    return names;
  }();
  const auto at = static_cast<size_t>(std::ranges::find(kNames, text) - kNames.begin());
  if (at < kNames.size()) return kPipes[at];
  return text == "@all" ? std::optional(Pipe::all) : std::nullopt;
}

std::string_view short_name(Pipe pipe) {
  constexpr std::string_view kPrefix = "PIPE_";
  std::string_view name = to_string(pipe);
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name;
}

Pipe pipe_of_sync_op(int64_t kind) {
  static const EnumDomain &kinds = *find_enum("sync_op_type"), &pipes = *find_enum("pipe_like");
  const EnumCase* pipe = find_case(pipes, case_name(kinds, kind));
  return pipe == nullptr ? Pipe::s : static_cast<Pipe>(pipe->value);
}

bool known_pipe(const Row& row) {
  if (named_pipe(row.pipe) || find_rule(row.pipe) != nullptr) return true;
  Schema compiled;
  std::string problem;
  return row.pipe.starts_with('@') && compile_schema(row, compiled, problem) &&
         compiled.attr_index(row.pipe.substr(1)) >= 0;
}

std::optional<Pipe> fixed_pipe(RowId id) {
  constexpr uint8_t kDepends = 0xfe;
  static RowNumbers known;
  const uint8_t number = known.of(id, [id] {
    const std::optional<Pipe> pipe = named_pipe(row(id).pipe);
    return pipe ? static_cast<uint8_t>(*pipe) : kDepends;
  });
  return number == kDepends ? std::nullopt : std::optional(static_cast<Pipe>(number));
}

Pipe pipe_of(const OpView& op) {
  if (const std::optional<Pipe> pipe = fixed_pipe(op.op().row)) return *pipe;
  const std::string_view text = row(op.op().row).pipe;
  if (const PipeRule* known = find_rule(text)) return known->rule(op);
  if (text.starts_with('@')) return static_cast<Pipe>(op.attr_int(text.substr(1)));
  throw std::logic_error("instruction table: unknown pipe '" + std::string(text) + "'");
}

std::string pipe_words(const Row& row, Target target) {
  if (row.pipe == "@all") return "all";
  if (row.pipe.starts_with('@')) return fmt::format("the one that `{}` names", row.pipe.substr(1));
  const PipeRule* rule = find_rule(row.pipe);
  if (rule == nullptr) return std::string(row.pipe);
  return std::string(target == Target::a5 && !rule->a5.empty() ? rule->a5 : rule->a2a3);
}

}  // namespace pto::isa
