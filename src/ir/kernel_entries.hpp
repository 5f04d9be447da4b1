// Which functions a program marks as kernels.
#pragma once

#include "pto/program.hpp"

namespace pto {

/// Whether a func.func is marked as one; the only function of a program is one without a mark.
bool marked_entry(const OpView& function);

}  // namespace pto
