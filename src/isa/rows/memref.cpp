// Buffers as programs between the dialects write them.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.pipe = "S", .cost = "scalar", .layer = Layer::scalar};

constexpr Row allocation(Row own) {
  return inherit({.operands = "dynamicSizes:index* symbolOperands:index*",
                  .results = "memref:memref",
                  .attrs = "alignment:i64?",
                  .syntax = "($dynamicSizes) ([$symbolOperands])? {attrs} : type($memref)",
                  .rules = "alloc_sizes",
                  .opcode_class = OpcodeClass::alloc_buffer},
                 own);
}

constexpr Row kRows[] = {
    allocation({.name = "memref.alloc", .doc = "a buffer; in an on-chip space it is what a tile is made of"}),
    allocation(
        {.name = "memref.alloca", .doc = "a buffer that ends with its function", .flags = kNotExecuted}),
    {.name = "memref.dealloc",
     .doc = "frees a buffer",
     .operands = "memref:memref",
     .syntax = "$memref {attrs} : type($memref)",
     .flags = kNotExecuted},
    {.name = "memref.cast",
     .doc = "the same buffer with other sizes known",
     .operands = "source:memref",
     .results = "dest:memref",
     .syntax = "$source {attrs} : type($source) to type($dest)",
     .rules = "same_element"},
    {.name = "memref.memory_space_cast",
     .doc = "the same buffer in another space attribute",
     .operands = "source:memref",
     .results = "dest:memref",
     .syntax = "$source {attrs} : type($source) to type($dest)",
     .rules = "same_element"},
    {.name = "memref.reinterpret_cast",
     .doc = "the bytes of a buffer under another offset, sizes and strides",
     .operands = "source:memref offsets:index* sizes:index* strides:index*",
     .results = "result:memref",
     .attrs = "static_offsets:ints static_sizes:ints static_strides:ints layout:any?",
     .syntax = "$source to offset: [mixed($offsets, $static_offsets)], sizes: [mixed($sizes, "
               "$static_sizes)], strides: [mixed($strides, $static_strides)] {attrs} : type($source) "
               "to type($result)",
     .rules = "same_element"},
    {.name = "memref.subview",
     .doc = "a window of a buffer",
     .operands = "source:memref offsets:index* sizes:index* strides:index*",
     .results = "result:memref",
     .attrs = "static_offsets:ints static_sizes:ints static_strides:ints",
     .syntax = "$source[mixed($offsets, $static_offsets)] [mixed($sizes, $static_sizes)] "
               "[mixed($strides, $static_strides)] {attrs} : type($source) to type($result)",
     .rules = "same_element"},
    {.name = "memref.view",
     .doc = "bytes of a buffer as another type",
     .operands = "source:memref byte_shift:index sizes:index*",
     .results = "result:memref",
     .syntax = "$source[$byte_shift][$sizes] {attrs} : type($source) to type($result)"},
    {.name = "memref.collapse_shape",
     .doc = "joins dimensions",
     .operands = "src:memref",
     .results = "result:memref",
     .attrs = "reassociation:any",
     .syntax = "$src $reassociation {attrs} : type($src) into type($result)",
     .rules = "same_element"},
    {.name = "memref.expand_shape",
     .doc = "splits dimensions",
     .operands = "src:memref output_shape:index*",
     .results = "result:memref",
     .attrs = "reassociation:any static_output_shape:ints?",
     .syntax = "$src $reassociation (output_shape [mixed($output_shape, $static_output_shape)])? "
               "{attrs} : type($src) into type($result)",
     .rules = "same_element"},
    {.name = "memref.dim",
     .doc = "extent of a buffer",
     .operands = "source:memref index:index",
     .results = "result:index",
     .syntax = "$source, $index {attrs} : type($source)"},
    {.name = "memref.rank",
     .doc = "number of dimensions",
     .operands = "memref:memref",
     .results = "result:index",
     .syntax = "$memref {attrs} : type($memref)"},
    {.name = "memref.load",
     .doc = "an element of a buffer",
     .operands = "memref:memref indices:index*",
     .results = "result:scalar|vector",
     .attrs = "nontemporal:bool?",
     .syntax = "$memref[$indices] {attrs} : type($memref)",
     .rules = "indices",
     .opcode_class = OpcodeClass::load_buffer,
     .cost = "scalar.memory",
     .flags = kCached},
    {.name = "memref.store",
     .doc = "changes an element of a buffer",
     .operands = "value:scalar|vector memref:memref=out indices:index*",
     .attrs = "nontemporal:bool?",
     .syntax = "$value, $memref[$indices] {attrs} : type($memref)",
     .rules = "indices",
     .opcode_class = OpcodeClass::store_buffer,
     .cost = "scalar.memory",
     .flags = kCached},
    {.name = "memref.copy",
     .doc = "copies a buffer",
     .operands = "source:memref target:memref=out",
     .syntax = "$source, $target {attrs} : type($source) to type($target)",
     .rules = "same_element",
     .cost = "scalar.memory"},
    {.name = "memref.extract_aligned_pointer_as_index",
     .doc = "address of a buffer",
     .operands = "source:memref",
     .results = "aligned_pointer:index",
     .syntax = "$source {attrs} : type($source) -> type($aligned_pointer)"},
    {.name = "memref.assume_alignment",
     .doc = "states the alignment of a buffer",
     .operands = "memref:memref",
     .attrs = "alignment:int",
     .syntax = "$memref, $alignment {attrs} : type($memref)"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows memref_rows() { return complete<kTable>(); }

}  // namespace pto::isa
