// NAME@LINE of what is watched.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

struct WatchSpec {
  std::string name;   ///< without '%'
  uint32_t line = 0;  ///< 0: any
};
/// Nothing when the line is not a number.
std::optional<WatchSpec> parse_watch(std::string_view text);

/// Whether the line and name of a value of this operation are those of the watch.
bool watches(const WatchSpec& watch, const Program& program, uint32_t op, ValueId value);

/// What is wrong with the names: a misspelt one would watch nothing.
std::optional<Error> check_watches(const Program& program, const Kernel& kernel,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<std::string>& texts);

/// The name of parameter `index` of a kernel.
std::string_view parameter_name(const Program& program, const Kernel& kernel, uint32_t index);

}  // namespace pto::sim
