// TOML from strangers.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "pto/result.hpp"

namespace pto {

/// Most parts of a dotted key. The parser and its tables recurse once per part and per nested value.
inline constexpr int kMostKeyParts = 16;

/// Parses a case or configuration file; the error has file and line. Whoever reads the file bounds its size.
Result<toml::table> parse_toml(std::string_view text, const std::string& file);

}  // namespace pto
