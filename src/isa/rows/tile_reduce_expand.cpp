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

constexpr Row kRows[] = {
    {.name = "pto.trowsum",
     .doc = "dst[r, 0] = sum of row r",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 i64 f16 f32"},
     .rules =
         "vec row_reduce row_major:src unboxed:dst column_out:dst a2a3.tmp_elem:src "
         // pto-isa a2a3/TRowReduceOps.hpp:258-345, pto-isa TRowSum.hpp:89-102, pto-isa TRowMax.hpp:45-60.
         "a2a3.scratch:folded_rows a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowsum",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowmax",
     .doc = "dst[r, 0] = maximum of row r",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 f32"},
     .rules =
         "vec row_reduce row_major:src unboxed:dst column_out:dst a2a3.tmp_elem:src "
         // pto-isa a2a3/TRowReduceOps.hpp:258-345, pto-isa TRowSum.hpp:89-102, pto-isa TRowMax.hpp:45-60.
         "a2a3.scratch:folded_rows a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowmax",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowmin",
     .doc = "dst[r, 0] = minimum of row r",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 f32"},
     .rules =
         "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
         "a2a3.tmp_valid:src "
         // pto-isa a2a3/TRowReduceOps.hpp:258-345, pto-isa TRowSum.hpp:89-102, pto-isa TRowMax.hpp:45-60.
         "a2a3.scratch:folded_rows a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowmin",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowprod",
     .doc = "dst[r, 0] = product of row r",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = both("i16 i32 f16 f32"),
     .rules = "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
              "a2a3.tmp_valid:src "
              // pto-isa a2a3/TRowProd.hpp:40-75.
              "a2a3.scratch:one_block a2a3.events:V>S=0;S>V=0",
     .cost = "tile.trowprod",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowargmax",
     .doc = "dst[r, 0] = first column of row r with its maximum",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = both("src:i16|i32|f16|f32,dst:i32"),
     .rules = "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
              // pto-isa a2a3/TRowReduceIdxOps.hpp:66-178, 304-331.
              "a2a3.scratch:row_indices a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowargmax",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowargmax",
     .doc = "dstVal[r, 0] = maximum of row r, dst[r, 0] = its first column",
     .operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
     .types = {.a2a3 = kRowArgValueA2a3, .a5 = kRowArgValueA5},
     .rules = kRowArgValueRules,
     .cost = "tile.trowargmax.value",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowargmin",
     .doc = "dst[r, 0] = first column of row r with its minimum",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = both("src:i16|i32|f16|f32,dst:i32"),
     .rules = "vec row_reduce row_major:src unboxed:dst column_out:dst row_major:tmp tmp_elem:src "
              // pto-isa a2a3/TRowReduceIdxOps.hpp:66-178, 304-331.
              "a2a3.scratch:row_indices a2a3.scratch_on:src,dst a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowargmin",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowargmin",
     .doc = "dstVal[r, 0] = minimum of row r, dst[r, 0] = its first column",
     .operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
     .types = {.a2a3 = kRowArgValueA2a3, .a5 = kRowArgValueA5},
     .rules = kRowArgValueRules,
     .cost = "tile.trowargmin.value",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcolsum",
     .doc = "dst[0, c] = sum of column c; isBinary: pairwise",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .attrs = "isBinary:bool=false",
     .syntax = "@dps_in",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec col_reduce row_major binary_tmp row_major:tmp tmp_elem:src tcolsum_tmp "
              // pto-isa a2a3/TColSum.hpp:58-77, pto-isa a5/TColSum.hpp:69-108.
              "a2a3.scratch:pairs_of_rows a2a3.scratch_on:src,dst a5.scratch:pairs_of_repeats "
              "a5.scratch_on:src a5.scratch_on:dst@short_rows",
     .cost = "tile.tcolsum"},
    {.name = "pto.tcolmax",
     .doc = "dst[0, c] = maximum of column c",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec col_reduce row_major",
     .cost = "tile.tcolmax"},
    {.name = "pto.tcolmin",
     .doc = "dst[0, c] = minimum of column c",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec col_reduce row_major",
     .cost = "tile.tcolmin"},
    {.name = "pto.tcolprod",
     .doc = "dst[0, c] = product of column c",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 f16 bf16 f32"},
     .rules = "vec col_reduce row_major",
     .cost = "tile.tcolprod"},
    {.name = "pto.tcolargmax",
     .doc = "dst[0, c] = first row of column c with its maximum",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "src:i16|i32|f16|bf16|f32,dst:i32", .a5 = "src:i8|i16|i32|f16|bf16|f32,dst:i32"},
     .rules = "vec col_reduce row_major:tmp a2a3.tmp_elem:src row_major row_out:dst "
              // pto-isa a2a3/TColReduceIdx.hpp:129-190: words are selected in dst itself, halves at the end
              // of tmp.
              "a2a3.scratch:column_indices a2a3.scratch_on:dst@short_halves",
     .cost = "tile.tcolargmax",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcolargmax",
     .doc = "dstVal[0, c] = maximum of column c, dst[0, c] = its first row",
     .operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
     .types = {.a2a3 = kColArgValueA2a3, .a5 = kColArgValueA5},
     .rules = kColArgValueRules,
     .cost = "tile.tcolargmax.value",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcolargmin",
     .doc = "dst[0, c] = first row of column c with its minimum",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "src:i16|i32|f16|bf16|f32,dst:i32", .a5 = "src:i8|i16|i32|f16|bf16|f32,dst:i32"},
     .rules = "vec col_reduce row_major:tmp a2a3.tmp_elem:src row_major row_out:dst "
              // pto-isa a2a3/TColReduceIdx.hpp:129-190: words are selected in dst itself, halves at the end
              // of tmp.
              "a2a3.scratch:column_indices a2a3.scratch_on:dst@short_halves",
     .cost = "tile.tcolargmin",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcolargmin",
     .doc = "dstVal[0, c] = minimum of column c, dst[0, c] = its first row",
     .operands = "src:tile tmp:tile?=tmp dstVal:tile=out dst:tile=out",
     .types = {.a2a3 = kColArgValueA2a3, .a5 = kColArgValueA5},
     .rules = kColArgValueRules,
     .cost = "tile.tcolargmin.value",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpand",
     .doc = "dst[r, c] = src[r, 0]",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_expand row_major:dst unboxed:src "
              // pto-isa a2a3/TRowExpand.hpp:37-44, pto-isa a5/TRowExpand.hpp:189-197, 247-254: row 0 of dst
              // lies on the numbers of other rows.
              "distinct:src,dst@rows a2a3.reserves:V>S=0;S>V=0",
     .cost = "tile.trowexpand"},
    {.name = "pto.trowexpandadd",
     .doc = "dst = src0 + src1, one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst row_major:src0,dst same_valid:src0,dst "
         "broadcast_columns:src1 a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandadd",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpandsub",
     .doc = "dst = src0 - src1, one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandsub",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpandmul",
     .doc = "dst = src0 * src1, one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandmul",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpanddiv",
     .doc = "dst = src0 / src1, one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .attrs = "precision_mode:precision_mode=DEFAULT"
              " precisionType:div_precision=default",
     .types = {.a2a3 = "f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst precision:src0 precise_tmp a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpanddiv",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpandmax",
     .doc = "dst = max(src0, src1), one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst tmp_elem:dst broadcast_columns:src0,src1 "
         "a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandmax",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpandmin",
     .doc = "dst = min(src0, src1), one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules =
         "vec row_expand_op row_major:dst tmp_elem:dst broadcast_columns:src0,src1 "
         "a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandmin",
     .flags = kTmpOnA2a3},
    {.name = "pto.trowexpandexpdif",
     .doc = "dst = e^(src0 - src1), one source broadcast along rows",
     .operands = "src0:tile src1:tile tmp:tile?=tmp dst:tile=out",
     .types = both("f16 f32"),
     .rules =
         "vec row_expand_op row_major:dst tmp_elem:dst broadcast_columns:src0,src1 "
         "a2a3.row_expand_tmp "
         // pto-isa a2a3/TRowExpandBinOp.hpp:24-59, 101-129, pto-isa a5/TRowExpandBinOp.hpp:108-116, 140-148.
         "a2a3.scratch:blocks_of_rows a5.distinct:src0,dst@spreads_src0 "
         "a5.distinct:src1,dst@spreads_src1",
     .cost = "tile.trowexpandexpdif",
     .flags = kTmpOnA2a3},
    {.name = "pto.tcolexpand",
     .doc = "dst[r, c] = src[0, c]",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major col_expand",
     .cost = "tile.tcolexpand"},
    {.name = "pto.tcolexpandadd",
     .doc = "dst = src0 + src1, row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandadd"},
    {.name = "pto.tcolexpandsub",
     .doc = "dst = src0 - src1, row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandsub"},
    {.name = "pto.tcolexpandmul",
     .doc = "dst = src0 * src1, row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandmul"},
    {.name = "pto.tcolexpanddiv",
     .doc = "dst = src0 / src1, row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .attrs = "precision_mode:precision_mode=DEFAULT"
              " precisionType:div_precision=default",
     .types = {.a2a3 = "f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst precision:src0 "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpanddiv"},
    {.name = "pto.tcolexpandmax",
     .doc = "dst = max(src0, src1), row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandmax"},
    {.name = "pto.tcolexpandmin",
     .doc = "dst = min(src0, src1), row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandmin"},
    {.name = "pto.tcolexpandexpdif",
     .doc = "dst = e^(src0 - src1), row 0 of src1 broadcast down the columns",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = both("f16 f32"),
     .rules = "vec row_major col_expand_op same_shape:src0,dst "
              // pto-isa a2a3/TColExpandBinOp.hpp:22-90, pto-isa a5/TColExpandBinOp.hpp:104-112: the row is
              // read again for every row of dst.
              "distinct:src1,dst@rows",
     .cost = "tile.tcolexpandexpdif"},
    {.name = "pto.tpartadd",
     .doc = "dst = src0 + src1 where both are valid, else a copy of the valid one",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major part_valid",
     .cost = "tile.tpartadd",
     .flags = kPartial},
    {.name = "pto.tpartmul",
     .doc = "dst = src0 * src1 where both are valid, else a copy of the valid one",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major part_valid",
     .cost = "tile.tpartmul",
     .flags = kPartial},
    {.name = "pto.tpartmax",
     .doc = "dst = max(src0, src1) where both are valid, else a copy of the valid one",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major part_valid:filled_on_a5 same_shape",
     .cost = "tile.tpartmax",
     .flags = kPartial},
    {.name = "pto.tpartmin",
     .doc = "dst = min(src0, src1) where both are valid, else a copy of the valid one",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = {.a2a3 = "s16 s32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major part_valid:filled_on_a5 same_shape",
     .cost = "tile.tpartmin",
     .flags = kPartial},
    {.name = "pto.tpartargmax",
     .doc = "value and index of the maximum; ties take src0",
     .operands = "src0:tile src1:tile src0Idx:tile src1Idx:tile dst:tile=out dstIdx:tile=out",
     .types = {.a2a3 = kTpartargmaxA2a3, .a5 = kTpartargmaxA5},
     .rules = "vec row_major part_valid same_shape same_valid:src0,src0Idx same_valid:src1,src1Idx "
              "same_valid:dst,dstIdx",
     .cost = "tile.tpartargmax",
     .flags = kPartial},
    {.name = "pto.tpartargmin",
     .doc = "value and index of the minimum; ties take src0",
     .operands = "src0:tile src1:tile src0Idx:tile src1Idx:tile dst:tile=out dstIdx:tile=out",
     .types = {.a2a3 = kTpartargmaxA2a3, .a5 = kTpartargmaxA5},
     .rules = "vec row_major part_valid same_shape same_valid:src0,src0Idx same_valid:src1,src1Idx "
              "same_valid:dst,dstIdx",
     .cost = "tile.tpartargmin",
     .flags = kPartial},
    {.name = "pto.tpairreducesum",
     .doc = "dst = sums of neighbouring columns",
     .operands = "src:tile dst:tile=out",
     .types = both("f16 f32"),
     .rules = "vec row_major",
     .cost = "tile.tpairreducesum"},
};

constexpr auto kTable = whole(kShared, kRows);

}  // namespace

FamilyRows tile_reduce_expand_rows() { return kTable; }

}  // namespace pto::isa
