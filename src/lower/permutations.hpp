// Permutations: broadcasts of groups, shuffles, interleaving, split and merge.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lower/lowering_state.hpp"

namespace pto::lower {

using LaneMap = std::function<Place(unsigned)>;  ///< by lane of the value: its lane in registers

/// A register of constants, each with its lanes: one after the other is blended in.
ValueId build_listed_values(LoweringState& state, const std::map<std::string, std::vector<bool>>& places,
                            unsigned width, Elem elem);
/// Lane i of the result is lane from(i) of the sources.
Regs gather_lanes(LoweringState& state, Shape shape, Layout layout, Elem elem, const Regs& sources,
                  const LaneMap& from);
/// The same into n registers, where lane i is lane place(i).
Regs gather_lanes(LoweringState& state, Shape shape, unsigned n, const LaneMap& place, Elem elem,
                  const Regs& sources, const LaneMap& from);
void lower_group_broadcast(LoweringState& state, const OpView& op, unsigned groups);
void lower_select_lanes(LoweringState& state, const OpView& op);
void lower_shuffle(LoweringState& state, const OpView& op);
/// Interleaves two vectors, or deinterleaves them.
void lower_interleaving(LoweringState& state, const OpView& op);
/// Every n-th lane of a vector into one of n vectors, and back.
void lower_split(LoweringState& state, const OpView& op);
void lower_merge(LoweringState& state, const OpView& op);

}  // namespace pto::lower
