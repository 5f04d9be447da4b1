// Loops of a cube and of a vector section that run in step: turn by turn, what one core leaves in GM the
// other one takes.
#pragma once

#include <optional>
#include <utility>

#include "plan/storage.hpp"

namespace pto::planner {

enum class Pace : uint8_t {
  one_behind_the_other,  ///< the second loop begins when the first has ended
  in_step,               ///< a turn of the second one needs the same turn of the first one, and none after it
  unclear,               ///< each reads what the other one writes, and nothing says in which turn
};

struct PaceFound {
  Pace pace = Pace::one_behind_the_other;
  uint32_t first = 0, second = 0;  ///< the operations that a finding is about
};

/// Of two loops (scf.for), the first of which stands before the second in the text. They count alike, and one
/// accesses what the other one writes.
PaceFound pace_of(const Program& program, const Storage& storage, uint32_t first, uint32_t second);

}  // namespace pto::planner
