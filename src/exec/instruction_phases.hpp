// Accesses of an instruction to its scratch tile and its sources besides those of its function
// (ir/instruction_phases.hpp).
//
// Example: tsels on A2/A3. When the scalar unit issues it, touch_phase() writes the first element of `tmp` on
// PIPE_S; when PIPE_V runs it, touch_scratch() reads that element before the function of the instruction
// runs.
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

/// Accesses of the scalar unit in a separate phase. The values are those of the function of the
/// instruction, except for scratch bytes.
void touch_phase(Context& context, const HiddenWork& work, const isa::Phase& phase);
/// Accesses to the other scratch bytes, before the function of the instruction. Their old values
/// are lost. A scratch tile that overlaps an operand, and a destination that overlaps a source if
/// that is forbidden, are faults.
void touch_scratch(Context& context, const HiddenWork& work);
/// The sources that hold other bytes, behind the function.
void touch_sources(Context& context, const HiddenWork& work);

}  // namespace pto::exec
