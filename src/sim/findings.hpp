// Findings of the engine, in the words of the program: source lines, pipes, ids.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/core_state.hpp"

namespace pto::sim {

/// Collects findings; one per rule and operation, at most `limit`.
class FindingList {
 public:
  FindingList(const Program& program, size_t limit) : program_(&program), limit_(limit) {}
  /// The new finding to fill in, or null when it is a repetition or there are enough.
  Finding* add(std::string_view id, uint32_t pc, std::string message, bool warning = false);
  [[nodiscard]] Finding::Related related(uint32_t pc, std::string message) const;
  [[nodiscard]] std::vector<Finding> take() { return std::move(list_); }
  /// A finding made before, to add to; null when there is none.
  Finding* last(std::string_view id, uint32_t pc);

 private:
  const Program* program_;
  size_t limit_;
  std::vector<Finding> list_;
  std::set<std::pair<std::string_view, uint32_t>> seen_;
};

/// "AIC" or "AIV1 of block 2".
std::string core_name(const Device& device, const Core& core);
std::string flag_name(unsigned src, unsigned dst, int id);
/// "file:12" or "line 12" of an operation.
std::string place_of(const Program& program, uint32_t pc);

/// Nothing can move although something is left to do: who waits for what, and why it never comes.
void explain_deadlock(const Device& device, FindingList& findings);
/// The run went on after queues were made deeper than `depth`: `needed` entries are enough.
void explain_queue_deadlock(const Device& device, const Core& core, unsigned lane, uint32_t pc, uint64_t depth,
                            uint64_t needed, FindingList& findings);
/// Flags, semaphores and buffer tokens that are not at rest when the kernel ends.
void report_leftovers(const Device& device, FindingList& findings);

}  // namespace pto::sim
