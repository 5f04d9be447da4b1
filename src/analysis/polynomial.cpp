#include "analysis/polynomial.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using Product = Polynomial::Product;
using Wide = __int128;

constexpr size_t kMaxProducts = 80, kMaxConstraints = 160, kMaxTerms = 200, kMaxFactors = 16;
constexpr int kMaxPivots = 400;

/// A fraction; what leaves 64 bits is remembered as such.
struct Rational {
  int64_t numerator = 0, denominator = 1;
};

class RationalArithmetic {
 public:
  [[nodiscard]] bool failed() const { return failed_; }
  Rational make_rational(Wide top, Wide bottom) {
    if (top == 0) return {};
    Wide a = top < 0 ? -top : top, b = bottom < 0 ? -bottom : bottom;
    if (a <= kMaxMagnitude && b <= kMaxMagnitude) {
      const auto both = static_cast<Wide>(std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b)));
      a = both;
      b = both;
    } else {
      while (b != 0) std::swap(a %= b, b);
      b = a;
    }
    top /= a;
    bottom /= b;
    if (bottom < 0) {
      top = -top;
      bottom = -bottom;
    }
    if (top > kMaxMagnitude || top < -kMaxMagnitude || bottom > kMaxMagnitude) failed_ = true;
    return failed_ ? Rational{} : Rational{static_cast<int64_t>(top), static_cast<int64_t>(bottom)};
  }
  Rational divide(Rational a, Rational b) {
    return make_rational(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
  }
  /// a - b * c
  Rational less(Rational a, Rational b, Rational c) {
    if (b.numerator == 0 || c.numerator == 0) return a;
    const Rational product =
        make_rational(Wide{b.numerator} * c.numerator, Wide{b.denominator} * c.denominator);
    return make_rational(Wide{a.numerator} * product.denominator - Wide{product.numerator} * a.denominator,
                         Wide{a.denominator} * product.denominator);
  }
  static bool below(Rational a, Rational b) {
    return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
  }

 private:
  static constexpr Wide kMaxMagnitude = int64_t{1} << 62;
  bool failed_ = false;
};

/// Whether some of the facts, each as often as need be, add up to a negative number: the simplex method, with
/// a column for each fact, a row for each product of unknowns and one for the constant, which is to be -1.
bool add_up_to_less(const std::vector<Polynomial>& facts) {
  std::map<Product, size_t> rows;
  for (const Polynomial& fact : facts) {
    for (const auto& [product, factor] : fact.terms()) {
      if (!product.empty()) rows.emplace(product, rows.size());
    }
  }
  const size_t height = rows.size() + 1, width = facts.size() + 1;  // the last column: how much less than -1
  std::vector<std::vector<Rational>> table(height, std::vector<Rational>(width + 1));
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
  std::vector<Rational> cost(width + 1);  // of the sum of what is missing in all rows
  RationalArithmetic make;
  for (const std::vector<Rational>& row : table) {
    for (size_t i = 0; i <= width; ++i) cost[i] = make.less(cost[i], row[i], {-1, 1});
  }
  std::vector<size_t> basis(height, ~size_t{0});
  for (int pivot = 0; pivot < kMaxPivots && !make.failed(); ++pivot) {
    if (cost[width].numerator == 0) return true;
    size_t enter = 0;
    while (enter < width && cost[enter].numerator <= 0) ++enter;
    if (enter == width) return false;
    std::optional<size_t> leave;
    Rational least;
    for (size_t i = 0; i < height; ++i) {
      if (table[i][enter].numerator <= 0) continue;
      const Rational ratio = make.divide(table[i][width], table[i][enter]);
      const bool same =
          leave && !RationalArithmetic::below(ratio, least) && !RationalArithmetic::below(least, ratio);
      if (!leave || RationalArithmetic::below(ratio, least) || (same && basis[i] < basis[*leave])) {
        leave = i;
        least = ratio;
      }
    }
    if (!leave) return false;
    const Rational by = table[*leave][enter];
    for (Rational& each : table[*leave]) each = make.divide(each, by);
    const std::vector<Rational> row = table[*leave];
    const auto eliminate = [&](std::vector<Rational>& other) {
      const Rational times = other[enter];
      if (times.numerator == 0) return;
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
std::optional<std::pair<uint32_t, Polynomial>> solved(const Polynomial& equation) {
  for (const auto& [product, factor] : equation.terms()) {
    if (product.size() != 1 || (factor != 1 && factor != -1)) continue;
    const Polynomial rest = equation - Polynomial(factor) * Polynomial::variable(product[0]);
    if (!rest.is_known() || rest.has(product[0])) continue;
    return std::pair(product[0], factor == 1 ? Polynomial(0) - rest : rest);
  }
  return std::nullopt;
}

/// Puts in what equations give. False: they contradict one another.
bool substitute(ConstraintSet& facts) {
  for (size_t i = 0; i < facts.equal_zero.size(); ++i) {
    const Polynomial equation = facts.equal_zero[i];
    if (!equation.is_known()) continue;
    if (const auto number = equation.constant_value()) {
      if (*number != 0) return false;
      continue;
    }
    const auto found = solved(equation);
    if (!found) {
      facts.non_negative.push_back(equation);
      facts.non_negative.push_back(Polynomial(0) - equation);
      continue;
    }
    for (size_t j = i + 1; j < facts.equal_zero.size(); ++j)
      facts.equal_zero[j] = facts.equal_zero[j].rewrite(found->first, found->second);
    for (Polynomial& each : facts.non_negative) each = each.rewrite(found->first, found->second);
  }
  return true;
}

/// Adds how small each of the unknowns that are multiplied can be, as far as sums of facts say so.
void add_least(std::vector<Polynomial>& facts) {
  std::set<uint32_t> multiplied;
  std::vector<Polynomial> sums;
  for (const Polynomial& fact : facts) {
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
      sums.push_back(Polynomial(least - 1) - Polynomial::variable(each));
      const bool at_least = add_up_to_less(sums);
      sums.pop_back();
      if (!at_least) continue;
      facts.push_back(Polynomial::variable(each) - Polynomial(least));
      break;
    }
  }
}

/// Products of two facts, as far as they speak of products that the facts themselves hold.
void multiply(std::vector<Polynomial>& facts) {
  std::set<Product> asked;
  for (const Polynomial& fact : facts) {
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
  std::set<Polynomial> there(facts.begin(), facts.end());
  size_t begin = 0, made = 0;
  for (int iteration = 0; iteration < 2; ++iteration) {
    const size_t end = facts.size();
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        Polynomial both = facts[i] * facts[j];
        const bool wanted = both.is_known() && std::ranges::all_of(both.terms(), [&](const auto& term) {
                              return term.first.size() < 2 || asked.contains(term.first);
                            });
        both.normalise_gcd();
        if (!wanted || both.constant_value() || !there.insert(both).second) continue;
        facts.push_back(std::move(both));
        if (++made == kMaxProducts) return;
      }
    }
    begin = end;
  }
}

}  // namespace

