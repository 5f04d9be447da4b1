// arith dialect, builtin casts.
#pragma once

#include <span>

#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> arith();

}  // namespace pto::exec
