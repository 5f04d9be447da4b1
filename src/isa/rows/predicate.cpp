// Predicate registers.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view rules, std::string_view cost, std::string_view doc) {
  return {name, Layer::vector, operands, results, attrs, syntax, "-", "", rules, "V", cost, kVecScope, doc};
}

constexpr Row kRows[] = {
    //     name               operands                         results                     attrs          syntax           rules                               cost               doc
    row_of("pto.pset_b8",     "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b8",                    "vec.pset_b8",     "mask by pattern"),
    row_of("pto.pset_b16",    "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b16",                   "vec.pset_b16",    "mask by pattern"),
    row_of("pto.pset_b32",    "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b32",                   "vec.pset_b32",    "mask by pattern"),
    row_of("pto.pge_b8",      "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b8",                    "vec.pge_b8",      "mask by pattern, lanes past the pattern off"),
    row_of("pto.pge_b16",     "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b16",                   "vec.pge_b16",     "mask by pattern, lanes past the pattern off"),
    row_of("pto.pge_b32",     "",                              "result:mask",              "pattern:pat", "list $pattern", "mask_width:b32",                   "vec.pge_b32",     "mask by pattern, lanes past the pattern off"),
    row_of("pto.plt_b8",      "scalar:i32",                    "mask:mask scalar_out:i32", "",            "list",          "mask_width:b8",                    "vec.plt_b8",      "first min(scalar, lanes) lanes; scalar_out = rest"),
    row_of("pto.plt_b16",     "scalar:i32",                    "mask:mask scalar_out:i32", "",            "list",          "mask_width:b16",                   "vec.plt_b16",     "first min(scalar, lanes) lanes; scalar_out = rest"),
    row_of("pto.plt_b32",     "scalar:i32",                    "mask:mask scalar_out:i32", "",            "list",          "mask_width:b32",                   "vec.plt_b32",     "first min(scalar, lanes) lanes; scalar_out = rest"),
    row_of("pto.pand",        "src0:mask src1:mask mask:mask", "result:mask",              "",            "list",          "masks_same:src0,src1,mask,result", "vec.pand",        "result = src0 & src1"),
    row_of("pto.por",         "src0:mask src1:mask mask:mask", "result:mask",              "",            "list",          "masks_same:src0,src1,mask,result", "vec.por",         "result = src0 | src1"),
    row_of("pto.pxor",        "src0:mask src1:mask mask:mask", "result:mask",              "",            "list",          "masks_same:src0,src1,mask,result", "vec.pxor",        "result = src0 ^ src1"),
    row_of("pto.psel",        "src0:mask src1:mask mask:mask", "result:mask",              "",            "list",          "masks_same:src0,src1,mask,result", "vec.psel",        "result = mask ? src0 : src1"),
    row_of("pto.pnot",        "input:mask mask:mask",          "result:mask",              "",            "list",          "masks_same:input,mask,result",     "vec.pnot",        "result = ~input, where mask"),
    row_of("pto.pintlv_b8",   "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b8",                    "vec.pintlv_b8",   "lanes of lhs and rhs in turn"),
    row_of("pto.pintlv_b16",  "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b16",                   "vec.pintlv_b16",  "lanes of lhs and rhs in turn"),
    row_of("pto.pintlv_b32",  "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b32",                   "vec.pintlv_b32",  "lanes of lhs and rhs in turn"),
    row_of("pto.pdintlv_b8",  "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b8",                    "vec.pdintlv_b8",  "even lanes, odd lanes"),
    row_of("pto.pdintlv_b16", "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b16",                   "vec.pdintlv_b16", "even lanes, odd lanes"),
    row_of("pto.pdintlv_b32", "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "list",          "mask_width:b32",                   "vec.pdintlv_b32", "even lanes, odd lanes"),
    row_of("pto.ppack",       "input:mask",                    "result:mask",              "part:part",   "list $part",    "mask_step:narrow",                 "vec.ppack",       "every second bit into one half"),
    row_of("pto.punpack",     "input:mask",                    "result:mask",              "part:part",   "list $part",    "mask_step:widen",                  "vec.punpack",     "one half spread to every second bit"),
    row_of("pto.pbitcast",    "input:mask",                    "result:mask",              "",            "list",          "",                                 "vec.pbitcast",    "same bits, other granularity"),
};
// clang-format on

}  // namespace

std::span<const Row> predicate_rows() { return kRows; }

}  // namespace pto::isa
