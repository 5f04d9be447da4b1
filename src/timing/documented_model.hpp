// The performance model of the public instruction pages (TADD and TREM; pto-isa TBinOp.hpp):
// startup, completion, cycles per repeat and a pipeline interval between repeats. Selected by --cost-basis
// documented; docs/timing.md shows how far it is from measurements.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "timing/provenance.hpp"

namespace pto::timing {

struct DocumentedModel {
  uint32_t startup = 0, completion = 0, per_repeat = 0, interval = 0;
  CostSource from;

  /// startup + completion + per_repeat * R + interval * (R - 1).
  [[nodiscard]] uint64_t latency(uint64_t repeats) const { return startup + completion + busy(repeats); }
  /// The part in which the unit is taken: everything but the two latencies.
  [[nodiscard]] uint64_t busy(uint64_t repeats) const {
    const uint64_t r = std::max<uint64_t>(repeats, 1);
    return per_repeat * r + uint64_t{interval} * (r - 1);
  }
};

/// The pages' rows of one cost class by element format.
struct DocumentedSet {
  std::array<DocumentedModel, kElemCount> by_elem;
  std::array<bool, kElemCount> known{};
};

}  // namespace pto::timing
