// Redundant flags: at each of their waits, other flags, barriers and the order of issue already
// imply the order.
#pragma once

#include <cstdint>
#include <vector>

#include "report/bottleneck/dependence_graph.hpp"

namespace pto::report {

/// Sets and waits that belong together: every wait takes the set of one of these places.
struct OrderedFlag {
  uint8_t src = 0, dst = 0;  ///< lanes
  std::vector<uint32_t> set_pcs, wait_pcs;
};

/// Flags that can go, all together, without anything becoming unordered in this run under any timing. Edges
/// between cores are not looked at: a flag is only named when its core alone shows the order.
std::vector<OrderedFlag> ordered_flags(const StepGraph& graph);

}  // namespace pto::report
