// Tile with scalar.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.syntax = "@dps", .pipe = "V", .layer = Layer::tile};

constexpr Row with_scalar(Row own) {
  return inherit({.operands = "src:tile scalar:scalar dst:tile=out",
                  .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
                  .rules = "vec row_major same_valid scalar_elem in_place:src"},
                 own);
}
constexpr Row with_integer(Row own) {
  return inherit({.operands = "src:tile scalar:int dst:tile=out",
                  .types = both("i8 i16 i32"),
                  .rules = "vec row_major same_valid distinct:src,dst"},
                 own);
}

constexpr Row kRows[] = {
    with_scalar({.name = "pto.tadds", .doc = "dst = src + scalar"}),
    with_scalar({.name = "pto.tsubs", .doc = "dst = src - scalar"}),
    {.name = "pto.tmuls",
     .doc = "dst = src0 * scalar",
     .operands = "src0:tile scalar:scalar dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major same_valid scalar_elem in_place:src0"},
    {.name = "pto.tdivs",
     .doc = "dst = src / scalar; exactly one of both is a tile",
     .operands = "src:tile|scalar scalar:tile|scalar dst:tile=out",
     .attrs = "precision_mode:precision_mode=DEFAULT"
              " precisionType:div_precision=default",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 f32"},
     .rules =
         "vec row_major same_valid one_tile scalar_elem precision:src in_place:src "
         "a5.in_place:scalar "
         // pto-isa a2a3/TDivS.hpp:84-104, 167-193: the number goes to dst before src is read; integers on S.
         "a2a3.distinct:scalar,dst@f16|f32 a2a3.events:V>S=0;S>V=0@i16|i32 "
         // pto-isa a5/TDivS.hpp:61-90, 104, 126: integers of up to 32 bits on S.
         "a5.events:V>S=0@i8|i16|i32"},
    with_scalar({.name = "pto.tmaxs", .doc = "dst = max(src, scalar)"}),
    with_scalar({.name = "pto.tmins", .doc = "dst = min(src, scalar)"}),
    with_integer({.name = "pto.tands", .doc = "dst = src & scalar"}),
    with_integer({.name = "pto.tors", .doc = "dst = src | scalar"}),
    {.name = "pto.txors",
     .doc = "dst = src ^ scalar",
     .operands = "src:tile scalar:int tmp:tile?=tmp dst:tile=out",
     .types = both("i8 i16 i32"),
     .rules = "vec row_major same_valid distinct:src,dst a2a3.tmp_elem:dst a2a3.row_major:tmp "
              // pto-isa a2a3/TBitwiseSOp.hpp:127-136.
              "a2a3.scratch:like_destination a2a3.distinct:src,tmp,dst",
     .flags = kTmpOnA2a3},
    with_integer({.name = "pto.tshls",
                  .doc = "dst = src << scalar",
                  .types = {.a2a3 = "i8 i16 i32", .a5 = "i8 i16 i32 i64"},
                  .rules = "vec row_major same_valid nonnegative:scalar in_place:src"}),
    with_integer({.name = "pto.tshrs",
                  .doc = "dst = src >> scalar; arithmetic for signed, logical for unsigned",
                  .types = {.a2a3 = "i16 i32", .a5 = "i8 i16 i32 i64"},
                  .rules = "vec row_major same_valid in_place:src"}),
    {.name = "pto.trems",
     .doc = "dst = remainder of src by scalar, sign of the scalar",
     .operands = "src:tile scalar:scalar tmp:tile?=tmp dst:tile=out",
     .types = {.a2a3 = "i32 f32", .a5 = "i16 i32 i64 f16 f32"},
     .rules = "vec row_major same_valid scalar_elem:exact row_major:tmp tmp_elem:dst a2a3.tmp_covers:dst "
              "a2a3.rem_i32 a5.in_place:src "
              // pto-isa a2a3/TRemS.hpp:21-100: dst and tmp hold products while src is read; i32 becomes f32
              // in place and is converted back.
              "a2a3.distinct:src,dst a2a3.scratch:one_row a2a3.restores:src@i32",
     .flags = kTmpOnA2a3},
    with_scalar({.name = "pto.tfmods",
                 .doc = "dst = remainder of src by scalar, sign of src",
                 .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i16 i32 i64 f16 f32"},
                 .rules = "vec row_major same_valid scalar_elem:exact a5.in_place:src "
                          // pto-isa a2a3/TFmodS.hpp:21-36: the number goes to dst before src is read.
                          "a2a3.distinct:src,dst"}),
    {.name = "pto.tlrelu",
     .doc = "dst = src > 0 ? src : src * slope",
     .operands = "src:tile slope:float dst:tile=out",
     .types = both("f16 f32"),
     .rules = "vec row_major same_valid scalar_is:slope=f32 in_place:src"},
    {.name = "pto.taddsc",
     .doc = "dst = src0 + scalar + src1",
     .operands = "src0:tile scalar:scalar src1:tile dst:tile=out",
     .types = both("i16 i32 f16 f32"),
     .rules = "vec row_major same_valid scalar_elem same_shape in_place:src0,src1"},
    {.name = "pto.tsubsc",
     .doc = "dst = src0 - scalar + src1",
     .operands = "src0:tile scalar:scalar src1:tile dst:tile=out",
     .types = both("i16 i32 f16 f32"),
     .rules = "vec row_major same_valid scalar_elem in_place:src0,src1"},
    {.name = "pto.taxpy",
     .doc = "dst += src * scalar",
     .operands = "src:tile scalar:scalar dst:tile=inout",
     .types = {.a2a3 = "f16 f32 src:f16,dst:f32", .a5 = "f16 bf16 f32 src:f16,dst:f32 src:bf16,dst:f32"},
     .rules = "vec row_major same_valid same_shape scalar_elem:exact in_place:src"},
    {.name = "pto.texpands",
     .doc = "dst = scalar in every valid element",
     .operands = "scalar:scalar dst:tile=out",
     .types = {.a2a3 = "i8 i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec_or_mat a2a3.vec_row_major:dst scalar_elem:exact",
     .opcode_class = OpcodeClass::fill,
     .pipe = ":vec_or_mat"},
    {.name = "pto.tsels",
     .doc = "dst = mask bit ? src : scalar",
     .operands = "mask:tile src:tile tmp:tile?=tmp scalar:scalar dst:tile=out",
     .types = {.a2a3 = "i16 i32 f16 bf16 f32", .a5 = "i8 i16 i32 i64 f16 f32"},
     .rules = "vec row_major mask_bits exempt:mask same_valid:src,dst scalar_elem in_place:src "
              "a2a3.row_major:tmp a2a3.tmp_elem:src "
              // pto-isa a2a3/TSels.hpp:33-38: S stores the number into tmp before it waits.
              "a2a3.phases:S>tmp;V a2a3.events:S>V=0 a2a3.scratch:element a2a3.scratch_on:dst "
              // pto-isa a2a3/TSels.hpp:41-44, pto-isa a5/TSels.hpp:59-87, 115-126: results lie on mask bits
              // that are still to be read.
              "a2a3.distinct:mask,dst@rows|repeats a5.distinct:mask,dst@rows|pairs",
     .flags = kTmpOnA2a3},
    with_scalar({.name = "pto.tcmps",
                 .doc = "dst bit = src <cmp> scalar",
                 .attrs = "cmpMode:cmp=eq",
                 .syntax = "@dps_in",
                 .rules = "vec row_major mask_out exempt:dst scalar_elem same_rows:src,dst "
                          "mask_stream:src,dst a2a3.cmp_i32"}),
    {.name = "pto.tpows",
     .doc = "dst = base ^ scalar",
     .operands = "base:tile scalar:scalar tmp:tile?=tmp dst:tile=out",
     .attrs = "precisionType:pow_precision=default",
     .types = {.a2a3 = "i8 i16 i32 f32", .a5 = "i8 i16 i32 f16 bf16 f32"},
     .rules = "vec row_major same_valid a5.in_place:base a2a3.tpow_tmp tpow_form "
              // pto-isa a2a3/TPow.hpp:202-217, 312-318.
              "a2a3.scratch:like_destination a2a3.scratch_on:dst a2a3.events:V>S=0;S>V=0"},
    {.name = "pto.tci",
     .doc = "dst[0, j] = S + j, or S - j when descending",
     .operands = "S:int dst:tile=out tmp:tile?=tmp",
     .attrs = "descending:bool=false",
     .syntax = "@dps",
     .types = both("i16 i32 f16 bf16 f32"),
     .rules = "vec ramp a2a3.tci_tmp a2a3.row_major:tmp a2a3.fractal_512:tmp "
              // pto-isa a2a3/TCI.hpp:60-95, 151-200. Without tmp S counts, and waits for nothing before:
              // pto-isa a2a3/TCI.hpp:28-51, pto-isa a5/Tci.hpp:38-60.
              "a2a3.scratch:ramp a2a3.scratch_on:dst a2a3.phases:S>dst;V@!tmp a5.phases:S>dst;V@!tmp"},
    {.name = "pto.ttri",
     .doc = "dst = triangle of ones: c <= r + diagonal (lower 0) or c >= r + diagonal (upper 1)",
     .operands = "diagonal:int dst:tile=out",
     .attrs = "upperOrLower:i32=0",
     .syntax = "@dps_in",
     .types = {.a2a3 = "i16 i32 f16 f32", .a5 = "i8 i16 i32 i64 f16 bf16 f32"},
     .rules = "vec row_major upper_or_lower"},
    {.name = "pto.trandom",
     .doc = "dst = Philox4x32 random words",
     .operands = "key0:int key1:int counter0:int counter1:int counter2:int counter3:int dst:tile=out",
     .attrs = "rounds:i32=10",
     .syntax = "@dps_in",
     .types = {.a2a3 = "-", .a5 = "i32"},
     .rules = "vec row_major rounds scalar_is:key0,key1,counter0,counter1,counter2,counter3=i32"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_scalar_rows() { return complete<kTable>(); }

}  // namespace pto::isa
