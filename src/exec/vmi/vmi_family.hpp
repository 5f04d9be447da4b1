// Logical vectors and masks.
#pragma once

#include <span>

#include "exec/exec_context.hpp"

namespace pto::exec {

std::span<const Semantics> vmi_values();

}  // namespace pto::exec
