// What every legality rule sees: the program, one operation, and where findings go.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "isa/row.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "pto/verify.hpp"

namespace pto::legality {

/// Shared state of one run. Rules add findings through fail() and warn(); they never change the program.
class Checker {
 public:
  /// `written`: the program as it stands in the file, when `program` has tiles in place of its memrefs.
  Checker(const Program& program, Level level, Diagnostics& out, const Program* written = nullptr);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] Target target() const { return program_.target; }
  [[nodiscard]] Level level() const { return level_; }
  [[nodiscard]] size_t errors() const { return out_.errors(); }

  Diagnostic& fail(std::string_view id, const OpView& op, Anchor::Part part, unsigned index, std::string message, std::string help = {});
  Diagnostic& fail(std::string_view id, const OpView& op, std::string message, std::string help = {}) {
    return fail(id, op, Anchor::Part::op, 0, std::move(message), std::move(help));
  }
  Diagnostic& warn(std::string_view id, const OpView& op, Anchor::Part part, unsigned index, std::string message, std::string help = {});
  Diagnostic& warn(std::string_view id, const OpView& op, std::string message, std::string help = {}) {
    return warn(id, op, Anchor::Part::op, 0, std::move(message), std::move(help));
  }

  Diagnostic& add(Diagnostic diagnostic) { return out_.add(std::move(diagnostic)); }
  /// Whether an error was found at this operation: what depends on it is not worth another.
  [[nodiscard]] bool failed(uint32_t op) const { return failed_.contains(op); }

  /// Adds a note at the definition of a value: what it is and where it comes from. Nothing for block arguments.
  void note_definition(Diagnostic& diagnostic, ValueId value) const;

  /// The type of a value as written, memrefs included.
  [[nodiscard]] const Type& written_type(ValueId value) const { return written_.type_of(value); }
  /// The operation that makes a value; ~0 for block arguments.
  [[nodiscard]] uint32_t definition(ValueId value) const { return definitions_[value]; }
  /// The value of an integer constant, seen through index casts.
  [[nodiscard]] std::optional<int64_t> constant(ValueId value) const;

 private:
  const Program& program_;
  const Program& written_;
  Level level_;
  Diagnostics& out_;
  std::vector<uint32_t> definitions_;
  std::unordered_set<uint32_t> failed_;
};

/// What a rule's verdict depends on. Operations of the same row and types share the verdicts of `types` rules.
enum class Sees : uint8_t { types, values };

/// One entry of the table's `rules` column, taken apart: `name`, `name:argument`, or either behind `a2a3.` or `a5.` for a
/// rule of one target (which the functional target cpu does not have).
struct RuleText {
  std::optional<Target> target;
  std::string_view name, argument;
};
RuleText split_rule(std::string_view text);

/// A rule of the table's `rules` column.
struct OpRule {
  std::string_view name;
  Sees sees;
  void (*check)(Checker&, const OpView&, std::string_view argument);
};
/// The families of such rules.
std::span<const OpRule> location_rules();
std::span<const OpRule> layout_rules();
std::span<const OpRule> reduction_rules();
std::span<const OpRule> matrix_rules();
std::span<const OpRule> move_rules();
std::span<const OpRule> transfer_rules();
std::span<const OpRule> window_rules();
std::span<const OpRule> gather_rules();
std::span<const OpRule> shape_rules();
std::span<const OpRule> scratch_rules();
std::span<const OpRule> scalar_rules();
std::span<const OpRule> vector_rules();
std::span<const OpRule> cube_rules();
std::span<const OpRule> fixpipe_rules();
std::span<const OpRule> sync_rules();
std::span<const OpRule> memref_rules();
std::span<const OpRule> register_rules();
std::span<const OpRule> convert_rules();
std::span<const OpRule> vector_memory_rules();
std::span<const OpRule> pointer_rules();
std::span<const OpRule> dma_rules();
std::span<const OpRule> simt_rules();
std::span<const OpRule> comm_rules();
std::span<const OpRule> queue_rules();
/// The rule with this name or nullptr.
const OpRule* find_op_rule(std::string_view name);

/// Ordered passes over the whole program; each is one file.
void check_structure(Checker& check);
void check_blocks(Checker& check);
void check_terminators(Checker& check);
void check_tile_types(Checker& check);
void check_attributes(Checker& check);
void check_operations(Checker& check);
void check_memory(Checker& check);
/// Flags, signals and orders between pipes, without running; for programs that all other passes accept.
void check_synchronisation(Checker& check, SyncBy sync);
/// What the tools cannot order: tiles that change their place.
void check_insertable(Checker& check);
void check_register_types(Checker& check);
void check_align_registers(Checker& check);
void check_simt(Checker& check);
void check_queues(Checker& check);
void check_cross_core(Checker& check);

/// Parts of check_operations.
void check_operand_kinds(Checker& check, const OpView& op);
void check_target(Checker& check, const OpView& op);
void check_elements(Checker& check, const OpView& op);

/// The program with memrefs as the tiles and views they stand for; nothing when it has none.
std::optional<Program> memrefs_as_tiles(const Program& program);
/// A memref that stands for nothing: `open` when its extents are not known, else no tile has extents like these.
enum class NoTile : uint8_t { open, impossible };
std::optional<NoTile> stands_for_nothing(const Type& type);
/// Whether a tile or view is such a memref: its layout is not known then.
bool from_memref(const Type& type);

/// The verifier's own part of rules().
std::span<const Rule> verifier_rules();
std::span<const Rule> memref_rule_texts();
std::span<const Rule> tile_rule_texts();
std::span<const Rule> synchronisation_rules();
std::span<const Rule> micro_rules();
std::span<const Rule> simt_and_queue_rules();

// ---- helpers for rules

/// `%name` for messages.
std::string value_name(const Program& program, ValueId value);
/// The operand's slot, -1 when the row has none of this name.
inline int slot_of(const OpView& op, std::string_view operand) { return isa::schema(op.op().row).operand_slot(operand); }
/// Position of a slot's first value in the flat operand list, for anchors.
unsigned flat_index(const OpView& op, unsigned slot);
/// "src0" and the like; text of `!pto.tile_buf<..>` values: "16x64xf32, valid 16x60".
std::string describe(const Type& type);
/// Calls each(slot, type) for the tile operands of an operation that hold data (scratch operands left out).
template <typename Each>
void for_each_tile(const OpView& op, Each each) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (schema.operands[slot].role == isa::Role::tmp || schema.operands[slot].arity == isa::Arity::variadic) continue;
    const Type& type = op.type(slot);
    if (type.is_tile()) each(slot, type);
  }
}
/// Whether `name` is in a comma list; an empty list holds every name.
bool in_list(std::string_view list, std::string_view name);

}  // namespace pto::legality
