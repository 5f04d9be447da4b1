// Logical vectors (pto.vmi) lowered to vector registers: each value gets a layout, each operation becomes
// vector instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pto/program.hpp"

namespace pto {

/// A logical value and the layout of its lanes.
struct PlacedValue {
  Location where;
  std::string name;    ///< "%x"; empty: it has none
  std::string type;    ///< of the logical value
  std::string layout;  ///< as #pto.vmi.layout<..> writes it
  unsigned registers = 0;
};
/// A conversion of a value to another layout, and its instruction count.
struct Conversion {
  Location where;
  std::string name, from, to;
  unsigned instructions = 0;
};
/// An operation that cannot be lowered. Its function and all callers and callees stay unchanged.
struct NotLowered {
  uint32_t op = 0;  ///< in the program as it was
  Location where;
  std::string function, why;
};

struct Lowered {
  bool changed = false;
  std::vector<PlacedValue> values;
  std::vector<Conversion> conversions;
  std::vector<NotLowered> left;
};

/// Whether the program has operations on logical vectors.
bool has_logical_vectors(const Program& program);

/// Lowers all functions that can be lowered. The program must have passed verification. Layouts are
/// chosen for the least cost in each function.
Lowered lower_logical_vectors(Program& program);

}  // namespace pto
