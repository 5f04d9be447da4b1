// Warnings that are shown only when a switch names them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pto {

/// A flag that is set twice: what `-Wdouble-set` names. Flags of the chips count, so nothing is lost; the
/// vendor asks for pairs of set and wait all the same (docs/decisions.md).
inline constexpr std::array<std::string_view, 4> kDoubleSetWarnings{"FLAG-DOUBLE", "FLAG-REUSE", "W0503",
                                                                    "W0515"};

/// What a verdict takes flags for, where so many statements make a difference.
std::string assumption_of_flags(uint64_t double_sets);

inline bool is_off_by_default(std::string_view id) {
  return std::ranges::find(kDoubleSetWarnings, id) != kDoubleSetWarnings.end();
}

}  // namespace pto
