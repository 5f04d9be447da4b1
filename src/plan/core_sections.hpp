// Functions that mix instructions of the cube and of the vector core, without sections:
// no chip has a core with both units, so they are divided into sections, as the public assembler does
// (PTOAS, pass PTONormalizeUncoveredTileSections). What is in a row and needs one kind
// of core becomes a section, also within loops and branches, which both cores then run in step.
// docs/user/auto-mode.md has the rules.
#pragma once

#include <span>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto::planner {

/// Divides the functions (by their operations) that need it. False after an error, with a
/// diagnostic for each operation that cannot be moved; the program is then unchanged.
bool divide_among_cores(Program& program, std::span<const uint32_t> functions, Diagnostics& diagnostics);

}  // namespace pto::planner
