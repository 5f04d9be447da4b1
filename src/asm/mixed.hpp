// Lists of values and numbers: which operand and attribute hold them.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "pto/type.hpp"

namespace pto::text {

struct MixedList {
  std::string_view slot, attr;
  int64_t marker = kDynamic;   ///< stands in the attribute where the list has a value
};

inline constexpr MixedList kOffsets{"offsets", "static_offsets"}, kSizes{"sizes", "static_sizes"}, kStrides{"strides", "static_strides"},
    kOutputShape{"output_shape", "static_output_shape"}, kExtractPosition{"dynamic_position", "static_position"},
    kIndices{"dynamicIndices", "rawConstantIndices", std::numeric_limits<int32_t>::min()};

}  // namespace pto::text
