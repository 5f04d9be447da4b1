// Registers that a pipe leaves results in for the scalar unit. Nothing but a flag or a barrier orders the
// two, as with memory; observers are notified of both ends, as bytes of no space.
#pragma once

#include "exec/exec_context.hpp"

namespace pto::exec {

/// VMS4_SR: how many elements of each list the last merge took.
inline constexpr uint64_t kMergeStatus = uint64_t{1} << 60;

inline void touch_status(const Context& context, AccessMode how) {
  if (context.memory != nullptr) context.memory->access(Space::none, kMergeStatus, sizeof(uint64_t), how);
}

}  // namespace pto::exec
