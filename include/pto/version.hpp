#pragma once

#include <string_view>

namespace pto {

inline constexpr std::string_view kVersion = "0.2.0";
/// What the language follows: the revision of the public assembler that rows and rules were compared with.
inline constexpr std::string_view kUpstream = "PTOAS e32488c9 of 21 August 2026";

}  // namespace pto
