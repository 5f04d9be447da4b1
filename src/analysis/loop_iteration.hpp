// Fixed iterations of loops.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "pto/program.hpp"

namespace pto {

/// The counter of a loop in one of its iterations.
struct LoopIteration {
  ValueId counter = kNoValue;
  int64_t number = 0;
  auto operator<=>(const LoopIteration&) const = default;
};
using IterationVector = std::vector<LoopIteration>;

}  // namespace pto
