// VMI: operations under masks: arithmetic, comparisons, reductions, conversions.
// Columns: see src/isa/row.hpp. The cost is that of the vector instruction for each register.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kLanes = "i8 i16 i32 f16 bf16 f32 f8e4m3 f8e5m2 f8e8m0 hif8 f4e1m2x2 f4e2m1x2";
constexpr std::string_view kArithmetic = "i8 i16 i32 f16 bf16 f32";
constexpr std::string_view kBinary =
    "$lhs, $rhs (, $mask)? {attrs} : type($lhs), type($rhs) (, type($mask))? -> type($result)";
constexpr std::string_view kUnary =
    "$source (, $mask)? {attrs} : type($source) (, type($mask))? -> type($result)";

constexpr Row kShared = {
    .results = "result:vmi_vreg", .types = {.a2a3 = "-"}, .pipe = "V", .layer = Layer::vmi};

constexpr Row binary(Row own) {
  return inherit({.operands = "lhs:vmi_vreg rhs:vmi_vreg mask:vmi_mask?",
                  .attrs = "pmode:vmi_pmode=zero",
                  .syntax = kBinary,
                  .rules = "same:lhs,rhs,result vmi_mask:mask=result",
                  .lowering = Lowering::lanes},
                 own);
}
constexpr Row unary(Row own) {
  return inherit({.operands = "source:vmi_vreg mask:vmi_mask?",
                  .attrs = "pmode:vmi_pmode=zero",
                  .syntax = kUnary,
                  .rules = "same:source,result vmi_mask:mask=result",
                  .lowering = Lowering::lanes},
                 own);
}
constexpr Row logic(Row own) {
  return inherit({.operands = "lhs:vmi_vreg|vmi_mask rhs:vmi_vreg|vmi_mask mask:vmi_mask?",
                  .results = "result:vmi_vreg|vmi_mask",
                  .attrs = "pmode:vmi_pmode?",
                  .syntax = kBinary,
                  .rules = "vmi_logic same:lhs,rhs,result vmi_mask:mask=result"},
                 own);
}
constexpr Row with_scalar(Row own) {
  return inherit({.operands = "src:vmi_vreg scalar:scalar mask:vmi_mask",
                  .attrs = "pmode:vmi_pmode=zero",
                  .syntax = "list",
                  .rules = "vmi_scalar:scalar=src same:src,result vmi_mask:mask=result",
                  .lowering = Lowering::lanes},
                 own);
}
constexpr Row histogram(Row own) {
  return inherit({.operands = "acc:vmi_vreg source:vmi_vreg mask:vmi_mask",
                  .syntax = "list",
                  .types = {.a5 = "acc:ui16,source:ui8,result:ui16"},
                  .rules = "vmi_histogram vmi_mask:mask=source vmi_lanes:source,mask",
                  .lowering = Lowering::histogram},
                 own);
}
constexpr Row reduction(Row own) {
  return inherit({.operands = "source:vmi_vreg mask:vmi_mask",
                  .attrs = "group:i64? pmode:vmi_pmode=zero",
                  .syntax = "list",
                  .types = {.a5 = kArithmetic},
                  .rules = "vmi_reduce vmi_mask:mask=source vmi_whole_registers:source vmi_group_reduction"},
                 own);
}

