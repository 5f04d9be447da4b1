// Abstractions of a run for the analyses of the tools (proof engine, comparison runs). Programs that use the
// library cannot set them.
#pragma once

#include <cstdint>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::sim {

struct RunHooks {
  std::vector<uint32_t>
      every_lane;  ///< operations in which all lanes take part, whatever their masks hold; sorted
  std::vector<uint32_t> any_bytes;  ///< stores of vector functions that may put other bytes there; sorted
  /// Tile instructions check their operands and touch their bytes, and leave the values as they are. For runs
  /// of which only the order of accesses is needed.
  bool no_values = false;
  /// The lowest four bits of each half of SimOptions::fill_on_chip differ from word to word, so that two
  /// operands without written bytes do not cancel.
  bool fill_varies = false;
};

/// The hooks of a run; without any, those that change nothing.
inline const RunHooks& hooks_of(const SimOptions& options) {
  static const RunHooks kNone;
  return options.hooks == nullptr ? kNone : *options.hooks;
}

}  // namespace pto::sim
