// Where the lanes of logical vectors may lie, and which vectors an instruction has registers for.
#pragma once

#include "verify/rule_table.hpp"

namespace pto::legality {

RuleFamily vmi_placement_rules();

}  // namespace pto::legality
