// Pipes by the other names that instructions use for them.
#pragma once

#include <cstdint>

#include "pto/pipe.hpp"

namespace pto::isa {

/// The pipe that an operation kind (sync_op_type of record_event, wait_event, barrier_sync) runs on; S for
/// unknown kinds.
Pipe pipe_of_sync_op(int64_t kind);

}  // namespace pto::isa
