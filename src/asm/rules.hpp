// The parser's and binder's rules: id, cause, example and fix, for --explain.
#pragma once

#include <span>

#include "pto/rule.hpp"

namespace pto::text {

std::span<const Rule> assembler_rules();

}  // namespace pto::text
