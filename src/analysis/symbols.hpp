// The unknowns that the addresses of a kernel are made of, and what is known of each. Two executions of one
// statement, in other iterations or on other cores, have unknowns of their own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/polynomial.hpp"

namespace pto::driver {

struct Symbol {
  enum class Kind : uint8_t {
    parameter,  ///< `at`: its position
    block,
    blocks,
    subblock,
    trip,      ///< how many iterations of a loop came before; `operands`: begin, end, step where it counts
    quotient,  ///< of two numbers, towards 0
    min,       ///< of two
    max,
    either,  ///< one of two
    loaded,  ///< what stands in a buffer that the kernel does not write; `operands`: where
    other,   ///< `operands`: the least and the greatest that it can be, or nothing
  } kind = Kind::other;
  uint32_t at = 0, execution = 0;  ///< side: 1 for the second execution
  std::string context;             ///< the calls around
  std::vector<Polynomial> operands;
  std::set<uint32_t> loops;  ///< it may be another one in other iterations of these
};

/// The symbols that are renamed (primed) for the second of two compared executions.
struct Renaming {
  bool core = false, block = false;
  std::set<uint32_t> loops;
  [[nodiscard]] bool any() const { return core || block || !loops.empty(); }
};

class SymbolTable {
 public:
  Polynomial make(Symbol unknown);
  [[nodiscard]] const Symbol& operator[](uint32_t number) const { return all_[number]; }
  [[nodiscard]] size_t size() const { return all_.size(); }
  /// As the second execution has it.
  Polynomial prime(const Polynomial& poly, const Renaming& apart);
  /// What the second execution has had in place of an unknown.
  [[nodiscard]] const std::set<uint32_t>& primed(uint32_t number) { return primed_[number]; }
  /// What is known of everything that the facts speak of, and of what those are made of.
  void add_known(ConstraintSet& facts);
  /// Whether it is 0 or more wherever the conditions hold.
  bool is_non_negative(const Polynomial& poly, const std::vector<Polynomial>& conditions);

 private:
  void add_known(uint32_t number, ConstraintSet& facts);

  std::vector<Symbol> all_;
  std::map<uint32_t, std::set<uint32_t>> primed_;
  std::map<std::string, uint32_t> numbers_;
};

/// Whether no numbers fulfil the facts: cases are looked at one by one where an unknown is one of two, or an
/// iteration or quotient may be less or more than the second execution's.
bool is_infeasible_with_cases(SymbolTable& unknowns, const ConstraintSet& facts);

}  // namespace pto::driver
