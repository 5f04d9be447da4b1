#include "analysis/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::driver {
namespace {

using Kind = Symbol::Kind;

std::string text_of(const Polynomial& poly) {
  std::string text = poly.is_known() ? "" : "?";
  for (const auto& [product, factor] : poly.terms()) {
    text += std::to_string(factor);
    for (const uint32_t each : product) text += fmt::format("*{}", each);
    text += '+';
  }
  return text + ';';
}

/// The search for cases.
class CaseSplit {
 public:
  explicit CaseSplit(SymbolTable& unknowns) : unknowns_(unknowns) {}

  bool none(const ConstraintSet& asked, int depth) {
    if (--left_ < 0) return false;
    ConstraintSet facts = asked;
    unknowns_.add_known(facts);
    if (is_infeasible(facts)) return true;
    if (depth == kMaxDepth) return false;
    const std::set<uint32_t> there = in(facts);
    for (const uint32_t each : there) {
      if (done_.contains(each)) continue;
      const Kind kind = unknowns_[each].kind;
      if (kind != Kind::trip && kind != Kind::quotient) continue;
      for (const uint32_t second : unknowns_.primed(each)) {
        if (there.contains(second))
          return of_three(asked, each, Polynomial::variable(each) - Polynomial::variable(second), depth);
      }
    }
    for (const uint32_t each : there) {
      const Symbol& unknown = unknowns_[each];
      const bool two = unknown.kind == Kind::either || unknown.kind == Kind::min || unknown.kind == Kind::max;
      if (!two || done_.contains(each)) continue;
      done_.insert(each);
      const std::vector<Polynomial> both = unknown.operands;
      bool good = true;
      for (const Polynomial& one : both) {
        ConstraintSet with = asked;
        with.equal_zero.push_back(Polynomial::variable(each) - one);
        good = good && none(with, depth + 1);
      }
      done_.erase(each);
      return good;
    }
    return false;
  }

 private:
  static constexpr int kMaxDepth = 6;

  bool of_three(const ConstraintSet& asked, uint32_t unknown, const Polynomial& apart, int depth) {
    done_.insert(unknown);
    ConstraintSet same = asked, before = asked, behind = asked;
    same.equal_zero.push_back(apart);
    before.non_negative.push_back(Polynomial(-1) - apart);
    behind.non_negative.push_back(apart - Polynomial(1));
    const bool good = none(before, depth + 1) && none(behind, depth + 1) && none(same, depth + 1);
    done_.erase(unknown);
    return good;
  }

  static std::set<uint32_t> in(const ConstraintSet& facts) {
    std::set<uint32_t> found;
    for (const std::vector<Polynomial>* list : {&facts.equal_zero, &facts.non_negative}) {
      for (const Polynomial& poly : *list) {
        for (const auto& [product, factor] : poly.terms()) found.insert(product.begin(), product.end());
      }
    }
    return found;
  }

  SymbolTable& unknowns_;
  std::set<uint32_t> done_;
  int left_ = 150;
};

}  // namespace

Polynomial SymbolTable::make(Symbol unknown) {
  std::string key = fmt::format("{}.{}.{}.{}|", static_cast<int>(unknown.kind), unknown.at, unknown.execution,
                                unknown.context);
  for (const Polynomial& each : unknown.operands) {
    key += text_of(each);
    for (const auto& [product, factor] : each.terms()) {
      for (const uint32_t part : product)
        unknown.loops.insert(all_[part].loops.begin(), all_[part].loops.end());
    }
  }
  const auto [at, fresh] = numbers_.emplace(std::move(key), static_cast<uint32_t>(all_.size()));
  if (fresh) all_.push_back(std::move(unknown));
  return Polynomial::variable(at->second);
}

