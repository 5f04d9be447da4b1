// What a verdict assumes of flags that are set twice: warnings about them are shown with -Wdouble-set only.
// Flags of the chips count, so nothing is lost; the vendor asks for pairs of set and wait all the same
// (docs/decisions.md).
#pragma once

#include <cstdint>
#include <string>

namespace pto {

/// The assumption about flags that a verdict depends on, if statements set a flag twice.
std::string assumption_of_flags(uint64_t double_sets);

}  // namespace pto
