// Findings about tile queues: both sides, entries and slots.
#pragma once

#include <string>

#include "sim/findings/engine_findings.hpp"

namespace pto::sim {

/// Whether a wait or set of a cross-core flag belongs to a tile queue.
inline bool of_tile_queue(const BytecodeInst& code) { return code.inst != 0; }

struct QueueWait {
  std::string message, help;
  std::vector<Note> notes;
};
/// Why a wait of a tile queue does not end: which entry, which slot, and how far the other side is.
QueueWait explain_queue_wait(const Device& device, const Core& core, const BytecodeInst& wait,
                             const std::string& who, const FindingList& findings);

/// The tile queue that a flag of a core belongs to; null when it is the program's own.
const QueueChannel* channel_of_flag(const Device& device, const Core& core, size_t id);

/// Entries that nobody received when the kernel ends.
void report_queue_leftovers(const Device& device, FindingList& findings);

}  // namespace pto::sim
