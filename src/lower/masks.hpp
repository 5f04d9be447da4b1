// Masks: the first lanes of a value or of each group in any layout, and logic on masks.
#pragma once

#include <optional>
#include <vector>

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// A mask register whose lanes are known one by one.
ValueId build_lane_mask(LoweringState& state, const std::vector<bool>& active, unsigned width);
/// Lanes whose index in their group is below `number`, or where it is not known, below `count`.
Regs build_first_lanes(LoweringState& state, const std::optional<int64_t>& number, ValueId count,
                       unsigned group, Layout layout, Shape shape);
/// The registers of a mask that depends on scalars only, and can be built at each use.
Regs build_mask(LoweringState& state, ValueId value, Layout layout, unsigned width);
/// Results: the first lanes, and the remaining count.
void lower_count_down(LoweringState& state, const OpView& op);
void lower_mask_logic(LoweringState& state, const OpView& op);

}  // namespace pto::lower
