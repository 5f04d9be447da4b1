// How long before its wait every flag was set, and which event ids a pair of pipes does not use.
#pragma once

#include <cstdint>
#include <vector>

#include "pto/program.hpp"
#include "report/bottleneck/dependence_graph.hpp"

namespace pto::report {

/// The waits of one place for the sets of another, over all cores.
struct FlagUse {
  uint8_t src = 0, dst = 0;  ///< lanes
  uint32_t set_pc = ~0u, wait_pc = ~0u;
  std::vector<int16_t> ids;  ///< in rising order
  uint64_t times = 0;
  uint64_t waited_times = 0,
           waited = 0;            ///< how often the set came after its wait, and by how many cycles in all
  uint64_t slack = ~uint64_t{0};  ///< least cycles by which the set came before; 0 where a wait waited
};
/// Those that waited longest first, then those with the least slack. Operations that the planner made of one
/// statement are one place.
std::vector<FlagUse> flag_uses(const Program& program, const StepGraph& graph, const StepTimes& times);

struct IdUse {
  uint8_t src = 0, dst = 0;
  uint32_t used = 0;  ///< the most that one core uses
};
/// By source and destination, in the order of the lanes.
std::vector<IdUse> id_uses(const StepGraph& graph);

}  // namespace pto::report
