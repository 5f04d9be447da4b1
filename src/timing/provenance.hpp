#pragma once

#include <cstdint>
#include <string>

#include "pto/element.hpp"
#include "pto/machine.hpp"

namespace pto::timing {

/// How a number came about, and from where. Every cost row has one.
struct CostSource {
  Basis basis = Basis::assumed;
  std::string source;  ///< key of [sources]
};

}  // namespace pto::timing
