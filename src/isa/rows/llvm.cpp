// Casts, LLVM and vector operations that lowered programs hold.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.pipe = "S", .cost = "scalar", .layer = Layer::scalar};

constexpr Row conversion(Row own) {
  return inherit(
      {.operands = "arg:any", .results = "res:any", .syntax = "$arg {attrs} : type($arg) to type($res)"},
      own);
}
constexpr Row unspecified(Row own) {
  return inherit({.results = "res:any", .syntax = "{attrs} : type($res)"}, own);
}

constexpr Row kRows[] = {
    {.name = "builtin.unrealized_conversion_cast",
     .doc = "same bits as another type",
     .operands = "in:any",
     .results = "out:any",
     .syntax = "$in {attrs} : type($in) to type($out)",
     .rules = "no_logical:in,out",
     .flags = kPure},
    {.name = "llvm.bitcast",
     .doc = "same bits as another type",
     .operands = "in:any",
     .results = "out:any",
     .syntax = "$in {attrs} : type($in) to type($out)",
     .flags = kPure},
    {.name = "llvm.alloca",
     .doc = "an array of a thread, or of all sections of a kernel",
     .operands = "array_size:int",
     .results = "res:any",
     .attrs = "elem_type:type pto.persistent:unit",
     .syntax = "$array_size x $elem_type {attrs} : (type($array_size)) -> type($res)",
     .rules = "fragment"},
    conversion({.name = "llvm.inttoptr", .doc = "an address as a pointer", .flags = kPure}),
    conversion({.name = "llvm.ptrtoint", .doc = "a pointer as an address", .flags = kPure}),
    conversion({.name = "llvm.addrspacecast", .doc = "a pointer into another space", .flags = kPure}),
    {.name = "llvm.extractvalue",
     .doc = "a field of a struct",
     .operands = "container:any",
     .results = "res:any",
     .attrs = "position:ints",
     .syntax = "$container$position {attrs} : type($container)",
     .flags = kNotExecuted},
    {.name = "llvm.insertvalue",
     .doc = "a struct with another field",
     .operands = "value:any container:any",
     .results = "res:any",
     .attrs = "position:ints",
     .syntax = "$value, $container $position {attrs} : type($res)",
     .flags = kNotExecuted},
    {.name = "llvm.getelementptr",
     .doc = "address arithmetic",
     .operands = "base:any dynamicIndices:any*",
     .results = "res:any",
     .attrs = "rawConstantIndices:ints elem_type:type inbounds:unit",
     .syntax = "($inbounds)? $base[mixed32($dynamicIndices, $rawConstantIndices)] {attrs} : "
               "(type($base) (, type($dynamicIndices))?) -> type($res), type($elem_type)",
     .rules = "fragment_step",
     .flags = kPure},
    {.name = "llvm.load",
     .doc = "a value from memory",
     .operands = "addr:any",
     .results = "res:any",
     .attrs = "alignment:i64? volatile_:unit",
     .syntax = "$addr {attrs} : type($addr) -> type($res)",
     .rules = "fragment_load",
     .opcode_class = OpcodeClass::thread_load,
     .cost = "scalar.memory"},
    {.name = "llvm.store",
     .doc = "a value to memory",
     .operands = "value:any addr:any",
     .attrs = "alignment:i64? volatile_:unit",
     .syntax = "$value, $addr {attrs} : type($value), type($addr)",
     .rules = "fragment_store",
     .cost = "scalar.memory"},
    {.name = "llvm.mlir.constant",
     .doc = "a constant",
     .results = "res:any",
     .attrs = "value:any",
     .syntax = "($value) {attrs} : type($res)",
     .flags = kNotExecuted},
    unspecified({.name = "llvm.mlir.undef", .doc = "an unspecified value", .flags = kNotExecuted}),
    unspecified({.name = "llvm.mlir.poison", .doc = "a value that must not be used", .flags = kNotExecuted}),
    unspecified({.name = "llvm.mlir.zero", .doc = "zero or a null pointer", .flags = kNotExecuted}),
    {.name = "llvm.extractelement",
     .doc = "an element of a vector",
     .operands = "vector:vector position:int",
     .results = "res:scalar",
     .syntax = "$vector[$position : type($position)] {attrs} : type($vector)"},
    {.name = "llvm.insertelement",
     .doc = "a vector with another element",
     .operands = "value:scalar vector:vector position:int",
     .results = "res:vector",
     .syntax = "$value, $vector[$position : type($position)] {attrs} : type($vector)",
     .rules = "lane_of:value=vector"},
    {.name = "vector.extract",
     .doc = "an element of a vector",
     .operands = "source:vector dynamic_position:index*",
     .results = "result:scalar|vector",
     .attrs = "static_position:ints",
     .syntax = "$source[mixed($dynamic_position, $static_position)] {attrs} : type($result) from "
               "type($source)"},
    {.name = "vector.insert",
     .doc = "a vector with another element",
     .operands = "valueToStore:scalar|vector dest:vector dynamic_position:index*",
     .results = "result:vector",
     .attrs = "static_position:ints",
     .syntax = "$valueToStore, $dest[mixed($dynamic_position, $static_position)] {attrs} : "
               "type($valueToStore) into type($dest, $result)"},
    {.name = "vector.broadcast",
     .doc = "one value in all elements",
     .operands = "source:scalar|vector",
     .results = "vector:vector",
     .syntax = "$source {attrs} : type($source) to type($vector)"},
    {.name = "vector.splat",
     .doc = "one value in all elements",
     .operands = "input:scalar",
     .results = "aggregate:vector",
     .syntax = "$input {attrs} : type($aggregate)"},
    {.name = "vector.bitcast",
     .doc = "same bits as another vector",
     .operands = "source:vector",
     .results = "result:vector",
     .syntax = "$source {attrs} : type($source) to type($result)"},
    {.name = "vector.load",
     .doc = "neighbouring elements of a buffer",
     .operands = "base:memref indices:index*",
     .results = "result:vector",
     .attrs = "nontemporal:bool?",
     .syntax = "$base[$indices] {attrs} : type($base), type($result)",
     .rules = "indices",
     .cost = "scalar.memory"},
    {.name = "vector.store",
     .doc = "changes neighbouring elements of a buffer",
     .operands = "valueToStore:vector base:memref=out indices:index*",
     .attrs = "nontemporal:bool?",
     .syntax = "$valueToStore, $base[$indices] {attrs} : type($base), type($valueToStore)",
     .rules = "indices",
     .cost = "scalar.memory"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows llvm_rows() { return complete<kTable>(); }

}  // namespace pto::isa
