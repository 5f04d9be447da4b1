// Microscaling (MX): groups of 32 with a common exponent.
#pragma once

#include "exec/exec_context.hpp"

namespace pto::exec {

void quant_mx(Context& context);        ///< pto.tquant.mx
void move_exponents(Context& context);  ///< pto.tmov with scratch in vec: exponents into boxes of 16x2

}  // namespace pto::exec
