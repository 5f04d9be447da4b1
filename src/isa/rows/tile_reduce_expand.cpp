// Row and column reductions, broadcasts, partial operations.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kTpartargmaxA2a3 =
    "src0:i16|i32|f16|f32,src1:=,src0Idx:i32,src1Idx:i32,dst:=,dstIdx:i32 "
    "src0:f16,src1:=,src0Idx:i16,src1Idx:i16,dst:=,dstIdx:i16";
constexpr std::string_view kTpartargmaxA5 =
    "src0:i8|i16|i32|f16|bf16|f32,src1:=,src0Idx:i32,src1Idx:i32,dst:=,dstIdx:i32 "
    "src0:f16,src1:=,src0Idx:i16,src1Idx:i16,dst:=,dstIdx:i16";

constexpr std::string_view kRowArgValueA2a3 = "src:i32|f32,dstVal:=,dst:i32 src:i16|f16,dstVal:=,dst:i16|i32";
constexpr std::string_view kRowArgValueA5 =
    "src:i32|f32,dstVal:=,dst:i32 src:i16|f16|bf16,dstVal:=,dst:i16|i32";
constexpr std::string_view kColArgValueA2a3 = "src:ui32|f32,dstVal:=,dst:i32 src:ui16|f16,dstVal:=,dst:i16";
constexpr std::string_view kColArgValueA5 = "src:i32|f32,dstVal:=,dst:i32 src:i16|f16|bf16,dstVal:=,dst:i16";
constexpr std::string_view kRowArgValueRules =
    "vec row_reduce row_major:src unboxed:dstVal,dst column_out:dstVal column_out:dst "
    "same_valid:dstVal,dst row_major:tmp tmp_elem:src "
    // pto-isa a2a3/TRowReduceIdxOps.hpp:66-178, 276-331; pto-isa a5/TRowReduceIdx.hpp:108-140 uses no tmp.
    "a2a3.scratch:row_indices a2a3.scratch_on:src a2a3.reserves:V>S=0;S>V=0";
constexpr std::string_view kColArgValueRules =
    "vec col_reduce row_major:tmp a2a3.tmp_elem:src row_major row_out:dstVal row_out:dst "
    "same_valid:dstVal,dst "
    // pto-isa a2a3/TColReduceIdx.hpp:129-200; pto-isa a5/TColReduceIdx.hpp:211-245 uses no tmp.
    "a2a3.scratch:column_indices";

constexpr Row kShared = {.syntax = "@dps", .pipe = "V", .layer = Layer::tile};

