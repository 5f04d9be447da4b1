// arith dialect, builtin casts; functions of numbers; vectors of scalars.
#pragma once

#include <span>

#include "exec/exec_context.hpp"

namespace pto::exec {

std::span<const Semantics> arith();
std::span<const Semantics> math();
std::span<const Semantics> vector_values();

}  // namespace pto::exec
