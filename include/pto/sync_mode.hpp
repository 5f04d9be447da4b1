// Who orders the pipes of a program, and the spellings of its level.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pto/program.hpp"

namespace pto {

/// tools: flags are inserted. program: the program has all its flags. by_program: program if the
/// program has any synchronisation, else tools.
enum class SyncBy : uint8_t { by_program, tools, program };
/// Parses the spelling of switches and case files: "auto" is tools, "explicit" is program; nullopt
/// for other words.
std::optional<SyncBy> sync_named(std::string_view name);

/// Parses "level1", "level2" and "level3"; nullopt for other words.
std::optional<Level> level_named(std::string_view name);

}  // namespace pto
