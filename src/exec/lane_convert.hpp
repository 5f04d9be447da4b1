// Conversion of one value from float to float, as vcvt makes it.
#pragma once

#include "numeric/formats.hpp"

namespace pto::exec {

/// With saturation NaN becomes 0 and infinity the largest finite value; without, both pass.
inline uint64_t float_to_float(Elem to, double value, num::Round round, bool saturate) {
  if (value != value) return saturate ? 0 : num::from_f64(to, value);
  return num::from_f64(to, value, round, saturate ? num::Overflow::saturate : num::Overflow::ieee);
}

}  // namespace pto::exec
