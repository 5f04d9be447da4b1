// What is said of a wait for other cores that nobody ends.
#pragma once

#include <string>

#include "sim/findings/engine_findings.hpp"
#include "sim/findings/queue_findings.hpp"

namespace pto::sim {

/// Adds to the first finding that there are blocks no core is free for: whoever waits for them waits for
/// ever.
void note_waiting_blocks(const Device& device, FindingList& findings);
bool is_meeting(const Device& device, uint32_t pc);
/// Who has not come: the cores that stand at no meeting.
QueueWait explain_meeting(const Device& device, const Core& core, uint32_t pc, const std::string& who,
                          FindingList& findings);
/// Which signals of the id other cores have, and how often they ran.
QueueWait explain_signal(const Device& device, const Core& core, const BytecodeInst& wait, int id,
                         const std::string& who, FindingList& findings);

}  // namespace pto::sim
