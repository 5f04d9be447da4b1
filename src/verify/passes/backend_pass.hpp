// Checks for a named back end: a separate pass, only for programs that name one.
#pragma once

#include "verify/rule_table.hpp"

namespace pto::legality {

RuleFamily backend_rules();
void check_backends(Checker& check);

}  // namespace pto::legality
