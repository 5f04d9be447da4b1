// The cost model of SIMT launches on a vector core: warps issue one instruction at a time in round-
// robin order, and memory serves lines. Parameters: [simt]; docs/timing.md, "SIMT".
#pragma once

#include <cstdint>

#include "timing/provenance.hpp"

namespace pto::timing {

/// [simt]
struct ThreadCosts {
  uint32_t start = 0, drain = 0;  ///< cycles before the first instruction, after the last completion
  uint32_t latency = 1;           ///< of instructions without a cost row: arithmetic, branches
  uint32_t line = 128;            ///< bytes of a memory line: lanes of a warp that access one line share it
  uint32_t ub_latency = 1, gm_latency = 1;    ///< until a loaded value is there
  uint32_t ub_interval = 1, gm_interval = 1;  ///< cycles for each line
  CostSource from;
};

}  // namespace pto::timing
