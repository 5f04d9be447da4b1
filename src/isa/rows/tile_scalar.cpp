// Tile with scalar.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kTaxpyA2a3 =
    "f16 f32 src:f16,scalar:f16,dst:f32 src:f16,scalar:f32,dst:f32";
constexpr std::string_view kTaxpyA5 =
    "f16 bf16 f32 src:f16,scalar:f16,dst:f32 src:f16,scalar:f32,dst:f32 src:bf16,scalar:bf16,dst:f32 "
    "src:bf16,scalar:f32,dst:f32";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view syntax,
                     std::string_view a2a3, std::string_view a5, std::string_view rules, std::string_view pipe,
                     std::string_view cost, std::string_view doc) {
  return {name, Layer::tile, operands, "", attrs, syntax, a2a3, a5, rules, pipe, cost, kNone, doc};
}

constexpr Row kRows[] = {
    //     name            operands                                                                              attrs                                    syntax     a2a3                           a5                             rules                                                                 pipe           cost             doc
    row_of("pto.tadds",    "src:tile scalar:scalar dst:tile=out",                                                "",                                      "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid scalar_elem",                               "V",           "tile.tadds",    "dst = src + scalar"),
    row_of("pto.tsubs",    "src:tile scalar:scalar dst:tile=out",                                                "",                                      "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid scalar_elem",                               "V",           "tile.tsubs",    "dst = src - scalar"),
    row_of("pto.tmuls",    "src0:tile scalar:scalar dst:tile=out",                                               "",                                      "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid scalar_elem",                               "V",           "tile.tmuls",    "dst = src0 * scalar"),
    row_of("pto.tdivs",    "src:tile|scalar scalar:tile|scalar dst:tile=out",                                    "precision_mode:precision_mode=DEFAULT", "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 f32",      "vec row_major same_valid one_tile scalar_elem",                      "V",           "tile.tdivs",    "dst = src / scalar; exactly one of both is a tile"),
    row_of("pto.tmaxs",    "src:tile scalar:scalar dst:tile=out",                                                "",                                      "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid scalar_elem",                               "V",           "tile.tmaxs",    "dst = max(src, scalar)"),
    row_of("pto.tmins",    "src:tile scalar:scalar dst:tile=out",                                                "",                                      "@dps",    "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid scalar_elem",                               "V",           "tile.tmins",    "dst = min(src, scalar)"),
    row_of("pto.tands",    "src:tile scalar:int dst:tile=out",                                                   "",                                      "@dps",    "i8 i16",                      "i8 i16 i32",                  "vec row_major same_valid",                                           "V",           "tile.tands",    "dst = src & scalar"),
    row_of("pto.tors",     "src:tile scalar:int dst:tile=out",                                                   "",                                      "@dps",    "i8 i16",                      "i8 i16 i32",                  "vec row_major same_valid",                                           "V",           "tile.tors",     "dst = src | scalar"),
    row_of("pto.txors",    "src:tile scalar:int tmp:tile?=tmp dst:tile=out",                                     "",                                      "@dps",    "i8 i16 i32",                  "i8 i16 i32",                  "vec row_major same_valid",                                           "V",           "tile.txors",    "dst = src ^ scalar"),
    row_of("pto.tshls",    "src:tile scalar:int dst:tile=out",                                                   "",                                      "@dps",    "i8 i16 i32",                  "i8 i16 i32 i64",              "vec row_major same_valid",                                           "V",           "tile.tshls",    "dst = src << scalar"),
    row_of("pto.tshrs",    "src:tile scalar:int dst:tile=out",                                                   "",                                      "@dps",    "i8 i16 i32",                  "i8 i16 i32 i64",              "vec row_major same_valid",                                           "V",           "tile.tshrs",    "dst = src >> scalar; arithmetic for signed, logical for unsigned"),
    row_of("pto.trems",    "src:tile scalar:scalar tmp:tile?=tmp dst:tile=out",                                  "",                                      "@dps",    "i32 f32",                     "i16 i32 f16 f32",             "vec row_major same_valid scalar_elem",                               "V",           "tile.trems",    "dst = remainder of src by scalar, sign of the scalar"),
    row_of("pto.tfmods",   "src:tile scalar:scalar dst:tile=out",                                                "",                                      "@dps",    "i16 i32 f16 f32",             "i16 i32 f16 f32",             "vec row_major same_valid scalar_elem",                               "V",           "tile.tfmods",   "dst = remainder of src by scalar, sign of src"),
    row_of("pto.tlrelu",   "src:tile slope:float dst:tile=out",                                                  "",                                      "@dps",    "f16 f32",                     "f16 f32",                     "vec row_major same_valid",                                           "V",           "tile.tlrelu",   "dst = src > 0 ? src : src * slope"),
    row_of("pto.taddsc",   "src0:tile scalar:scalar src1:tile dst:tile=out",                                     "",                                      "@dps",    "i16 i32 f16 f32",             "i16 i32 f16 f32",             "vec row_major same_valid scalar_elem",                               "V",           "tile.taddsc",   "dst = src0 + scalar + src1"),
    row_of("pto.tsubsc",   "src0:tile scalar:scalar src1:tile dst:tile=out",                                     "",                                      "@dps",    "i16 i32 f16 f32",             "i16 i32 f16 f32",             "vec row_major same_valid scalar_elem",                               "V",           "tile.tsubsc",   "dst = src0 - scalar + src1"),
    row_of("pto.taxpy",    "src:tile scalar:scalar dst:tile=inout",                                              "",                                      "@dps",    kTaxpyA2a3,                    kTaxpyA5,                      "vec row_major same_valid",                                           "V",           "tile.taxpy",    "dst += src * scalar"),
    row_of("pto.texpands", "scalar:scalar dst:tile=out",                                                         "",                                      "@dps",    "i8 i16 i32 i64 f16 bf16 f32", "i8 i16 i32 i64 f16 bf16 f32", "vec_or_mat scalar_elem",                                             ":vec_or_mat", "tile.texpands", "dst = scalar in every valid element"),
    row_of("pto.tsels",    "mask:tile src:tile tmp:tile?=tmp scalar:scalar dst:tile=out",                        "",                                      "@dps",    "i16 i32 f16 bf16 f32",        "i8 i16 i32 i64 f16 bf16 f32", "vec row_major mask_bits exempt:mask same_valid:src,dst scalar_elem", "V",           "tile.tsels",    "dst = mask bit ? src : scalar"),
    row_of("pto.tcmps",    "src:tile scalar:scalar dst:tile=out",                                                "cmpMode:cmp=eq",                        "@dps_in", "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major mask_out exempt:dst scalar_elem",                      "V",           "tile.tcmps",    "dst bit = src <cmp> scalar"),
    row_of("pto.tpows",    "base:tile scalar:scalar tmp:tile?=tmp dst:tile=out",                                 "",                                      "@dps",    "i8 i16 i32 f32",              "i8 i16 i32 f16 bf16 f32",     "vec row_major same_valid",                                           "V",           "tile.tpows",    "dst = base ^ scalar"),
    row_of("pto.tci",      "S:int dst:tile=out",                                                                 "descending:bool=false",                 "@dps_in", "i16 i32 f16 bf16 f32",        "i16 i32 f16 bf16 f32",        "vec",                                                                "V",           "tile.tci",      "dst[0, j] = S + j, or S - j when descending"),
    row_of("pto.ttri",     "diagonal:int dst:tile=out",                                                          "upperOrLower:i32=0",                    "@dps_in", "i16 i32 f16 f32",             "i8 i16 i32 i64 f16 bf16 f32", "vec row_major upper_or_lower",                                       "V",           "tile.ttri",     "dst = triangle of ones: c <= r + diagonal (lower 0) or c >= r + diagonal (upper 1)"),
    row_of("pto.trandom",  "key0:int key1:int counter0:int counter1:int counter2:int counter3:int dst:tile=out", "rounds:i32=10",                         "@dps_in", "-",                           "i32",                         "vec row_major rounds",                                               "V",           "tile.trandom",  "dst = Philox4x32 random words"),
};
// clang-format on

}  // namespace

std::span<const Row> tile_scalar_rows() { return kRows; }

}  // namespace pto::isa
