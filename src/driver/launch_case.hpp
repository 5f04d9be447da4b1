// The case of a launch, before its program is read.
#pragma once

#include <string>

#include "pto/launch.hpp"

namespace pto::driver {

/// Command-line values win over the case's.
Result<Case> case_of_launch(const std::string& file, const LaunchOptions& options, const Defines& defines);

}  // namespace pto::driver
