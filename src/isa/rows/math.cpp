// Functions of scalars.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.syntax = "$a {attrs} : type($result)",
                         .pipe = "S",
                         .cost = "scalar",
                         .flags = kPure,
                         .layer = Layer::scalar};

constexpr Row function(Row own) {
  return inherit(
      {.operands = "a:float", .results = "result:float", .attrs = "fastmath:any?", .rules = "all_same"}, own);
}
constexpr Row integer_function(Row own) {
  return inherit({.operands = "a:int|index", .results = "result:int|index", .rules = "all_same"}, own);
}
constexpr Row binary_function(Row own) {
  return inherit({.operands = "a:float b:float",
                  .results = "result:float",
                  .attrs = "fastmath:any?",
                  .syntax = "$a, $b {attrs} : type($result)",
                  .rules = "all_same"},
                 own);
}

constexpr Row kRows[] = {
    function({.name = "math.absf", .doc = "|a|"}),
    integer_function({.name = "math.absi", .doc = "|a| of an integer"}),
    function({.name = "math.ceil", .doc = "a rounded up"}),
    function({.name = "math.floor", .doc = "a rounded down"}),
    function({.name = "math.round", .doc = "a rounded to the nearest integer, halves away from 0"}),
    function({.name = "math.roundeven", .doc = "a rounded to the nearest integer, halves to even"}),
    function({.name = "math.trunc", .doc = "a rounded towards 0"}),
    function({.name = "math.exp", .doc = "e to the power a"}),
    function({.name = "math.exp2", .doc = "2 to the power a"}),
    function({.name = "math.expm1", .doc = "e to the power a, minus 1"}),
    function({.name = "math.log", .doc = "natural logarithm"}),
    function({.name = "math.log2", .doc = "logarithm of base 2"}),
    function({.name = "math.log10", .doc = "logarithm of base 10"}),
    function({.name = "math.log1p", .doc = "natural logarithm of 1 + a"}),
    function({.name = "math.sqrt", .doc = "square root"}),
    function({.name = "math.rsqrt", .doc = "1 / square root"}),
    function({.name = "math.cbrt", .doc = "cube root"}),
    function({.name = "math.sin", .doc = "sine"}),
    function({.name = "math.cos", .doc = "cosine"}),
    function({.name = "math.tan", .doc = "tangent"}),
    function({.name = "math.tanh", .doc = "hyperbolic tangent"}),
    function({.name = "math.erf", .doc = "error function"}),
    integer_function({.name = "math.ctpop", .doc = "number of set bits"}),
    integer_function({.name = "math.ctlz", .doc = "number of leading zeros"}),
    integer_function({.name = "math.cttz", .doc = "number of trailing zeros"}),
    binary_function({.name = "math.powf", .doc = "a to the power b"}),
    binary_function({.name = "math.atan2", .doc = "angle of the point (b, a)"}),
    binary_function({.name = "math.copysign", .doc = "a with the sign of b"}),
    {.name = "math.ipowi",
     .doc = "integer a to the power b",
     .operands = "a:int b:int",
     .results = "result:int",
     .syntax = "$a, $b {attrs} : type($result)",
     .rules = "all_same"},
    {.name = "math.fpowi",
     .doc = "a to an integer power b",
     .operands = "a:float b:int",
     .results = "result:float",
     .attrs = "fastmath:any?",
     .syntax = "$a, $b {attrs} : type($result), type($b)"},
    {.name = "math.fma",
     .doc = "a * b + c, rounded once",
     .operands = "a:float b:float c:float",
     .results = "result:float",
     .attrs = "fastmath:any?",
     .syntax = "$a, $b, $c {attrs} : type($result)",
     .rules = "all_same"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows math_rows() { return complete<kTable>(); }

}  // namespace pto::isa
