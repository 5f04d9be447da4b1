// Loops of a cube and of a vector section that run in step: turn by turn, what one core leaves in GM the
// other one takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "plan/memory/storage_analysis.hpp"

namespace pto::planner {

enum class RelativeProgress : uint8_t {
  one_behind_the_other,  ///< the second loop begins when the first has ended
  in_step,               ///< a turn of the second one needs the same turn of the first one, and none after it
  unclear,               ///< each reads what the other one writes, and nothing says in which turn
};

struct ProgressFound {
  RelativeProgress pace = RelativeProgress::one_behind_the_other;
  uint32_t first = 0, second = 0;  ///< the operations that a finding is about
};

/// Of two loops (scf.for), the first of which stands before the second in the text. They count alike, and one
/// accesses what the other one writes.
ProgressFound relative_progress(const Program& program, const Storage& storage, uint32_t first,
                                uint32_t second);

/// Whether two loops that count alike hand on values in the same bytes in every turn: run turn by turn, the
/// second one takes what each turn of the first one leaves.
bool reuse_bytes(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                 uint32_t second);

/// Bytes of a buffer that a view means in every turn of every loop.
struct FixedBytes {
  Space space = Space::gm;
  std::optional<RootId> buffer = std::nullopt;  ///< that they are compared within, if not the same for all
  LinearExpression from = {};                   ///< what they begin at, apart from constants
  int64_t begin = 0, bytes = 0;
  int64_t per_core = 0;  ///< so much later on the second vector core
  [[nodiscard]] bool has_same_origin(const FixedBytes& other) const {
    return space == other.space && buffer == other.buffer && from == other.from;
  }
  [[nodiscard]] int64_t first() const { return begin + std::min<int64_t>(per_core, 0); }
  [[nodiscard]] int64_t last() const { return begin + bytes + std::max<int64_t>(per_core, 0); }
};
/// Nothing where they change, or where nobody knows.
std::optional<FixedBytes> fixed_bytes(const Program& program, const Storage& storage, const SameValues& same,
                                      ValueId view);

/// Whether two loops of the two functions of a launch have the same bounds and the same step.
bool count_alike(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                 uint32_t second);
/// Whether what a turn of one of them writes is what the same turn of the other one reads, and no later one:
/// so that the two run turn by turn.
bool take_turns(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                uint32_t second);

}  // namespace pto::planner
