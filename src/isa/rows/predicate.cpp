// Predicate registers.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {
    .syntax = "list", .types = {.a2a3 = "-"}, .pipe = "V", .scope = Scope::inside, .layer = Layer::vector};

constexpr Row pattern(Row own) {
  return inherit({.results = "result:mask", .attrs = "pattern:pat", .syntax = "list $pattern"}, own);
}
constexpr Row interleave(Row own) {
  return inherit({.operands = "lhs:mask rhs:mask", .results = "low:mask high:mask"}, own);
}
constexpr Row logic(Row own) {
  return inherit({.operands = "src0:mask src1:mask mask:mask",
                  .results = "result:mask",
                  .rules = "masks_same:src0,src1,mask,result"},
                 own);
}

constexpr Row kRows[] = {
    pattern({.name = "pto.pset_b8",
             .doc = "mask by pattern",
             .rules = "mask_width:b8",
             .lowering = Lowering::to_pattern}),
    pattern({.name = "pto.pset_b16",
             .doc = "mask by pattern",
             .rules = "mask_width:b16",
             .lowering = Lowering::to_pattern}),
    pattern({.name = "pto.pset_b32",
             .doc = "mask by pattern",
             .rules = "mask_width:b32",
             .lowering = Lowering::to_pattern}),
    pattern({.name = "pto.pge_b8",
             .doc = "mask by pattern, lanes past the pattern off",
             .rules = "mask_width:b8"}),
    pattern({.name = "pto.pge_b16",
             .doc = "mask by pattern, lanes past the pattern off",
             .rules = "mask_width:b16"}),
    pattern({.name = "pto.pge_b32",
             .doc = "mask by pattern, lanes past the pattern off",
             .rules = "mask_width:b32"}),
    {.name = "pto.plt_b8",
     .doc = "first min(scalar, lanes) lanes; scalar_out = rest",
     .operands = "scalar:i32",
     .results = "mask:mask scalar_out:i32",
     .rules = "mask_width:b8",
     .lowering = Lowering::to_count_down},
    {.name = "pto.plt_b16",
     .doc = "first min(scalar, lanes) lanes; scalar_out = rest",
     .operands = "scalar:i32",
     .results = "mask:mask scalar_out:i32",
     .rules = "mask_width:b16",
     .lowering = Lowering::to_count_down},
    {.name = "pto.plt_b32",
     .doc = "first min(scalar, lanes) lanes; scalar_out = rest",
     .operands = "scalar:i32",
     .results = "mask:mask scalar_out:i32",
     .rules = "mask_width:b32",
     .lowering = Lowering::to_count_down},
    logic({.name = "pto.pand", .doc = "result = src0 & src1", .lowering = Lowering::to_mask_and}),
    logic({.name = "pto.por", .doc = "result = src0 | src1", .lowering = Lowering::to_mask_or}),
    logic({.name = "pto.pxor", .doc = "result = src0 ^ src1", .lowering = Lowering::to_mask_xor}),
    logic({.name = "pto.psel", .doc = "result = mask ? src0 : src1"}),
    {.name = "pto.pnot",
     .doc = "result = ~input, where mask",
     .operands = "input:mask mask:mask",
     .results = "result:mask",
     .rules = "masks_same:input,mask,result",
     .lowering = Lowering::to_mask_not},
    interleave({.name = "pto.pintlv_b8",
                .doc = "lanes of lhs and rhs in turn",
                .rules = "mask_width:b8",
                .lowering = Lowering::to_mask_interleave}),
    interleave({.name = "pto.pintlv_b16",
                .doc = "lanes of lhs and rhs in turn",
                .rules = "mask_width:b16",
                .lowering = Lowering::to_mask_interleave}),
    interleave({.name = "pto.pintlv_b32",
                .doc = "lanes of lhs and rhs in turn",
                .rules = "mask_width:b32",
                .lowering = Lowering::to_mask_interleave}),
    interleave({.name = "pto.pdintlv_b8",
                .doc = "even lanes, odd lanes",
                .rules = "mask_width:b8",
                .lowering = Lowering::to_mask_deinterleave}),
    interleave({.name = "pto.pdintlv_b16",
                .doc = "even lanes, odd lanes",
                .rules = "mask_width:b16",
                .lowering = Lowering::to_mask_deinterleave}),
    interleave({.name = "pto.pdintlv_b32",
                .doc = "even lanes, odd lanes",
                .rules = "mask_width:b32",
                .lowering = Lowering::to_mask_deinterleave}),
    {.name = "pto.ppack",
     .doc = "every second bit into one half",
     .operands = "input:mask",
     .results = "result:mask",
     .attrs = "part:part",
     .syntax = "list $part",
     .rules = "mask_step:narrow",
     .lowering = Lowering::to_mask_pack},
    {.name = "pto.punpack",
     .doc = "one half spread to every second bit",
     .operands = "input:mask",
     .results = "result:mask",
     .attrs = "part:part",
     .syntax = "list $part",
     .rules = "mask_step:widen",
     .lowering = Lowering::to_mask_unpack},
    {.name = "pto.pbitcast",
     .doc = "same bits, other granularity",
     .operands = "input:mask",
     .results = "result:mask",
     .lowering = Lowering::to_mask_cast},
    {.name = "pto.pltm_b8",
     .doc = "mask of the lanes of an iteration below a bound",
     .operands = "loop:i16 bound:i32",
     .results = "mask:mask",
     .rules = "mask_width:b8"},
    {.name = "pto.pltm_b16",
     .doc = "mask of the lanes of an iteration below a bound",
     .operands = "loop:i16 bound:i32",
     .results = "mask:mask",
     .rules = "mask_width:b16"},
    {.name = "pto.pltm_b32",
     .doc = "mask of the lanes of an iteration below a bound",
     .operands = "loop:i16 bound:i32",
     .results = "mask:mask",
     .rules = "mask_width:b32"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows predicate_rows() { return complete<kTable>(); }

}  // namespace pto::isa
