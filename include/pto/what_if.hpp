// Further runs under a change: the effect of a pipe that takes no time, a deeper queue, or a wait
// that does not block.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/launch.hpp"
#include "pto/report.hpp"
#include "pto/simulator.hpp"

namespace pto {

/// A change to evaluate.
struct WhatIf {
  std::string text;  ///< as given by the user
  Hypotheses hypotheses;
  std::vector<std::string> settings;  ///< overrides of the configuration of the target
};

/// Parses "free PIPE_MTE2" (or MTE2), "no-wait LINE", "bandwidth x2", or a setting
/// "machine.queue_depth=64". The error names the wrong part and the accepted values.
Result<WhatIf> parse_what_if(std::string_view text, const Program& program);

/// Runs the launch once for each change, with its initial arguments. These runs are not checked,
/// and nothing is written or printed.
Result<std::vector<WhatIfAnswer>> what_if(const Launch& launch, SimOptions options,
                                          std::span<const WhatIf> questions);

}  // namespace pto
