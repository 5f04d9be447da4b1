// What a program leaves to the tools: who orders the pipes, and how switches write its level.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pto/program.hpp"

namespace pto {

/// by_program: the program where it holds any synchronisation, else the tools. tools: they insert flags.
/// program: what it says is all there is.
enum class SyncBy : uint8_t { by_program, tools, program };
/// As switches and case files write it: "auto" is tools, "explicit" is program; nothing for other words.
std::optional<SyncBy> sync_named(std::string_view name);

/// Of "level1", "level2" and "level3"; nothing for other words.
std::optional<Level> level_named(std::string_view name);

}  // namespace pto
