// Logical vectors (pto.vmi) lowered to vector registers: each value gets a layout, each operation becomes
// vector instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pto/program.hpp"

namespace pto {

/// A logical value and where its lanes were put.
struct PlacedValue {
  Location where;
  std::string name;    ///< "%x"; empty: it has none
  std::string type;    ///< of the logical value
  std::string layout;  ///< as #pto.vmi.layout<..> writes it
  unsigned registers = 0;
};
/// The same lanes in another layout, and the instructions that it takes.
struct Conversion {
  Location where;
  std::string name, from, to;
  unsigned instructions = 0;
};
/// What cannot be lowered: its function, and those that it calls or is called by, stay as they are.
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

/// Lowers what can be lowered. The program must have passed verification. What each function costs least in
/// decides the layouts.
Lowered lower_logical_vectors(Program& program);

}  // namespace pto
