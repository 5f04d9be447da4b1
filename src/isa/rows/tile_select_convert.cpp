// Compare, select, convert, quantise.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kTcvtA2a3 =
    "src:f32,dst:f16 src:f32,dst:f32 src:f32,dst:bf16 src:f32,dst:s16 src:f32,dst:s32 src:f32,dst:s64 "
    "src:f16,dst:f32 src:f16,dst:s32 src:f16,dst:s16 src:f16,dst:s8 src:f16,dst:u8 src:f16,dst:i4 "
    "src:bf16,dst:f32 src:bf16,dst:s32 src:s16,dst:f16 src:s16,dst:f32 src:s32,dst:f32 src:s32,dst:s16 "
    "src:s32,dst:s64 src:s32,dst:f16 src:s64,dst:f32 src:s64,dst:s32 src:u8,dst:f16 src:s8,dst:f16 "
    "src:i4,dst:f16";
constexpr std::string_view kTcvtA5 =
    "src:f32,dst:f32 src:f32,dst:f16 src:f32,dst:bf16 src:f32,dst:s16 src:f32,dst:s32 src:f32,dst:s64 "
    "src:f32,dst:f8e4m3 src:f32,dst:f8e5m2 src:f32,dst:hif8 src:f16,dst:f32 src:f16,dst:s32 src:f16,dst:s16 "
    "src:f16,dst:s8 src:f16,dst:u8 src:f16,dst:hif8 src:bf16,dst:f32 src:bf16,dst:s32 src:bf16,dst:f16 "
    "src:bf16,dst:f4e1m2x2 src:bf16,dst:f4e2m1x2 src:s16,dst:u8 src:s16,dst:f16 src:s16,dst:f32 "
    "src:s16,dst:u32 src:s16,dst:s32 src:s32,dst:f32 src:s32,dst:s16 src:s32,dst:u16 src:s32,dst:s64 "
    "src:s32,dst:u8 src:s64,dst:f32 src:s64,dst:s32 src:u8,dst:f16 src:u8,dst:u16 src:s8,dst:f16 "
    "src:s8,dst:s16 src:s8,dst:s32 src:u32,dst:u8 src:u32,dst:u16 src:u32,dst:s16 src:f8e4m3,dst:f32 "
    "src:f8e5m2,dst:f32 src:hif8,dst:f32 src:f4e1m2x2,dst:bf16 src:f4e2m1x2,dst:bf16";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view syntax,
                     std::string_view a2a3, std::string_view a5, std::string_view rules, std::string_view cost, uint32_t
                     flags, std::string_view doc) {
  return {name, Layer::tile, operands, "", attrs, syntax, a2a3, a5, rules, "V", cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name               operands                                                    attrs                                                   syntax     a2a3                                                      a5                                                        rules                                                                                              cost                flags         doc
    row_of("pto.tcmp",        "src0:tile src1:tile dst:tile=out",                         "cmpMode:cmp=eq",                                       "@dps_in", "i32 f16 f32",                                            "i8 i16 i32 i64 f16 bf16 f32",                            "vec row_major mask_out:i8 exempt:dst same_valid:src0,src1 a2a3.same_rows:src0,dst a5.same_shape a2a3.cmp_i32", "tile.tcmp",        kNone,        "dst bit = src0 <cmp> src1; LSB first"),
    row_of("pto.tsel",        "mask:tile src0:tile src1:tile tmp:tile?=tmp dst:tile=out", "",                                                     "@dps",    "i16 i32 f16 bf16 f32",                                   "i8 i16 i32 i64 f16 bf16 f32",                            "vec row_major mask_bits exempt:mask same_valid:src0,src1,dst a2a3.mask_stream:src0,mask in_place:src0,src1",                 "tile.tsel",        kNone,        "dst = mask bit ? src0 : src1"),
    row_of("pto.tcvt",        "src:tile dst:tile=out tmp:tile?=tmp",                      "rmode:round_mode=CAST_RINT sat_mode:saturation_mode?", "@dps_in", kTcvtA2a3,                                                kTcvtA5,                                                  "vec row_major same_shape same_valid tcvt_sat",                                                    "tile.tcvt",        kNone,        "dst = src converted with rounding rmode and saturation sat_mode"),
    row_of("pto.tquant",      "src:tile fp:tile offset:tile? dst:tile=out",               "quant_type:quant_type",                                "@dps",    "src:f32,fp:f32,dst:i8 src:f32,fp:f32,offset:f32,dst:i8", "src:f32,fp:f32,dst:i8 src:f32,fp:f32,offset:f32,dst:i8", "vec row_major tquant_offset",                                                                     "tile.tquant",      kNone,        "dst = clamp(round(src * fp + offset))"),
    row_of("pto.tdequant",    "src:tile scale:tile offset:tile dst:tile=out",             "",                                                     "@dps",    "src:i8|i16,scale:f32,offset:f32,dst:f32",                "src:i8|i16,scale:f32,offset:f32,dst:f32",                "vec row_major",                                                                                   "tile.tdequant",    kNone,        "dst = (src - offset) * scale"),
    row_of("pto.tquant_dn",   "",                                                         "",                                                     "@none",   "-",                                                      "",                                                       "",                                                                                                "tile.tquant_dn",   kNotExecuted, "groups of 32 scaled to fp8, column order"),
    row_of("pto.tquant_hif4", "",                                                         "",                                                     "@none",   "-",                                                      "-",                                                      "",                                                                                                "tile.tquant_hif4", kNotExecuted, "needs a target that is not supported"),
};
// clang-format on

}  // namespace

std::span<const Row> tile_select_convert_rows() { return kRows; }

}  // namespace pto::isa
