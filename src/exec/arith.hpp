// arith dialect, builtin casts.
#pragma once

#include <span>

#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> arith();
std::span<const Semantics> math();

}  // namespace pto::exec