constexpr Row kRows[] = {
    binary({.name = "pto.vmi.vadd", .doc = "lhs + rhs", .types = {.a5 = kArithmetic}}),
    binary({.name = "pto.vmi.vsub", .doc = "lhs - rhs", .types = {.a5 = kArithmetic}}),
    binary({.name = "pto.vmi.vmul", .doc = "lhs * rhs", .types = {.a5 = "i16 i32 f16 bf16 f32"}}),
    binary({.name = "pto.vmi.vdiv", .doc = "lhs / rhs", .types = {.a5 = "f16 f32"}}),
    binary({.name = "pto.vmi.vmin", .doc = "the lesser", .types = {.a5 = kArithmetic}}),
    binary({.name = "pto.vmi.vmax", .doc = "the greater", .types = {.a5 = kArithmetic}}),
    {.name = "pto.vmi.vaddc",
     .doc = "lhs + rhs, with carry out",
     .operands = "lhs:vmi_vreg rhs:vmi_vreg mask:vmi_mask",
     .results = "result:vmi_vreg carry:vmi_mask",
     .syntax = "list",
     .types = {.a5 = "i32"},
     .rules = "same:lhs,rhs,result vmi_mask:mask,carry=result",
     .lowering = Lowering::lanes},
    {.name = "pto.vmi.vaddcs",
     .doc = "lhs + rhs + carry, with carry out",
     .operands = "lhs:vmi_vreg rhs:vmi_vreg carry_in:vmi_mask mask:vmi_mask",
     .results = "result:vmi_vreg carry:vmi_mask",
     .syntax = "list",
     .types = {.a5 = "i32"},
     .rules = "same:lhs,rhs,result vmi_mask:carry_in,mask,carry=result",
     .lowering = Lowering::lanes},
    unary({.name = "pto.vmi.vneg", .doc = "-source", .types = {.a5 = "i8 i16 i32 f16 f32"}}),
    unary(
        {.name = "pto.vmi.vabs", .doc = "the absolute value", .types = {.a5 = "si8 si16 si32 f16 bf16 f32"}}),
    unary({.name = "pto.vmi.vsqrt", .doc = "the square root", .types = {.a5 = "f16 f32"}}),
    unary({.name = "pto.vmi.vexp", .doc = "e to the power of source", .types = {.a5 = "f16 f32"}}),
    unary({.name = "pto.vmi.vln", .doc = "the natural logarithm", .types = {.a5 = "f16 f32"}}),
    unary({.name = "pto.vmi.vrelu", .doc = "the greater of source and 0", .types = {.a5 = "si32 f16 f32"}}),
    logic(
        {.name = "pto.vmi.vand", .doc = "lhs and rhs, of vectors or masks", .lowering = Lowering::logic_and}),
    logic({.name = "pto.vmi.vor", .doc = "lhs or rhs, of vectors or masks", .lowering = Lowering::logic_or}),
    logic({.name = "pto.vmi.vxor",
           .doc = "lhs exclusive or rhs, of vectors or masks",
           .lowering = Lowering::logic_xor}),
    {.name = "pto.vmi.vnot",
     .doc = "the complement, of a vector or mask",
     .operands = "source:vmi_vreg|vmi_mask mask:vmi_mask?",
     .results = "result:vmi_vreg|vmi_mask",
     .attrs = "pmode:vmi_pmode?",
     .syntax = kUnary,
     .rules = "vmi_logic same:source,result vmi_mask:mask=result",
     .lowering = Lowering::logic_not},
    binary({.name = "pto.vmi.vshl", .doc = "lhs shifted left by rhs", .types = {.a5 = "i8 i16 i32"}}),
    binary({.name = "pto.vmi.vshr", .doc = "lhs shifted right by rhs", .types = {.a5 = "i8 i16 i32"}}),
    {.name = "pto.vmi.vcmp",
     .doc = "lanes of seed where the comparison holds",
     .operands = "lhs:vmi_vreg rhs:vmi_vreg seed:vmi_mask",
     .results = "result:vmi_mask",
     .attrs = "cmp:vmi_cmp pmode:vmi_cmp_pmode?",
     .syntax = "list",
     .types = {.a5 = kArithmetic},
     .rules = "vmi_compare same:lhs,rhs same:seed,result vmi_mask:seed,result=lhs",
     .lowering = Lowering::compare},
    {.name = "pto.vmi.vcmps",
     .doc = "lanes of seed where the comparison with a scalar holds",
     .operands = "src:vmi_vreg scalar:scalar seed:vmi_mask",
     .results = "result:vmi_mask",
     .attrs = "cmp:vmi_cmp pmode:vmi_cmp_pmode?",
     .syntax = "list",
     .types = {.a5 = kArithmetic},
     .rules = "vmi_compare vmi_scalar:scalar=src same:seed,result vmi_mask:seed,result=src",
     .lowering = Lowering::compare},
    with_scalar({.name = "pto.vmi.vadds", .doc = "src + scalar", .types = {.a5 = kArithmetic}}),
    with_scalar({.name = "pto.vmi.vmuls",
                 .doc = "src * scalar",
                 .types = {.a5 = "i16 i32 f16 f32"},
                 .rules = "vmi_scalar:scalar=src same:src,result vmi_mask:mask=result vmi_no_merge"}),
    with_scalar(
        {.name = "pto.vmi.vmaxs", .doc = "the greater of src and scalar", .types = {.a5 = kArithmetic}}),
    with_scalar(
        {.name = "pto.vmi.vmins", .doc = "the lesser of src and scalar", .types = {.a5 = kArithmetic}}),
    with_scalar({.name = "pto.vmi.vshls",
                 .doc = "src shifted left",
                 .operands = "src:vmi_vreg scalar:i16 mask:vmi_mask",
                 .types = {.a5 = "i8 i16 i32"},
                 .rules = "shift_count:scalar same:src,result vmi_mask:mask=result"}),
    with_scalar({.name = "pto.vmi.vshrs",
                 .doc = "src shifted right",
                 .operands = "src:vmi_vreg scalar:i16 mask:vmi_mask",
                 .types = {.a5 = "i8 i16 i32"},
                 .rules = "shift_count:scalar same:src,result vmi_mask:mask=result"}),
    {.name = "pto.vmi.vsel",
     .doc = "lanes of true_value where the mask holds, else of false_value",
     .operands = "mask:vmi_mask true_value:vmi_vreg false_value:vmi_vreg",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "list",
     .types = {.a5 = kLanes},
     .rules = "same:true_value,false_value,result vmi_mask:mask=result",
     .lowering = Lowering::choose},
    reduction(
        {.name = "pto.vmi.vcadd",
         .doc = "the sum of the active lanes, or of those of each group",
         .attrs = "group:i64? pmode:vmi_pmode=zero reassoc:unit",
         .rules =
             "vmi_reduce vmi_mask:mask=source vmi_whole_registers:source vmi_sum:source vmi_group_reduction",
         .lowering = Lowering::reduce_add}),
    reduction({.name = "pto.vmi.vcmax",
               .doc = "the greatest of the active lanes, or of those of each group",
               .lowering = Lowering::reduce_max}),
    reduction({.name = "pto.vmi.vcmin",
               .doc = "the least of the active lanes, or of those of each group",
               .lowering = Lowering::reduce_min}),
    {.name = "pto.vmi.vcvt",
     .doc = "another element type",
     .operands = "source:vmi_vreg",
     .attrs = "rounding:vmi_rounding? saturate:vmi_saturate? pmode:vmi_pmode=zero",
     .syntax = "list",
     .rules = "vmi_lanes:converted vmi_convert vmi_conversion",
     .lowering = Lowering::convert},
    {.name = "pto.vmi.vinterpret_cast",
     .doc = "the same bits under another element type",
     .operands = "source:vmi_vreg",
     .syntax = "list",
     .rules = "vmi_bits vmi_reinterpretation",
     .lowering = Lowering::recast,
     .cost = "vec.vbitcast"},
    {.name = "pto.vmi.vselr",
     .doc = "result[i] = source[index[i]]",
     .operands = "source:vmi_vreg index:vmi_vreg",
     .syntax = "list",
     .types = {.a5 = kLanes},
     .rules = "exempt:index vmi_indices:index=source vmi_lanes:index,result vmi_choice:source,index,result",
     .lowering = Lowering::select_lanes},
    {.name = "pto.vmi.vintlv",
     .doc = "lanes of lhs and rhs by turns",
     .operands = "lhs:vmi_vreg rhs:vmi_vreg mask:vmi_mask",
     .results = "low:vmi_vreg high:vmi_vreg",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "list",
     .types = {.a5 = kLanes},
     .rules = "vmi_pair:lhs,rhs,low,high vmi_mask:mask=lhs",
     .lowering = Lowering::interleave},
    {.name = "pto.vmi.vdintlv",
     .doc = "the even lanes of lhs and rhs, and the odd ones",
     .operands = "lhs:vmi_vreg rhs:vmi_vreg mask:vmi_mask",
     .results = "low:vmi_vreg high:vmi_vreg",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "list",
     .types = {.a5 = kLanes},
     .rules = "vmi_pair:lhs,rhs,low,high vmi_mask:mask=lhs",
     .lowering = Lowering::deinterleave},
    {.name = "pto.vmi.vexpdif",
     .doc = "e to the power of x - max",
     .operands = "x:vmi_vreg max:vmi_vreg mask:vmi_mask",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "list",
     .types = {.a5 = "x:f16|f32,max:=,result:f32"},
     .rules = "vmi_lanes vmi_mask:mask=x",
     .lowering = Lowering::exp_difference},
    with_scalar({.name = "pto.vmi.vaxpy",
                 .doc = "acc + alpha * x",
                 .operands = "x:vmi_vreg acc:vmi_vreg alpha:float mask:vmi_mask",
                 .types = {.a5 = "f16 f32"},
                 .rules = "vmi_scalar:alpha=x same:x,acc,result vmi_mask:mask=result"}),
    with_scalar({.name = "pto.vmi.vlrelu",
                 .doc = "x where positive, else slope * x",
                 .operands = "x:vmi_vreg slope:float mask:vmi_mask",
                 .types = {.a5 = "f16 f32"},
                 .rules = "vmi_scalar:slope=x same:x,result vmi_mask:mask=result"}),
    with_scalar({.name = "pto.vmi.vprelu",
                 .doc = "x where positive, else alpha * x",
                 .operands = "x:vmi_vreg alpha:vmi_vreg mask:vmi_mask",
                 .types = {.a5 = "f16 f32"},
                 .rules = "same:x,alpha,result vmi_mask:mask=result"}),
    {.name = "pto.vmi.vmull",
     .doc = "the product in two halves",
     .operands = "a:vmi_vreg b:vmi_vreg mask:vmi_mask",
     .results = "low:vmi_vreg high:vmi_vreg",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "list",
     .types = {.a5 = "ui32"},
     .rules = "same:a,b,low,high vmi_product vmi_mask:mask=a vmi_not_in_blocks:a",
     .lowering = Lowering::product},
    {.name = "pto.vmi.vmula",
     .doc = "acc + lhs * rhs",
     .operands = "acc:vmi_vreg lhs:vmi_vreg rhs:vmi_vreg mask:vmi_mask?",
     .attrs = "pmode:vmi_pmode=zero",
     .syntax = "$acc, $lhs, $rhs (, $mask)? {attrs} : type($acc), type($lhs), type($rhs) (, "
               "type($mask))? -> type($result)",
     .types = {.a5 = kArithmetic},
     .rules = "same:acc,lhs,rhs,result vmi_mask:mask=result",
     .lowering = Lowering::lanes},
    histogram({.name = "pto.vmi.vdhist", .doc = "counts the active lanes by value", .cost = "vec.dhistv2"}),
    histogram(
        {.name = "pto.vmi.vchist", .doc = "counts the active lanes up to each value", .cost = "vec.chistv2"}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows vmi_masked_rows() { return complete<kTable>(); }

}  // namespace pto::isa
