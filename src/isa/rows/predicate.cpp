// Predicate registers.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr Row kRows[] = {
    // name               layer          operands                         results                     attrs          syntax                                                                                  a2a3  a5  rules             pipe  cost               flags      doc
    {"pto.pset_b8",     Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b8",  "V",  "vec.pset_b8",     kVecScope, "mask by pattern"},
    {"pto.pset_b16",    Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b16", "V",  "vec.pset_b16",    kVecScope, "mask by pattern"},
    {"pto.pset_b32",    Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b32", "V",  "vec.pset_b32",    kVecScope, "mask by pattern"},
    {"pto.pge_b8",      Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b8",  "V",  "vec.pge_b8",      kVecScope, "mask by pattern, lanes past the pattern off"},
    {"pto.pge_b16",     Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b16", "V",  "vec.pge_b16",     kVecScope, "mask by pattern, lanes past the pattern off"},
    {"pto.pge_b32",     Layer::vector, "",                              "result:mask",              "pattern:pat", "$pattern {attrs} : type($result)",                                                     "-",  "", "mask_width:b32", "V",  "vec.pge_b32",     kVecScope, "mask by pattern, lanes past the pattern off"},
    {"pto.plt_b8",      Layer::vector, "scalar:i32",                    "mask:mask scalar_out:i32", "",            "$scalar {attrs} : type($scalar) -> type($mask), type($scalar_out)",                    "-",  "", "mask_width:b8",  "V",  "vec.plt_b8",      kVecScope, "first min(scalar, lanes) lanes; scalar_out = rest"},
    {"pto.plt_b16",     Layer::vector, "scalar:i32",                    "mask:mask scalar_out:i32", "",            "$scalar {attrs} : type($scalar) -> type($mask), type($scalar_out)",                    "-",  "", "mask_width:b16", "V",  "vec.plt_b16",     kVecScope, "first min(scalar, lanes) lanes; scalar_out = rest"},
    {"pto.plt_b32",     Layer::vector, "scalar:i32",                    "mask:mask scalar_out:i32", "",            "$scalar {attrs} : type($scalar) -> type($mask), type($scalar_out)",                    "-",  "", "mask_width:b32", "V",  "vec.plt_b32",     kVecScope, "first min(scalar, lanes) lanes; scalar_out = rest"},
    {"pto.pand",        Layer::vector, "src0:mask src1:mask mask:mask", "result:mask",              "",            "$src0, $src1, $mask {attrs} : type($src0), type($src1), type($mask) -> type($result)", "-",  "", "",               "V",  "vec.pand",        kVecScope, "result = src0 & src1"},
    {"pto.por",         Layer::vector, "src0:mask src1:mask mask:mask", "result:mask",              "",            "$src0, $src1, $mask {attrs} : type($src0), type($src1), type($mask) -> type($result)", "-",  "", "",               "V",  "vec.por",         kVecScope, "result = src0 | src1"},
    {"pto.pxor",        Layer::vector, "src0:mask src1:mask mask:mask", "result:mask",              "",            "$src0, $src1, $mask {attrs} : type($src0), type($src1), type($mask) -> type($result)", "-",  "", "",               "V",  "vec.pxor",        kVecScope, "result = src0 ^ src1"},
    {"pto.psel",        Layer::vector, "src0:mask src1:mask mask:mask", "result:mask",              "",            "$src0, $src1, $mask {attrs} : type($src0), type($src1), type($mask) -> type($result)", "-",  "", "",               "V",  "vec.psel",        kVecScope, "result = mask ? src0 : src1"},
    {"pto.pnot",        Layer::vector, "input:mask mask:mask",          "result:mask",              "",            "$input, $mask {attrs} : type($input), type($mask) -> type($result)",                   "-",  "", "",               "V",  "vec.pnot",        kVecScope, "result = ~input, where mask"},
    {"pto.pintlv_b8",   Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b8",  "V",  "vec.pintlv_b8",   kVecScope, "lanes of lhs and rhs in turn"},
    {"pto.pintlv_b16",  Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b16", "V",  "vec.pintlv_b16",  kVecScope, "lanes of lhs and rhs in turn"},
    {"pto.pintlv_b32",  Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b32", "V",  "vec.pintlv_b32",  kVecScope, "lanes of lhs and rhs in turn"},
    {"pto.pdintlv_b8",  Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b8",  "V",  "vec.pdintlv_b8",  kVecScope, "even lanes, odd lanes"},
    {"pto.pdintlv_b16", Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b16", "V",  "vec.pdintlv_b16", kVecScope, "even lanes, odd lanes"},
    {"pto.pdintlv_b32", Layer::vector, "lhs:mask rhs:mask",             "low:mask high:mask",       "",            "$lhs, $rhs {attrs} : type($lhs), type($rhs) -> type($low), type($high)",               "-",  "", "mask_width:b32", "V",  "vec.pdintlv_b32", kVecScope, "even lanes, odd lanes"},
    {"pto.ppack",       Layer::vector, "input:mask",                    "result:mask",              "part:part",   "$input, $part {attrs} : type($input) -> type($result)",                                "-",  "", "",               "V",  "vec.ppack",       kVecScope, "every second bit into one half"},
    {"pto.punpack",     Layer::vector, "input:mask",                    "result:mask",              "part:part",   "$input, $part {attrs} : type($input) -> type($result)",                                "-",  "", "",               "V",  "vec.punpack",     kVecScope, "one half spread to every second bit"},
    {"pto.pbitcast",    Layer::vector, "input:mask",                    "result:mask",              "",            "$input {attrs} : type($input) -> type($result)",                                       "-",  "", "",               "V",  "vec.pbitcast",    kVecScope, "same bits, other granularity"},
};
// clang-format on

}  // namespace

std::span<const Row> predicate_rows() { return kRows; }

}  // namespace pto::isa
