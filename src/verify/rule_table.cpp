#include "verify/rule_table.hpp"

#include <unordered_map>
#include <vector>

#include "verify/passes/backend_pass.hpp"
#include "verify/rules/vmi_placement.hpp"

namespace pto::legality {
namespace {

/// Read by check_elements, in_place(), broadcast_help(), phases_of(), scratch_of(), unit_flag(),
/// depends_on_block() and the completeness test of attributes; they demand nothing of an operation.
constexpr OpRule kStatements[] = {
    {.name = "exempt", .words = "the element types above do not speak of $"},
    {.name = "in_place", .words = "the destination may be %"},
    {.name = "commutes", .words = "the sources may be exchanged"},
    {.name = "phases", .words = "works in phases: &"},
    {.name = "events", .words = "sets and waits for flags itself: &"},
    {.name = "reserves", .words = "in some forms sets and waits for flags itself: &"},
    {.name = "clobbers", .words = "leaves other bytes in $"},
    {.name = "restores", .words = "holds other bytes in $ while it works"},
    {.name = "scratch", .words = "writes in `tmp`: &"},
    {.name = "scratch_on", .words = "`tmp` may lie on %"},
    {.name = "ends_with", .words = "the region ends with $"},
    {.name = "without", .words = "no attribute $"},
    {.name = "unit_flag", .words = "the unit flag and its accumulator: $"},
    {.name = "varies", .words = "the result is another one for each &"},
    {.name = "silent", .words = "no effect in the simulator: $"},
};

constexpr RuleFamily (*kFamilies[])() = {
    align_rules,         attribute_rules,    block_rules,          cross_core_rules,    element_rules,
    memory_rules,        operand_rules,      operation_rules,      queue_pairing_rules, register_type_rules,
    simt_function_rules, fragment_rules,     structure_rules,      terminator_rules,    tile_type_rules,
    queue_peer_rules,    queue_pop_rules,    queue_epilogue_rules, local_rules,         synchronisation_rules,
    comm_rules,          convert_rules,      cube_rules,           dma_rules,           fixpipe_rules,
    gather_rules,        layout_rules,       location_rules,       matrix_rules,        mx_rules,
    memref_rules,        move_rules,         pointer_rules,        queue_rules,         reduction_rules,
    register_rules,      scalar_rules,       scratch_rules,        shape_rules,         simt_rules,
    sync_rules,          transfer_rules,     vector_rules,         vector_memory_rules, window_rules,
    vmi_rules,           vmi_memory_rules,   struct_rules,         form_rules,          backend_rules,
    unused_window_rules, vmi_placement_rules};

}  // namespace

std::span<const RuleFamily> rule_families() {
  static const std::vector<RuleFamily> families = [] {
    std::vector<RuleFamily> list = {{.rules = {}, .checks = kStatements}};
    for (RuleFamily (*family)() : kFamilies) list.push_back(family());
    return list;
  }();
  return families;
}

const OpRule* find_op_rule(std::string_view name) {
  static const std::unordered_map<std::string_view, const OpRule*> by_name = [] {
    std::unordered_map<std::string_view, const OpRule*> rules;
    for (const RuleFamily& family : rule_families()) {
      for (const OpRule& rule : family.checks) rules.emplace(rule.name, &rule);
    }
    return rules;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace pto::legality
