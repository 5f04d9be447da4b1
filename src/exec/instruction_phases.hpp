// What an instruction does to its scratch tile and its sources besides what its function computes
// (ir/instruction_phases.hpp), as accesses of the memory.
//
// Example: tsels on A2/A3. When the scalar unit issues it, touch_phase() writes the first element of `tmp` on
// PIPE_S; when PIPE_V runs it, touch_scratch() reads that element in front of the instruction's function.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "exec/exec_context.hpp"
#include "ir/instruction_phases.hpp"
#include "ir/scratch_bytes.hpp"

namespace pto::exec {

/// Of one loaded instruction.
struct HiddenWork {
  static constexpr uint8_t kNoTmp = 0xff;
  isa::Phases phases;
  std::optional<isa::Scratch> scratch;
  uint8_t tmp = kNoTmp;  ///< slot of the scratch tile
  bool open = false;     ///< the extents of a tile are the run's to say: `scratch` is asked for again
  std::vector<std::pair<uint8_t, uint8_t>>
      distinct;  ///< slots of sources and destinations, never at one address
  [[nodiscard]] bool is_scratch(uint8_t slot) const { return slot == tmp; }
  [[nodiscard]] bool any() const {
    return scratch.has_value() || !phases.events.empty() || !phases.clobbers.empty() ||
           !phases.restores.empty() || !distinct.empty();
  }
  /// Whether the scalar unit touches something in this phase.
  [[nodiscard]] bool works_on_scalar(const isa::Phase& phase) const;
};

HiddenWork hidden_work(const OpView& op);

/// What the scalar unit reads and writes in a phase of its own. The values are those of the instruction's
/// function, but for scratch bytes.
void touch_phase(Context& context, const HiddenWork& work, const isa::Phase& phase);
/// The rest of the scratch bytes, in front of the instruction's function. What they held is lost. A scratch
/// tile on an operand, and a destination on a source where that is forbidden, are faults.
void touch_scratch(Context& context, const HiddenWork& work);
/// The sources that hold other bytes, behind the function.
void touch_sources(Context& context, const HiddenWork& work);

}  // namespace pto::exec
