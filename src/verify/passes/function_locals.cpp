// Objects that are local to a function: structs (E0496), and helpers of tile operations, which use
// only registers (E0497). Pointers converted from integers (E0565).
#include <fmt/format.h>

#include "ir/symbol_table.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;
using Part = Anchor::Part;

constexpr std::string_view kHelper = "pto.tileop.helper";

bool is_struct(const Type& type) { return type.kind == TypeKind::structure; }

// ---- structs

void struct_member(Checker& check, const OpView& op) {
  std::string_view text = op.result_type(0).text;
  while (!text.empty()) {
    const size_t comma = std::min(text.find_first_of(",<>"), text.size());
    std::string_view member = text.substr(0, comma);
    member.remove_prefix(std::min(member.find_first_not_of(' '), member.size()));
    if (member == "i1") {
      check.fail(
          E0496, op, Part::result_type, 0,
          fmt::format("a member of {} is i1, which has no size in memory", describe(op.result_type(0))),
          Fix::use("i8"));
      return;
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

void escapes(Checker& check, const OpView& op, Part part, unsigned index, std::string_view how) {
  check.fail(E0496, op, part, index, fmt::format("{} {}", op.mnemonic(), how),
             "declare the struct where it is used, and pass its members");
}

void check_structs(Checker& check) {
  const Program& program = check.program();
  bool any = false;
  for (TypeId type = 0; type < program.types.size(); ++type) any = any || is_struct(program.types[type]);
  for (uint32_t i = 0; any && i < program.ops.size(); ++i) {
    const OpView op(program, i);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class == OpcodeClass::function) {
      const Region* body = op.op().n_regions == 0 ? nullptr : &program.regions[op.op().regions];
      bool takes = false;
      for (uint32_t a = 0; body != nullptr && a < body->n_args; ++a)
        takes = takes || is_struct(program.type_of(body->first_arg + a));
      if (takes) escapes(check, op, Part::op, 0, "takes a struct; it lives in the function that declares it");
      if (const AttrValue* results = op.attr("function_results");
          results != nullptr && program.strings[results->text].find("!pto.struct<") != std::string_view::npos)
        escapes(check, op, Part::op, 0, "returns a struct; it lives in the function that declares it");
      continue;
    }
    const bool declares = has_rule(op, RuleName::makes_struct);
    if (declares) struct_member(check, op);
    for (unsigned r = 0; !declares && r < op.op().n_results; ++r) {
      if (!is_struct(op.result_type(r))) continue;
      escapes(check, op, Part::result_type, r, "gives a struct; only its declaration does");
      break;
    }
  }
}

// ---- helpers of tile operations

/// Why an operation does not belong into one; empty when it does.
std::string_view stranger(const isa::Row& row) {
  if (isa::is_synchronisation(row.opcode_class) || row.opcode_class == OpcodeClass::sync_all ||
      row.opcode_class == OpcodeClass::fence)
    return "orders pipes; its caller does that";
  if (row.cost.starts_with("simt.") &&
      (row.opcode_class != OpcodeClass::launch_threads || row.regions.most != 0))
    return "is of SIMT threads; launch a SIMT function";
  if (row.layer == isa::Layer::dma) return "moves data to or from UB; its caller does that";
  if (row.opcode_class == OpcodeClass::alloc_tile ||
      (row.layer == isa::Layer::tile && row.cost.starts_with("tile.")))
    return "works on whole tiles; its caller does that";
  return {};
}

void check_helpers(Checker& check) {
  const Program& program = check.program();
  const Functions& functions = check.functions();
  for (const Function& function : functions.all()) {
    if (!functions.has(function, kHelper)) continue;
    const OpView entry(program, function.info.op);
    if (entry.attr("function_results") != nullptr)
      check.fail(E0497, entry,
                 fmt::format("@{} is marked {} and returns values", function.info.name, kHelper),
                 "write results into tiles that are passed in");
    for (uint32_t i = function.info.op + 1; i < function.end; ++i) {
      const OpView op(program, i);
      const std::string_view why = stranger(isa::row(op.op().row));
      if (why.empty()) continue;
      Diagnostic& built = check.fail(E0497, op, fmt::format("{} {}", op.mnemonic(), why),
                                     fmt::format("@{} is marked {}", function.info.name, kHelper));
      add_note(built, entry, "the helper begins here");
      break;
    }
  }
}

// ---- addresses as pointers

/// A pointer made of a number: for scalar loads and stores.
void check_bare_addresses(Checker& check) {
  if (!check.any_has_rule({RuleName::bare_address})) return;
  const Program& program = check.program();
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    if (has_rule(op, RuleName::bare_address) && op.result_type(0).elem == Elem::index)
      check.fail(E0565, op, Part::result_type, 0,
                 fmt::format("{} to index, which has no width in memory", op.mnemonic()), Fix::use("i64"));
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      const bool scalar =
          isa::opcode_class(op) == OpcodeClass::load || isa::opcode_class(op) == OpcodeClass::store;
      if (scalar && slot == 0) continue;
      for (const ValueId value : op.operands(slot)) {
        if (value == kNoValue || check.definition(value) == ~0U) continue;
        const OpView built(program, check.definition(value));
        if (!has_rule(built, RuleName::bare_address)) continue;
        Diagnostic& reported =
            check.fail(E0565, op, Part::operand, isa::flat_index(op, slot),
                       fmt::format("{} takes {}, a pointer converted from an integer", op.mnemonic(),
                                   value_name(program, value)),
                       "it is for pto.load_scalar and pto.store_scalar; use a pointer argument");
        check.note_definition(reported, value);
      }
    }
  }
}

constexpr Rule kFunctionLocalsRules[] = {
    {.id = E0496,
     .title = "struct outside its function",
     .cause = "A struct lives in the function that declares it: it is no argument and no result, and no "
              "other operation defines one. Its members have a size in memory, which i1 has not.",
     .example = "func.func @make() -> !pto.struct<f32, i8>",
     .fix = "Pass the members."},
    {.id = E0497,
     .title = "helper of a tile operation",
     .cause = "A function marked pto.tileop.helper works on registers and UB: it returns nothing, orders no "
              "pipes, moves no data, allocates no tiles and starts no threads by itself.",
     .example = "pto.set_flag in a function with pto.tileop.helper",
     .fix = "Move the operation into the caller."},
};

constexpr OpRule kFunctionLocalsChecks[] = {
    {.name = "bare_address", .words = "the pointer is for scalar loads and stores, of elements with a width"},
    {.name = "makes_struct", .words = "the struct stays in its function"},
};

}  // namespace

RuleFamily local_rules() { return {.rules = kFunctionLocalsRules, .checks = kFunctionLocalsChecks}; }

void check_locals(Checker& check) {
  check_structs(check);
  check_helpers(check);
  check_bare_addresses(check);
}

}  // namespace pto::legality
