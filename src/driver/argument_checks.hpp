// What the arguments of a launch are beside what its kernel does with them: other shapes than its views have,
// outputs of which a part was never written.
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

/// Arguments that the run has written in part and not read: a warning (UNWRITTEN) for each of those that
/// `asked` names, by position.
void tell_unwritten(const Prepared& prepared, const std::string& entry, uint32_t blocks,
                    std::span<const Argument> arguments, const std::vector<bool>& asked, SimResult& result);

}  // namespace pto::driver
