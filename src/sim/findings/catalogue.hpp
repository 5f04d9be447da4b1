// What a run may find: id, cause, example and fix. The examples are programs that raise it (tested).
#pragma once

#include <span>
#include <string_view>

#include "pto/rule.hpp"

namespace pto::sim {

std::span<const Rule> run_time_rules();

}  // namespace pto::sim
