// Views, tiles, pointers: address arithmetic only.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr Row kRows[] = {
    // name                          layer        operands                                                        results           attrs             syntax                                                                                         a2a3  a5  rules            pipe    cost  flags   doc
    {"pto.make_tensor_view",       Layer::tile, "ptr:ptr|memref shape:index* strides:index*",                   "result:tview",   "layout:layout?", "$ptr, shape = [$shape], strides = [$strides] {attrs} : type($result)",                        "",   "", "view_rank",     "none", "",   kNone,  "a strided window of GM"},
    {"pto.partition_view",         Layer::tile, "source:tview|view offsets:index* sizes:index*",                "result:view",    "",               "@custom:partition_view",                                                                      "",   "", "partition",     "none", "",   kNone,  "a part of a view"},
    {"pto.alloc_tile",             Layer::tile, "addr:i64? valid_row:index? valid_col:index?",                  "result:tile",    "",               "(addr = $addr)? (valid_row = $valid_row)? (valid_col = $valid_col)? {attrs} : type($result)", "",   "", "alloc_valid",   "none", "",   kNone,  "a tile on chip; with addr at a fixed byte offset"},
    {"pto.subview",                Layer::tile, "source:tile offsets:index* valid_row:index? valid_col:index?", "result:tile",    "sizes:ints",     "@custom:subview",                                                                             "",   "", "subview",       "none", "",   kNone,  "a window of a tile: same bytes, same strides"},
    {"pto.set_validshape",         Layer::tile, "source:tile valid_row:index valid_col:index",                  "",               "",               "$source, $valid_row, $valid_col {attrs} : type($source)",                                     "",   "", "dynamic_valid", "none", "",   kNone,  "changes the valid region of a dynamic tile"},
    {"pto.tassign",                Layer::tile, "tile:tile addr:i64",                                           "result:tile",    "",               "$tile, $addr {attrs} : type($tile) -> type($result)",                                         "",   "", "",              "none", "",   kNone,  "the tile at another address"},
    {"pto.treshape",               Layer::tile, "src:tile",                                                     "result:tile",    "",               "$src {attrs} : type($src) -> type($result)",                                                  "",   "", "reshape",       "none", "",   kNone,  "the same bytes as another shape or element type"},
    {"pto.bitcast",                Layer::tile, "src:tile",                                                     "result:tile",    "",               "$src {attrs} : type($src) -> type($result)",                                                  "",   "", "reshape",       "none", "",   kNone,  "the same bytes as another element type"},
    {"pto.tile_buf_addr",          Layer::tile, "src:tile",                                                     "dst:ptr|memref", "",               "$src {attrs} : type($src) -> type($dst)",                                                     "",   "", "",              "none", "",   kNone,  "pointer to a tile's bytes"},
    {"pto.tensor_view_addr",       Layer::tile, "src:tview|view",                                               "dst:ptr|memref", "",               "$src {attrs} : type($src) -> type($dst)",                                                     "",   "", "",              "none", "",   kNone,  "pointer to a view's first element"},
    {"pto.tile_valid_rows",        Layer::tile, "src:tile",                                                     "result:index",   "",               "$src {attrs} : type($src) -> type($result)",                                                  "",   "", "",              "none", "",   kNone,  "valid rows of a tile"},
    {"pto.tile_valid_cols",        Layer::tile, "src:tile",                                                     "result:index",   "",               "$src {attrs} : type($src) -> type($result)",                                                  "",   "", "",              "none", "",   kNone,  "valid columns of a tile"},
    {"pto.get_tensor_view_dim",    Layer::tile, "tensor_view:tview|view dim_index:index",                       "result:index",   "",               "$tensor_view, $dim_index : type($tensor_view) -> type($result) {attrs}",                      "",   "", "",              "none", "",   kNone,  "extent of a view"},
    {"pto.get_tensor_view_stride", Layer::tile, "tensor_view:tview|view dim_index:index",                       "result:index",   "",               "$tensor_view, $dim_index : type($tensor_view) -> type($result) {attrs}",                      "",   "", "",              "none", "",   kNone,  "stride of a view in elements"},
    {"pto.declare_tile",           Layer::tile, "",                                                             "tile:tile",      "",               "{attrs} -> type($tile)",                                                                      "",   "", "",              "none", "",   kNone,  "a tile without storage, bound later"},
    {"pto.declare_global",         Layer::tile, "",                                                             "entry:tview",    "",               "{attrs} -> type($entry)",                                                                     "",   "", "",              "none", "",   kNone,  "a GM view without storage, bound later"},
    {"pto.declare_tile_memref",    Layer::tile, "",                                                             "result:memref",  "",               "{attrs} -> type($result)",                                                                    "",   "", "",              "none", "",   kNone,  "a memref without storage, bound later"},
    {"pto.bind_tile",              Layer::tile, "source:memref valid_row:index? valid_col:index?",              "result:memref",  "config:any",     "$source (, $valid_row, $valid_col)? {attrs} : type($source) -> type($result)",                "",   "", "",              "none", "",   kNone,  "a tile description on a memref"},
    {"pto.materialize_tile",       Layer::tile, "source:memref valid_row:index? valid_col:index?",              "result:tile",    "config:any",     "$source (, $valid_row, $valid_col)? {attrs} : type($source) -> type($result)",                "",   "", "",              "none", "",   kNone,  "a tile on a memref"},
    {"pto.pointer_cast",           Layer::tile, "addrs:i64* valid_row:index? valid_col:index?",                 "result:memref",  "config:any?",    "($addrs) ($valid_row, $valid_col)? {attrs} : type($result)",                                  "",   "", "",              "none", "",   kNone,  "a memref at an address"},
    {"pto.simd.tile_to_memref",    Layer::tile, "src:tile|memref",                                              "dst:memref",     "",               "$src {attrs} : type($src) to type($dst)",                                                     "",   "", "",              "none", "",   kNone,  "a memref on a tile"},
    {"pto.talias",                 Layer::tile, "src:tile",                                                     "result:tile",    "",               "$src : type($src) -> type($result)",                                                          "",   "", "",              "none", "",   kNone,  "the same tile under another name"},
    {"pto.subset",                 Layer::tile, "source:tile offsets:index*",                                   "result:tile",    "sizes:ints",     "@custom:subset",                                                                              "",   "", "",              "none", "",   kAlias, "old spelling of pto.subview"},
};
// clang-format on

}  // namespace

std::span<const Row> descriptor_rows() { return kRows; }

}  // namespace pto::isa
