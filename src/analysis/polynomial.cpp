#include "analysis/polynomial.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using Product = Poly::Product;
using Wide = __int128;

constexpr size_t kMostProducts = 80, kMostFacts = 160, kMostTerms = 200, kMostFactors = 16;
constexpr int kMostPivots = 400;

/// A fraction; what leaves 64 bits is remembered as such.
struct Fraction {
  int64_t top = 0, bottom = 1;
};

class Fractions {
 public:
  [[nodiscard]] bool failed() const { return failed_; }
  Fraction made(Wide top, Wide bottom) {
    if (top == 0) return {};
    Wide a = top < 0 ? -top : top, b = bottom < 0 ? -bottom : bottom;
    if (a <= kFar && b <= kFar) {
      const auto both = static_cast<Wide>(std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b)));
      a = both, b = both;
    } else {
      while (b != 0) std::swap(a %= b, b);
      b = a;
    }
    top /= a, bottom /= b;
    if (bottom < 0) top = -top, bottom = -bottom;
    if (top > kFar || top < -kFar || bottom > kFar) failed_ = true;
    return failed_ ? Fraction{} : Fraction{static_cast<int64_t>(top), static_cast<int64_t>(bottom)};
  }
  Fraction divide(Fraction a, Fraction b) { return made(Wide{a.top} * b.bottom, Wide{a.bottom} * b.top); }
  /// a - b * c
  Fraction less(Fraction a, Fraction b, Fraction c) {
    if (b.top == 0 || c.top == 0) return a;
    const Fraction product = made(Wide{b.top} * c.top, Wide{b.bottom} * c.bottom);
    return made(Wide{a.top} * product.bottom - Wide{product.top} * a.bottom, Wide{a.bottom} * product.bottom);
  }
  static bool below(Fraction a, Fraction b) { return Wide{a.top} * b.bottom < Wide{b.top} * a.bottom; }

 private:
  static constexpr Wide kFar = int64_t{1} << 62;
  bool failed_ = false;
};

/// Whether some of the facts, each as often as need be, add up to a negative number: the simplex method, with
/// a column for each fact, a row for each product of unknowns and one for the constant, which is to be -1.
bool add_up_to_less(const std::vector<Poly>& facts) {
  std::map<Product, size_t> rows;
  for (const Poly& fact : facts) {
    for (const auto& [product, factor] : fact.terms()) {
      if (!product.empty()) rows.emplace(product, rows.size());
    }
  }
  const size_t height = rows.size() + 1, width = facts.size() + 1;  // the last column: how much less than -1
  std::vector<std::vector<Fraction>> table(height, std::vector<Fraction>(width + 1));
  for (size_t i = 0; i < facts.size(); ++i) {
    for (const auto& [product, factor] : facts[i].terms()) {
      if (product.empty())
        table[height - 1][i] = {-factor, 1};
      else
        table[rows.at(product)][i] = {factor, 1};
    }
  }
  table[height - 1][width - 1] = {-1, 1};
  table[height - 1][width] = {1, 1};
  std::vector<Fraction> cost(width + 1);  // of the sum of what is missing in all rows
  Fractions make;
  for (const std::vector<Fraction>& row : table) {
    for (size_t i = 0; i <= width; ++i) cost[i] = make.less(cost[i], row[i], {-1, 1});
  }
  std::vector<size_t> basis(height, ~size_t{0});
  for (int pivot = 0; pivot < kMostPivots && !make.failed(); ++pivot) {
    if (cost[width].top == 0) return true;
    size_t enter = 0;
    while (enter < width && cost[enter].top <= 0) ++enter;
    if (enter == width) return false;
    std::optional<size_t> leave;
    Fraction least;
    for (size_t i = 0; i < height; ++i) {
      if (table[i][enter].top <= 0) continue;
      const Fraction ratio = make.divide(table[i][width], table[i][enter]);
      const bool same = leave && !Fractions::below(ratio, least) && !Fractions::below(least, ratio);
      if (!leave || Fractions::below(ratio, least) || (same && basis[i] < basis[*leave]))
        leave = i, least = ratio;
    }
    if (!leave) return false;
    const Fraction by = table[*leave][enter];
    for (Fraction& each : table[*leave]) each = make.divide(each, by);
    const std::vector<Fraction> row = table[*leave];
    const auto eliminate = [&](std::vector<Fraction>& other) {
      const Fraction times = other[enter];
      if (times.top == 0) return;
      for (size_t i = 0; i <= width; ++i) other[i] = make.less(other[i], times, row[i]);
    };
    for (size_t i = 0; i < height; ++i) {
      if (i != *leave) eliminate(table[i]);
    }
    eliminate(cost);
    basis[*leave] = enter;
  }
  return false;
}

/// An unknown that an equation gives: it stands alone, once.
std::optional<std::pair<uint32_t, Poly>> solved(const Poly& equation) {
  for (const auto& [product, factor] : equation.terms()) {
    if (product.size() != 1 || (factor != 1 && factor != -1)) continue;
    const Poly rest = equation - Poly(factor) * Poly::of(product[0]);
    if (!rest.known() || rest.has(product[0])) continue;
    return std::pair(product[0], factor == 1 ? Poly(0) - rest : rest);
  }
  return std::nullopt;
}

/// Puts in what equations give. False: they contradict one another.
bool substitute(Facts& facts) {
  for (size_t i = 0; i < facts.zero.size(); ++i) {
    const Poly equation = facts.zero[i];
    if (!equation.known()) continue;
    if (const auto number = equation.number()) {
      if (*number != 0) return false;
      continue;
    }
    const auto found = solved(equation);
    if (!found) {
      facts.positive.push_back(equation);
      facts.positive.push_back(Poly(0) - equation);
      continue;
    }
    for (size_t j = i + 1; j < facts.zero.size(); ++j)
      facts.zero[j] = facts.zero[j].with(found->first, found->second);
    for (Poly& each : facts.positive) each = each.with(found->first, found->second);
  }
  return true;
}

