// How much an instruction of the vector unit does, for the roofline of a run.
#pragma once

#include <algorithm>

#include "target/decoded_inst.hpp"

namespace pto::timing {

/// Elements that an instruction computes, converts or copies: those of its largest tile or
/// register; for pto.ub.* those under the mask in all repeats. Instructions on a single element do
/// not count.
uint64_t vector_work(const decode::Inst& inst, const decode::Word* frame,
                     const decode::ControlState* control);

/// Elements of a register.
inline uint64_t register_lanes(Elem elem) { return 256 / std::max(1u, byte_width(elem)); }

}  // namespace pto::timing
