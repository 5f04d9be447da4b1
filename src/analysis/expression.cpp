#include "analysis/expression.hpp"

#include <algorithm>
#include <utility>

namespace pto {

std::optional<LinearExpression> scaled(const LinearExpression& expression, int64_t factor) {
  LinearExpression built;
  if (__builtin_mul_overflow(expression.constant, factor, &built.constant)) return std::nullopt;
  if (factor == 0) return built;
  for (const auto& [term, count] : expression.terms) {
    if (__builtin_mul_overflow(count, factor, &built.terms[term])) return std::nullopt;
  }
  return built;
}

std::optional<LinearExpression> sum(LinearExpression a, const LinearExpression& b) {
  if (__builtin_add_overflow(a.constant, b.constant, &a.constant)) return std::nullopt;
  for (const auto& [term, count] : b.terms) {
    int64_t& coefficient = a.terms[term];
    if (__builtin_add_overflow(coefficient, count, &coefficient)) return std::nullopt;
    if (coefficient == 0) a.terms.erase(term);
  }
  return a;
}

TermId ExpressionTable::leaf(Kind kind, ValueId value) { return intern({.kind = kind, .value = value}); }

TermId ExpressionTable::operation(const OpView& op, std::vector<LinearExpression> operands) {
  Term built{.kind = Kind::operation,
             .row = op.op().row,
             .elem = op.result_type(0).elem,
             .operands = std::move(operands)};
  for (const Attr& attr : op.program().attrs_of(op.op())) built.attributes.push_back(attr.value.integer);
  return intern(std::move(built));
}

bool ExpressionTable::depends_on(const LinearExpression& expression, Kind kind) const {
  return std::ranges::any_of(expression.terms,
                             [&](const auto& term) { return depends_on(term.first, kind); });
}

TermId ExpressionTable::intern(Term term) {
  const uint8_t leaves = leaves_in(term);
  const auto [found, fresh] = interned_.try_emplace(std::move(term), static_cast<TermId>(terms_.size()));
  if (fresh) {
    terms_.push_back(found);
    leaves_.push_back(leaves);
  }
  return found->second;
}

uint8_t ExpressionTable::leaves_in(const Term& term) const {
  if (term.kind != Kind::operation) return bit(term.kind);
  uint8_t found = 0;
  for (const LinearExpression& operand : term.operands) {
    for (const auto& [each, count] : operand.terms) found |= leaves_[each];
  }
  return found;
}

}  // namespace pto
