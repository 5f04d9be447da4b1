// Where the lanes of a logical vector or mask are in registers, as the layout in its type says:
//
//   contiguous            lane i at index i
//   deinterleaved = F     part i mod F, index i div F
//   block_deinterleaved   part k mod F, index (k div F) * B + i mod B, of block k = i div B of B = 32 bytes
//   num_groups, slots S   register i div S, lane i mod S
//
// Indices are multiplied by lane_stride; index q is lane q mod V of register q div V of its part, V lanes to
// a register. The registers of part 0 come first.
#pragma once

#include <cstdint>

#include "pto/type.hpp"

namespace pto::isa {

struct LanePlace {
  uint64_t reg, lane;
};

class LanePlaces {
 public:
  /// A vector, or a mask of known granularity. A type without a layout is contiguous.
  explicit LanePlaces(const Type& type);
  [[nodiscard]] LanePlace place_of(uint64_t lane) const;
  /// How many registers hold all lanes.
  [[nodiscard]] uint64_t registers() const;

 private:
  [[nodiscard]] uint64_t part_of(uint64_t lane) const;
  [[nodiscard]] uint64_t index_of(uint64_t lane) const;
  [[nodiscard]] uint64_t lanes_in_part(uint64_t part) const;
  [[nodiscard]] uint64_t registers_in_part(uint64_t part) const;

  uint64_t lanes_, per_register_, per_block_ = 1;
  uint64_t parts_ = 1, slots_ = 0, stride_ = 1;
  bool blocks_ = false;
};

}  // namespace pto::isa
