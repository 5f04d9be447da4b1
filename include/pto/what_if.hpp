// A run again under a change: what would be gained if a pipe took no time, a queue were deeper, a wait not
// there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/launch.hpp"
#include "pto/report.hpp"
#include "pto/simulator.hpp"

namespace pto {

/// One question.
struct WhatIf {
  std::string text;  ///< as it was asked
  Hypotheses hypotheses;
  std::vector<std::string> settings;  ///< over the configuration of the target
};

/// Reads "free PIPE_MTE2" (or MTE2), "no-wait LINE", "bandwidth x2", or a setting "machine.queue_depth=64".
/// The error says what is wrong and what could stand there.
Result<WhatIf> parse_what_if(std::string_view text, const Program& program);

/// Runs the launch once for each question, with its arguments as they are at first. Nothing is checked,
/// written or printed.
Result<std::vector<WhatIfAnswer>> what_if(const Launch& launch, SimOptions options,
                                          std::span<const WhatIf> questions);

}  // namespace pto
