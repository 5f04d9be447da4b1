#include "timing/model.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pto::timing {

namespace {

/// Longest duration of one instruction; more, or a value that cannot be computed, reads as this.
constexpr uint64_t kMaxCycles = uint64_t{1} << 31;
constexpr size_t kMaxVariables = 16;

/// The operands of an expression, resolved for one instruction form.
std::string bind_variables(const Expression& expression, const isa::Schema& schema, std::vector<OperandVar>& out) {
  if (expression.variables().size() > kMaxVariables) return "too many variables";
  for (const std::string& name : expression.variables()) {
    const std::optional<OperandVar> var = bind_variable(name, schema);
    if (!var) return fmt::format("unknown variable '{}'", name);
    out.push_back(*var);
  }
  return "";
}

uint32_t evaluate(const Expression& expression, const std::vector<OperandVar>& vars, const exec::Inst& inst, const exec::Word* frame,
                  const exec::ControlState* control) {
  std::array<int64_t, kMaxVariables> values;
  for (size_t i = 0; i < vars.size(); ++i) {
    const std::optional<int64_t> value = read_variable(vars[i], inst, frame, control);
    if (!value) return kMaxCycles;
    values[i] = *value;
  }
  const std::optional<uint64_t> cycles = expression.cycles({values.data(), vars.size()});
  return static_cast<uint32_t>(std::clamp<uint64_t>(cycles.value_or(kMaxCycles), 1, kMaxCycles));
}

Cost fixed_cost(const CostRow& row) {
  const exec::Inst none;
  Cost cost;
  cost.busy = evaluate(*row.busy, {}, none, nullptr, nullptr);
  cost.latency = row.latency ? std::max(cost.busy, evaluate(*row.latency, {}, none, nullptr, nullptr)) : cost.busy;
  cost.basis = row.from.basis;
  return cost;
}

/// Sums the steps' own costs; replaced by the scoreboard of targets that describe their vector function unit.
class SerialVectorFunction final : public VectorFunctionTimer {
 public:
  explicit SerialVectorFunction(ConfigCostModel& model) : model_(&model) {}
  void begin() override { total_ = {0, 0, Basis::measured}; }
  void step(const exec::Inst& inst, const exec::Word* frame) override {
    const Cost cost = model_->cost(inst, frame, nullptr);
    total_.busy += cost.latency;
    total_.basis = std::max(total_.basis, cost.basis);
  }
  void loop_iteration() override {}
  Cost end() override {
    total_.busy = std::max(total_.busy, 1u);
    total_.latency = total_.busy;
    return total_;
  }

 private:
  ConfigCostModel* model_;
  Cost total_;
};

}  // namespace

ConfigCostModel::ConfigCostModel(ConfigFile config, const CostOptions& options)
    : config_(std::move(config)), options_(options), bindings_(isa::rows().size()) {}

Binding ConfigCostModel::bind(RowId id) const {
  Binding binding;
  binding.state = Binding::State::unbound;
  const isa::Row& row = isa::row(id);
  const CostRow* cost = find_cost(config_, row.cost);
  if (!cost) {
    binding.problem = fmt::format("{}: no cost row for class '{}'", row.name, row.cost);
    return binding;
  }
  binding.row = cost;
  if (!cost->busy) {
    binding.problem = fmt::format("{}: no model '{}'", row.name, cost->model);
    return binding;
  }
  const isa::Schema& schema = isa::schema(id);
  binding.problem = bind_variables(*cost->busy, schema, binding.busy_vars);
  if (binding.problem.empty() && cost->latency) binding.problem = bind_variables(*cost->latency, schema, binding.latency_vars);
  if (!binding.problem.empty()) {
    binding.problem = fmt::format("{}: {} in the cost row of '{}' (line {})", row.name, binding.problem, cost->cost_class, cost->from.line);
    return binding;
  }
  const bool constant = binding.busy_vars.empty() && binding.latency_vars.empty();
  binding.state = constant ? Binding::State::fixed : Binding::State::expression;
  if (constant) binding.fixed = fixed_cost(*cost);
  return binding;
}

const Binding& ConfigCostModel::binding(RowId row) {
  Binding& known = bindings_[row];
  if (known.state == Binding::State::unseen) known = bind(row);
  return known;
}

Cost ConfigCostModel::cost(const exec::Inst& inst, const exec::Word* frame, const exec::ControlState* control) {
  const Binding& bound = binding(inst.row);
  switch (bound.state) {
    case Binding::State::fixed: return bound.fixed;
    case Binding::State::expression: {
      Cost cost;
      cost.busy = evaluate(*bound.row->busy, bound.busy_vars, inst, frame, control);
      cost.latency = cost.busy;
      if (bound.row->latency) cost.latency = std::max(cost.busy, evaluate(*bound.row->latency, bound.latency_vars, inst, frame, control));
      cost.basis = bound.row->from.basis;
      return cost;
    }
    default: return {1, 1, Basis::assumed};   // only with allow_unknown; the engine counts these
  }
}

std::unique_ptr<VectorFunctionTimer> ConfigCostModel::vector_function() { return std::make_unique<SerialVectorFunction>(*this); }

std::vector<std::string> ConfigCostModel::unbound(std::span<const RowId> rows) const {
  std::vector<std::string> list;
  std::vector<bool> seen(isa::rows().size());
  for (const RowId id : rows) {
    if (seen[id] || isa::row(id).cost.empty()) continue;
    seen[id] = true;
    Binding bound = bind(id);
    if (bound.state == Binding::State::unbound) list.push_back(std::move(bound.problem));
  }
  return list;
}

}  // namespace pto::timing
