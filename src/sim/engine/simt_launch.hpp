// A SIMT launch: one entry of PIPE_V whose threads run to their end at its start
// (sim/simt/warps.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/engine/run_parts.hpp"
#include "sim/simt/warps.hpp"

namespace pto::sim {

template <typename Tap>
class SimtLaunch final : public ThreadHost {
 public:
  /// `data`: memory has values.
  SimtLaunch(RunParts<Tap>& parts, bool data);
  /// Runs the entry of the lane of PIPE_V. What it takes; its effects have happened.
  timing::Cost run(Core& core, Lane& lane, uint64_t serial);

  // ---- ThreadHost
  void thread_at(uint32_t pc) override { current_.set_pc(pc); }
  void thread_unknown(const BytecodeInst& code) override;
  bool thread_check(const BytecodeInst& code, const exec::Word* frame) override;
  void thread_step_of_loop(const BytecodeInst& code, exec::Word step) override;
  uint64_t thread_transfer(uint64_t begin, uint64_t alone, uint64_t bytes, const timing::GmWindow& window,
                           bool write) override;
  bool thread_limits(uint64_t steps, uint64_t cycles) override;
  void thread_finding(FindingId id, uint32_t pc, std::string message, Fix help, uint32_t other_pc,
                      std::string other) override;

 private:
  using Dims = std::array<int64_t, 3>;
  /// The threads in each dimension; none after a finding.
  std::optional<Dims> dimensions(const Queued& queued, const exec::Word* block, uint32_t pc);

  Device& d_;
  const SimOptions& options_;
  timing::CostModel& costs_;
  FindingList& findings_;
  CurrentInstruction& current_;
  RunMonitor& monitor_;
  ChipModel<Tap>& chip_;
  WatchOutput& watch_;
  const bool data_;
};

}  // namespace pto::sim
