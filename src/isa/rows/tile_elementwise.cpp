// Tile elementwise: unary, binary and ternary, tile with tile.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.syntax = "@dps", .pipe = "V", .layer = Layer::tile};

constexpr Row unary(Row own) {
  return inherit(
      {.operands = "src:tile dst:tile=out", .rules = "vec row_major no_column same_valid in_place:src"}, own);
}
constexpr Row binary(Row own) {
  return inherit({.operands = "src0:tile src1:tile dst:tile=out",
                  .rules = "vec row_major no_column same_valid in_place:src0,src1"},
                 own);
}
constexpr Row multiply_add(Row own) {
  return inherit({.operands = "src0:tile src1:tile dst:tile=inout",
                  .types = both("f16 f32"),
                  .rules = "vec row_major same_valid in_place:src0,src1"},
                 own);
}

constexpr Row kRows[] = {
    unary(
        {.name = "pto.tabs", .doc = "dst = |src|", .types = {.a2a3 = "f16 f32", .a5 = "i8 i16 i32 f16 f32"}}),
    unary({.name = "pto.tneg",
           .doc = "dst = -src",
           .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
           .rules = "vec row_major same_valid in_place:src"}),
    unary({.name = "pto.tnot", .doc = "dst = ~src", .types = both("i8 i16 i32")}),
    unary({.name = "pto.trelu", .doc = "dst = max(src, 0)", .types = both("i32 f16 f32")}),
    unary({.name = "pto.texp",
           .doc = "dst = e^src",
           .attrs = "precision_mode:precision_mode=DEFAULT"
                    " precisionType:exp_precision=default",
           .types = both("f16 f32")}),
    unary({.name = "pto.tlog",
           .doc = "dst = ln(src)",
           .attrs = "precision_mode:precision_mode=DEFAULT"
                    " precisionType:log_precision=default",
           .types = both("f16 f32")}),
    unary({.name = "pto.tsqrt",
           .doc = "dst = sqrt(src)",
           .attrs = "precision_mode:precision_mode=DEFAULT"
                    " precisionType:sqrt_precision=default",
           .types = both("f16 f32")}),
    unary({.name = "pto.trecip",
           .doc = "dst = 1 / src",
           .attrs = "precision_mode:precision_mode=DEFAULT"
                    " precisionType:recip_precision=default",
           .types = both("f16 f32"),
           .rules = "vec row_major same_valid a2a3.distinct:src,dst in_place:src"}),
    {.name = "pto.trsqrt",
     .doc = "dst = 1 / sqrt(src)",
     .operands = "src:tile dst:tile=out tmp:tile?=tmp",
     .attrs = "precision_mode:precision_mode=DEFAULT"
              " precisionType:rsqrt_precision=default",
     .types = both("f16 f32"),
     .rules = "vec row_major no_column same_valid row_major:tmp in_place:src precise_tmp"},
    binary({.name = "pto.tadd",
            .doc = "dst = src0 + src1; integers wrap",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
            .rules = "vec row_major no_column same_valid in_place:src0,src1 commutes"}),
    binary({.name = "pto.tsub",
            .doc = "dst = src0 - src1; integers wrap",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    binary({.name = "pto.tmul",
            .doc = "dst = src0 * src1; integers wrap",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 i64 f16 bf16 f32"},
            .rules = "vec row_major no_column same_valid in_place:src0,src1 commutes"}),
    binary({.name = "pto.tdiv",
            .doc = "dst = src0 / src1; integers truncate",
            .attrs = "precision_mode:precision_mode=DEFAULT"
                     " precisionType:div_precision=default",
            .types = {.a2a3 = "f16 f32", .a5 = "i16 i32 i64 f16 f32"}}),
    binary({.name = "pto.tmax",
            .doc = "dst = max(src0, src1); unordered: src0",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    binary({.name = "pto.tmin",
            .doc = "dst = min(src0, src1); unordered: src0",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    binary({.name = "pto.tand", .doc = "dst = src0 & src1", .types = both("i8 i16 i32")}),
    binary({.name = "pto.tor", .doc = "dst = src0 | src1", .types = both("i8 i16 i32")}),
    {.name = "pto.txor",
     .doc = "dst = src0 ^ src1",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = both("i8 i16 i32"),
     .rules = "vec row_major no_column same_valid a2a3.tmp_elem:dst a2a3.tmp_valid:dst a2a3.row_major:tmp "
              "in_place:src0,src1 a2a3.distinct:src0,tmp,dst a2a3.distinct:src1,tmp,dst "
              // pto-isa a2a3/TXor.hpp:44-60.
              "a2a3.scratch:like_destination",
     .flags = kTmpOnA2a3},
    binary({.name = "pto.tshl",
            .doc = "dst = src0 << src1, amount per element",
            .types = {.a2a3 = "i8 i16 i32", .a5 = "i8 i16 i32 i64"},
            .rules = "vec row_major no_column same_valid in_place:src0,src1 "
                     // pto-isa a2a3/TShl.hpp:29-35, pto-isa TShr.hpp:29-35: element by element on S.
                     "a2a3.events:V>S=0;S>V=0"}),
    binary({.name = "pto.tshr",
            .doc = "dst = src0 >> src1; arithmetic for signed, logical for unsigned",
            .types = {.a2a3 = "i8 i16 i32", .a5 = "i8 i16 i32 i64"},
            .rules = "vec row_major no_column same_valid in_place:src0,src1 "
                     // pto-isa a2a3/TShl.hpp:29-35, pto-isa TShr.hpp:29-35: element by element on S.
                     "a2a3.events:V>S=0;S>V=0"}),
    {.name = "pto.trem",
     .doc = "dst = remainder with the sign of the divisor src1",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .attrs = "precision_mode:precision_mode=DEFAULT precisionType:rem_precision=default",
     .types = {.a2a3 = "s32 f32", .a5 = "s16 u16 s32 u32 i64 f16 f32"},
     .rules = "vec a2a3.row_major same_valid a2a3.row_major:tmp a2a3.trem_tmp a2a3.rem_i32 "
              "a5.in_place:src0,src1 "
              // pto-isa a2a3/TRem.hpp:26-96: dst and tmp hold products while both sources are read; i32
              // becomes f32 in place.
              "a2a3.distinct:src0,dst a2a3.distinct:src1,dst a2a3.scratch:remainder "
              "a2a3.restores:src0@i32 a2a3.clobbers:src1@i32",
     .flags = kTmpOnA2a3},
    binary({.name = "pto.tfmod",
            .doc = "dst = remainder with the sign of the dividend src0",
            .attrs = "precisionType:fmod_precision=default",
            .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 i64 f16 f32"},
            .rules = "vec row_major same_valid a5.in_place:src0,src1 "
                     // pto-isa a2a3/TFmod.hpp:23-34: dst holds quotients while both sources are read again.
                     "a2a3.distinct:src0,dst a2a3.distinct:src1,dst"}),
    {.name = "pto.tprelu",
     .doc = "dst = src0 > 0 ? src0 : src0 * src1",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = both("f16 f32"),
     .rules = "vec row_major same_valid same_shape:src0,src1,dst a2a3.tmp_i8 a2a3.row_major:tmp "
              "a2a3.distinct:src0,src1,tmp,dst in_place:src0,src1 a2a3.tprelu_tmp tmp_level3 "
              // pto-isa a2a3/TPrelu.hpp:54-64.
              "a2a3.scratch:comparison_rows",
     .flags = kTmpOnA2a3},
    {.name = "pto.taddc",
     .doc = "dst = src0 + src1 + src2",
     .operands = "src0:tile src1:tile src2:tile dst:tile=out",
     .types = both("i16 i32 f16 f32"),
     .rules = "vec row_major same_valid same_shape in_place:src0,src1,src2"},
    {.name = "pto.tsubc",
     .doc = "dst = src0 - src1 + src2",
     .operands = "src0:tile src1:tile src2:tile dst:tile=out",
     .types = both("i16 i32 f16 f32"),
     .rules = "vec row_major same_valid in_place:src0,src1,src2"},
    {.name = "pto.tpow",
     .doc = "dst = base ^ exp",
     .operands = "base:tile exp:tile tmp:tile?=tmp dst:tile=out",
     .attrs = "precisionType:pow_precision=default",
     .types = {.a2a3 = "i8 i16 i32 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major same_valid a5.in_place:base,exp a2a3.tpow_tmp tmp_level3_float tpow_form "
              // pto-isa a2a3/TPow.hpp:168-178, 232-240: powers in tmp, then element by element with base and
              // exp on S.
              "a2a3.scratch:like_destination a2a3.scratch_on:dst a2a3.events:V>S=0;S>V=0"},
    {.name = "pto.tadddeqrelu",
     .doc = "dst = relu(deqScale * (src0 + src1))",
     .operands = "src0:tile src1:tile deqScale:float tmp:tile?=tmp dst:tile=out",
     .types = both("src0:i32,src1:i32,dst:f16"),
     .rules = "vec row_major "
              // pto-isa a2a3/TAddDeqRelu.hpp:52-75.
              "a2a3.scratch:like_destination a2a3.scratch_on:src0,src1,dst"},
    binary({.name = "pto.taddreluconv", .doc = "dst = convert(relu(src0 + src1))", .rules = "vec row_major"}),
    binary({.name = "pto.tsubrelu",
            .doc = "dst = relu(src0 - src1)",
            .types = both("i16 f16 f32"),
            .rules = "vec row_major same_valid in_place:src0,src1"}),
    binary({.name = "pto.tsubreluconv", .doc = "dst = convert(relu(src0 - src1))", .rules = "vec row_major"}),
    multiply_add({.name = "pto.tfusedmuladd", .doc = "dst = src0 * dst + src1"}),
    multiply_add({.name = "pto.tfusedmuladdrelu", .doc = "dst = relu(src0 * dst + src1)"}),
    multiply_add({.name = "pto.tmuladddst", .doc = "dst = src0 * src1 + dst"}),
    binary({.name = "pto.taddrelu",
            .doc = "dst = the greater of src0 + src1 and 0",
            .types = {.a2a3 = "i16 f16 f32", .a5 = "-"},
            .rules = "vec row_major same_valid in_place:src0,src1"}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_elementwise_rows() { return complete<kTable>(); }

}  // namespace pto::isa
