#include "verify/misalignment.hpp"

#include <fmt/format.h>

#include <numeric>

namespace pto::legality {

std::string words_of(const Congruence& address, uint64_t unit) {
  if (address.is_constant()) return fmt::format("at {}", address.at);
  const uint64_t known = std::gcd(address.step, unit);
  return fmt::format("{} behind a multiple of {}", address.residue(known).value_or(0), known);
}

}  // namespace pto::legality
