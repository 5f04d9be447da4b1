// Vectors of A2/A3 in UB: pointers, repeats and strides in 32-byte blocks, under the mask registers.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kBinary =
    "dst:ptr=out src0:ptr src1:ptr repeat:i64 dstBlockStride:i64 src0BlockStride:i64 src1BlockStride:i64 "
    "dstRepeatStride:i64 src0RepeatStride:i64 src1RepeatStride:i64";
constexpr std::string_view kUnary =
    "dst:ptr=out src:ptr repeat:i64 dstBlockStride:i64 srcBlockStride:i64 dstRepeatStride:i64 "
    "srcRepeatStride:i64";
constexpr std::string_view kWithScalar =
    "dst:ptr=out src:ptr shiftDist:i64 repeat:i64 dstBlockStride:i64 srcBlockStride:i64 "
    "dstRepeatStride:i64 srcRepeatStride:i64";

constexpr Row kShared = {.syntax = "list", .pipe = "V", .cost = "ub.", .layer = Layer::tile};

constexpr Row binary(Row own) {
  return inherit({.operands = kBinary, .rules = "ub:dst ub:src0 ub:src1 repeat"}, own);
}
constexpr Row unary(Row own) { return inherit({.operands = kUnary, .rules = "ub:dst ub:src repeat"}, own); }
constexpr Row with_scalar(Row own) {
  return inherit({.operands = kWithScalar, .rules = "ub:dst ub:src repeat"}, own);
}
constexpr Row mask_setting(Row own) {
  return inherit({.pipe = "S", .cost = "scalar", .flags = kModeWrite}, own);
}

constexpr Row kRows[] = {
    binary({.name = "pto.ub.vadd", .doc = "dst = src0 + src1", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    binary({.name = "pto.ub.vsub", .doc = "dst = src0 - src1", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    binary({.name = "pto.ub.vmul", .doc = "dst = src0 * src1", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    binary({.name = "pto.ub.vdiv", .doc = "dst = src0 / src1", .types = {.a2a3 = "f16 f32"}}),
    binary({.name = "pto.ub.vmax", .doc = "the greater", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    binary({.name = "pto.ub.vmin", .doc = "the lesser", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    binary({.name = "pto.ub.vand", .doc = "src0 and src1", .types = {.a2a3 = "i16"}}),
    binary({.name = "pto.ub.vor", .doc = "src0 or src1", .types = {.a2a3 = "i16"}}),
    binary({.name = "pto.ub.vaddrelu",
            .doc = "the greater of src0 + src1 and 0",
            .types = {.a2a3 = "i16 f16 f32"}}),
    unary({.name = "pto.ub.vexp", .doc = "e to the power of src", .types = {.a2a3 = "f16 f32"}}),
    unary({.name = "pto.ub.vln", .doc = "the natural logarithm", .types = {.a2a3 = "f16 f32"}}),
    unary({.name = "pto.ub.vsqrt", .doc = "the square root", .types = {.a2a3 = "f16 f32"}}),
    unary({.name = "pto.ub.vrsqrt", .doc = "one by the square root", .types = {.a2a3 = "f16 f32"}}),
    unary({.name = "pto.ub.vrelu", .doc = "the greater of src and 0", .types = {.a2a3 = "i32 f16 f32"}}),
    unary({.name = "pto.ub.vnot", .doc = "the complement", .types = {.a2a3 = "i16"}}),
    unary({.name = "pto.ub.vabs", .doc = "the absolute value", .types = {.a2a3 = "f16 f32"}}),
    with_scalar({.name = "pto.ub.vadds", .doc = "src + a scalar", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    with_scalar({.name = "pto.ub.vmuls", .doc = "src * a scalar", .types = {.a2a3 = "i16 i32 f16 f32"}}),
    with_scalar({.name = "pto.ub.vmaxs",
                 .doc = "the greater of src and a scalar",
                 .types = {.a2a3 = "i16 i32 f16 f32"}}),
    with_scalar({.name = "pto.ub.vmins",
                 .doc = "the lesser of src and a scalar",
                 .types = {.a2a3 = "i16 i32 f16 f32"}}),
    with_scalar({.name = "pto.ub.vshl", .doc = "src shifted left", .types = {.a2a3 = "i16 i32"}}),
    with_scalar({.name = "pto.ub.vshr", .doc = "src shifted right", .types = {.a2a3 = "i16 i32"}}),
    {.name = "pto.ub.vdup",
     .doc = "all elements have one value",
     .operands = "dst:ptr=out scalar:i64 repeat:i64 dstBlockStride:i64 srcBlockStride:i64 "
                 "dstRepeatStride:i64 srcRepeatStride:i64",
     .types = {.a2a3 = "i16 i32 f16 bf16 f32"},
     .rules = "ub:dst repeat"},
    mask_setting({.name = "pto.ub.set_mask",
                  .doc = "which elements of a repeat take part",
                  .operands = "mask0:i64 mask1:i64"}),
    mask_setting({.name = "pto.ub.set_mask_count", .doc = "the mask is a number of elements"}),
    mask_setting({.name = "pto.ub.set_mask_norm", .doc = "the mask has a bit per element"}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows vector_ub_rows() { return complete<kTable>(); }

}  // namespace pto::isa
