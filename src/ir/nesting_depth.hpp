// How deep structures may be nested where code goes from region to region by recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pto/program.hpp"

namespace pto {

inline constexpr size_t kMaxPlannedDepth = 200;  ///< that addresses and flags are planned for
inline constexpr size_t kMaxRunDepth = 1000;     ///< that is lowered, looked at for a proof, or run

/// The first operation with regions that makes more than `levels` of them around what stands in it.
std::optional<uint32_t> nested_deeper(const Program& program, size_t levels);

}  // namespace pto
