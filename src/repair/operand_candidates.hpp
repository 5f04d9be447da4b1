// Operands that name the wrong one of several alike: the other half of a double buffer, a counter that is
// another one in one place. What is read then was never written, or is written while it is read, and no flag
// helps; what can tell is a run with the other name.
#pragma once

#include <vector>

#include "repair/edits.hpp"

namespace pto::sim {

/// What may have been meant: operations that write another buffer of the type of one that is read and never
/// written; then numbers for which most operations that are alike in all else have another one.
std::vector<Repair> operand_candidates(const Program& program, const Diagnostics& findings);

}  // namespace pto::sim
