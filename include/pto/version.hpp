#pragma once

#include <string_view>

namespace pto {

inline constexpr std::string_view kVersion = "0.2.0";
/// The revision of the public assembler that the rows and rules follow.
inline constexpr std::string_view kUpstream = "PTOAS e32488c9 of 21 August 2026";

}  // namespace pto
