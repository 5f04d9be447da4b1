// Views, tiles, pointers: address arithmetic only.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kAllocTileSyntax =
    "(addr = $addr)? (valid_row = $valid_row)? (valid_col = $valid_col)? {attrs} : type($result)";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view rules, std::string_view cost, uint32_t flags,
                     std::string_view doc) {
  return {name, Layer::tile, operands, results, attrs, syntax, "", "", rules, "none", cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                          operands                                                        results           attrs             syntax                                                                          rules                    cost  flags                  doc
    row_of("pto.make_tensor_view",       "ptr:ptr|memref shape:index* strides:index*",                   "result:tview",   "layout:layout?", "$ptr, shape = [$shape], strides = [$strides] {attrs} : type($result)",         "view_rank view_layout", "",   kNone,                 "a strided window of GM"),
    row_of("pto.partition_view",         "source:tview|view offsets:index* sizes:index*",                "result:view",    "",               "@custom:partition_view",                                                       "partition",             "",   kNone,                 "a part of a view"),
    row_of("pto.alloc_tile",             "addr:i64? valid_row:index? valid_col:index?",                  "result:tile",    "",               kAllocTileSyntax,                                                               "alloc_valid",           "",   kNone,                 "a tile on chip; with addr at a fixed byte offset"),
    row_of("pto.subview",                "source:tile offsets:index* valid_row:index? valid_col:index?", "result:tile",    "sizes:ints",     "@custom:subview",                                                              "subview",               "",   kNone,                 "a window of a tile: same bytes, same strides"),
    row_of("pto.set_validshape",         "source:tile valid_row:index valid_col:index",                  "",               "",               "$source, $valid_row, $valid_col {attrs} : type($source)",                      "dynamic_valid",         "",   kNone,                 "changes the valid region of a dynamic tile"),
    row_of("pto.tassign",                "tile:tile addr:i64",                                           "result:tile",    "",               "$tile, $addr {attrs} : type($tile) -> type($result)",                          "assign",                "",   kNone,                 "the tile at another address"),
    row_of("pto.treshape",               "src:tile",                                                     "result:tile",    "",               "list",                                                                         "reshape",               "",   kNone,                 "the same bytes as another shape or element type"),
    row_of("pto.bitcast",                "src:tile",                                                     "result:tile",    "",               "list",                                                                         "bitcast",               "",   kNone,                 "the same bytes as another element type"),
    row_of("pto.tile_buf_addr",          "src:tile",                                                     "dst:ptr|memref", "",               "list",                                                                         "address_of",            "",   kNone,                 "pointer to a tile's bytes"),
    row_of("pto.tensor_view_addr",       "src:tview|view",                                               "dst:ptr|memref", "",               "list",                                                                         "address_of",            "",   kNone,                 "pointer to a view's first element"),
    row_of("pto.tile_valid_rows",        "src:tile",                                                     "result:index",   "",               "list",                                                                         "",                      "",   kNone,                 "valid rows of a tile"),
    row_of("pto.tile_valid_cols",        "src:tile",                                                     "result:index",   "",               "list",                                                                         "",                      "",   kNone,                 "valid columns of a tile"),
    row_of("pto.get_tensor_view_dim",    "tensor_view:tview|view dim_index:index",                       "result:index",   "",               "$tensor_view, $dim_index : type($tensor_view) -> type($result) {attrs}",       "dim_index",             "",   kNone,                 "extent of a view"),
    row_of("pto.get_tensor_view_stride", "tensor_view:tview|view dim_index:index",                       "result:index",   "",               "$tensor_view, $dim_index : type($tensor_view) -> type($result) {attrs}",       "dim_index",             "",   kNone,                 "stride of a view in elements"),
    row_of("pto.declare_tile",           "",                                                             "tile:tile",      "",               "{attrs} -> type($tile)",                                                       "",                      "",   kNone,                 "a tile without storage, bound later"),
    row_of("pto.declare_global",         "",                                                             "entry:tview",    "",               "{attrs} -> type($entry)",                                                      "",                      "",   kNotExecuted,          "a GM view without storage, bound later"),
    row_of("pto.declare_tile_memref",    "",                                                             "result:memref",  "",               "{attrs} -> type($result)",                                                     "",                      "",   kNotExecuted,          "a memref without storage, bound later"),
    row_of("pto.bind_tile",              "source:memref valid_row:index? valid_col:index?",              "result:memref",  "config:any",     "$source (, $valid_row, $valid_col)? {attrs} : type($source) -> type($result)", "",                      "",   kNotExecuted,          "a tile description on a memref"),
    row_of("pto.materialize_tile",       "source:memref valid_row:index? valid_col:index?",              "result:tile",    "config:any",     "$source (, $valid_row, $valid_col)? {attrs} : type($source) -> type($result)", "",                      "",   kNotExecuted,          "a tile on a memref"),
    row_of("pto.pointer_cast",           "addrs:i64* valid_row:index? valid_col:index?",                 "result:memref",  "config:any?",    "($addrs) ($valid_row, $valid_col)? {attrs} : type($result)",                   "",                      "",   kNotExecuted,          "a memref at an address"),
    row_of("pto.simd.tile_to_memref",    "src:tile|memref",                                              "dst:memref",     "",               "$src {attrs} : type($src) to type($dst)",                                      "",                      "",   kNotExecuted,          "a memref on a tile"),
    row_of("pto.talias",                 "src:tile",                                                     "result:tile",    "",               "$src : type($src) -> type($result)",                                           "",                      "",   kNotExecuted,          "the same tile under another name"),
    row_of("pto.subset",                 "source:tile offsets:index*",                                   "result:tile",    "sizes:ints",     "@custom:subset",                                                               "",                      "",   kAlias | kNotExecuted, "old spelling of pto.subview"),
};
// clang-format on

}  // namespace

std::span<const Row> descriptor_rows() { return kRows; }

}  // namespace pto::isa
