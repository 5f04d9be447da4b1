// The cost model of one configuration: resolves an instruction form to its row once, then only evaluates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "timing/config.hpp"
#include "timing/cost.hpp"
#include "timing/operands.hpp"

namespace pto::timing {

/// An instruction form bound to its row.
struct Binding {
  enum class State : uint8_t { unseen, unbound, fixed, expression } state = State::unseen;
  const CostRow* row = nullptr;
  Cost fixed;                                    ///< rows without variables
  std::vector<OperandVar> busy_vars, latency_vars;
  std::string problem;                           ///< why it is unbound
};

class ConfigCostModel final : public CostModel {
 public:
  ConfigCostModel(ConfigFile config, const CostOptions& options);

  Cost cost(const exec::Inst& inst, const exec::Word* frame, const exec::ControlState* control) override;
  std::unique_ptr<VectorFunctionTimer> vector_function() override;
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId> rows) const override;

 private:
  const Binding& binding(RowId row);
  [[nodiscard]] Binding bind(RowId row) const;

  ConfigFile config_;
  CostOptions options_;
  std::vector<Binding> bindings_;                ///< by RowId
};

}  // namespace pto::timing
