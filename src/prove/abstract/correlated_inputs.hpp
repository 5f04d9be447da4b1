// Numbers that decide together: a condition, the bounds of a loop or an id that several parameters and loads
// are part of, or one of them several times, asks for other combinations than those of each number alone.
#pragma once

#include <cstdint>
#include <vector>

namespace pto::driver {

/// Parameters that are tried together: besides all combinations of their own numbers, these; or these alone,
/// where all combinations answer every question about them as one of these does.
struct CorrelatedInputs {
  std::vector<uint32_t> parameters;        ///< by position
  std::vector<std::vector<int64_t>> rows;  ///< a number for each
  bool is_exhaustive = false;
};

}  // namespace pto::driver
