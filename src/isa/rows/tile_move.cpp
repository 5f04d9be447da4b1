// Loads, stores, moves, rearrangement.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kTfillpadA5 =
    "i8 i16 i32 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8 f4e1m2x2 f4e2m1x2";
constexpr std::string_view kQuantisedA2a3 = "src:f32,dst:i8 src:i32,dst:i8|i16|f16";
constexpr std::string_view kQuantisedA5 =
    "src:f32,dst:i8|f8e4m3|f8e5m2|hif8|f16|bf16|f32 src:i32,dst:i8|f16|bf16";

constexpr Row kShared = {.syntax = "@dps", .pipe = "V", .layer = Layer::tile};

constexpr Row quantised(Row own) {
  return inherit({.types = {.a2a3 = kQuantisedA2a3, .a5 = kQuantisedA5}, .pipe = "FIX"}, own);
}

constexpr Row kRows[] = {
    {.name = "pto.tload",
     .doc = "tile = window of GM",
     .operands = "src:view|tview dst:tile=out pad_value:any? left_padding_num:index? right_padding_num:any? "
                 "init_condition:any?",
     .attrs = "pad_mode:padmode? init_out_buffer:bool=false",
     .syntax = "@dps clauses",
     .types = {.a2a3 = "i8 i16 i32 i64 f16 bf16 f32",
               .a5 = "i8 i16 i32 i64 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8 f4e1m2x2 f4e2m1x2"},
     .rules = "exempt:src,pad_value,left_padding_num,right_padding_num,init_condition load_shape vpto_load",
     .pipe = "MTE2"},
    {.name = "pto.tstore",
     .doc = "window of GM = tile; the accumulator goes through the fixpipe",
     .operands = "src:tile dst:view|tview=out preQuantScalar:i64?",
     .attrs =
         "stPhase:st_phase=unspecified atomicType:atomic_type=atomic_none reluPreMode:relu_pre_mode=no_relu",
     .rules =
         "exempt:preQuantScalar store_shape store_types store_form a2a3.acc_cols:src unit_flag:stPhase,src",
     .pipe = ":acc_fix_else_mte3"},
    quantised({.name = "pto.tstore",
               .doc = "window of GM = accumulator quantised by the vector in fp",
               .operands = "src:tile fp:tile dst:view|tview=out",
               .attrs = "stPhase:st_phase=unspecified atomicType:atomic_type=atomic_none "
                        "reluPreMode:relu_pre_mode=no_relu",
               .rules = "acc_src:src fp_scaling store_extents a2a3.acc_cols:src unit_flag:stPhase,src",
               .cost = "tile.tstore_fp.quantised"}),
    quantised({.name = "pto.tstore_fp",
               .doc = "window of GM = accumulator quantised by the vector in fp",
               .operands = "src:tile fp:tile dst:view|tview=out",
               .rules = "acc_src:src fp_scaling store_extents a2a3.acc_cols:src"}),
    {.name = "pto.tprefetch",
     .doc = "brings a window of GM into the cache",
     .operands = "src:view|tview dst:tile=out",
     .rules = "vec_or_mat prefetch",
     .pipe = "MTE2"},
    {.name = "pto.tmov",
     .doc = "tile to tile, any two locations with a data path",
     .operands = "src:tile dst:tile=out fp:tile? preQuantScalar:i64?",
     .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu grpAxis:mx_group_axis?",
     .syntax = "@dps",
     .rules = "exempt:fp,preQuantScalar tmov_path mov_shape mov_table mov_form mov_exponents operand_boxes",
     .pipe = ":tmov"},
    quantised({.name = "pto.tmov.fp",
               .doc = "accumulator to matrix tile, quantised by the vector in fp",
               .operands = "src:tile fp:tile dst:tile=out",
               .rules = "acc_src:src fp_scaling nz:src a2a3.in:dst=mat a2a3.nz:dst a2a3.fractal_512:dst"}),
    {.name = "pto.textract",
     .doc = "dst = src window at (indexRow, indexCol)",
     .operands = "src:tile indexRow:index indexCol:index dst:tile=out",
     .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32 src:f32,dst:f16|bf16",
               .a5 = "i8 i16 i32 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8 f4e1m2x2 f4e2m1x2 "
                     "src:f32,dst:i8|f16|bf16|f8e4m3|f8e5m2|hif8 src:i32,dst:i8|f16|bf16"},
     .rules = "extract vpto_extract "
              // pto-isa a2a3/TExtract.hpp:304-317: boxes that are not aligned are copied on S; pto-isa
              // a5/TExtract.hpp:846-850, 920-924, 1002-1006: single elements are.
              "reserves:V>S=0;S>V=0",
     .pipe = ":textract",
     .flags = kPartial},
    quantised({.name = "pto.textract",
               .doc = "dst = quantised window of the accumulator",
               .operands = "src:tile indexRow:index indexCol:index dst:tile=out preQuantScalar:i64",
               .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu",
               .rules = "exempt:preQuantScalar acc_src:src a5.nz:src in:dst=mat|vec extract_window",
               .cost = "tile.textract_fp.quantised",
               .flags = kPartial}),
    quantised({.name = "pto.textract",
               .doc = "dst = quantised window of the accumulator",
               .operands = "src:tile indexRow:index indexCol:index dst:tile=out fp:tile",
               .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu",
               .rules = "exempt:fp acc_src:src a5.nz:src in:fp=scaling in:dst=mat|vec extract_window",
               .cost = "tile.textract_fp.quantised",
               .flags = kPartial}),
    quantised({.name = "pto.textract_fp",
               .doc = "dst = quantised window of the accumulator",
               .operands = "src:tile fp:tile indexRow:index indexCol:index dst:tile=out",
               .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu",
               .rules = "acc_src:src fp_scaling a2a3.in:dst=mat a5.in:dst=mat|vec nz:src a2a3.nz:dst "
                        "a2a3.fractal_512:dst extract_window",
               .flags = kPartial}),
    {.name = "pto.tinsert",
     .doc = "window of dst at (indexRow, indexCol) = src",
     .operands = "src:tile indexRow:index indexCol:index dst:tile=inout",
     .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu tinsertMode:tinsert_mode?",
     .types =
         {.a2a3 = "i8 i16 i32 f16 bf16 f32 src:f32,dst:f16|bf16",
          .a5 = "i8 i16 i32 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8 f4e1m2x2 f4e2m1x2 src:f32,dst:f16|bf16"},
     .rules = "insert silent:tinsertMode a2a3.lacks:tinsertMode moves:tinsertMode=vec>mat split_boxes "
              // pto-isa a5/TInsert.hpp:487-491: single elements are copied on S.
              "a5.reserves:V>S=0;S>V=0",
     .pipe = ":tinsert",
     .flags = kPartial},
    quantised(
        {.name = "pto.tinsert",
         .doc = "window of dst = quantised accumulator",
         .operands = "src:tile indexRow:index indexCol:index dst:tile=inout pre_quant:i64",
         .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu tinsertMode:tinsert_mode?",
         .rules = "exempt:pre_quant acc_src:src in:dst=mat|vec insert_window silent:tinsertMode "
                  "moves:tinsertMode=vec>mat",
         .cost = "tile.tinsert_fp.quantised",
         .flags = kPartial}),
    quantised(
        {.name = "pto.tinsert",
         .doc = "window of dst = quantised accumulator",
         .operands = "src:tile indexRow:index indexCol:index dst:tile=inout fp:tile",
         .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu tinsertMode:tinsert_mode?",
         .rules = "exempt:fp acc_src:src in:fp=scaling in:dst=mat|vec insert_window silent:tinsertMode "
                  "moves:tinsertMode=vec>mat",
         .cost = "tile.tinsert_fp.quantised",
         .flags = kPartial}),
    quantised(
        {.name = "pto.tinsert_fp",
         .doc = "window of dst = quantised accumulator",
         .operands = "src:tile fp:tile indexRow:index indexCol:index dst:tile=inout",
         .attrs = "accToVecMode:acc_to_vec_mode? reluPreMode:relu_pre_mode=no_relu tinsertMode:tinsert_mode?",
         .rules = "acc_src:src fp_scaling a2a3.in:dst=mat a5.in:dst=mat|vec nz:src a2a3.nz:dst "
                  "a2a3.fractal_512:dst insert_window silent:tinsertMode moves:tinsertMode=vec>mat",
         .flags = kPartial}),
    {.name = "pto.tfillpad",
     .doc = "dst = src, the rest of dst filled with its pad value",
     .operands = "src:tile dst:tile=out",
     .attrs = "padValue:pad_value?",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = kTfillpadA5},
     .rules = "vec_or_mat fillpad_mat fillpad silent:padValue moves:padValue=mat>mat without:mode "
              // pto-isa a2a3/TFillPad.hpp:59-62: bytes behind a row are filled on S.
              "a2a3.reserves:V>S=0 "
              // pto-isa a5/TFillPad.hpp:42-49: row by row.
              "distinct:src,dst@longer_rows",
     .pipe = ":vec_or_mat"},
    {.name = "pto.tfillpad_expand",
     .doc = "as tfillpad into a larger tile",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = kTfillpadA5},
     .rules = "vec_or_mat fillpad "
              // pto-isa a2a3/TFillPad.hpp:59-62: bytes behind a row are filled on S.
              "a2a3.reserves:V>S=0 "
              // pto-isa a5/TFillPad.hpp:42-49: row by row.
              "distinct:src,dst@longer_rows",
     .pipe = ":vec_or_mat"},
    {.name = "pto.tfillpad_inplace",
     .doc = "as tfillpad on the same bytes",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = kTfillpadA5},
     .rules = "vec_or_mat fillpad same_shape in_place:src "
              // pto-isa a2a3/TFillPad.hpp:59-62: bytes behind a row are filled on S.
              "a2a3.reserves:V>S=0",
     .pipe = ":vec_or_mat"},
    {.name = "pto.ttrans",
     .doc = "dst[c, r] = src[r, c]",
     .operands = "src:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8"},
     .rules = "vec a2a3.row_major:src tmp_elem:src "
              // pto-isa a2a3/TTrans.hpp:203-226, pto-isa a5/TTrans.hpp:45-59: elements are read after others
              // were written; pto-isa issue 173.
              "distinct:src,dst a2a3.reserves:V>S=0;S>V=0"},
    {.name = "pto.tconcat",
     .doc = "dst = columns of src0, then of src1",
     .operands = "src0:tile src1:tile dst:tile=out",
     .types = both("i8 i16 i32 f16 bf16 f32"),
     .rules = "vec row_major same_rows concat_columns "
              // pto-isa a2a3/TConcat.hpp:40-62, pto-isa a5/TConcat.hpp:56-71: src1 behind the copies of src0;
              // S where its first column is not aligned.
              "distinct:src1,dst a2a3.reserves:V>S=0;MTE2>S=0",
     .flags = kPartial},
    {.name = "pto.tconcatidx",
     .doc = "dst = per row a counted number of bytes of src0, then of src1",
     .operands = "src0:tile src1:tile src0Idx:tile src1Idx:tile dst:tile=out",
     .types = both("src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i8,src1Idx:i8 "
                   "src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i16,src1Idx:i16 "
                   "src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i32,src1Idx:i32"),
     .rules = "vec row_major same_rows "
              // pto-isa a2a3/TConcat.hpp:134-179: S reads the counts before it waits for V; parts that are
              // not aligned are copied on S. pto-isa a5/TConcat.hpp:151-179.
              "distinct:src1,dst a2a3.phases:MTE2:S<src0Idx,src1Idx;V a2a3.events:MTE2>S=0;S>V=0 "
              "a2a3.reserves:V>S=0;S>MTE3=0",
     .flags = kPartial | kByData},
    {.name = "pto.tconcatidx",
     .doc = "dst = per row a counted number of bytes of src0, then of src1; dstIdx: how many bytes both have",
     .operands = "src0:tile src1:tile src0Idx:tile src1Idx:tile dst:tile=out dstIdx:tile=out",
     .types = both("src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i8,src1Idx:i8,dstIdx:i8 "
                   "src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i16,src1Idx:i16,dstIdx:i16 "
                   "src0:i8|i16|i32|f16|bf16|f32,src1:=,dst:=,src0Idx:i32,src1Idx:i32,dstIdx:i32"),
     .rules = "vec row_major:src0,src1,src0Idx,src1Idx,dst same_rows column_out:dstIdx "
              // pto-isa a2a3/TConcat.hpp:134-179: S reads and writes the counts before it waits for V.
              "distinct:src1,dst a2a3.phases:MTE2:S<src0Idx,src1Idx>dstIdx;V "
              "a2a3.events:MTE2>S=0;S>V=0 a2a3.reserves:V>S=0;S>MTE3=0",
     .cost = "tile.tconcatidx.counted",
     .flags = kPartial | kByData},
    {.name = "pto.tgather",
     .doc = "dst = src elements chosen by index, mask pattern or comparison",
     .operands = "src:tile dst:tile=out cdst:tile?=out indices:tile? tmp:tile?=tmp kValue:scalar?",
     .attrs = "maskPattern:mask_pattern? cmpMode:cmp? offset:i32? axis:axis?",
     .syntax = "@dps_in order(src, indices, kValue, tmp)",
     .rules = "vec row_major tgather_form pattern:src,dst full_rows:dst,indices a2a3.tmp_valid:indices "
              "row_major:tmp "
              // pto-isa a2a3/TGather.hpp:75-85, 160-266: S fills indices behind tmp before it waits, and
              // stores counts last; pto-isa a5/TGather.hpp:103-111, 446-468: all of it on V.
              "distinct:src,dst@indices a2a3.phases:S>tmp;V;S>cdst@kValue a2a3.events:S>V=0;V>S=0@kValue "
              "a2a3.scratch:gathering a2a3.scratch_on:dst,indices",
     .flags = kPartial | kByData},
    {.name = "pto.tgatherb",
     .doc = "dst = 32-byte blocks of src at byte offsets",
     .operands = "src:tile offsets:tile dst:tile=out",
     .types = {.a2a3 = "dst:i8|i16|i32|f16|bf16|f32", .a5 = "dst:i8|i16|i32|f16|bf16|f32|f8e4m3|f8e5m2|hif8"},
     .rules = "vec row_major index_i32:offsets "
              // pto-isa a2a3/TGatherB.hpp:24-90, pto-isa a5/TGatherB.hpp:43-53: blocks are read in any order.
              "distinct:src,dst",
     .flags = kPartial | kByData},
    {.name = "pto.tscatter",
     .doc = "dst[indexes] = src, last wins",
     .operands = "src:tile indexes:tile dst:tile=out",
     .types =
         {.a2a3 = "src:i8,dst:=,indexes:i16 src:i16|f16|bf16,dst:=,indexes:i16 src:i32|f32,dst:=,indexes:i32",
          .a5 = "src:i8,dst:=,indexes:i16 src:i16|f16|bf16,dst:=,indexes:i16 "
                "src:i32|f32|i64,dst:=,indexes:i32"},
     .rules = "vec row_major same_valid:src,indexes holds:dst,src without:axis without:maskPattern "
              // pto-isa a2a3/TScatter.hpp:20-57, pto-isa a5/TScatter.hpp:167-216: dst is cleared on V first.
              "distinct:src,dst distinct:indexes,dst a2a3.phases:V>dst;S a2a3.events:V>S=0;S>V=0",
     .pipe = ":tscatter",
     .flags = kPartial | kByData},
    {.name = "pto.tscatter",
     .doc = "dst = src spread by a pattern, zeros between",
     .operands = "src:tile dst:tile=out",
     .attrs = "maskPattern:mask_pattern axis:axis",
     .syntax = "@dps_in",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major pattern:dst,src "
              // pto-isa a2a3/TScatter.hpp:125-154, pto-isa a5/TScatter.hpp:331-356: dst is cleared first.
              "distinct:src,dst a2a3.events:V>S=0;S>V=0",
     .cost = "tile.tscatter.mask",
     .flags = kPartial},
    {.name = "pto.mgather",
     .doc = "dst = elements or rows of GM at idx",
     .operands = "mem:view|tview|ptr idx:tile dst:tile=out",
     .attrs = "gatherOob:gather_oob=undefined coalesce:coalesce?",
     .types = {.a2a3 = "dst:i8|i16|i32|f16|bf16|f32,idx:i32,mem:=",
               .a5 = "dst:i8|i16|i32|f16|bf16|f32|f8e4m3|f8e5m2|hif8|f4e1m2x2|f4e2m1x2,idx:i32,mem:="},
     .rules = "vec row_major index_shape:dst mem_rows "
              // pto-isa a2a3/MGather.hpp:110-148: S reads the indices of rows that MTE2 copies; 215-241:
              // elements on S. pto-isa a5/MGather.hpp:170, 188: SIMT threads; 200-220: one element on S.
              "a2a3.phases:V,MTE3:S<idx;MTE2@coalesce=row "
              "a2a3.events:V>S=0;MTE3>S=0;S>MTE2=0;MTE2>V=0;MTE2>MTE3=0;S>V=0;S>MTE3=0@coalesce=row "
              "a2a3.phases:V,MTE3,MTE2:S@coalesce=elem "
              "a2a3.events:V>S=0;MTE3>S=0;MTE2>S=0;S>V=0;S>MTE2=0;S>MTE3=0@coalesce=elem "
              "a5.reserves:V>S=0;S>V=0@coalesce=elem",
     .pipe = ":mgather",
     .flags = kPartial | kByData},
    {.name = "pto.mgather",
     .doc = "tile in L1 = elements or rows of GM at the indices in GM",
     .operands = "mem:view|tview|ptr idx:view|tview dst:tile=out scratch:tile|view|tview?=tmp",
     .attrs = "gatherOob:gather_oob=undefined coalesce:coalesce",
     .types = {.a2a3 = "dst:i8|i16|i32|f16|bf16|f32,idx:i32,mem:=",
               .a5 = "dst:i8|i16|i32|f16|bf16|f32|f8e4m3|f8e5m2|hif8|f4e1m2x2|f4e2m1x2,idx:i32,mem:="},
     .rules = "in:dst=mat nz:dst fractal_512:dst gather_mat "
              // pto-isa a2a3/MGather.hpp:323, 366, pto-isa a5/MGather.hpp:286-287, 330-331.
              "events:S>MTE2=0",
     .pipe = "MTE2",
     .cost = "tile.mgather.l1",
     .flags = kPartial},
    {.name = "pto.mscatter",
     .doc = "GM at idx = src",
     .operands = "src:tile idx:tile mem:view|tview|ptr=out",
     .attrs = "scatterAtomicOp:scatter_atomic_op=none scatterOob:scatter_oob=undefined coalesce:coalesce? "
              "scatterConflict:scatter_conflict?",
     .types = {.a2a3 = "src:i8|i16|i32|f16|bf16|f32,idx:i32,mem:=",
               .a5 = "src:i8|i16|i32|f16|bf16|f32|f8e4m3|f8e5m2|hif8|f4e1m2x2|f4e2m1x2,idx:i32,mem:="},
     .rules = "vec row_major index_shape:src mem_rows scatter_atomic silent:scatterConflict "
              "a2a3.lacks:scatterConflict "
              // pto-isa a2a3/MScatter.hpp:213-247: S reads the indices of rows that MTE3 copies, and may wait
              // for each; 320-344: elements on S. pto-isa a5/MScatter.hpp:303-349: SIMT threads; 360-390: one
              // element on S.
              "a2a3.phases:V,MTE2:S<idx;MTE3@coalesce=row "
              "a2a3.events:V>S=0;MTE2>S=0;S>MTE3=0;MTE3>V=0;MTE3>MTE2=0@coalesce=row "
              "a2a3.reserves:MTE3>S=0;S>V=0;S>MTE2=0@coalesce=row "
              "a2a3.phases:V,MTE2,MTE3:S@coalesce=elem "
              "a2a3.events:V>S=0;MTE2>S=0;MTE3>S=0;S>V=0;S>MTE2=0;S>MTE3=0@coalesce=elem "
              "a5.reserves:V>S=0;S>V=0@coalesce=elem",
     .flags = kPartial | kByData},
    {.name = "pto.tsort32",
     .doc = "per 32 columns: values with indices, descending",
     .operands = "src:tile idx:tile tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "src:f16|f32,idx:u32,dst:= src:f16|f32,idx:i32,dst:=",
               .a5 = "src:f16|f32,idx:i32,dst:="},
     .rules =
         "vec row_major row_major:tmp tmp_level3_rows "
         // pto-isa a2a3/TSort32.hpp:25-137, pto-isa a5/TSort32.hpp:61-159: dst is wider than both sources.
         "distinct:src,dst distinct:idx,dst scratch:sorted_row"},
    {.name = "pto.tmrgsort",
     .doc = "merges sorted blocks or 2 to 4 sorted lists",
     .operands = "srcs:tile* blockLen:int? dsts:tile*=out tmp:tile?=tmp excuted:any?=out",
     .attrs = "exhausted:bool=false",
     .syntax = "@dps_in tmp(excuted)",
     .types = both("f16 f32"),
     .rules = "vec row_major mrgsort_form one_row:srcs,dsts,tmp tmp_level3_lists "
              // pto-isa a2a3/TMrgSort.hpp:37, pto-isa a5/TMrgSort.hpp:55.
              "a2a3.events:V>S=0@exhausted=true a5.events:V>S=0@exhausted=true",
     .flags = kPartial | kByData},
    {.name = "pto.thistogram",
     .doc = "dst = cumulative histogram of one byte of src",
     .operands = "src:tile idx:tile dst:tile=out",
     .attrs = "isMSB:bool=true byte:i32?",
     .types = {.a2a3 = "-", .a5 = "src:u16|u32,idx:u8,dst:u32 src:i16|i32,idx:i8,dst:i32"},
     .rules =
         "vec row_major:src,dst histogram "
         // pto-isa a5/THistogram.hpp:65-96, 209-232: 256 bins of a row are stored before the next is read.
         "distinct:src,dst@rows distinct:idx,dst@rows",
     .flags = kPartial},
    {.name = "pto.tgetval",
     .doc = "one element of a tile as a scalar",
     .operands = "src:tile offset:index",
     .results = "dst:scalar",
     .syntax = "ins($src, $offset : type($src), type($offset)) outs : type($dst) {attrs}",
     .rules = "scalar_reads result_elem",
     .opcode_class = OpcodeClass::load_element,
     .pipe = "S",
     .flags = kPartial},
    {.name = "pto.tsetval",
     .doc = "one element of a tile = scalar",
     .operands = "dst:tile=out offset:index val:scalar",
     .syntax = "@dps",
     .rules = "scalar_reads set_elem",
     .opcode_class = OpcodeClass::store_element,
     .pipe = "S",
     .flags = kPartial},
    {.name = "pto.timg2col",
     .doc = "L0A = patches of a feature map",
     .operands = "src:tile posM:int posK:int dst:tile=out",
     .pipe = "MTE1",
     .flags = kNotExecuted | kPartial},
    {.name = "pto.tinterleave",
     .doc = "dst0, dst1 = elements of src0 and src1 in turn",
     .operands = "src0:tile src1:tile dst0:tile=out dst1:tile=out",
     .types = {.a2a3 = "-"},
     .rules = "vec row_major "
              // pto-isa a5/TInterleave.hpp:81-90, 133-140: dst0 of a row is stored before the sources' second
              // halves are read.
              "distinct:src0,src1,dst0"},
    {.name = "pto.tdeinterleave",
     .doc = "dst0 = even, dst1 = odd elements",
     .operands = "src0:tile src1:tile? dst0:tile=out dst1:tile=out",
     .types = {.a2a3 = "-"},
     .rules = "vec row_major "
              // pto-isa a5/TDeInterleave.hpp:72-93, 122-161: both destinations take src0 before src1 is read.
              "distinct:src1,dst0,dst1"},
    {.name = "pto.tpack",
     .doc = "narrows every element",
     .operands = "src:tile dst:tile=out",
     .rules = "vec"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_move_rows() { return complete<kTable>(); }

}  // namespace pto::isa
