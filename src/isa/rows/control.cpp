// Structure: modules, functions, control flow.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kFuncFuncAttrs =
    "sym_name:string sym_visibility:string? function_results:any? pto.kernel:unit pto.aicore:unit "
    "pto.entry:unit hacc.entry:unit pto.kernel_kind:kernel_kind? pto.simt_entry:unit "
    "pto.tileop.helper:unit pto.simt_max_threads:i32? pto.simt_max_regs:i32? pto.auto_sync_tail_hint:string? "
    "pto.tilelang.instance:any? pto.tilelang.inline_proc:any?";

constexpr Row kShared = {.pipe = "S", .cost = "control", .layer = Layer::control};

constexpr Row structure(Row own) { return inherit({.pipe = "none", .cost = ""}, own); }

constexpr Row kRows[] = {
    structure(
        {.name = "builtin.module",
         .doc = "a module",
         .attrs =
             "sym_name:string? pto.target_arch:string? pto.device-spec:string? pto.kernel_kind:kernel_kind? "
             "pto.auto_sync_tail_hint:string? pto.backend:backend?",
         .syntax = "(@$sym_name)? (attributes {attrs})? region",
         .opcode_class = OpcodeClass::module,
         .keyword = "module",
         .regions = {1, 1}}),
    structure({.name = "func.func",
               .doc = "a function",
               .attrs = kFuncFuncAttrs,
               .syntax = "@custom:func",
               .rules = "vmi_declaration",
               .opcode_class = OpcodeClass::function,
               .also = "func",
               .regions = {0, 1}}),
    {.name = "func.call",
     .doc = "calls a function of the module",
     .operands = "operands:any*",
     .results = "results:any*",
     .attrs = "callee:symbol",
     .syntax = "$callee($operands) {attrs} (: (type($operands)) | : type($operands)) -> types($results)",
     .opcode_class = OpcodeClass::call,
     .also = "call"},
    structure({.name = "func.return",
               .doc = "returns from the function",
               .operands = "operands:any*",
               .syntax = "($operands : type($operands))? {attrs}",
               .opcode_class = OpcodeClass::ret,
               .keyword = "return"}),
    {.name = "scf.for",
     .doc = "counted loop",
     .operands = "lowerBound:index|int upperBound:index|int step:index|int initArgs:any*",
     .results = "results:any*",
     .attrs = "llvm.loop.aivector_scope:unit",
     .syntax =
         "$^ = $lowerBound to $upperBound step $step (iter_args(($^ = $initArgs)*,) "
         "(-> (type($results, $initArgs)) | -> type($results, $initArgs)))? (: type($lowerBound:index))? "
         "region($lowerBound, $results) {attrs}",
     .opcode_class = OpcodeClass::loop,
     .regions = {1, 1}},
    {.name = "scf.if",
     .doc = "branch",
     .operands = "condition:i1",
     .results = "results:any*",
     .syntax = "$condition (-> (type($results)) | -> type($results))? region (else region)? {attrs}",
     .opcode_class = OpcodeClass::branch,
     .regions = {1, 2}},
    {.name = "scf.while",
     .doc = "loop with condition",
     .operands = "inits:any*",
     .results = "results:any*",
     .syntax = "( (($^ = $inits)*,))? (: (type($inits)) | : type($inits)) "
               "(-> (type($results)) | -> type($results)) region($inits) do region {attrs}",
     .opcode_class = OpcodeClass::while_loop,
     .regions = {2, 2}},
    structure({.name = "scf.yield",
               .doc = "values of the region",
               .operands = "results:any*",
               .syntax = "($results : type($results))? {attrs}",
               .opcode_class = OpcodeClass::yield}),
    structure({.name = "scf.condition",
               .doc = "continues the while loop when the condition holds",
               .operands = "condition:i1 args:any*",
               .syntax = "($condition) ($args : type($args))? {attrs}",
               .opcode_class = OpcodeClass::condition}),
    structure({.name = "scf.execute_region",
               .doc = "inline region",
               .results = "results:any*",
               .attrs = "no_inline:unit",
               .syntax = "(-> (type($results)) | -> type($results))? ($no_inline)- region {attrs}",
               .opcode_class = OpcodeClass::inline_region,
               .regions = {1, 1}}),
    {.name = "scf.index_switch",
     .doc = "branch on a number, one region per case and one for the rest",
     .operands = "arg:index",
     .results = "results:any*",
     .attrs = "cases:ints default_first:unit",
     .syntax = "@custom:index_switch",
     .opcode_class = OpcodeClass::index_switch,
     .regions = {1, kAnyRegions}},
    {.name = "cf.br",
     .doc = "goes on at another block",
     .operands = "destOperands:any*",
     .attrs = "dest:symbol",
     .syntax = "^$dest (($destOperands : type($destOperands)))? {attrs}",
     .opcode_class = OpcodeClass::jump},
    {.name = "cf.cond_br",
     .doc = "goes on at one of two blocks",
     .operands = "condition:i1 trueDestOperands:any* falseDestOperands:any*",
     .attrs = "trueDest:symbol falseDest:symbol branch_weights:any?",
     .syntax = "$condition, ^$trueDest (($trueDestOperands : type($trueDestOperands)))?, ^$falseDest "
               "(($falseDestOperands : type($falseDestOperands)))? {attrs}",
     .opcode_class = OpcodeClass::cond_jump},
    {.name = "cf.assert",
     .doc = "stops when the condition does not hold",
     .operands = "arg:i1",
     .attrs = "msg:string",
     .syntax = "$arg, $msg {attrs}",
     .opcode_class = OpcodeClass::check},
    structure({.name = "builtin.block",
               .doc = "^name(%a: T, ..): begins a block within a region",
               .results = "arguments:any*",
               .attrs = "name:string",
               .syntax = "@custom:block",
               .opcode_class = OpcodeClass::block}),
    structure({.name = "pto.fusion_region",
               .doc = "operations that a compiler fuses",
               .results = "outputs:any*",
               .syntax = "region {attrs} (: type($outputs))?",
               .rules = "ends_with:pto.yield",
               .opcode_class = OpcodeClass::inline_region,
               .regions = {1, 1}}),
    structure({.name = "pto.yield",
               .doc = "results of a fusion region",
               .operands = "values:any*",
               .syntax = "($values) {attrs} : (type($values)) -> ()",
               .opcode_class = OpcodeClass::yield}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows control_rows() { return complete<kTable>(); }

}  // namespace pto::isa