Polynomial SymbolTable::prime(const Polynomial& poly, const Renaming& apart) {
  if (!apart.any()) return poly;
  Polynomial result = poly;
  std::set<uint32_t> parts;
  for (const auto& [product, factor] : poly.terms()) parts.insert(product.begin(), product.end());
  std::vector<std::pair<uint32_t, Polynomial>> changed;
  for (const uint32_t part : parts) {
    Symbol unknown = all_[part];
    const auto moves = [&] {
      return apart.core ||
             std::ranges::any_of(unknown.loops, [&](uint32_t loop) { return apart.loops.contains(loop); });
    };
    switch (unknown.kind) {
      case Kind::parameter:
      case Kind::blocks:
        continue;
      case Kind::block:
        if (!apart.block) continue;
        unknown.execution = 1;
        break;
      case Kind::subblock:
        if (!apart.core) continue;
        unknown.execution = 1;
        break;
      case Kind::trip:
      case Kind::other:
      case Kind::either:
        if (!moves()) continue;
        unknown.execution = 1;
        break;
      default:
        break;
    }
    bool same = unknown.execution == all_[part].execution;
    for (Polynomial& each : unknown.operands) {
      Polynomial its = prime(each, apart);
      same = same && its == each;
      each = std::move(its);
    }
    if (same) continue;
    changed.emplace_back(part, make(std::move(unknown)));
    primed_[part].insert(changed.back().second.terms().begin()->first[0]);
  }
  for (const auto& [part, its] : changed) result = result.rewrite(part, its);
  return result;
}

void SymbolTable::add_known(ConstraintSet& facts) {
  std::set<uint32_t> seen;
  for (bool more = true; more;) {
    more = false;
    std::set<uint32_t> there;
    for (const std::vector<Polynomial>* list : {&facts.equal_zero, &facts.non_negative}) {
      for (const Polynomial& poly : *list) {
        for (const auto& [product, factor] : poly.terms()) there.insert(product.begin(), product.end());
      }
    }
    for (const uint32_t each : there) {
      if (!seen.insert(each).second) continue;
      more = true;
      add_known(each, facts);
    }
  }
}

void SymbolTable::add_known(uint32_t number, ConstraintSet& facts) {
  const Symbol unknown = all_[number];
  const Polynomial it = Polynomial::variable(number);
  const auto holds = [&](const Polynomial& poly) { facts.non_negative.push_back(poly); };
  switch (unknown.kind) {
    case Kind::block:
      holds(it);
      return holds(make({.kind = Kind::blocks}) - Polynomial(1) - it);
    case Kind::blocks:
      return holds(it - Polynomial(1));
    case Kind::subblock:
      holds(it);
      return holds(Polynomial(1) - it);
    case Kind::trip:
      holds(it);
      if (unknown.operands.size() != 3) return;
      holds(unknown.operands[2] - Polynomial(1));
      return holds(unknown.operands[1] - Polynomial(1) - unknown.operands[0] - unknown.operands[2] * it);
    case Kind::quotient: {
      const Polynomial rest = unknown.operands[0] - unknown.operands[1] * it;
      holds(unknown.operands[1] - Polynomial(1));
      holds(unknown.operands[1] - Polynomial(1) - rest);
      if (unknown.at == 0) return holds(rest + unknown.operands[1] - Polynomial(1));
      holds(rest);
      return holds(it);
    }
    case Kind::min:
      holds(unknown.operands[0] - it);
      return holds(unknown.operands[1] - it);
    case Kind::max:
      holds(it - unknown.operands[0]);
      return holds(it - unknown.operands[1]);
    case Kind::other:
      if (!unknown.operands.empty()) holds(it - unknown.operands[0]);
      if (unknown.operands.size() > 1) holds(unknown.operands[1] - it);
      return;
    default:
      return;
  }
}

bool SymbolTable::is_non_negative(const Polynomial& poly, const std::vector<Polynomial>& conditions) {
  if (const auto number = poly.constant_value()) return *number >= 0;
  ConstraintSet facts;
  facts.non_negative = conditions;
  facts.non_negative.push_back(Polynomial(-1) - poly);
  if (!poly.is_known()) return false;
  add_known(facts);
  return is_infeasible(std::move(facts));
}

bool is_infeasible_with_cases(SymbolTable& unknowns, const ConstraintSet& facts) {
  return CaseSplit(unknowns).none(facts, 0);
}

}  // namespace pto::driver
