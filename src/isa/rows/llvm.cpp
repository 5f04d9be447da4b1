// Casts, LLVM and vector operations that lowered programs hold.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view rules, std::string_view cost, uint32_t flags,
                     std::string_view doc) {
  return {name, Layer::scalar, operands, results, attrs, syntax, "", "", rules, "S", cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                                  operands                                                          results                 attrs                                                   syntax                                                                       rules      cost             flags         doc
    row_of("builtin.unrealized_conversion_cast", "in:any",                                                       "out:any",            "",                                                     "$in {attrs} : type($in) to type($out)",                                                   "",        "scalar",        kNone,        "same bits as another type"),
    row_of("llvm.bitcast",                       "in:any",                                                         "out:any",              "",                                                     "$in {attrs} : type($in) to type($out)",                                     "",        "scalar",        kNone,        "same bits as another type"),
    row_of("llvm.inttoptr",                      "arg:any",                                                        "res:any",              "",                                                     "$arg {attrs} : type($arg) to type($res)",                                   "",        "scalar",        kNotExecuted, "an address as a pointer"),
    row_of("llvm.ptrtoint",                      "arg:any",                                                        "res:any",              "",                                                     "$arg {attrs} : type($arg) to type($res)",                                   "",        "scalar",        kNotExecuted, "a pointer as an address"),
    row_of("llvm.addrspacecast",                 "arg:any",                                                        "res:any",              "",                                                     "$arg {attrs} : type($arg) to type($res)",                                   "",        "scalar",        kNotExecuted, "a pointer into another space"),
    row_of("llvm.extractvalue",                  "container:any",                                                  "res:any",              "position:ints",                                        "@custom:llvm_extractvalue",                                                 "",        "scalar",        kNotExecuted, "a field of a struct"),
    row_of("llvm.insertvalue",                   "value:any container:any",                                        "res:any",              "position:ints",                                        "$value, $container $position {attrs} : type($res)",                         "",        "scalar",        kNotExecuted, "a struct with another field"),
    row_of("llvm.getelementptr",                 "base:any dynamicIndices:any*",                                   "res:any",              "rawConstantIndices:ints elem_type:type inbounds:unit", "@custom:llvm_getelementptr",                                                "",        "scalar",        kNotExecuted, "address arithmetic"),
    row_of("llvm.load",                          "addr:any",                                                       "res:any",              "alignment:i64? volatile_:unit",                        "$addr {attrs} : type($addr) -> type($res)",                                 "",        "scalar.memory", kNotExecuted, "a value from memory"),
    row_of("llvm.store",                         "value:any addr:any",                                             "",                     "alignment:i64? volatile_:unit",                        "$value, $addr {attrs} : type($value), type($addr)",                         "",        "scalar.memory", kNotExecuted, "a value to memory"),
    row_of("llvm.mlir.constant",                 "",                                                               "res:any",              "value:any",                                            "($value) {attrs} : type($res)",                                                     "",        "scalar",        kNotExecuted, "a constant"),
    row_of("llvm.mlir.undef",                    "",                                                               "res:any",              "",                                                     "{attrs} : type($res)",                                                      "",        "scalar",        kNotExecuted, "an unspecified value"),
    row_of("llvm.mlir.poison",                   "",                                                               "res:any",              "",                                                     "{attrs} : type($res)",                                                      "",        "scalar",        kNotExecuted, "a value that must not be used"),
    row_of("llvm.mlir.zero",                     "",                                                               "res:any",              "",                                                     "{attrs} : type($res)",                                                      "",        "scalar",        kNotExecuted, "zero or a null pointer"),
    row_of("vector.extract",                     "source:vector dynamic_position:index*",                          "result:scalar|vector", "static_position:ints",                                 "@custom:vector_extract",                                                    "",        "scalar",        kNotExecuted, "an element of a vector"),
    row_of("vector.insert",                      "valueToStore:scalar|vector dest:vector dynamic_position:index*", "result:vector",        "static_position:ints",                                 "@custom:vector_insert",                                                     "",        "scalar",        kNotExecuted, "a vector with another element"),
    row_of("vector.broadcast",                   "source:scalar|vector",                                           "vector:vector",        "",                                                     "$source {attrs} : type($source) to type($vector)",                          "",        "scalar",        kNotExecuted, "one value in all elements"),
    row_of("vector.splat",                       "input:scalar",                                                   "aggregate:vector",     "",                                                     "$input {attrs} : type($aggregate)",                                         "",        "scalar",        kNotExecuted, "one value in all elements"),
    row_of("vector.bitcast",                     "source:vector",                                                  "result:vector",        "",                                                     "$source {attrs} : type($source) to type($result)",                          "",        "scalar",        kNotExecuted, "same bits as another vector"),
    row_of("vector.load",                        "base:memref indices:index*",                                     "result:vector",        "nontemporal:bool?",                                    "$base[$indices] {attrs} : type($base), type($result)",                      "indices", "scalar.memory", kNotExecuted, "neighbouring elements of a buffer"),
    row_of("vector.store",                       "valueToStore:vector base:memref=out indices:index*",             "",                     "nontemporal:bool?",                                    "$valueToStore, $base[$indices] {attrs} : type($base), type($valueToStore)", "indices", "scalar.memory", kNotExecuted, "changes neighbouring elements of a buffer"),
};
// clang-format on

}  // namespace

std::span<const Row> llvm_rows() { return kRows; }

}  // namespace pto::isa
