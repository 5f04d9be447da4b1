// Denormals that a machine with `flush_denormals` takes and gives as zeros, keeping the sign.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "exec/exec_context.hpp"
#include "pto/machine.hpp"

namespace pto::exec {

inline bool flushes(const Context& context) {
  return context.machine != nullptr && context.machine->flush_denormals;
}

/// Values of a float format that are in f32: those below the format's smallest normal number.
inline void flush_denormals(Elem elem, float* values, uint64_t n) {
  const float smallest = elem == Elem::f16 ? 0x1p-14f : 0x1p-126f;
  for (uint64_t i = 0; i < n; ++i)
    values[i] = std::fabs(values[i]) < smallest ? std::copysign(0.0f, values[i]) : values[i];
}

/// The same on the bits of a 16-bit format, for results that are denormal after rounding.
inline void flush_denormals(Elem elem, uint16_t* bits, uint64_t n) {
  const uint16_t exponent = elem == Elem::f16 ? 0x7c00 : 0x7f80;
  for (uint64_t i = 0; i < n; ++i)
    bits[i] = (bits[i] & exponent) == 0 ? static_cast<uint16_t>(bits[i] & 0x8000) : bits[i];
}

}  // namespace pto::exec
