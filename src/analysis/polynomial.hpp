// Sums of products of whole numbers that are not known, and whether some of them can be so at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pto::driver {

/// A polynomial over numbered unknowns. What leaves 64 bits is no longer known.
class Polynomial {
 public:
  using Product = std::vector<uint32_t>;  ///< unknowns, sorted; none: the constant

  Polynomial() = default;
  Polynomial(int64_t number) { add_term({}, number); }  // a number is one
  static Polynomial variable(uint32_t unknown);

  [[nodiscard]] bool is_known() const { return known_; }
  [[nodiscard]] std::optional<int64_t> constant_value() const;
  [[nodiscard]] const std::map<Product, int64_t>& terms() const { return terms_; }
  [[nodiscard]] bool has(uint32_t unknown) const;
  /// With another polynomial in place of an unknown.
  [[nodiscard]] Polynomial rewrite(uint32_t unknown, const Polynomial& other) const;
  /// At least 0: by the greatest number that divides what is unknown, the constant rounded down.
  void normalise_gcd();
  bool operator==(const Polynomial&) const = default;
  bool operator<(const Polynomial& other) const { return terms_ < other.terms_; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) { return sum(a, b, 1); }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return sum(a, b, -1); }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  static Polynomial sum(const Polynomial& a, const Polynomial& b, int64_t sign);
  void add_term(const Product& product, int64_t factor);

  std::map<Product, int64_t> terms_;
  bool known_ = true;
};

/// What is asked of the unknowns.
struct ConstraintSet {
  std::vector<Polynomial> equal_zero;    ///< are 0
  std::vector<Polynomial> non_negative;  ///< are 0 or more
};

/// Whether no whole numbers fulfil all of it. False also where that cannot be told.
bool is_infeasible(ConstraintSet facts);

}  // namespace pto::driver