/// Adds how small each of the unknowns that are multiplied can be, as far as sums of facts say so.
void add_least(std::vector<Poly>& facts) {
  std::set<uint32_t> multiplied;
  std::vector<Poly> sums;
  for (const Poly& fact : facts) {
    bool sum = true;
    for (const auto& [product, factor] : fact.terms()) {
      if (product.size() < 2) continue;
      multiplied.insert(product.begin(), product.end());
      sum = false;
    }
    if (sum) sums.push_back(fact);
  }
  for (const uint32_t each : multiplied) {
    for (const int64_t least : {1, 0}) {
      sums.push_back(Poly(least - 1) - Poly::of(each));
      const bool at_least = add_up_to_less(sums);
      sums.pop_back();
      if (!at_least) continue;
      facts.push_back(Poly::of(each) - Poly(least));
      break;
    }
  }
}

/// Products of two facts, as far as they speak of products that the facts themselves hold.
void multiply(std::vector<Poly>& facts) {
  std::set<Product> asked;
  for (const Poly& fact : facts) {
    for (const auto& [product, factor] : fact.terms()) {
      if (product.size() < 2) continue;
      asked.insert(product);
      for (size_t i = 0; i < product.size() && product.size() > 2; ++i) {
        Product part = product;
        part.erase(part.begin() + static_cast<std::ptrdiff_t>(i));
        asked.insert(std::move(part));
      }
    }
  }
  if (asked.empty()) return;
  std::set<Poly> there(facts.begin(), facts.end());
  size_t begin = 0, made = 0;
  for (int turn = 0; turn < 2; ++turn) {
    const size_t end = facts.size();
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        Poly both = facts[i] * facts[j];
        const bool wanted = both.known() && std::ranges::all_of(both.terms(), [&](const auto& term) {
                              return term.first.size() < 2 || asked.contains(term.first);
                            });
        both.tighten();
        if (!wanted || both.number() || !there.insert(both).second) continue;
        facts.push_back(std::move(both));
        if (++made == kMostProducts) return;
      }
    }
    begin = end;
  }
}

}  // namespace

Poly Poly::of(uint32_t unknown) {
  Poly made;
  made.add_term({unknown}, 1);
  return made;
}

std::optional<int64_t> Poly::number() const {
  if (!known_ || terms_.size() > 1) return std::nullopt;
  if (terms_.empty()) return 0;
  return terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
}

bool Poly::has(uint32_t unknown) const {
  return std::ranges::any_of(
      terms_, [&](const auto& term) { return std::ranges::find(term.first, unknown) != term.first.end(); });
}

void Poly::add_term(const Product& product, int64_t factor) {
  if (factor == 0) return;
  int64_t& there = terms_[product];
  constexpr int64_t kFar = int64_t{1} << 61;
  if (__builtin_add_overflow(there, factor, &there) || there > kFar || there < -kFar) known_ = false;
  if (there == 0) terms_.erase(product);
  if (terms_.size() > kMostTerms) known_ = false;
}

Poly Poly::sum(const Poly& a, const Poly& b, int64_t sign) {
  Poly made = a;
  made.known_ = a.known_ && b.known_;
  for (const auto& [product, factor] : b.terms_) made.add_term(product, sat_mul(sign, factor));
  return made;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly made;
  made.known_ = a.known_ && b.known_ && a.terms_.size() * b.terms_.size() <= kMostTerms;
  if (!made.known_) return made;
  for (const auto& [left, times] : a.terms_) {
    for (const auto& [right, factor] : b.terms_) {
      if (left.size() + right.size() > kMostFactors) {  // squares of squares double it every time
        made.known_ = false;
        return made;
      }
      Poly::Product product(left.size() + right.size());
      std::ranges::merge(left, right, product.begin());
      int64_t both = 0;
      if (__builtin_mul_overflow(times, factor, &both)) made.known_ = false;
      made.add_term(product, made.known_ ? both : 0);
    }
  }
  return made;
}

Poly Poly::with(uint32_t unknown, const Poly& other) const {
  if (!has(unknown)) return *this;
  Poly made;
  made.known_ = known_;
  for (const auto& [product, factor] : terms_) {
    Poly one(factor);
    Product rest;
    for (const uint32_t each : product) {
      if (each == unknown)
        one = one * other;
      else
        rest.push_back(each);
    }
    Poly others;
    others.add_term(rest, 1);
    made = made + one * others;
  }
  return made;
}

void Poly::tighten() {
  int64_t divisor = 0;
  for (const auto& [product, factor] : terms_) {
    if (!product.empty()) divisor = std::gcd(divisor, factor);
  }
  if (divisor <= 1) return;
  for (auto& [product, factor] : terms_) {
    const bool down = factor % divisor != 0 && factor < 0;
    factor = factor / divisor - (down ? 1 : 0);
  }
  if (const auto constant = terms_.find({}); constant != terms_.end() && constant->second == 0)
    terms_.erase(constant);
}

bool impossible(Facts facts) {
  if (!substitute(facts)) return true;
  std::vector<Poly> all;
  std::set<Poly> seen;
  for (Poly& fact : facts.positive) {
    if (!fact.known()) continue;
    fact.tighten();
    if (const auto number = fact.number()) {
      if (*number < 0) return true;
      continue;
    }
    if (seen.insert(fact).second) all.push_back(std::move(fact));
  }
  if (all.size() > kMostFacts) return false;
  if (add_up_to_less(all)) return true;
  add_least(all);
  multiply(all);
  return add_up_to_less(all);
}

}  // namespace pto::driver
