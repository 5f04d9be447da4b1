// A target's configuration before it is judged: a file put over its `base`, and the settings of the command
// line put over both.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "support/toml.hpp"

namespace pto::machine {

/// The tables of a target: a name (a2a3, a5, cpu) or a configuration file, whose `base` is another. Tables
/// are merged by key; values, arrays and the rows of [cost] and [formula] replace those of the base. A
/// setting is KEY=VALUE in TOML ("machine.queue_depth=4") and replaces what is at that key. Every node
/// knows the file and line, or the setting, that it comes from.
Result<toml::table> read_layers(const std::string& target, std::span<const std::string> settings);

/// The files a target is read from: itself and its bases, as far as `may_read` allows and they can be read.
/// The first that may not be read is the last of the list. A built-in target has none.
std::vector<std::filesystem::path> target_files(
    const std::string& target, const std::function<bool(const std::filesystem::path&)>& may_read);

}  // namespace pto::machine
