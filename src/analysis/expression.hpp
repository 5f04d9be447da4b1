// Integer expressions, each of which exists once (hash-consing; Ershov 1958). Values that are
// computed in the same way have the same expression, whichever function computes them.
//
//   cube:    %r = arith.muli %i, %c64       vector:  %s = arith.muli %j, %c32
//            %x = arith.addi %r, %n                  %t = arith.addi %s, %s
//                                                    %y = arith.addi %m, %t
//
// Where %i and %j are the iteration of the two loops and %n and %m are one argument, %x and %y are
// both 64 * iteration + 1 * value(%n). An operation that is not linear is a term of its own:
// `arith.divsi %x, %c8` is the term divsi(64 * iteration + value(%n), 8).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "pto/program.hpp"

namespace pto {

using TermId = uint32_t;

/// constant + the sum of coefficient * term. No coefficient is 0.
struct LinearExpression {
  int64_t constant = 0;
  std::map<TermId, int64_t> terms;
  auto operator<=>(const LinearExpression&) const = default;
};
/// Nothing where a number leaves 64 bits.
std::optional<LinearExpression> scaled(const LinearExpression& expression, int64_t factor);
std::optional<LinearExpression> sum(LinearExpression a, const LinearExpression& b);

/// The terms of expressions: leaves, and operations on expressions.
class ExpressionTable {
 public:
  enum class Kind : uint8_t { value, iteration, vector_core, operation };

  ExpressionTable() = default;
  ExpressionTable(const ExpressionTable&) = delete;  // terms_ points into interned_
  ExpressionTable& operator=(const ExpressionTable&) = delete;
  ExpressionTable(ExpressionTable&&) = default;
  ExpressionTable& operator=(ExpressionTable&&) = delete;

  TermId leaf(Kind kind, ValueId value = kNoValue);
  /// The result depends on the operands, the attributes and the type alone.
  TermId operation(const OpView& op, std::vector<LinearExpression> operands);

  [[nodiscard]] bool is_leaf(TermId term, Kind kind) const { return terms_[term]->first.kind == kind; }
  /// Whether a leaf of the kind is in the term.
  [[nodiscard]] bool depends_on(TermId term, Kind kind) const { return (leaves_[term] & bit(kind)) != 0; }
  [[nodiscard]] bool depends_on(const LinearExpression& expression, Kind kind) const;

 private:
  struct Term {
    Kind kind = Kind::value;
    ValueId value = kNoValue;
    RowId row = 0;
    Elem elem = Elem::none;  ///< of the result
    std::vector<int64_t> attributes;
    std::vector<LinearExpression> operands;
    auto operator<=>(const Term&) const = default;
  };
  using Interned = std::map<Term, TermId>;

  static constexpr uint8_t bit(Kind kind) { return static_cast<uint8_t>(1U << static_cast<unsigned>(kind)); }
  TermId intern(Term term);
  [[nodiscard]] uint8_t leaves_in(const Term& term) const;

  Interned interned_;
  std::vector<Interned::const_iterator> terms_;
  std::vector<uint8_t> leaves_;  ///< the kinds of the leaves of each term
};

}  // namespace pto
