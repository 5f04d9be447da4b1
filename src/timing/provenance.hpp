#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pto/machine.hpp"

namespace pto::timing {

/// How a number came about, and from where. Every cost row has one.
struct Provenance {
  Basis basis = Basis::assumed;
  std::string source;  ///< key of [sources]
};

inline constexpr size_t kElemCount = static_cast<size_t>(kLastElem) + 1;

}  // namespace pto::timing
