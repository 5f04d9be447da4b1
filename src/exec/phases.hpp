// What an instruction does to its scratch tile and its sources besides what its function computes
// (isa/phases.hpp), as accesses of the memory.
//
// Example: tsels on A2/A3. When the scalar unit issues it, touch_early() writes the first element of `tmp` on
// PIPE_S; when PIPE_V runs it, touch_scratch() reads that element in front of the instruction's function.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "exec/context.hpp"
#include "isa/phases.hpp"
#include "isa/scratch.hpp"

namespace pto::exec {

/// Of one loaded instruction.
struct HiddenWork {
  isa::Phases phases;
  std::optional<isa::Scratch> scratch;
  bool open = false;  ///< the extents of a tile are the run's to say: `scratch` is asked for again
  std::vector<std::pair<uint8_t, uint8_t>>
      distinct;  ///< slots of sources and destinations, never at one address
  [[nodiscard]] bool any() const {
    return scratch.has_value() || !phases.events.empty() || !phases.clobbers.empty() ||
           !phases.restores.empty() || !distinct.empty();
  }
  /// Whether the scalar unit works in front of the instruction, and waits for nothing before.
  [[nodiscard]] bool starts_on_scalar() const;
};

HiddenWork hidden_work(const OpView& op);

/// The scratch bytes that the phases of the scalar unit write in front of the instruction's own pipe.
void touch_early(Context& context, const HiddenWork& work);
/// The rest of the scratch bytes, in front of the instruction's function. What they held is lost. A scratch
/// tile on an operand, and a destination on a source where that is forbidden, are faults.
void touch_scratch(Context& context, const HiddenWork& work);
/// The sources that hold other bytes, behind the function.
void touch_sources(Context& context, const HiddenWork& work);

}  // namespace pto::exec
