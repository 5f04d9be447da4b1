// An instruction form bound to its cost row, once: which operands the expressions and formulas of the row
// read.
#include <fmt/format.h>

#include <algorithm>

#include "pto/diagnostic.hpp"
#include "timing/table_model.hpp"

namespace pto::timing {

namespace {

/// The operands of an expression, resolved for one instruction form; the text says what is wrong.
std::string bind_variables(const Expression& expression, const isa::Schema& schema, BoundExpression& out) {
  out.expression = &expression;
  if (expression.variables().size() > kMaxVariables) return "too many variables";
  for (const std::string& name : expression.variables()) {
    const std::optional<OperandVar> var = bind_variable(name, schema);
    if (!var) return fmt::format("unknown variable '{}'", name);
    out.vars.push_back(*var);
  }
  return "";
}

/// Positions of the formula's variables among the row's arguments; the text says which has none.
std::string bind_formula(const Formula& formula, const CostRow& row, BoundFormula& out) {
  out.formula = &formula;
  const auto positions = [&](const Expression& expression, std::vector<uint8_t>& into) -> std::string {
    for (const std::string& name : expression.variables()) {
      const auto found =
          std::find_if(row.args.begin(), row.args.end(), [&](const auto& arg) { return arg.first == name; });
      if (found == row.args.end())
        return fmt::format("no value for '{}' of formula '{}'", name, formula.name);
      into.push_back(static_cast<uint8_t>(found - row.args.begin()));
    }
    return "";
  };
  std::string problem = positions(formula.busy, out.busy_args);
  if (problem.empty() && formula.latency) problem = positions(*formula.latency, out.latency_args);
  if (problem.empty() && formula.ops) problem = positions(*formula.ops, out.ops_args);
  if (problem.empty() && formula.gm) problem = positions(*formula.gm, out.gm_args);
  return problem;
}

}  // namespace

void ConfigCostModel::bind_use(Binding& binding, const isa::Schema& schema) const {
  const CostRow& row = *binding.row;
  binding.args.resize(row.args.size());
  for (size_t i = 0; i < row.args.size() && binding.problem.empty(); ++i) {
    binding.problem = bind_variables(row.args[i].second, schema, binding.args[i]);
  }
  if (!binding.problem.empty()) return;
  if (row.use != "@path") {
    binding.problem = bind_formula(config_.formulas.find(row.use)->second, row, binding.formula);
    binding.state = Binding::State::formula;
    return;
  }
  binding.paths.resize(kSpaceCount * kSpaceCount);
  for (int from = 0; from < kSpaceCount; ++from) {
    for (int to = 0; to < kSpaceCount; ++to) {
      const auto formula = config_.formulas.find(
          fmt::format("{}_{}", to_string(static_cast<Space>(from)), to_string(static_cast<Space>(to))));
      if (formula == config_.formulas.end() || !binding.problem.empty()) continue;
      binding.problem =
          bind_formula(formula->second, row, binding.paths[static_cast<size_t>(from * kSpaceCount + to)]);
    }
  }
  if (binding.dst < 0 || binding.src0 < 0) binding.problem = "@path needs a source and a destination";
  binding.state = Binding::State::path;
}

void ConfigCostModel::bind_model(Binding& binding, const isa::Schema& schema) const {
  const CostRow& row = *binding.row;
  binding.precision = {schema.attr_index("precision_mode"), schema.attr_index("precisionType")};
  if (row.model == "vf" || row.model == "vf_loop") return bind_vf(binding);
  if (row.model == "curve") {
    const auto curves = config_.curves.find(row.cost_class);
    if (curves == config_.curves.end())
      binding.problem = "no [curve] rows";
    else
      binding.curves = &curves->second;
    binding.state = Binding::State::curve;
    return;
  }
  const TileModelEntry* entry = find_tile_model(row.model);
  if (!config_.vector || !entry) {
    binding.problem = fmt::format("no model '{}'", row.model);
    return;
  }
  if (entry->instructions != 0 && entry->instructions != row.instr.size()) {
    binding.problem = fmt::format("model '{}' takes {} instructions", row.model, entry->instructions);
    return;
  }
  for (const std::string& name : row.instr) {
    const auto found = config_.vector->instr.find(name);
    if (found == config_.vector->instr.end()) {
      binding.problem = fmt::format("no [vector.instr] row for '{}'", name);
      return;
    }
    binding.instr.push_back(&found->second);
  }
  if (binding.dst < 0) binding.problem = "no destination operand";
  binding.tree = schema.attr_index("isBinary");
  binding.by_mask = schema.attr_index("maskPattern");
  binding.model = entry->model;
  binding.state = Binding::State::tile;
}

void ConfigCostModel::bind_vf(Binding& binding) const {
  const CostRow& row = *binding.row;
  if (!config_.vf) {
    binding.problem = "the target has no [vf]";
    return;
  }
  // A vf row without instructions represents the class's own: "vec.vadd" is vadd.
  std::vector<std::string> names = row.instr;
  if (names.empty()) names.emplace_back(binding.cost_class.substr(binding.cost_class.find('.') + 1));
  for (const std::string& name : names) {
    const auto found = config_.vf->instr.find(name);
    if (found == config_.vf->instr.end()) {
      binding.problem = fmt::format("no [vf.instr] row for '{}'", name);
      return;
    }
    binding.vf.push_back(&found->second);
  }
  binding.state = row.model == "vf" ? Binding::State::vf : Binding::State::vf_loop;
}

Binding ConfigCostModel::bind(RowId id) const {
  Binding binding;
  const isa::Row& row = isa::row(id);
  binding.row = find_cost(config_, row.cost);
  binding.cost_class = row.cost;
  if (!binding.row) {
    binding.state = Binding::State::unbound;
    binding.problem = fmt::format("{}: no cost row for class '{}'", row.name, row.cost);
    return binding;
  }
  const isa::Schema& schema = isa::schema(id);
  binding.dst = data_slot(schema, isa::Role::out, 0);
  if (binding.dst < 0) binding.dst = data_slot(schema, isa::Role::inout, 0);
  const int masks =
      schema.operand_slot("mask") >= 0 && schema.operand_slot("mask") == data_slot(schema, isa::Role::in, 0)
          ? 1
          : 0;
  binding.src0 = data_slot(schema, isa::Role::in, masks);  // the mask of a selection is not its data
  binding.src1 = data_slot(schema, isa::Role::in, masks + 1);
  binding.tmp = data_slot(schema, isa::Role::tmp, 0);
  if (!binding.row->use.empty()) {
    bind_use(binding, schema);
  } else if (!binding.row->model.empty()) {
    bind_model(binding, schema);
  } else {
    binding.problem = bind_variables(*binding.row->busy, schema, binding.busy);
    if (binding.problem.empty() && binding.row->latency)
      binding.problem = bind_variables(*binding.row->latency, schema, binding.latency);
    const bool constant =
        binding.problem.empty() && binding.busy.vars.empty() && binding.latency.vars.empty();
    binding.state = constant ? Binding::State::fixed : Binding::State::expression;
  }
  const auto collect = [&](const BoundExpression& expression) {
    binding.inputs.insert(binding.inputs.end(), expression.vars.begin(), expression.vars.end());
  };
  collect(binding.busy);
  collect(binding.latency);
  for (const BoundExpression& arg : binding.args) collect(arg);
  std::sort(binding.inputs.begin(), binding.inputs.end());
  binding.inputs.erase(std::unique(binding.inputs.begin(), binding.inputs.end()), binding.inputs.end());
  const auto documented = config_.documented.find(row.cost);
  if (options_.basis == CostBasis::documented && documented != config_.documented.end())
    binding.documented = &documented->second;
  if (!binding.problem.empty()) {
    binding.state = Binding::State::unbound;
    binding.problem = fmt::format("{}: {} in the cost row of class '{}'", row.name, binding.problem,
                                  binding.row->cost_class);
  }
  return binding;
}

std::optional<std::string> ConfigCostModel::misfit() const {
  std::vector<std::string_view> classes;
  for (const isa::Row& row : isa::rows()) classes.push_back(row.cost);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  for (const auto& [name, row] : config_.costs) {
    if (engine_timed(name))
      return fmt::format("{}: '{}' has no cost row: its time is scalar_cycles and issue_cycles of [machine]",
                         row.place, name);
    const bool prefix = name.ends_with('*');
    const std::string_view stem = std::string_view(name).substr(0, name.size() - prefix);
    const bool known = std::any_of(classes.begin(), classes.end(), [&](std::string_view each) {
      return prefix ? each.starts_with(stem) : each == stem;
    });
    if (known) continue;
    const std::string_view close = nearest(name, classes);
    return fmt::format("{}: no instruction has cost class '{}'{}", row.place, name,
                       close.empty() ? "" : fmt::format(", did you mean '{}'?", close));
  }
  const auto reachable = [&](const isa::Row& row) {
    const Target target = config_.machine.target;
    return !row.cost.empty() &&
           (target == Target::cpu || (target == Target::a5 ? row.types.a5 : row.types.a2a3) != "-");
  };
  for (size_t id = 0; id < isa::rows().size(); ++id) {
    if (!reachable(isa::rows()[id])) continue;
    const Binding bound = bind(static_cast<RowId>(id));
    if (bound.state == Binding::State::unbound && bound.row)
      return fmt::format("{}: {}", bound.row->place, bound.problem);
  }
  return std::nullopt;
}

std::vector<std::string> ConfigCostModel::unbound(std::span<const RowId> rows) const {
  std::vector<std::string> list;
  std::vector<bool> seen(isa::rows().size());
  for (const RowId id : rows) {
    if (seen[id] || isa::row(id).cost.empty() || engine_timed(isa::row(id).cost)) continue;
    seen[id] = true;
    Binding bound = bind(id);
    if (bound.state == Binding::State::unbound) list.push_back(std::move(bound.problem));
  }
  return list;
}

}  // namespace pto::timing
