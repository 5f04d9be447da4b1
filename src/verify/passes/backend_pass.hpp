// What a named back end does not make: a pass of its own, only for programs that name one.
#pragma once

#include "verify/rule_table.hpp"

namespace pto::legality {

RuleFamily backend_rules();
void check_backends(Checker& check);

}  // namespace pto::legality