Polynomial Polynomial::variable(uint32_t unknown) {
  Polynomial made;
  made.add_term({unknown}, 1);
  return made;
}

std::optional<int64_t> Polynomial::constant_value() const {
  if (!known_ || terms_.size() > 1) return std::nullopt;
  if (terms_.empty()) return 0;
  return terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
}

bool Polynomial::has(uint32_t unknown) const {
  return std::ranges::any_of(
      terms_, [&](const auto& term) { return std::ranges::find(term.first, unknown) != term.first.end(); });
}

void Polynomial::add_term(const Product& product, int64_t factor) {
  if (factor == 0) return;
  int64_t& there = terms_[product];
  constexpr int64_t kMaxMagnitude = int64_t{1} << 61;
  if (__builtin_add_overflow(there, factor, &there) || there > kMaxMagnitude || there < -kMaxMagnitude)
    known_ = false;
  if (there == 0) terms_.erase(product);
  if (terms_.size() > kMaxTerms) known_ = false;
}

Polynomial Polynomial::sum(const Polynomial& a, const Polynomial& b, int64_t sign) {
  Polynomial made = a;
  made.known_ = a.known_ && b.known_;
  for (const auto& [product, factor] : b.terms_) made.add_term(product, sat_mul(sign, factor));
  return made;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial made;
  made.known_ = a.known_ && b.known_ && a.terms_.size() * b.terms_.size() <= kMaxTerms;
  if (!made.known_) return made;
  for (const auto& [left, times] : a.terms_) {
    for (const auto& [right, factor] : b.terms_) {
      if (left.size() + right.size() > kMaxFactors) {  // squares of squares double it every time
        made.known_ = false;
        return made;
      }
      Polynomial::Product product(left.size() + right.size());
      std::ranges::merge(left, right, product.begin());
      int64_t both = 0;
      if (__builtin_mul_overflow(times, factor, &both)) made.known_ = false;
      made.add_term(product, made.known_ ? both : 0);
    }
  }
  return made;
}

Polynomial Polynomial::rewrite(uint32_t unknown, const Polynomial& other) const {
  if (!has(unknown)) return *this;
  Polynomial made;
  made.known_ = known_;
  for (const auto& [product, factor] : terms_) {
    Polynomial one(factor);
    Product rest;
    for (const uint32_t each : product) {
      if (each == unknown)
        one = one * other;
      else
        rest.push_back(each);
    }
    Polynomial others;
    others.add_term(rest, 1);
    made = made + one * others;
  }
  return made;
}

void Polynomial::normalise_gcd() {
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

bool is_infeasible(ConstraintSet facts) {
  if (!substitute(facts)) return true;
  std::vector<Polynomial> all;
  std::set<Polynomial> seen;
  for (Polynomial& fact : facts.non_negative) {
    if (!fact.is_known()) continue;
    fact.normalise_gcd();
    if (const auto number = fact.constant_value()) {
      if (*number < 0) return true;
      continue;
    }
    if (seen.insert(fact).second) all.push_back(std::move(fact));
  }
  if (all.size() > kMaxConstraints) return false;
  if (add_up_to_less(all)) return true;
  add_least(all);
  multiply(all);
  return add_up_to_less(all);
}

}  // namespace pto::driver