constexpr Row row_reduction(Row own) {
  return inherit(
      {.operands = "src:tile tmp:tile?=tmp dst:tile=out",
       .rules =
           "vec row_reduce row_major:src unboxed:dst column_out:dst a2a3.tmp_elem:src "
           // pto-isa a2a3/TRowReduceOps.hpp:258-345, pto-isa TRowSum.hpp:89-102, pto-isa TRowMax.hpp:45-60.
           "a2a3.scratch:folded_rows a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
       .flags = kTmpOnA2a3},
      own);
}
constexpr Row row_reduction_with_index(Row own) {
  return inherit({.operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
                  .types = {.a2a3 = kRowArgValueA2a3, .a5 = kRowArgValueA5},
                  .rules = kRowArgValueRules,
                  .flags = kTmpOnA2a3},
                 own);
}
constexpr Row column_reduction(Row own) {
  return inherit({.operands = "src:tile dst:tile=out", .rules = "vec col_reduce row_major"}, own);
}
constexpr Row column_index(Row own) {
  return inherit(
      {.operands = "src:tile tmp:tile?=tmp dst:tile=out",
       .types = {.a2a3 = "src:i16|i32|f16|bf16|f32,dst:i32", .a5 = "src:i8|i16|i32|f16|bf16|f32,dst:i32"},
       .rules = "vec col_reduce row_major:tmp a2a3.tmp_elem:src row_major row_out:dst "
                // pto-isa a2a3/TColReduceIdx.hpp:129-190: words are selected in dst itself, halves at the end
                // of tmp.
                "a2a3.scratch:column_indices a2a3.scratch_on:dst@short_halves",
       .flags = kTmpOnA2a3},
      own);
}
constexpr Row column_reduction_with_index(Row own) {
  return inherit({.operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
                  .types = {.a2a3 = kColArgValueA2a3, .a5 = kColArgValueA5},
                  .rules = kColArgValueRules,
                  .flags = kTmpOnA2a3},
                 own);
}
constexpr Row row_broadcast(Row own) {
  return inherit({.operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
                  .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
                  .rules = "vec row_expand_op row_major:dst tmp_elem:dst broadcast_columns:src0,src1 "
                           "a2a3.row_expand_tmp "
                           // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa
                           // a5/TRowExpandBinOp.hpp:108-116, 140-148.
                           "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
                           "a5.distinct:src1,dst@spreads_src1",
                  .flags = kTmpOnA2a3},
                 own);
}
constexpr Row column_broadcast(Row own) {
  return inherit({.operands = "src0:tile src1:tile dst:tile=out",
                  .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
                  .rules = "vec row_major col_expand_op same_shape:src0,dst "
                           // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112:
                           // the row is read again for every row of dst.
                           "distinct:src1,dst@rows"},
                 own);
}
constexpr Row partial(Row own) {
  return inherit({.operands = "src0:tile src1:tile dst:tile=out",
                  .rules = "vec row_major part_valid",
                  .flags = kPartial},
                 own);
}
constexpr Row partial_index(Row own) {
  return inherit(
      {.operands = "src0:tile src1:tile src0Idx:tile src1Idx:tile dst:tile=out dstIdx:tile=out",
       .types = {.a2a3 = kTpartargmaxA2a3, .a5 = kTpartargmaxA5},
       .rules = "vec row_major part_valid same_shape same_valid:src0,src0Idx same_valid:src1,src1Idx "
                "same_valid:dst,dstIdx",
       .flags = kPartial},
      own);
}

