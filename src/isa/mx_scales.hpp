// Scales of MX operands: one for 32 values of K, in memories of their own beside L0A and L0B.
#pragma once

#include <cstdint>

#include "isa/row.hpp"
#include "pto/element.hpp"

namespace pto::isa {

/// Bits of one logical value: packed formats hold two values per byte.
inline unsigned value_bits(Elem elem) { return is_float4(elem) ? 4 : bit_width(elem); }

/// The scales lie at the data address divided by the data-to-scale ratio.
inline constexpr uint64_t kMxGroup = 32;
inline uint64_t mx_address(uint64_t data_address, Elem elem) {
  return data_address * 8 / value_bits(elem) / kMxGroup;
}

/// Whether it gives a tile of scales (its second operand) the address that belongs to a data tile (its
/// first).
inline bool assigns_scale(const Row& row) { return row.rule_names.has(RuleName::scale_of); }

/// Whether it is a product that takes scales: those of each operand from the place that belongs to it.
inline bool takes_scales(const Row& row) { return row.rule_names.has(RuleName::scales); }

}  // namespace pto::isa
