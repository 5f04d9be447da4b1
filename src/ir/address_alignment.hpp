// What addresses on the chip are multiples of.
#pragma once

#include <cstdint>
#include <string_view>

#include "pto/program.hpp"

namespace pto::isa {

/// What DMA and vector instructions move.
inline constexpr uint32_t kBlockBytes = 32;
/// Of a vector load or store with this distribution ("" for none): a block, but for those that touch less.
uint32_t distribution_alignment(std::string_view distribution);
/// Of the operands that the row names in its rule `blocks`.
uint32_t block_alignment(const OpView& op);

}  // namespace pto::isa
