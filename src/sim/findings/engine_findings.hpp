// Findings of the engine, in the words of the program: source lines, pipes, ids.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/findings/reported_places.hpp"

namespace pto::sim {

/// Collects findings, one per rule and operation: two where an error comes after a warning.
class FindingList {
 public:
  FindingList(const Program& program, const SimOptions& options)
      : program_(&program), list_(options.limits.findings, options.warnings) {}
  /// The new finding to fill in, or null when it is a repetition or not kept. `which` tells findings of one
  /// rule and operation apart.
  Diagnostic* add(FindingId id, uint32_t pc, std::string message, Severity severity = Severity::error,
                  uint32_t which = 0);
  /// A note at an operation.
  [[nodiscard]] Note note(uint32_t pc, std::string message) const;
  /// Whether the operation has a finding of the rule that is at least as severe, whatever became of it.
  [[nodiscard]] bool raised(FindingId id, uint32_t pc, Severity severity) const {
    return seen_.contains({id, pc, 0}, severity);
  }
  /// Position of the next finding that is kept, and what was kept at a position.
  [[nodiscard]] size_t size() const { return list_.all().size(); }
  Diagnostic& at(size_t index) { return list_.all()[index]; }
  [[nodiscard]] Diagnostics take_findings() { return std::move(list_); }

 private:
  const Program* program_;
  Diagnostics list_;
  ReportedPlaces<std::tuple<FindingId, uint32_t, uint32_t>> seen_;
};

/// "AIC" or "AIV1 of block 2".
std::string core_name(const Device& device, const Core& core);
std::string flag_name(unsigned src, unsigned dst, int id);
/// "file:12" or "line 12" of an operation.
std::string place_of(const Program& program, uint32_t pc);

/// Nothing can move although something is left to do: who waits for what, and why it never comes.
void explain_deadlock(const Device& device, FindingList& findings);
/// The run went on after queues were made deeper than `depth`: `needed` entries are enough.
void explain_queue_deadlock(const Device& device, const Core& core, unsigned lane, uint32_t pc,
                            uint64_t depth, uint64_t needed, FindingList& findings);
/// Flags, semaphores and buffer tokens that are not at rest when the kernel ends.
void report_leftovers(const Device& device, FindingList& findings);

}  // namespace pto::sim
