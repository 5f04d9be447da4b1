// The parts of an engine that its agents share. Each agent takes references to the parts that it
// uses.
#pragma once

#include <span>

#include "pto/simulator.hpp"
#include "sim/engine/chip_model.hpp"
#include "sim/engine/current_instruction.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/event_tap.hpp"
#include "sim/engine/instruction_reports.hpp"
#include "sim/engine/run_monitor.hpp"
#include "sim/engine/sync/core_sync.hpp"
#include "sim/engine/sync/cross_core_sync.hpp"
#include "sim/engine/sync/wait_skips.hpp"
#include "sim/engine/watch_output.hpp"
#include "sim/findings/engine_findings.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

template <typename Tap>
struct RunParts {
  RunParts(Device& d, const SimOptions& o, timing::CostModel& c, std::span<Observer* const> observers,
           bool data)
      : device(d),
        options(o),
        costs(c),
        findings(*d.program, o),
        tap(d, observers, data),
        skips(o.hypotheses.no_wait),
        cross(d, data, findings, tap, current, monitor, skips, queue) {}

  Device& device;
  const SimOptions& options;
  timing::CostModel& costs;
  FindingList findings;
  Tap tap;
  WaitSkips skips;
  EventQueue queue;
  CurrentInstruction current{device};
  RunMonitor monitor{device, options, findings, current};
  ChipModel<Tap> chip{device, options, costs, tap};
  WatchOutput watch{device, options, current};
  InstructionReports<Tap> reports{device, findings, tap, current, watch};
  CoreSync<Tap> sync{device, options, findings, tap, monitor, skips};
  CrossCoreSync<Tap> cross;
};

}  // namespace pto::sim
