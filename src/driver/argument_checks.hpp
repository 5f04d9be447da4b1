// Checks of launch arguments against the use by the kernel: shapes that differ from the views, and
// outputs that are not written, or not completely.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pto/prepare.hpp"
#include "pto/simulator.hpp"

namespace pto::driver {

/// A view of an argument whose rows are of another length than those of the argument: a warning (SHAPE) for
/// each argument. `shapes`: of the arguments, in the order of the parameters; empty where it is not known,
/// and of numbers.
std::vector<Diagnostic> compare_shapes(const Program& program, const std::string& entry,
                                       std::span<const std::vector<int64_t>> shapes);
/// Views that are larger than their argument, as notes of the first access that leaves one.
void explain_bounds(const Program& program, const std::string& entry,
                    std::span<const std::vector<int64_t>> shapes, SimResult& result);

/// Facts about an argument before the run.
struct ExpectedWrites {
  bool whole = false;  ///< nothing fills it, and no expectation says which elements count
  bool some = false;   ///< nothing fills it, and it is to be written to a file or compared
};
/// Arguments, by position, that the run has written in part and not read, though all of it is expected; and
/// those of which it has written nothing, though something is: a warning (UNWRITTEN) for each.
void tell_unwritten(const Prepared& prepared, const std::string& entry, uint32_t blocks,
                    std::span<const Argument> arguments, const std::vector<ExpectedWrites>& expected,
                    SimResult& result);

}  // namespace pto::driver
