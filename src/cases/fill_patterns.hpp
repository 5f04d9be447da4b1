// Contents of buffers without a file: a constant, or a named pattern.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "pto/result.hpp"
#include "pto/type.hpp"

namespace pto::report {

/// A number of the format, "zeros", "iota" (0, 1, 2, ..: from 0 again where the format ends), "random:SEED"
/// (floats in [-1, 1), integers of any bits), or "range:A:B" (A .. B - 1, and again). The error names the
/// fill.
Result<bool> check_fill(Elem dtype, std::string_view fill);
/// Fills whole elements; equal for equal arguments on every machine.
Result<bool> fill_elements(std::span<std::byte> bytes, Elem dtype, std::string_view fill);

}  // namespace pto::report
