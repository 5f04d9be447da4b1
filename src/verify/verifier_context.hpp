// The input and output of a legality rule: the program, one operation, and the diagnostics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/executed_iterations.hpp"
#include "analysis/integer_facts.hpp"
#include "ir/call_graph.hpp"
#include "ir/op_queries.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "pto/verify.hpp"
#include "verify/rule_table.hpp"

namespace pto::legality {

using isa::RowRule, isa::RuleName, isa::in_list, isa::flat_index;

/// Whether the row of an operation has a rule of this name.
[[nodiscard]] inline bool has_rule(const OpView& op, RuleName rule) {
  return isa::row(op.op().row).rule_names.has(rule);
}
/// Sections that start threads.
[[nodiscard]] inline bool is_thread_section(const OpView& op) { return has_rule(op, RuleName::simt_section); }
/// Registers of 32 bits per thread that hold fragments.
inline constexpr int64_t kFragmentSlots = 123;

/// Shared state of one run. Rules add findings through fail() and warn(); they never change the program.
class Checker {
 public:
  /// `written`: the program as it is in the file, when `program` has tiles in place of its memrefs.
  Checker(const Program& program, Level level, Diagnostics& out, const Program* written = nullptr);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] Target target() const { return program_.target; }
  [[nodiscard]] Level level() const { return level_; }
  [[nodiscard]] size_t errors() const { return out_.errors(); }

  Diagnostic& fail(FindingId id, const OpView& op, Anchor::Part part, unsigned index, std::string message,
                   Fix help = {});
  Diagnostic& fail(FindingId id, const OpView& op, std::string message, Fix help = {}) {
    return fail(id, op, Anchor::Part::op, 0, std::move(message), std::move(help));
  }
  Diagnostic& warn(FindingId id, const OpView& op, Anchor::Part part, unsigned index, std::string message,
                   Fix help = {});
  Diagnostic& warn(FindingId id, const OpView& op, std::string message, Fix help = {}) {
    return warn(id, op, Anchor::Part::op, 0, std::move(message), std::move(help));
  }

  Diagnostic& add(Diagnostic diagnostic) { return out_.add(std::move(diagnostic)); }
  /// Whether an error was found at this operation: what depends on it is not worth another.
  [[nodiscard]] bool failed(uint32_t op) const { return failed_.contains(op); }

  /// Adds a note at the definition of a value: what it is and where it comes from. Nothing for block
  /// arguments.
  void note_definition(Diagnostic& diagnostic, ValueId value) const;

  /// The type of a value as written, memrefs included.
  [[nodiscard]] const Type& written_type(ValueId value) const { return written_.type_of(value); }
  /// The operation that makes a value; kNoOp for arguments of regions.
  [[nodiscard]] uint32_t definition(ValueId value) const { return constants_.defining_op(value); }
  /// The functions of the program; made when they are first asked for.
  [[nodiscard]] const Functions& functions() const {
    if (!functions_) functions_.emplace(program_);
    return *functions_;
  }
  /// Who calls whom.
  [[nodiscard]] const CallGraph& calls() const {
    if (!calls_) calls_.emplace(program_, functions());
    return *calls_;
  }
  /// The rows that the program has operations of: most passes concern few rows, most programs have none of
  /// them.
  [[nodiscard]] const std::vector<RowId>& rows() const { return rows_; }
  /// Whether one of them has one of the rules.
  [[nodiscard]] bool any_has_rule(isa::RuleNames rules) const;

  /// The number of a value that is known before the program runs.
  [[nodiscard]] Number constant(ValueId value) const { return constants_.value_of(value); }
  /// What is known of integers and addresses that are computed, whatever wraps.
  [[nodiscard]] const IntegerFacts& integers() const { return integers_; }
  /// Iterations in which an operation is certainly executed.
  [[nodiscard]] const std::vector<IterationVector>& executed_iterations(const OpView& op) const {
    if (!iterations_) iterations_.emplace(program_, constants_);
    return iterations_->iterations_of(op.index());
  }

 private:
  const Program& program_;
  const Program& written_;
  Level level_;
  Diagnostics& out_;
  Constants constants_;
  mutable std::optional<Functions> functions_;
  mutable std::optional<CallGraph> calls_;
  IntegerFacts integers_{program_, constants_, {.overflow = Overflow64::wraps}};
  mutable std::optional<ExecutedIterations> iterations_;
  std::vector<RowId> rows_;
  std::unordered_set<uint32_t> failed_;
};

/// Ordered passes over the whole program; each is one file.
void check_structure(Checker& check);
void check_blocks(Checker& check);
void check_terminators(Checker& check);
void check_tile_types(Checker& check);
void check_attributes(Checker& check);
void check_operations(Checker& check);
void check_memory(Checker& check);
void check_windows(Checker& check);
/// Flags, signals and orders between pipes, without running; for programs that all other passes accept.
/// `machine`: null where the order within a pipe and ids used again are not asked for.
void check_synchronisation(Checker& check, SyncBy sync, const Machine* machine);
/// What the tools cannot order: tiles that change their place.
void check_insertable(Checker& check);
void check_register_types(Checker& check);
void check_align_registers(Checker& check);
void check_simt(Checker& check);
void check_fragments(Checker& check);
void check_queues(Checker& check);
void check_locals(Checker& check);
void check_cross_core(Checker& check);

/// Parts of check_operations.
void check_operand_kinds(Checker& check, const OpView& op);
void check_target(Checker& check, const OpView& op);
void check_elements(Checker& check, const OpView& op);

/// The program with memrefs as the tiles and views they represent; nothing when it has none.
std::optional<Program> memrefs_as_tiles(const Program& program);
/// A memref that represents nothing: `open` when its extents are not known, else no tile has extents like
/// these.
enum class NoTile : uint8_t { open, impossible };
std::optional<NoTile> stands_for_nothing(const Type& type);
/// Whether a tile or view is such a memref: its layout is not known then.
bool from_memref(const Type& type);

// ---- helpers for rules

/// `%name` for messages.
std::string value_name(const Program& program, ValueId value);
/// The position of an attribute for anchors; 0 where the row has none of this name.
inline unsigned attr_index(const OpView& op, std::string_view name) {
  return static_cast<unsigned>(std::max(isa::schema(op.op().row).attr_index(name), 0));
}
/// Says something about another operation, or a part of it.
void add_note(Diagnostic& diagnostic, const OpView& op, std::string message,
              Anchor::Part part = Anchor::Part::op, uint32_t index = 0);
/// The operand's slot, -1 when the row has none of this name.
inline int slot_of(const OpView& op, std::string_view operand) {
  return isa::schema(op.op().row).operand_slot(operand);
}
/// Two values share a byte; a tile counts bytes.
/// "src0" and the like; text of `!pto.tile_buf<..>` values: "16x64xf32, valid 16x60".
std::string describe(const Type& type);
/// Calls each(slot, type) for the tile operands of an operation that hold data (scratch operands left out).
template <typename Each>
void for_each_tile(const OpView& op, Each each) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (schema.operands[slot].role == isa::Role::tmp || schema.operands[slot].arity == isa::Arity::variadic)
      continue;
    const Type& type = op.type(slot);
    if (type.is_tile()) each(slot, type);
  }
}
}  // namespace pto::legality
