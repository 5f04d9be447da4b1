// Constants that a program names by pto.param, so that a command line can give others.
#pragma once

#include "pto/defines.hpp"
#include "pto/program.hpp"

namespace pto {

/// Gives the constant of operation `op` the value that is defined for its name, if it has a name that is
/// defined. What does not fit its type is Defines::misfit.
void set_parameter(Program& program, uint32_t op, const Defines& defines);
/// The same for a whole program.
void set_parameters(Program& program, const Defines& defines);

}  // namespace pto