constexpr Row kRows[] = {
    row_reduction({.name = "pto.trowsum",
                   .doc = "dst[r, 0] = sum of row r",
                   .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 i64 f16 f32"}}),
    row_reduction({.name = "pto.trowmax",
                   .doc = "dst[r, 0] = maximum of row r",
                   .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 f32"}}),
    row_reduction(
        {.name = "pto.trowmin",
         .doc = "dst[r, 0] = minimum of row r",
         .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 f32"},
         .rules =
             "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
             "a2a3.tmp_valid:src "
             // pto-isa a2a3/TRowReduceOps.hpp:258-345, pto-isa TRowSum.hpp:89-102, pto-isa TRowMax.hpp:45-60.
             "a2a3.scratch:folded_rows a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0"}),
    row_reduction({.name = "pto.trowprod",
                   .doc = "dst[r, 0] = product of row r",
                   .types = both("i16 i32 f16 f32"),
                   .rules =
                       "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
                       "a2a3.tmp_valid:src "
                       // pto-isa a2a3/TRowProd.hpp:40-75.
                       "a2a3.scratch:one_block a2a3.events:V>S=0;S>V=0"}),
    row_reduction({.name = "pto.trowargmax",
                   .doc = "dst[r, 0] = first column of row r with its maximum",
                   .types = both("src:i16|i32|f16|f32,dst:i32"),
                   .rules =
                       "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
                       // pto-isa a2a3/TRowReduceIdxOps.hpp:66-178, 304-331.
                       "a2a3.scratch:row_indices a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0"}),
    row_reduction_with_index({.name = "pto.trowargmax",
                              .doc = "dstVal[r, 0] = maximum of row r, dst[r, 0] = its first column",
                              .cost = "tile.trowargmax.value"}),
    row_reduction({.name = "pto.trowargmin",
                   .doc = "dst[r, 0] = first column of row r with its minimum",
                   .types = both("src:i16|i32|f16|f32,dst:i32"),
                   .rules =
                       "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
                       // pto-isa a2a3/TRowReduceIdxOps.hpp:66-178, 304-331.
                       "a2a3.scratch:row_indices a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0"}),
    row_reduction_with_index({.name = "pto.trowargmin",
                              .doc = "dstVal[r, 0] = minimum of row r, dst[r, 0] = its first column",
                              .cost = "tile.trowargmin.value"}),
    {.name = "pto.tcolsum",
     .doc = "dst[0, c] = sum of column c; isBinary: pairwise",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .attrs = "isBinary:bool=false",
     .syntax = "@dps_in",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec col_reduce row_major binary_tmp row_major:tmp tmp_elem:src tcolsum_tmp "
              // pto-isa a2a3/TColSum.hpp:58-77, pto-isa a5/TColSum.hpp:69-108.
              "a2a3.scratch:pairs_of_rows a2a3.scratch_on:src,dst a5.scratch:pairs_of_repeats "
              "a5.scratch_on:src a5.scratch_on:dst@short_rows"},
    column_reduction({.name = "pto.tcolmax",
                      .doc = "dst[0, c] = maximum of column c",
                      .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    column_reduction({.name = "pto.tcolmin",
                      .doc = "dst[0, c] = minimum of column c",
                      .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    column_reduction({.name = "pto.tcolprod",
                      .doc = "dst[0, c] = product of column c",
                      .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 f16 bf16 f32"}}),
    column_index({.name = "pto.tcolargmax", .doc = "dst[0, c] = first row of column c with its maximum"}),
    column_reduction_with_index({.name = "pto.tcolargmax",
                                 .doc = "dstVal[0, c] = maximum of column c, dst[0, c] = its first row",
                                 .cost = "tile.tcolargmax.value"}),
    column_index({.name = "pto.tcolargmin", .doc = "dst[0, c] = first row of column c with its minimum"}),
    column_reduction_with_index({.name = "pto.tcolargmin",
                                 .doc = "dstVal[0, c] = minimum of column c, dst[0, c] = its first row",
                                 .cost = "tile.tcolargmin.value"}),
    {.name = "pto.trowexpand",
     .doc = "dst[r, c] = src[r, 0]",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_expand row_major:dst unboxed:src "
              // pto-isa a2a3/TRowExpand.hpp:37-44, pto-isa a5/TRowExpand.hpp:189-197, 247-254: row 0 of dst
              // lies on the numbers of other rows.
              "distinct:src,dst@rows a2a3.reserves:V>S=0;S>V=0"},
    row_broadcast({.name = "pto.trowexpandadd",
                   .doc = "dst = src0 + src1, one source broadcast along rows",
                   .rules = "vec row_expand_op row_major:dst row_major:src0,dst same_valid:src0,dst "
                            "broadcast_columns:src1 a2a3.row_expand_tmp "
                            // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa
                            // a5/TRowExpandBinOp.hpp:108-116, 140-148.
                            "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
                            "a5.distinct:src1,dst@spreads_src1"}),
    row_broadcast({.name = "pto.trowexpandsub",
                   .doc = "dst = src0 - src1, one source broadcast along rows",
                   .rules = "vec row_expand_op row_major:dst a2a3.row_expand_tmp "
                            // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa
                            // a5/TRowExpandBinOp.hpp:108-116, 140-148.
                            "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
                            "a5.distinct:src1,dst@spreads_src1"}),
    row_broadcast({.name = "pto.trowexpandmul",
                   .doc = "dst = src0 * src1, one source broadcast along rows",
                   .rules = "vec row_expand_op row_major:dst a2a3.row_expand_tmp "
                            // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa
                            // a5/TRowExpandBinOp.hpp:108-116, 140-148.
                            "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
                            "a5.distinct:src1,dst@spreads_src1"}),
    row_broadcast({.name = "pto.trowexpanddiv",
                   .doc = "dst = src0 / src1, one source broadcast along rows",
                   .attrs = "precision_mode:precision_mode=DEFAULT"
                            " precisionType:div_precision=default",
                   .types = {.a2a3 = "f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
                   .rules = "vec row_expand_op row_major:dst precision:src0 precise_tmp a2a3.row_expand_tmp "
                            // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa
                            // a5/TRowExpandBinOp.hpp:108-116, 140-148.
                            "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
                            "a5.distinct:src1,dst@spreads_src1"}),
    row_broadcast(
        {.name = "pto.trowexpandmax", .doc = "dst = max(src0, src1), one source broadcast along rows"}),
    row_broadcast(
        {.name = "pto.trowexpandmin", .doc = "dst = min(src0, src1), one source broadcast along rows"}),
    row_broadcast({.name = "pto.trowexpandexpdif",
                   .doc = "dst = e^(src0 - src1), one source broadcast along rows",
                   .types = both("f16 f32")}),
    {.name = "pto.tcolexpand",
     .doc = "dst[r, c] = src[0, c]",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major col_expand"},
    column_broadcast(
        {.name = "pto.tcolexpandadd", .doc = "dst = src0 + src1, row 0 of src1 broadcast down the columns"}),
    column_broadcast(
        {.name = "pto.tcolexpandsub", .doc = "dst = src0 - src1, row 0 of src1 broadcast down the columns"}),
    column_broadcast(
        {.name = "pto.tcolexpandmul", .doc = "dst = src0 * src1, row 0 of src1 broadcast down the columns"}),
    column_broadcast({.name = "pto.tcolexpanddiv",
                      .doc = "dst = src0 / src1, row 0 of src1 broadcast down the columns",
                      .attrs = "precision_mode:precision_mode=DEFAULT"
                               " precisionType:div_precision=default",
                      .types = {.a2a3 = "f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
                      .rules = "vec row_major col_expand_op same_shape:src0,dst precision:src0 "
                               // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa
                               // a5/TColExpandBinOp.hpp:104-112: the row is read again for every row of dst.
                               "distinct:src1,dst@rows"}),
    column_broadcast({.name = "pto.tcolexpandmax",
                      .doc = "dst = max(src0, src1), row 0 of src1 broadcast down the columns"}),
    column_broadcast({.name = "pto.tcolexpandmin",
                      .doc = "dst = min(src0, src1), row 0 of src1 broadcast down the columns"}),
    column_broadcast({.name = "pto.tcolexpandexpdif",
                      .doc = "dst = e^(src0 - src1), row 0 of src1 broadcast down the columns",
                      .types = both("f16 f32")}),
    partial({.name = "pto.tpartadd",
             .doc = "dst = src0 + src1 where both are valid, else a copy of the valid one",
             .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"}}),
    partial({.name = "pto.tpartmul",
             .doc = "dst = src0 * src1 where both are valid, else a copy of the valid one",
             .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"}}),
    partial({.name = "pto.tpartmax",
             .doc = "dst = max(src0, src1) where both are valid, else a copy of the valid one",
             .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
             .rules = "vec row_major part_valid:filled_on_a5 same_shape"}),
    partial({.name = "pto.tpartmin",
             .doc = "dst = min(src0, src1) where both are valid, else a copy of the valid one",
             .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
             .rules = "vec row_major part_valid:filled_on_a5 same_shape"}),
    partial_index({.name = "pto.tpartargmax", .doc = "value and index of the maximum; ties take src0"}),
    partial_index({.name = "pto.tpartargmin", .doc = "value and index of the minimum; ties take src0"}),
    {.name = "pto.tpairreducesum",
     .doc = "dst = sums of neighbouring columns",
     .operands = "src:tile dst:tile=out",
     .types = both("f16 f32"),
     .rules = "vec row_major"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_reduce_expand_rows() { return complete<kTable>(); }

}  // namespace pto::isa
