// Functions that mix instructions of the cube and of the vector core, without saying which core runs what:
// no chip has a core with both units, so they are divided into sections, as the public assembler does
// (PTOAS, pass PTONormalizeUncoveredTileSections). What stands in a row and needs one kind
// of core becomes a section, also within loops and branches, which both cores then run in step.
// docs/user/auto-mode.md tells the rules.
#pragma once

#include <span>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto::planner {

/// Divides those of the functions (by their operations) that need it. False: diagnostics say what cannot be
/// divided; the program is as it was.
bool divide_among_cores(Program& program, std::span<const uint32_t> functions, Diagnostics& diagnostics);

}  // namespace pto::planner
