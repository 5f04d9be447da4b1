// Operands that name the wrong one of several alike: the other half of a double buffer, a counter that is
// another one in one place. What is read then was never written, or is written while it is read, and no flag
// helps; what can tell is a run with the other name.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto::sim {

/// `right` in the place of `wrong`, wherever the operation names it.
struct OperandCure {
  uint32_t op = 0;
  ValueId wrong = kNoValue, right = kNoValue;
  /// Of what the operation writes: all operations that write `wrong`. Empty of a number that it takes.
  std::vector<uint32_t> writers = {};
};

/// Whether a finding is one that such an operand makes: of order, or a read of bytes that nothing wrote.
bool is_of_operands(const Diagnostic& finding);
/// What may have been meant: operations that write another buffer of the type of one that is read and never
/// written; then numbers for which most operations that are alike in all else have another one.
std::vector<OperandCure> possible_operands(const Program& program, const Diagnostics& findings);
/// Of the possible ones the first after which `clean` is true of the program. Told in the help of the first
/// finding, of which the others become notes. `clean` is asked `most` times at most. `needed`: whether
/// outputs are others without an operation; of those that write one place, one of which is meant for another,
/// one is not. Whether there is a cure.
bool advise_operand(const Program& program, Diagnostics& findings, size_t most,
                    const std::function<bool(const Program&)>& clean,
                    const std::function<bool(uint32_t)>& needed);

}  // namespace pto::sim
