// The cost model of one configuration: resolves an instruction form to its row once, then only evaluates.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "timing/cost_config.hpp"
#include "timing/cost_model.hpp"
#include "timing/operand_features.hpp"
#include "timing/tile_model.hpp"

namespace pto::timing {

inline constexpr size_t kMaxVariables = 16;  ///< of one expression

/// An expression with its operands resolved for one instruction form.
struct BoundExpression {
  const Expression* expression = nullptr;
  std::vector<OperandVar> vars;
};

/// A formula with, per variable, the argument that gives it.
struct BoundFormula {
  const Formula* formula = nullptr;
  std::vector<uint8_t> busy_args, latency_args, gm_args, ops_args;
};

/// An instruction form bound to its row.
struct Binding {
  enum class State : uint8_t {
    unseen,
    unbound,
    fixed,
    expression,
    formula,
    path,
    tile,
    curve,
    vf,
    vf_loop
  } state = State::unseen;
  const CostRow* row = nullptr;
  std::string_view cost_class;  ///< the instruction's own
  std::string problem;          ///< why it is unbound

  Cost fixed;                         ///< rows without variables
  std::vector<OperandVar> inputs;     ///< every variable the row's expressions read: equal values, equal cost
  BoundExpression busy, latency;      ///< expression rows
  std::vector<BoundExpression> args;  ///< formula and path rows
  BoundFormula formula;
  std::vector<BoundFormula> paths;  ///< by source space * kSpaceCount + destination space

  const DocumentedSet* documented = nullptr;  ///< the pages' rows, when the run asked for them

  TileModel model = nullptr;  ///< tile rows
  std::vector<const VectorInstrSet*> instr;
  const std::vector<Curve>* curves = nullptr;  ///< curve rows
  std::vector<const VfInstrSet*> vf;           ///< vf rows: the instruction; vf_loop rows: the loop's body
  std::array<int, 2> precision = {-1, -1};     ///< attributes precision_mode, precisionType: one meaning
  int dst = -1, src0 = -1, src1 = -1, tmp = -1, tree = -1, by_mask = -1;
};

class ConfigCostModel final : public CostModel {
 public:
  ConfigCostModel(ConfigFile config, const CostOptions& options);

  Cost cost(const decode::Inst& inst, const decode::Word* frame,
            const decode::ControlState* control) override;
  std::unique_ptr<VectorFunctionTimer> vector_function() override;
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId> rows) const override;
  void count_conflicts() override { counts_conflicts_ = true; }
  [[nodiscard]] std::vector<BankConflicts> conflicts() const override;
  [[nodiscard]] uint64_t unknown() const override { return unknown_; }
  [[nodiscard]] const MemoryConfig* memory() const override {
    return config_.memory ? &*config_.memory : nullptr;
  }
  [[nodiscard]] GmWindow window(const decode::Inst& inst, const decode::Word* frame, bool write) override;
  [[nodiscard]] ThreadCosts threads() const override { return config_.threads; }
  [[nodiscard]] Cost launch(bool vector_only, uint32_t cores) const override;
  /// One cycle for an instruction that has no row.
  Cost unknown_cost() {
    ++unknown_;
    return {1, 1, Basis::assumed};
  }

  /// Rows of the configuration that do not fit the instruction table: classes no instruction has, variables
  /// an instruction of the class does not have, models that want other instructions. The first problem
  /// with its place; empty when none.
  [[nodiscard]] std::optional<std::string> misfit() const;

  /// The instruction's binding, made on first use.
  const Binding& binding(RowId row);

 private:
  [[nodiscard]] Binding bind(RowId row) const;  // cost_binding.cpp
  void bind_use(Binding& binding, const isa::Schema& schema) const;
  void bind_model(Binding& binding, const isa::Schema& schema) const;
  void bind_vf(Binding& binding) const;
  Cost cycles_of(const decode::Inst& inst, const decode::Word* frame, const decode::ControlState* control);
  Cost vf_loop_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame);
  template <typename Compute>
  Cost remembered(uint32_t pc, uint64_t key, const Compute& compute);
  Cost expression_row_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame,
                           const decode::ControlState* control);
  Cost tile_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame);
  void note_conflicts(const Binding& bound, uint32_t pc, uint64_t key, const TileOperands& op);

  ConfigFile config_;
  CostOptions options_;
  std::vector<Binding> bindings_;  ///< by RowId
  uint64_t unknown_ = 0;

  /// Costs of tile operations seen before: same instruction, shapes and addresses modulo the bank period.
  struct Memo {
    uint64_t key = 0;
    Cost cost;
  };
  static constexpr size_t kMemoWays = 4;
  std::vector<Memo> memo_;  ///< kMemoWays per operation
  /// The distance by which the second source has to move, and the saved cycles.
  struct Shift {
    uint32_t bytes = 0;
    uint64_t saves = 0;
  };
  bool counts_conflicts_ = false;
  std::unordered_map<uint64_t, Shift> shifts_;   ///< by the values that determine the cost
  std::map<uint32_t, BankConflicts> conflicts_;  ///< by operation
};

}  // namespace pto::timing
