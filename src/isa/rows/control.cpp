// Structure: modules, functions, control flow.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kBuiltinModuleAttrs =
    "sym_name:string? pto.target_arch:string? pto.device-spec:string? pto.kernel_kind:kernel_kind? "
    "pto.auto_sync_tail_hint:string?";
constexpr std::string_view kFuncFuncAttrs =
    "sym_name:string sym_visibility:string? function_results:any? pto.kernel:unit pto.aicore:unit "
    "pto.entry:unit hacc.entry:unit pto.kernel_kind:kernel_kind? pto.simt_entry:unit "
    "pto.simt_max_threads:i32? pto.simt_max_regs:i32? pto.auto_sync_tail_hint:string? "
    "pto.tilelang.instance:any? pto.tilelang.inline_proc:any?";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view pipe, std::string_view cost, uint32_t flags, std::string_view
                     doc) {
  return {name, Layer::control, operands, results, attrs, syntax, "", "", "", pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                  operands                                                                  results           attrs                                                   syntax                                         pipe    cost       flags                       doc
    row_of("builtin.module",     "",                                                                       "",               kBuiltinModuleAttrs,                                    "@custom:module",                              "none", "",        kRegion,                    "a module"),
    row_of("func.func",          "",                                                                       "",               kFuncFuncAttrs,                                         "@custom:func",                                "none", "",        kRegion,                    "a function"),
    row_of("func.call",          "operands:any*",                                                          "results:any*",   "callee:symbol",                                        "@custom:call",                                "S",    "control", kNone,                      "calls a function of the module"),
    row_of("func.return",        "operands:any*",                                                          "",               "",                                                     "($operands : type($operands))? {attrs}",      "none", "",        kTerminator,                "returns from the function"),
    row_of("scf.for",            "lowerBound:index|int upperBound:index|int step:index|int initArgs:any*", "results:any*",   "llvm.loop.aivector_scope:unit",                        "@custom:for",                                 "S",    "control", kRegion,                    "counted loop"),
    row_of("scf.if",             "condition:i1",                                                           "results:any*",   "",                                                     "@custom:if",                                  "S",    "control", kRegion,                    "branch"),
    row_of("scf.while",          "inits:any*",                                                             "results:any*",   "",                                                     "@custom:while",                               "S",    "control", kRegion,                    "loop with condition"),
    row_of("scf.yield",          "results:any*",                                                           "",               "",                                                     "($results : type($results))? {attrs}",        "none", "",        kTerminator,                "values of the region"),
    row_of("scf.condition",      "condition:i1 args:any*",                                                 "",               "",                                                     "($condition) ($args : type($args))? {attrs}", "none", "",        kTerminator,                "continues the while loop when the condition holds"),
    row_of("scf.execute_region", "",                                                                       "results:any*",   "no_inline:unit",                                       "@custom:execute_region",                      "none", "",        kRegion,                   "inline region"),
    row_of("scf.index_switch",   "arg:index",                                                              "results:any*",   "cases:ints default_first:unit",                        "@custom:index_switch",                        "S",    "control", kRegion | kNotExecuted,     "branch on a number, one region per case and one for the rest"),
    row_of("cf.br",              "destOperands:any*",                                                      "",               "dest:symbol",                                          "@custom:br",                                  "S",    "control", kTerminator | kNotExecuted, "goes on at another block"),
    row_of("cf.cond_br",         "condition:i1 trueDestOperands:any* falseDestOperands:any*",              "",               "trueDest:symbol falseDest:symbol branch_weights:any?", "@custom:cond_br",                             "S",    "control", kTerminator | kNotExecuted, "goes on at one of two blocks"),
    row_of("cf.assert",          "arg:i1",                                                                 "",               "msg:string",                                           "$arg, $msg {attrs}",                          "S",    "control", kNotExecuted,               "stops when the condition does not hold"),
    row_of("builtin.block",      "",                                                                       "arguments:any*", "name:string",                                          "@custom:block",                               "none", "",        kNotExecuted,               "^name(%a: T, ..): begins a block within a region"),
};
// clang-format on

}  // namespace

std::span<const Row> control_rows() { return kRows; }

}  // namespace pto::isa
