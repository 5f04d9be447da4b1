// All combinations of numbers that a proof tries.
#pragma once

#include <cstdint>
#include <vector>

#include "prove/abstract/correlated_inputs.hpp"
#include "prove/proof_scope.hpp"

namespace pto::driver {

class Combinations {
 public:
  /// All values of each choice, and the combinations of correlated parameters; their additional
  /// values are added to the choices.
  Combinations(std::vector<Choice>& choices, const std::vector<CorrelatedInputs>& together);

  /// How many there are, up to a great number.
  [[nodiscard]] uint64_t count() const { return count_; }
  /// One of them: for each choice the position of its number.
  [[nodiscard]] std::vector<size_t> at(uint64_t i) const;

 private:
  struct Group {
    std::vector<size_t> choices, sizes;
    uint64_t product = 1;  ///< of the sizes
    std::vector<std::vector<size_t>> more;
  };
  void add(const std::vector<Choice>& choices, std::vector<size_t> of);

  std::vector<Group> groups_;
  size_t choices_ = 0;
  uint64_t count_ = 1;
};

}  // namespace pto::driver
