// The entries of the rules of the verifier: the description of each id, and the checks that rows
// name. The entries are in the files of their checks.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "pto/program.hpp"
#include "pto/rule.hpp"

namespace pto::legality {

class Checker;

/// What a check's verdict depends on. Operations of the same row and types share the verdicts of `types`
/// checks.
enum class Sees : uint8_t { types, values };

/// A check that rows name in their `rules` column, with the words for it in the printed reference.
struct OpRule {
  static constexpr size_t kMaxIds = 8;
  std::string_view name;  ///< without target and argument
  /// Null where others read the column: nothing is demanded of an operation.
  void (*check)(Checker&, const OpView&, std::string_view argument) = nullptr;
  Sees sees = Sees::values;
  std::array<FindingId, kMaxIds> ids = {};  ///< what it reports; `none` behind the last
  /// What it demands. `$` represents the names in the argument up to its '=', joined by "and" (`%`: by "or"),
  /// `@` for what follows the '='; `&` for the argument in words of its own (reference/row_facts.cpp).
  std::string_view words = {};
  /// Memories it fixes: "lhs=left dst=acc", "*" all tiles, "$" the argument; "=": the argument says it.
  std::string_view places = {};
};

/// The entries of one file. A rule that several files report is in one of them.
struct RuleFamily {
  std::span<const Rule> rules;
  std::span<const OpRule> checks;
};

RuleFamily align_rules();
RuleFamily attribute_rules();
RuleFamily block_rules();
RuleFamily cross_core_rules();
RuleFamily element_rules();
RuleFamily memory_rules();
RuleFamily unused_window_rules();
RuleFamily operand_rules();
RuleFamily operation_rules();
RuleFamily queue_pairing_rules();
RuleFamily register_type_rules();
RuleFamily simt_function_rules();
RuleFamily fragment_rules();
RuleFamily structure_rules();
RuleFamily terminator_rules();
RuleFamily tile_type_rules();
RuleFamily queue_peer_rules();
RuleFamily queue_pop_rules();
RuleFamily queue_epilogue_rules();
RuleFamily local_rules();
RuleFamily synchronisation_rules();
RuleFamily comm_rules();
RuleFamily convert_rules();
RuleFamily cube_rules();
RuleFamily dma_rules();
RuleFamily fixpipe_rules();
RuleFamily gather_rules();
RuleFamily layout_rules();
RuleFamily location_rules();
RuleFamily matrix_rules();
RuleFamily mx_rules();
RuleFamily memref_rules();
RuleFamily move_rules();
RuleFamily pointer_rules();
RuleFamily queue_rules();
RuleFamily reduction_rules();
RuleFamily register_rules();
RuleFamily scalar_rules();
RuleFamily scratch_rules();
RuleFamily shape_rules();
RuleFamily simt_rules();
RuleFamily sync_rules();
RuleFamily transfer_rules();
RuleFamily vector_rules();
RuleFamily vector_memory_rules();
RuleFamily window_rules();
RuleFamily vmi_rules();
RuleFamily vmi_memory_rules();
RuleFamily struct_rules();
RuleFamily form_rules();

/// All of them.
std::span<const RuleFamily> rule_families();
/// The check with this name or nullptr.
const OpRule* find_op_rule(std::string_view name);

}  // namespace pto::legality
