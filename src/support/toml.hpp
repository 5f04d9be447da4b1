// TOML from strangers.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "pto/result.hpp"

namespace pto {

/// Most parts of a dotted key. The parser and its tables recurse once per part and per nested value.
inline constexpr int kMaxKeyParts = 16;

/// Texts that are one setting of the command line begin so instead of with the name of a file; they have no
/// lines worth naming.
inline constexpr std::string_view kSettingPlace = "--set ";

/// "file:line", or the setting.
std::string place_of(const toml::source_region& at);

/// Whether a table takes the place of the one below it instead of being put into it.
using Replaces = bool (*)(std::string_view parent, const toml::table& table);
/// Merges tables by key; other values, and tables in `replaces`, are replaced.
void put_over(toml::table& below, toml::table&& above, std::string_view name, Replaces replaces);
/// In KEY={..} the braces are the value, and the tables around it are the key.
bool is_value(std::string_view parent, const toml::table& table);

/// Parses a case or configuration file; an error has file and line. The caller limits the size of
/// the file.
Result<toml::table> parse_toml(std::string_view text, const std::string& file);

}  // namespace pto
