// The planner's rules: id, cause, example and fix, for --explain.
#pragma once

#include <span>

#include "pto/rule.hpp"

namespace pto::planner {

std::span<const Rule> planner_rules();

}  // namespace pto::planner
