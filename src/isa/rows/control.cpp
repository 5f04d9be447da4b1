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

constexpr Row kRows[] = {
    {.name = "builtin.module",
     .doc = "a module",
     .attrs = "sym_name:string? pto.target_arch:string? pto.device-spec:string? pto.kernel_kind:kernel_kind? "
              "pto.auto_sync_tail_hint:string? pto.backend:backend?",
     .syntax = "(@$sym_name)? (attributes {attrs})? region",
     .does = Does::module,
     .keyword = "module",
     .regions = {1, 1},
     .pipe = "none",
     .cost = ""},
    {.name = "func.func",
     .doc = "a function",
     .attrs = kFuncFuncAttrs,
     .syntax = "@custom:func",
     .does = Does::function,
     .also = "func",
     .regions = {0, 1},
     .pipe = "none",
     .cost = ""},
    {.name = "func.call",
     .doc = "calls a function of the module",
     .operands = "operands:any*",
     .results = "results:any*",
     .attrs = "callee:symbol",
     .syntax = "$callee($operands) {attrs} (: (type($operands)) | : type($operands)) -> types($results)",
     .does = Does::call,
     .also = "call"},
    {.name = "func.return",
     .doc = "returns from the function",
     .operands = "operands:any*",
     .syntax = "($operands : type($operands))? {attrs}",
     .does = Does::ret,
     .keyword = "return",
     .pipe = "none",
     .cost = ""},
    {.name = "scf.for",
     .doc = "counted loop",
     .operands = "lowerBound:index|int upperBound:index|int step:index|int initArgs:any*",
     .results = "results:any*",
     .attrs = "llvm.loop.aivector_scope:unit",
     .syntax =
         "$^ = $lowerBound to $upperBound step $step (iter_args(($^ = $initArgs)*,) "
         "(-> (type($results, $initArgs)) | -> type($results, $initArgs)))? (: type($lowerBound:index))? "
         "region($lowerBound, $results) {attrs}",
     .does = Does::loop,
     .regions = {1, 1}},
    {.name = "scf.if",
     .doc = "branch",
     .operands = "condition:i1",
     .results = "results:any*",
     .syntax = "$condition (-> (type($results)) | -> type($results))? region (else region)? {attrs}",
     .does = Does::branch,
     .regions = {1, 2}},
    {.name = "scf.while",
     .doc = "loop with condition",
     .operands = "inits:any*",
     .results = "results:any*",
     .syntax = "( (($^ = $inits)*,))? (: (type($inits)) | : type($inits)) "
               "(-> (type($results)) | -> type($results)) region($inits) do region {attrs}",
     .does = Does::while_loop,
     .regions = {2, 2}},
    {.name = "scf.yield",
     .doc = "values of the region",
     .operands = "results:any*",
     .syntax = "($results : type($results))? {attrs}",
     .does = Does::yield,
     .pipe = "none",
     .cost = ""},
    {.name = "scf.condition",
     .doc = "continues the while loop when the condition holds",
     .operands = "condition:i1 args:any*",
     .syntax = "($condition) ($args : type($args))? {attrs}",
     .does = Does::condition,
     .pipe = "none",
     .cost = ""},
    {.name = "scf.execute_region",
     .doc = "inline region",
     .results = "results:any*",
     .attrs = "no_inline:unit",
     .syntax = "(-> (type($results)) | -> type($results))? ($no_inline)- region {attrs}",
     .does = Does::inline_region,
     .regions = {1, 1},
     .pipe = "none",
     .cost = ""},
    {.name = "scf.index_switch",
     .doc = "branch on a number, one region per case and one for the rest",
     .operands = "arg:index",
     .results = "results:any*",
     .attrs = "cases:ints default_first:unit",
     .syntax = "@custom:index_switch",
     .does = Does::index_switch,
     .regions = {1, kAnyRegions}},
    {.name = "cf.br",
     .doc = "goes on at another block",
     .operands = "destOperands:any*",
     .attrs = "dest:symbol",
     .syntax = "^$dest (($destOperands : type($destOperands)))? {attrs}",
     .does = Does::jump},
    {.name = "cf.cond_br",
     .doc = "goes on at one of two blocks",
     .operands = "condition:i1 trueDestOperands:any* falseDestOperands:any*",
     .attrs = "trueDest:symbol falseDest:symbol branch_weights:any?",
     .syntax = "$condition, ^$trueDest (($trueDestOperands : type($trueDestOperands)))?, ^$falseDest "
               "(($falseDestOperands : type($falseDestOperands)))? {attrs}",
     .does = Does::cond_jump},
    {.name = "cf.assert",
     .doc = "stops when the condition does not hold",
     .operands = "arg:i1",
     .attrs = "msg:string",
     .syntax = "$arg, $msg {attrs}",
     .does = Does::check},
    {.name = "builtin.block",
     .doc = "^name(%a: T, ..): begins a block within a region",
     .results = "arguments:any*",
     .attrs = "name:string",
     .syntax = "@custom:block",
     .does = Does::block,
     .pipe = "none",
     .cost = ""},
    {.name = "pto.fusion_region",
     .doc = "operations that a compiler fuses",
     .results = "outputs:any*",
     .syntax = "region {attrs} (: type($outputs))?",
     .does = Does::inline_region,
     .regions = {1, 1},
     .pipe = "none",
     .cost = ""},
    {.name = "pto.yield",
     .doc = "results of a fusion region",
     .operands = "values:any*",
     .syntax = "($values) {attrs} : (type($values)) -> ()",
     .does = Does::yield,
     .pipe = "none",
     .cost = ""},
};

constexpr auto kTable = whole(kShared, kRows);

}  // namespace

std::span<const Row> control_rows() { return kTable; }

}  // namespace pto::isa
