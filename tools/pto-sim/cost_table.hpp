// pto-sim --cost-table: costs of instructions with given shapes on a target.
#pragma once

#include <span>
#include <string>

#include "pto/result.hpp"

namespace pto::tools {

/// JSON for the rows of a CSV file whose first line names the columns; `subject`, `types` and `shape` are
/// read as in sim-configs/evidence, and `kind` where it is given ("tile" otherwise). Fails when a row cannot
/// be read; a row that the target has no answer for gets null.
Result<std::string> cost_table(const std::string& file, const std::string& target,
                               std::span<const std::string> settings);

}  // namespace pto::tools
