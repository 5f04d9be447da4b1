// Tile elementwise: unary, binary and ternary, tile with tile.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view a2a3,
                     std::string_view a5, std::string_view rules, std::string_view cost, uint32_t flags, std::string_view
                     doc) {
  return {name, Layer::tile, operands, "", attrs, "@dps", a2a3, a5, rules, "V", cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                    operands                                                         attrs                                    a2a3                         a5                             rules                                     cost                     flags         doc
    row_of("pto.tabs",             "src:tile dst:tile=out",                                         "",                                      "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tabs",             kNone,        "dst = |src|"),
    row_of("pto.tneg",             "src:tile dst:tile=out",                                         "",                                      "i16 i32 f16 f32",           "i8 i16 i32 f16 bf16 f32",     "vec row_major same_valid",               "tile.tneg",             kNone,        "dst = -src"),
    row_of("pto.tnot",             "src:tile dst:tile=out",                                         "",                                      "i8 i16 i32",                "i8 i16 i32",                  "vec row_major same_valid",               "tile.tnot",             kNone,        "dst = ~src"),
    row_of("pto.trelu",            "src:tile dst:tile=out",                                         "",                                      "i32 f16 f32",               "i32 f16 f32",                 "vec row_major same_valid",               "tile.trelu",            kNone,        "dst = max(src, 0)"),
    row_of("pto.texp",             "src:tile dst:tile=out",                                         "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.texp",             kNone,        "dst = e^src"),
    row_of("pto.tlog",             "src:tile dst:tile=out",                                         "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tlog",             kNone,        "dst = ln(src)"),
    row_of("pto.tsqrt",            "src:tile dst:tile=out",                                         "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tsqrt",            kNone,        "dst = sqrt(src)"),
    row_of("pto.trecip",           "src:tile dst:tile=out",                                         "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.trecip",           kNone,        "dst = 1 / src"),
    row_of("pto.trsqrt",           "src:tile dst:tile=out tmp:tile?=tmp",                           "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.trsqrt",           kNone,        "dst = 1 / sqrt(src)"),
    row_of("pto.tadd",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid",               "tile.tadd",             kNone,        "dst = src0 + src1; integers wrap"),
    row_of("pto.tsub",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid",               "tile.tsub",             kNone,        "dst = src0 - src1; integers wrap"),
    row_of("pto.tmul",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid",               "tile.tmul",             kNone,        "dst = src0 * src1; integers wrap"),
    row_of("pto.tdiv",             "src0:tile src1:tile dst:tile=out",                              "precision_mode:precision_mode=DEFAULT", "f16 f32",                   "i16 i32 i64 f16 f32",         "vec row_major same_valid",               "tile.tdiv",             kNone,        "dst = src0 / src1; integers truncate"),
    row_of("pto.tmax",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid",               "tile.tmax",             kNone,        "dst = max(src0, src1); unordered: src0"),
    row_of("pto.tmin",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i8 i16 i32 i64 f16 bf16 f32", "vec row_major same_valid",               "tile.tmin",             kNone,        "dst = min(src0, src1); unordered: src0"),
    row_of("pto.tand",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i8 i16",                    "i8 i16 i32",                  "vec row_major same_valid",               "tile.tand",             kNone,        "dst = src0 & src1"),
    row_of("pto.tor",              "src0:tile src1:tile dst:tile=out",                              "",                                      "i8 i16 i32",                "i8 i16 i32",                  "vec row_major same_valid",               "tile.tor",              kNone,        "dst = src0 | src1"),
    row_of("pto.txor",             "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",                "",                                      "i8 i16 i32",                "i8 i16 i32",                  "vec row_major same_valid",               "tile.txor",             kNone,        "dst = src0 ^ src1"),
    row_of("pto.tshl",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i8 i16 i32",                "i8 i16 i32 i64",              "vec row_major same_valid",               "tile.tshl",             kNone,        "dst = src0 << src1, amount per element"),
    row_of("pto.tshr",             "src0:tile src1:tile dst:tile=out",                              "",                                      "i8 i16 i32",                "i8 i16 i32 i64",              "vec row_major same_valid",               "tile.tshr",             kNone,        "dst = src0 >> src1; arithmetic for signed, logical for unsigned"),
    row_of("pto.trem",             "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",                "",                                      "s32 f32",                   "s16 u16 s32 u32 f16 f32",     "vec row_major_a2a3 same_valid trem_tmp", "tile.trem",             kNone,        "dst = remainder with the sign of the divisor src1"),
    row_of("pto.tfmod",            "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 i32 f16 f32",           "i16 i32 f16 f32",             "vec row_major same_valid",               "tile.tfmod",            kNone,        "dst = remainder with the sign of the dividend src0"),
    row_of("pto.tprelu",           "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",                "",                                      "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tprelu",           kNone,        "dst = src0 > 0 ? src0 : src0 * src1"),
    row_of("pto.taddc",            "src0:tile src1:tile src2:tile dst:tile=out",                    "",                                      "i16 i32 f16 f32",           "i16 i32 f16 f32",             "vec row_major same_valid",               "tile.taddc",            kNone,        "dst = src0 + src1 + src2"),
    row_of("pto.tsubc",            "src0:tile src1:tile src2:tile dst:tile=out",                    "",                                      "i16 i32 f16 f32",           "i16 i32 f16 f32",             "vec row_major same_valid",               "tile.tsubc",            kNone,        "dst = src0 - src1 + src2"),
    row_of("pto.tpow",             "base:tile exp:tile tmp:tile?=tmp dst:tile=out",                 "",                                      "i8 i16 i32 f32",            "i8 i16 i32 f16 bf16 f32",     "vec row_major same_valid",               "tile.tpow",             kNone,        "dst = base ^ exp"),
    row_of("pto.tadddeqrelu",      "src0:tile src1:tile deqScale:float tmp:tile?=tmp dst:tile=out", "",                                      "src0:i32,src1:i32,dst:f16", "src0:i32,src1:i32,dst:f16",   "vec row_major",                          "tile.tadddeqrelu",      kNone,        "dst = relu(deqScale * (src0 + src1))"),
    row_of("pto.taddreluconv",     "src0:tile src1:tile dst:tile=out",                              "",                                      "",                          "",                            "vec row_major",                          "tile.taddreluconv",     kNone,        "dst = convert(relu(src0 + src1))"),
    row_of("pto.tsubrelu",         "src0:tile src1:tile dst:tile=out",                              "",                                      "i16 f16 f32",               "i16 f16 f32",                 "vec row_major same_valid",               "tile.tsubrelu",         kNone,        "dst = relu(src0 - src1)"),
    row_of("pto.tsubreluconv",     "src0:tile src1:tile dst:tile=out",                              "",                                      "",                          "",                            "vec row_major",                          "tile.tsubreluconv",     kNone,        "dst = convert(relu(src0 - src1))"),
    row_of("pto.tfusedmuladd",     "src0:tile src1:tile dst:tile=inout",                            "",                                      "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tfusedmuladd",     kNone,        "dst = src0 * dst + src1"),
    row_of("pto.tfusedmuladdrelu", "src0:tile src1:tile dst:tile=inout",                            "",                                      "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tfusedmuladdrelu", kNone,        "dst = relu(src0 * dst + src1)"),
    row_of("pto.tmuladddst",       "src0:tile src1:tile dst:tile=inout",                            "",                                      "f16 f32",                   "f16 f32",                     "vec row_major same_valid",               "tile.tmuladddst",       kNone,        "dst = src0 * src1 + dst"),
};
// clang-format on

}  // namespace

std::span<const Row> tile_elementwise_rows() { return kRows; }

}  // namespace pto::isa
