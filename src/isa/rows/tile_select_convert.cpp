// Compare, select, convert, quantise.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

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

constexpr Row kShared = {.pipe = "V", .layer = Layer::tile};

constexpr Row kRows[] = {
    {.name = "pto.tcmp",
     .doc = "dst bit = src0 <cmp> src1; LSB first",
     .operands = "src0:tile src1:tile dst:tile=out",
     .attrs = "cmpMode:cmp=eq",
     .syntax = "@dps_in",
     .types = {.a2a3 = "i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major mask_out:i8 exempt:dst same_valid:src0,src1 a2a3.same_rows:src0,dst "
              "a5.same_shape a2a3.cmp_i32"},
    {.name = "pto.tsel",
     .doc = "dst = mask bit ? src0 : src1",
     .operands = "mask:tile src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .syntax = "@dps",
     .types = {.a2a3 = "i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major mask_bits exempt:mask same_valid:src0,src1,dst a2a3.mask_stream:src0,mask "
              "in_place:src0,src1 a2a3.tsel_tmp "
              // pto-isa a2a3/TSel.hpp:44-60, pto-isa a5/TSel.hpp:225-256, 287-296: repeat by repeat, dst is
              // wider than mask.
              "a2a3.scratch:selection a2a3.scratch_on:dst@one_row a2a3.distinct:mask,dst@rows|repeats "
              "a5.distinct:mask,dst@rows|pairs",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcvt",
     .doc = "dst = src converted with rounding rmode and saturation sat_mode",
     .operands = "src:tile dst:tile=out tmp:tile?=tmp",
     .attrs = "rmode:round_mode=CAST_RINT sat_mode:saturation_mode? satmode:saturation_mode?",
     .syntax = "@dps_in",
     .types = {.a2a3 = kTcvtA2a3, .a5 = kTcvtA5},
     .rules = "vec row_major same_shape same_valid tcvt_sat tmp_level3_narrowing "
              // pto-isa a2a3/TCvt.hpp:990-1020, pto-isa a5/TCvt.hpp:14-22 and
              // pto-isa include/pto/common/arch/register/tcvt_common.hpp: repeat by repeat from the first
              // element on.
              "distinct:src,dst@wider"},
    {.name = "pto.tquant",
     .doc = "dst = clamp(round(src * fp + offset))",
     .operands = "src:tile fp:tile offset:tile? dst:tile=out",
     .attrs = "quant_type:quant_type",
     .syntax = "@dps",
     .types = both("src:f32,fp:f32,dst:i8 src:f32,fp:f32,offset:f32,dst:i8"),
     .rules = "vec row_major tquant_offset same_valid:src,dst a2a3.tquant_open "
              // pto-isa a2a3/TQuant.hpp:41-60: products and halves stay in src.
              "a2a3.clobbers:src"},
    {.name = "pto.tquant",
     .doc = "dst = clamp(round(src * fp + offset)), with scratch",
     .operands = "src:tile fp:tile offset:tile? dst:tile=out tmp:tile=out",
     .attrs = "quant_type:quant_type",
     .syntax = "@dps",
     .types = both("src:f32,fp:f32,dst:i8 src:f32,fp:f32,offset:f32,dst:i8"),
     .rules = "exempt:tmp vec row_major:src,dst,tmp tquant_offset a2a3.tquant_params same_valid:src,dst "
              "tmp_elem:src a2a3.same_shape:src,tmp a2a3.same_valid:src,tmp "
              // pto-isa a2a3/TQuant.hpp:41-60: products and halves stay in src.
              "a2a3.clobbers:src a2a3.scratch:like_source a2a3.scratch_on:dst"},
    {.name = "pto.tquant.mx",
     .doc = "groups of 32 with a common exponent: dst, exponents, maxima and scales",
     .operands = "src:tile dst:tile=out exp:tile=out max:tile=out scaling:tile=out exp_zz:tile?=out",
     .attrs = "quant_type:quant_type quantScaleAlg:quant_scale_alg=ocp storeMode:vec_store_mode? "
              "grpAxis:mx_group_axis=axis1 interleave:bool=false",
     .syntax = "@dps",
     .types = {.a2a3 = "-"},
     .rules = "vec quant_mx"},
    {.name = "pto.tdequant",
     .doc = "dst = (src - offset) * scale",
     .operands = "src:tile scale:tile offset:tile dst:tile=out",
     .syntax = "@dps",
     .types = both("src:i8|i16,scale:f32,offset:f32,dst:f32"),
     .rules = "vec row_major "
              // pto-isa a2a3/TDequant.hpp:22-84: src is converted to dst first, then S reads scale and offset
              // of each row; pto-isa a5/TDeQuant.hpp:98-110: row by row. dst is wider than src.
              "distinct:src,dst a2a3.distinct:scale,dst a2a3.distinct:offset,dst a5.distinct:scale,dst@rows "
              "a5.distinct:offset,dst@rows a2a3.events:V>S=0;S>V=0"},
    {.name = "pto.tquant_dn",
     .doc = "groups of 32 scaled to fp8, column order",
     .syntax = "@none",
     .types = {.a2a3 = "-"},
     .flags = kNotExecuted},
    {.name = "pto.tquant_hif4",
     .doc = "needs a target that is not supported",
     .syntax = "@none",
     .types = both("-"),
     .flags = kNotExecuted},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_select_convert_rows() { return complete<kTable>(); }

}  // namespace pto::isa
