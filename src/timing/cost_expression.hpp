// Cost expressions: text of a sim-config compiled to a small stack machine over exact fractions.
//
//   expr    = or [ "?" expr ":" expr ]
//   or      = and { "||" and }         and = cmp { "&&" cmp }
//   cmp     = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//   sum     = term { ("+" | "-") term }        term = unary { ("*" | "/" | "%") unary }
//   unary   = [ "-" | "!" ] primary
//   primary = number | variable | function "(" expr { "," expr } ")" | "(" expr ")"
//   function: ceil floor round min max ceildiv odd        odd(x): x divided by its largest power of two
//
// Numbers are decimal (0.0314 is exactly 157/5000); "/" is exact; every step is checked for overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"

namespace pto::timing {

/// num/den with den > 0; reduced only when it would overflow otherwise.
struct Fraction {
  int64_t num = 0, den = 1;
};

class Expression {
 public:
  /// The error names the offending place; the caller adds file and line.
  static Result<Expression> compile(std::string_view text);

  /// Distinct variable names in order of first use; eval takes their values in this order.
  [[nodiscard]] const std::vector<std::string>& variables() const { return variables_; }
  /// Empty on overflow or division by zero.
  [[nodiscard]] std::optional<Fraction> eval(std::span<const int64_t> values) const;
  /// The value rounded to the nearest integer, halves up; empty when it is negative or not computable.
  [[nodiscard]] std::optional<uint64_t> cycles(std::span<const int64_t> values) const;

 private:
  friend class ExpressionCompiler;
  enum class Code : uint8_t {
    constant,
    variable,
    add,
    sub,
    mul,
    div,
    mod,
    neg,
    not_,
    ceil,
    floor,
    round,
    odd,
    min,
    max,
    lt,
    le,
    eq,
    ne,
    jump_if_zero,
    jump
  };
  struct Step {
    Code code;
    uint16_t arg;
  };
  std::vector<Step> steps_;
  std::vector<Fraction> constants_;
  std::vector<std::string> variables_;
};

}  // namespace pto::timing
