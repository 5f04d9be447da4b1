// How long an instruction takes. Sees the instruction's form, operand descriptors and addresses; never a data
// value.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/machine.hpp"
#include "pto/result.hpp"
#include "target/decoded_inst.hpp"
#include "timing/memory_system.hpp"
#include "timing/simt_costs.hpp"

namespace pto::timing {

struct Cost {
  uint32_t busy = 1;  ///< cycles from start until the pipe can start the next instruction
  uint32_t latency =
      1;  ///< cycles from start until the result is visible (flags, barriers, dependents); >= busy
  Basis basis = Basis::assumed;
  uint32_t gm_bytes = 0;   ///< bytes between GM and the chip
  uint32_t gm_cycles = 0;  ///< the part of busy in which it does so, alone on the chip
  uint32_t restart = 0;    ///< behind a wait, cycles from the end of the instruction before until it starts
  bool gm_write = false;
  uint64_t ops = 0;  ///< multiplications and additions of matrices; elements of vectors (vector_op_count.hpp)
};

/// Which model a run uses where both exist.
enum class CostBasis : uint8_t { measured, documented };

struct CostOptions {
  CostBasis basis = CostBasis::measured;
  bool allow_unknown = false;  ///< an unbound class costs 1 cycle and is counted, instead of refusing
  double bandwidth = 1;        ///< divisor of the part of a GM transfer's time that grows with its bytes
};

/// A step of a vector function, in cycles from the begin of the function.
struct VectorStep {
  uint64_t begin = 0, end = 0;  ///< it started; its result is there
  bool memory = false;          ///< it loads or stores
};

/// Timing of a vector function (vecscope): the engine calls begin, one step per executed instruction, end.
class VectorFunctionTimer {
 public:
  virtual ~VectorFunctionTimer() = default;
  virtual void begin() = 0;
  virtual void step(const decode::Inst& inst, const decode::Word* frame) = 0;
  virtual void loop_iteration() = 0;
  /// A frame word took over another's value (loop-carried values, results of regions).
  virtual void moved(uint32_t /*from*/, uint32_t /*to*/) {}
  /// The time of the steps so far; more steps may follow.
  virtual Cost end() = 0;
  /// The last step, for observers of vector functions; nullopt before keep_steps().
  virtual void keep_steps() {}
  [[nodiscard]] virtual std::span<const VectorStep> last() const { return {}; }
};

/// Classes whose time is the engine's: `scalar_cycles` and `issue_cycles` of [machine]. They have no cost
/// row.
bool engine_timed(std::string_view cost_class);

/// Cycles that the executions of one operation would save if its second source began `shift` bytes
/// later: fewer of their repeats would find both sources in one UB bank group.
struct BankConflicts {
  uint32_t pc = 0;
  uint64_t times = 0, cycles = 0;
  uint32_t shift = 0;
};

class CostModel {
 public:
  virtual ~CostModel() = default;
  /// Cost of a queued instruction with its captured operands. `control`: the registers it runs under (TF32
  /// mode changes a matrix multiply's cycles); null where there are none.
  virtual Cost cost(const decode::Inst& inst, const decode::Word* frame,
                    const decode::ControlState* control) = 0;
  Cost cost(const decode::Inst& inst, const decode::Word* frame) { return cost(inst, frame, nullptr); }
  virtual std::unique_ptr<VectorFunctionTimer> vector_function() = 0;
  /// Resources that the threads of SIMT launches share.
  [[nodiscard]] virtual ThreadCosts threads() const { return {}; }
  /// Row names used by the program but without a cost row; empty when all are bound.
  [[nodiscard]] virtual std::vector<std::string> unbound(std::span<const RowId> rows) const = 0;
  /// Conflicts are counted from now on; and those that were.
  virtual void count_conflicts() {}
  [[nodiscard]] virtual std::vector<BankConflicts> conflicts() const { return {}; }
  /// The memory system that the transfers of all cores share; null if the target does not describe it.
  [[nodiscard]] virtual const MemoryConfig* memory() const { return nullptr; }
  /// The window of GM that an instruction with `gm_bytes` moves.
  [[nodiscard]] virtual GmWindow window(const decode::Inst& /*inst*/, const decode::Word* /*frame*/,
                                        bool /*write*/) {
    return {};
  }
  /// From the launch of a kernel until its first blocks run; `cores`: how many get one.
  [[nodiscard]] virtual Cost launch(bool /*vector_only*/, uint32_t /*cores*/) const {
    return {0, 0, Basis::measured};
  }
  /// How many instructions without a cost row took one cycle so far.
  [[nodiscard]] virtual uint64_t unknown() const { return 0; }
};

/// A target's configuration file: machine parameters and cost rows.
struct TargetConfig {
  Machine machine;
  std::shared_ptr<CostModel> costs;
};

/// Loads sim-configs/<name>.toml, or the given path, and puts the settings (KEY=VALUE) over it. Unknown keys,
/// bad expressions and unbound classes are errors with file and line, or with the setting. The configs are
/// also embedded in the programs, so an installed tool needs no files. While a Kept<TargetConfig> lives, runs
/// one after another share a model (src/support/scoped_cache.hpp).
Result<TargetConfig> load_target(std::string_view name_or_path, const CostOptions& options = {},
                                 std::span<const std::string> settings = {});

}  // namespace pto::timing
