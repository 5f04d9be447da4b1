// What a run may find: id, cause, example and fix. The examples are programs that raise it (tested).
#pragma once

#include <span>
#include <string_view>

#include "pto/rules.hpp"

namespace pto::sim {

std::span<const Rule> run_time_rules();

/// What a rule of a run is by itself. `either`: it depends on the case.
enum class Weight : uint8_t { error, warning, either };
Weight weight_of(std::string_view id);

}  // namespace pto::sim
