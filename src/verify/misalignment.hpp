// Addresses that are certainly no multiple of a power of two: in all iterations of the loops around
// an operation, or in one that is certainly executed.
#pragma once

#include <string>

#include "verify/verifier_context.hpp"

namespace pto::legality {

struct Misaligned {
  Congruence address;
  std::string when;  ///< " where %i = 1"; "": always
};

/// "at 16", "8 behind a multiple of 16", as far as `unit` reaches.
std::string words_of(const Congruence& address, uint64_t unit);

/// `address` gives what is known of the address in some iterations; without iterations, in any.
template <typename Address>
std::optional<Misaligned> misaligned(const Checker& check, const OpView& op, uint64_t unit, Address address) {
  const Congruence any = address(IterationVector{});
  if (any.is_never_multiple_of(unit)) return Misaligned{any, {}};
  if (any.residue(unit)) return std::nullopt;
  for (const IterationVector& iterations : check.executed_iterations(op)) {
    const Congruence at = address(iterations);
    if (at.is_never_multiple_of(unit)) return Misaligned{at, words_of(op.program(), iterations)};
  }
  return std::nullopt;
}

}  // namespace pto::legality
