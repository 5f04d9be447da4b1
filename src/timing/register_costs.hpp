// The registers that the operands of a vector instruction represent: one, or those of a logical vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "target/decoded_inst.hpp"

namespace pto::timing {

/// The element format that decides an instruction's row: the first register's, loads' results included.
Elem register_elem(const decode::Inst& inst);

/// How often the vector instruction runs that represents an instruction: once for each 256 bytes of the
/// longest logical value.
uint32_t registers_of(const decode::Inst& inst);

/// Appends the registers that run `i` accesses, as frame offsets. For a shorter value it repeats
/// the last register. Vector registers come first; returns their count.
size_t name_registers(std::span<const decode::ValueRef> values, uint32_t i, std::vector<uint32_t>& names);

}  // namespace pto::timing
