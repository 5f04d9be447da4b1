// The bottlenecks of a run, and the cycles that each change would save. The steps of the run are
// timed again under the change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/bottleneck/critical_path.hpp"
#include "report/bottleneck/flag_slack.hpp"
#include "report/run_report.hpp"

namespace pto::report {

/// One thing that would help.
struct Help {
  std::string kind;    ///< buffers, ordered_flag, barrier, bank_conflicts, queue_room
  uint32_t pc = ~0u;   ///< where, if it is one place
  uint64_t saves = 0;  ///< cycles of the run
  std::string text;
};
/// The run if the instructions of a pipe took no time.
struct Limit {
  Pipe pipe = Pipe::none;
  uint64_t cycles = 0;
};

struct Advice {
  uint64_t total = 0;
  std::vector<PathPart> path;
  std::vector<FlagUse> flags;
  std::vector<IdUse> ids;
  uint32_t event_ids = 0;
  std::vector<Help> help;     ///< the most cycles first
  std::vector<Limit> limits;  ///< the fewest cycles first
};

/// Of a run whose steps are complete.
Advice advise(const Run& run);
/// The critical path, its `parts` longest segments, the flags, and possible savings.
std::string advice_text(const Run& run, size_t parts);

}  // namespace pto::report
