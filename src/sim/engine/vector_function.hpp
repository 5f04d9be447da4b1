// A vector function (pto.vecscope, and calls of SIMD functions): one entry of PIPE_V that runs code
// of its own, from its first instruction to its last, at its start.
#pragma once

#include <memory>

#include "sim/engine/run_parts.hpp"

namespace pto::sim {

template <bool kData, typename Tap>
class VectorFunction {
 public:
  explicit VectorFunction(RunParts<Tap>& parts);
  /// Runs the entry of the lane of PIPE_V. What it takes; its effects have happened.
  timing::Cost run(Core& core, Lane& lane, uint64_t serial);

 private:
  void step(Core& core, exec::Word* frame, const BytecodeInst& code, uint32_t& at);
  void execute(Core& core, const BytecodeInst& code);
  void move(Core& core, const BytecodeInst& code);
  void check_known(Core& core, const BytecodeInst& code);
  /// False: the run is stopped.
  bool is_within_limits(const Core& core, uint32_t pc, uint64_t steps);

  Device& d_;
  const SimOptions& options_;
  Tap& tap_;
  CurrentInstruction& current_;
  RunMonitor& monitor_;
  WatchOutput& watch_;
  std::unique_ptr<timing::VectorFunctionTimer> timer_;
};

}  // namespace pto::sim
