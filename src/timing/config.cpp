#include "timing/config.hpp"

#include <fmt/format.h>

#include "timing/machine_config.hpp"
#include "timing/toml_reader.hpp"

namespace pto::timing {

namespace {

std::map<std::string, std::string, std::less<>> read_sources(TableReader& root) {
  std::map<std::string, std::string, std::less<>> sources;
  const toml::table* table = root.table("sources");
  if (!table) return sources;
  TableReader reader(*table, root.errors(), "sources");
  for (const auto& [key, node] : *table) sources.emplace(key.str(), reader.text(key.str()));
  return sources;
}

std::optional<Basis> basis_of(std::string_view text) {
  for (const Basis basis : {Basis::measured, Basis::simulator, Basis::documented, Basis::assumed}) {
    if (text == to_string(basis)) return basis;
  }
  return std::nullopt;
}

Provenance read_provenance(TableReader& reader, const ConfigFile& config) {
  Provenance from{Basis::assumed, reader.text("source"), reader.line()};
  const std::optional<Basis> basis = basis_of(reader.text("basis"));
  if (basis) from.basis = *basis;
  else reader.error("basis", "must be \"measured\", \"simulator\", \"documented\" or \"assumed\"");
  if (!config.sources.contains(from.source)) reader.error("source", "is not a key of [sources]");
  return from;
}

std::optional<Expression> read_expression(TableReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::nullopt;
  // A bare number is an expression too.
  const toml::node* node = reader.node(key);
  const std::string text = node->is_integer() ? fmt::format("{}", node->as_integer()->get()) : reader.text(key);
  Result<Expression> compiled = Expression::compile(text);
  if (compiled.ok()) return std::move(*compiled);
  reader.error(key, fmt::format("is not a cost expression: {}", compiled.error().message));
  return std::nullopt;
}

void read_instructions(TableReader& reader, CostRow& row) {
  const std::string text = reader.text("instr", false);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) row.instr.push_back(text.substr(at, end - at));
    at = end + 1;
  }
}

CostRow read_cost(TableReader& reader, std::string_view name, const ConfigFile& config) {
  CostRow row;
  row.cost_class = name;
  row.from = read_provenance(reader, config);
  row.busy = read_expression(reader, "busy");
  row.latency = read_expression(reader, "latency");
  row.model = reader.text("model", false);
  read_instructions(reader, row);
  if (row.model.empty() == !row.busy) reader.errors().add(reader.line(), fmt::format("'{}' needs either busy or model", reader.name()));
  reader.finish();
  return row;
}

void read_costs(TableReader& root, ConfigFile& config) {
  const toml::table* table = root.table("cost");
  if (!table) return root.error("cost", "is missing");
  for (const auto& [key, node] : *table) {
    if (!node.is_table()) return root.errors().add(node.source().begin.line, fmt::format("'cost.{}' must be a table", key.str()));
    TableReader reader(*node.as_table(), root.errors(), fmt::format("cost.\"{}\"", key.str()));
    config.costs.emplace(key.str(), read_cost(reader, key.str(), config));
  }
}

}  // namespace

Result<ConfigFile> read_config(std::string_view text, const std::string& file) {
  ConfigErrors errors(file);
  ConfigFile config;
  try {
    const toml::table root = toml::parse(text, file);
    TableReader reader(root, errors, "");
    config.sources = read_sources(reader);
    if (const toml::table* machine = reader.table("machine")) config.machine = read_machine(*machine, errors);
    else reader.error("machine", "is missing");
    read_costs(reader, config);
    reader.finish();
  } catch (const toml::parse_error& problem) {
    errors.add(problem.source().begin.line, problem.description());
  }
  if (errors.any()) return errors.first();
  return config;
}

}  // namespace pto::timing
