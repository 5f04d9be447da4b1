// Functions of scalars.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view rules, std::string_view cost, uint32_t flags,
                     std::string_view doc) {
  return {name, Layer::scalar, operands, results, attrs, syntax, "", "", rules, "S", cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name              operands                   results             attrs            syntax                                      rules       cost      flags         doc
    row_of("math.absf",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "|a|"),
    row_of("math.absi",      "a:int|index",             "result:int|index", "",              "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "|a| of an integer"),
    row_of("math.ceil",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "a rounded up"),
    row_of("math.floor",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "a rounded down"),
    row_of("math.round",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "a rounded to the nearest integer, halves away from 0"),
    row_of("math.roundeven", "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "a rounded to the nearest integer, halves to even"),
    row_of("math.trunc",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "a rounded towards 0"),
    row_of("math.exp",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "e to the power a"),
    row_of("math.exp2",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "2 to the power a"),
    row_of("math.expm1",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "e to the power a, minus 1"),
    row_of("math.log",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "natural logarithm"),
    row_of("math.log2",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "logarithm of base 2"),
    row_of("math.log10",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "logarithm of base 10"),
    row_of("math.log1p",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "natural logarithm of 1 + a"),
    row_of("math.sqrt",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "square root"),
    row_of("math.rsqrt",     "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "1 / square root"),
    row_of("math.cbrt",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "cube root"),
    row_of("math.sin",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "sine"),
    row_of("math.cos",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "cosine"),
    row_of("math.tan",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "tangent"),
    row_of("math.tanh",      "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "hyperbolic tangent"),
    row_of("math.erf",       "a:float",                 "result:float",     "fastmath:any?", "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "error function"),
    row_of("math.ctpop",     "a:int|index",             "result:int|index", "",              "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "number of set bits"),
    row_of("math.ctlz",      "a:int|index",             "result:int|index", "",              "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "number of leading zeros"),
    row_of("math.cttz",      "a:int|index",             "result:int|index", "",              "$a {attrs} : type($result)",               "all_same", "scalar", kNotExecuted, "number of trailing zeros"),
    row_of("math.powf",      "a:float b:float",         "result:float",     "fastmath:any?", "$a, $b {attrs} : type($result)",           "all_same", "scalar", kNotExecuted, "a to the power b"),
    row_of("math.atan2",     "a:float b:float",         "result:float",     "fastmath:any?", "$a, $b {attrs} : type($result)",           "all_same", "scalar", kNotExecuted, "angle of the point (b, a)"),
    row_of("math.copysign",  "a:float b:float",         "result:float",     "fastmath:any?", "$a, $b {attrs} : type($result)",           "all_same", "scalar", kNotExecuted, "a with the sign of b"),
    row_of("math.ipowi",     "a:int b:int",             "result:int",       "",              "$a, $b {attrs} : type($result)",           "all_same", "scalar", kNotExecuted, "integer a to the power b"),
    row_of("math.fpowi",     "a:float b:int",           "result:float",     "fastmath:any?", "$a, $b {attrs} : type($result), type($b)", "",         "scalar", kNotExecuted, "a to an integer power b"),
    row_of("math.fma",       "a:float b:float c:float", "result:float",     "fastmath:any?", "$a, $b, $c {attrs} : type($result)",       "all_same", "scalar", kNotExecuted, "a * b + c, rounded once"),
};
// clang-format on

}  // namespace

std::span<const Row> math_rows() { return kRows; }

}  // namespace pto::isa
