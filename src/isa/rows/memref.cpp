// Buffers as programs between the dialects write them; nothing of this is executed yet.
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
    //     name                                       operands                                                    results                  attrs                                                                    syntax                                                                   rules          cost             flags         doc
    row_of("memref.alloc",                            "dynamicSizes:index* symbolOperands:index*",                "memref:memref",         "alignment:i64?",                                                        "($dynamicSizes) ([$symbolOperands])? {attrs} : type($memref)",          "alloc_sizes", "scalar",        kNotExecuted, "a buffer; in an on-chip space it is what a tile is made of"),
    row_of("memref.alloca",                           "dynamicSizes:index* symbolOperands:index*",                "memref:memref",         "alignment:i64?",                                                        "($dynamicSizes) ([$symbolOperands])? {attrs} : type($memref)",          "alloc_sizes", "scalar",        kNotExecuted, "a buffer that ends with its function"),
    row_of("memref.dealloc",                          "memref:memref",                                            "",                      "",                                                                      "$memref {attrs} : type($memref)",                                       "",            "scalar",        kNotExecuted, "frees a buffer"),
    row_of("memref.cast",                             "source:memref",                                            "dest:memref",           "",                                                                      "$source {attrs} : type($source) to type($dest)",                        "same_element", "scalar",        kNotExecuted, "the same buffer with other sizes known"),
    row_of("memref.memory_space_cast",                "source:memref",                                            "dest:memref",           "",                                                                      "$source {attrs} : type($source) to type($dest)",                        "same_element", "scalar",        kNotExecuted, "the same buffer in another space attribute"),
    row_of("memref.reinterpret_cast",                 "source:memref offsets:index* sizes:index* strides:index*", "result:memref",         "static_offsets:ints static_sizes:ints static_strides:ints layout:any?", "@custom:reinterpret_cast",                                              "same_element", "scalar",        kNotExecuted, "the bytes of a buffer under another offset, sizes and strides"),
    row_of("memref.subview",                          "source:memref offsets:index* sizes:index* strides:index*", "result:memref",         "static_offsets:ints static_sizes:ints static_strides:ints",             "@custom:memref_subview",                                                "same_element", "scalar",        kNotExecuted, "a window of a buffer"),
    row_of("memref.view",                             "source:memref byte_shift:index sizes:index*",              "result:memref",         "",                                                                      "$source[$byte_shift][$sizes] {attrs} : type($source) to type($result)", "",            "scalar",        kNotExecuted, "bytes of a buffer as another type"),
    row_of("memref.collapse_shape",                   "src:memref",                                               "result:memref",         "reassociation:any",                                                     "$src $reassociation {attrs} : type($src) into type($result)",           "same_element", "scalar",        kNotExecuted, "joins dimensions"),
    row_of("memref.expand_shape",                     "src:memref output_shape:index*",                           "result:memref",         "reassociation:any static_output_shape:ints?",                           "@custom:expand_shape",                                                  "same_element", "scalar",        kNotExecuted, "splits dimensions"),
    row_of("memref.dim",                              "source:memref index:index",                                "result:index",          "",                                                                      "$source, $index {attrs} : type($source)",                               "",            "scalar",        kNotExecuted, "extent of a buffer"),
    row_of("memref.rank",                             "memref:memref",                                            "result:index",          "",                                                                      "$memref {attrs} : type($memref)",                                       "",            "scalar",        kNotExecuted, "number of dimensions"),
    row_of("memref.load",                             "memref:memref indices:index*",                             "result:scalar|vector",  "nontemporal:bool?",                                                     "$memref[$indices] {attrs} : type($memref)",                             "indices",     "scalar.memory", kNotExecuted, "an element of a buffer"),
    row_of("memref.store",                            "value:scalar|vector memref:memref=out indices:index*",     "",                      "nontemporal:bool?",                                                     "$value, $memref[$indices] {attrs} : type($memref)",                     "indices",     "scalar.memory", kNotExecuted, "changes an element of a buffer"),
    row_of("memref.copy",                             "source:memref target:memref=out",                          "",                      "",                                                                      "$source, $target {attrs} : type($source) to type($target)",             "same_element", "scalar.memory", kNotExecuted, "copies a buffer"),
    row_of("memref.extract_aligned_pointer_as_index", "source:memref",                                            "aligned_pointer:index", "",                                                                      "$source {attrs} : type($source) -> type($aligned_pointer)",             "",            "scalar",        kNotExecuted, "address of a buffer"),
    row_of("memref.assume_alignment",                 "memref:memref",                                            "",                      "alignment:int",                                                         "$memref, $alignment {attrs} : type($memref)",                           "",            "scalar",        kNotExecuted, "states the alignment of a buffer"),
};
// clang-format on

}  // namespace

std::span<const Row> memref_rows() { return kRows; }

}  // namespace pto::isa
