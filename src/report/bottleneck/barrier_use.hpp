// The pairs of pipes that each barrier of a run orders: pipes that access the same bytes before and
// after it, and that are unordered without it. It observes a run with data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/checkers.hpp"
#include "report/bottleneck/dependence_graph.hpp"

namespace pto::report {

/// Runs the race checker with barriers that order only the pairs of pipes found so far: these pairs
/// are passed to the checker as flags in place of the barrier.
class BarrierUse final : public Observer {
 public:
  /// `steps` watches the same run: it knows the machine.
  explicit BarrierUse(const StepGraph& steps) : steps_(steps) {}

  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;

  /// Of a barrier of all pipes by its operation: the flags that order the same bytes. Null when it did not
  /// run, or there was something that they may not order.
  [[nodiscard]] const LanePairs* flags(uint32_t pc) const;
  /// Barriers of one pipe that ran and ordered no bytes.
  [[nodiscard]] std::vector<uint32_t> idle_barriers() const;

 private:
  /// The last barrier of a core, or of one of its pipes.
  struct Mark {
    uint32_t pc = ~0u;
    uint64_t issued = 0;  ///< entries issued up to here precede it
  };
  struct CoreState {
    Mark all;
    std::array<Mark, kLanes> own;
    std::array<uint64_t, kLanes>
        snapshots{};                        ///< tokens: the clock of a pipe at the last barrier of all pipes
    std::array<uint64_t, kLanes> issued{};  ///< of the entry that runs
    uint8_t receivers = 0;                  ///< lanes that have taken a signal
  };
  struct Late {
    uint32_t core;
    unsigned from, to;
  };

  sim::RaceFindings& checker();
  [[nodiscard]] Pipe barrier_of(uint32_t pc) const;
  uint64_t release(uint32_t core, unsigned lane, bool issue = false);
  void acquire(uint32_t core, unsigned lane, uint64_t token, bool last = true);
  void pass(uint32_t core, uint32_t pc);
  void pass_own(uint32_t core, unsigned lane, uint32_t pc);
  void before_signal(uint32_t core, unsigned lane, uint32_t pc);
  void unordered(const sim::UnorderedPair& pair);
  void need(uint32_t core, unsigned from, unsigned to);
  void apply_late();

  const StepGraph& steps_;
  std::unique_ptr<sim::RaceFindings> checker_;
  const Program* program_ = nullptr;
  std::vector<CoreInfo> cores_;
  std::vector<CoreState> states_;
  std::map<uint32_t, LanePairs> needs_;                  ///< by barrier of all pipes
  std::map<uint32_t, bool> own_;                         ///< by barrier of one pipe: whether it orders bytes
  std::set<uint32_t> unsure_;                            ///< barriers whose flags might be set twice
  std::unordered_map<uint64_t, uint64_t> issue_tokens_;  ///< tokens of entries: their number
  std::set<uint64_t> signal_tokens_;
  std::vector<Late> late_;
  uint64_t issued_ = 0, made_ = 0;
  bool asks_ = false, notes_ = false;
  bool known_ = false, unexplained_ = false;
};

}  // namespace pto::report
