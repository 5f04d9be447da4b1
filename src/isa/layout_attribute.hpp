// Attributes that the lowering of logical vectors adds to its instructions for later readers.
#pragma once

#include <string_view>

namespace pto::isa {

/// The attribute of instructions that move lanes of a logical vector: the layout of its lanes.
inline constexpr std::string_view kLayoutMark = "vmi.layout";

}  // namespace pto::isa
