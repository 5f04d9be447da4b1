// The rules of the lowering of logical vectors: id, cause, example and fix, for --explain.
#pragma once

#include <span>

#include "pto/rule.hpp"

namespace pto::lower {

std::span<const Rule> lowering_rules();

}  // namespace pto::lower
