// Sums of products of whole numbers that are not known, and whether some of them can be so at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pto::driver {

/// A polynomial over numbered unknowns. What leaves 64 bits is no longer known.
class Poly {
 public:
  using Product = std::vector<uint32_t>;  ///< unknowns, sorted; none: the constant

  Poly() = default;
  Poly(int64_t number) { add_term({}, number); }  // a number is one
  static Poly of(uint32_t unknown);

  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] std::optional<int64_t> number() const;
  [[nodiscard]] const std::map<Product, int64_t>& terms() const { return terms_; }
  [[nodiscard]] bool has(uint32_t unknown) const;
  /// With another polynomial in place of an unknown.
  [[nodiscard]] Poly with(uint32_t unknown, const Poly& other) const;
  /// At least 0: by the greatest number that divides what is unknown, the constant rounded down.
  void tighten();
  bool operator==(const Poly&) const = default;
  bool operator<(const Poly& other) const { return terms_ < other.terms_; }

  friend Poly operator+(const Poly& a, const Poly& b) { return sum(a, b, 1); }
  friend Poly operator-(const Poly& a, const Poly& b) { return sum(a, b, -1); }
  friend Poly operator*(const Poly& a, const Poly& b);

 private:
  static Poly sum(const Poly& a, const Poly& b, int64_t sign);
  void add_term(const Product& product, int64_t factor);

  std::map<Product, int64_t> terms_;
  bool known_ = true;
};

/// What is asked of the unknowns.
struct Facts {
  std::vector<Poly> zero;      ///< are 0
  std::vector<Poly> positive;  ///< are 0 or more
};

/// Whether no whole numbers fulfil all of it. False also where that cannot be told.
bool impossible(Facts facts);

}  // namespace pto::driver
