#include "timing/cost_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/toml.hpp"
#include "target/config_reader.hpp"
#include "target/machine_config.hpp"

namespace pto::timing {

using machine::ConfigErrors, machine::read_machine, machine::TableReader;

namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

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

CostSource read_provenance(TableReader& reader, const ConfigFile& config) {
  CostSource from{Basis::assumed, reader.text("source")};
  const std::optional<Basis> basis = basis_of(reader.text("basis"));
  if (basis)
    from.basis = *basis;
  else
    reader.error("basis", "must be \"measured\", \"simulator\", \"documented\" or \"assumed\"");
  if (!config.sources.contains(from.source)) reader.error("source", "is not a key of [sources]");
  return from;
}

std::optional<Expression> read_expression(TableReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::nullopt;
  // A bare number is an expression too.
  const toml::node* node = reader.node(key);
  const std::string text =
      node->is_integer() ? fmt::format("{}", node->as_integer()->get()) : reader.text(key);
  Result<Expression> compiled = Expression::compile(text);
  if (compiled.ok()) return std::move(*compiled);
  reader.error(key, fmt::format("is not a cost expression: {}", compiled.error().message));
  return std::nullopt;
}

/// The free variables of a `use` row: every other key is one.
void read_args(TableReader& reader, CostRow& row) {
  for (const auto& [key, node] : reader.raw()) {
    if (key.str() == "use") continue;
    std::optional<Expression> arg = read_expression(reader, key.str());
    if (arg) row.args.emplace_back(key.str(), std::move(*arg));
  }
}

/// Every variable of the formula has an argument in the row, and every argument is one of its variables.
void check_formula(TableReader& reader, const CostRow& row, const Formula& formula) {
  const auto mentions = [](const Expression& expression, const std::string& name) {
    return std::find(expression.variables().begin(), expression.variables().end(), name) !=
           expression.variables().end();
  };
  for (const auto& [arg, value] : row.args) {
    if (!mentions(formula.busy, arg) && !(formula.latency && mentions(*formula.latency, arg)) &&
        !(formula.gm && mentions(*formula.gm, arg)) && !(formula.ops && mentions(*formula.ops, arg))) {
      reader.error(arg, fmt::format("is not a variable of formula '{}'", formula.name));
    }
  }
  const auto check = [&](const Expression& expression) {
    for (const std::string& name : expression.variables()) {
      bool given = false;
      for (const auto& [arg, value] : row.args) given = given || arg == name;
      if (!given)
        reader.error("use", fmt::format("needs a value for '{}' of formula '{}'", name, formula.name));
    }
  };
  check(formula.busy);
  if (formula.latency) check(*formula.latency);
  if (formula.gm) check(*formula.gm);
  if (formula.ops) check(*formula.ops);
}

CostRow read_cost(TableReader& reader, std::string_view name, const ConfigFile& config) {
  CostRow row;
  row.cost_class = name;
  row.place = reader.place();
  row.use = reader.text("use", false);
  if (!row.use.empty()) {
    read_args(reader, row);
    const auto formula = config.formulas.find(row.use);
    if (formula != config.formulas.end())
      check_formula(reader, row, formula->second);
    else if (row.use != "@path")
      reader.error("use", "is not a key of [formula]");
    return row;
  }
  row.from = read_provenance(reader, config);
  row.busy = read_expression(reader, "busy");
  row.latency = read_expression(reader, "latency");
  row.model = reader.text("model", false);
  row.instr = words(reader.text("instr", false));
  reader.finish();
  if (row.model.empty() == !row.busy)
    reader.errors().add(reader.raw(), fmt::format("'{}' needs one of busy, use and model", reader.name()));
  return row;
}

void read_formulas(TableReader& root, ConfigFile& config) {
  const toml::table* table = root.table("formula");
  if (!table) return;
  for (const auto& [key, node] : *table) {
    if (!node.is_table())
      return root.errors().add(node, fmt::format("'formula.{}' must be a table", key.str()));
    TableReader reader(*node.as_table(), root.errors(), fmt::format("formula.{}", key.str()));
    if (!reader.has("busy")) reader.missing("busy");
    Expression busy = read_expression(reader, "busy").value_or(Expression());
    Formula formula{std::string(key.str()),
                    read_provenance(reader, config),
                    std::move(busy),
                    read_expression(reader, "latency"),
                    read_expression(reader, "gm"),
                    read_expression(reader, "ops"),
                    static_cast<uint32_t>(reader.integer("restart", 0, 1000, 0)),
                    static_cast<uint32_t>(reader.integer("turn", 0, 1000, 0))};
    reader.finish();
    config.formulas.emplace(key.str(), std::move(formula));
  }
}

void read_costs(TableReader& root, ConfigFile& config) {
  const toml::table* table = root.table("cost");
  if (!table) return;
  for (const auto& [key, node] : *table) {
    if (!node.is_table()) return root.errors().add(node, fmt::format("'cost.{}' must be a table", key.str()));
    TableReader reader(*node.as_table(), root.errors(), fmt::format("cost.\"{}\"", key.str()));
    config.costs.emplace(key.str(), read_cost(reader, key.str(), config));
  }
}

/// Puts an entry at every element type its `types` key names: "i16" represents si16 and ui16 too, unless
/// those have their own entry; "any" is every type without one.
template <typename Set, typename Entry>
void put_by_type(TableReader& reader, Set& set, const Entry& entry) {
  const auto put = [&](size_t i) {
    set.known[i] = true;
    set.by_elem[i] = entry;
  };
  for (const std::string& name : words(reader.text("types"))) {
    const std::optional<Elem> elem = elem_named(name);
    if (!elem && name != "any")
      reader.error("types", fmt::format("names an unknown element type '{}'", name));
    if (elem && set.known[static_cast<size_t>(*elem)])
      reader.error("types", fmt::format("gives '{}' twice", name));
    if (elem) put(static_cast<size_t>(*elem));
    for (size_t i = 0; i < kElemCount; ++i) {
      if (!set.known[i] && (name == "any" || signless(static_cast<Elem>(i)) == elem)) put(i);
    }
  }
}

/// One entry of an instruction: the types it holds for and its numbers.
void read_vector_entry(TableReader& reader, const ConfigFile& config, uint32_t issue, VectorInstrSet& set) {
  VectorInstr instr;
  instr.from = read_provenance(reader, config);
  instr.cycles = static_cast<uint32_t>(reader.integer("cycles", 1, 10000));
  instr.base = static_cast<uint32_t>(reader.integer("base", 0, 10000, 0));
  instr.group = static_cast<uint32_t>(reader.integer("group", 0, 1000, 0));
  instr.conflict = static_cast<uint32_t>(reader.integer("conflict", 0, 100, 0));
  instr.latency = static_cast<uint32_t>(reader.integer("latency", 1, 10000));
  instr.issue = static_cast<uint32_t>(reader.integer("issue", 1, 10000, issue));
  put_by_type(reader, set, instr);
  reader.finish();
}

/// Reads a key that holds an array of tables, calling `read` for each.
template <typename Read>
void read_entries(const toml::node& node, const std::string& name, ConfigErrors& errors, const Read& read) {
  const toml::array* entries = node.as_array();
  if (!entries) return errors.add(node, fmt::format("'{}' must be an array of tables", name));
  for (const toml::node& entry : *entries) {
    if (!entry.is_table()) return errors.add(entry, fmt::format("'{}' must hold tables", name));
    TableReader reader(*entry.as_table(), errors, name);
    read(reader);
  }
}

void read_vector_instructions(TableReader& vector, const ConfigFile& config, uint32_t issue,
                              VectorConfig& out) {
  const toml::table* table = vector.table("instr");
  if (!table) return vector.missing("instr");
  for (const auto& [key, node] : *table) {
    const std::string name = fmt::format("vector.instr.{}", key.str());
    VectorInstrSet& set = out.instr[std::string(key.str())];
    set.name = key.str();
    read_entries(node, name, vector.errors(),
                 [&](TableReader& reader) { read_vector_entry(reader, config, issue, set); });
    const bool complete = std::all_of(set.known.begin(), set.known.end(), [](bool known) { return known; });
    if (!complete) vector.errors().add(node, fmt::format("'{}' needs an entry for \"any\" type", name));
  }
}

void read_documented(TableReader& root, ConfigFile& config) {
  const toml::table* table = root.table("documented");
  if (!table) return;
  for (const auto& [key, node] : *table) {
    DocumentedSet& set = config.documented[std::string(key.str())];
    read_entries(node, fmt::format("documented.\"{}\"", key.str()), root.errors(), [&](TableReader& reader) {
      DocumentedModel model;
      model.from = {Basis::documented, reader.text("source")};
      if (!config.sources.contains(model.from.source)) reader.error("source", "is not a key of [sources]");
      model.startup = static_cast<uint32_t>(reader.integer("startup", 0, 1000));
      model.completion = static_cast<uint32_t>(reader.integer("completion", 0, 1000));
      model.per_repeat = static_cast<uint32_t>(reader.integer("per_repeat", 1, 1000));
      model.interval = static_cast<uint32_t>(reader.integer("interval", 0, 1000));
      put_by_type(reader, set, model);
      reader.finish();
    });
  }
}

/// "f32 f16" or "bf16>f16": one curve per type or pair.
void read_curve(TableReader& reader, const ConfigFile& config, std::vector<Curve>& list) {
  for (const auto key : {"flat", "nested"}) {
    if (!reader.has(key)) reader.missing(key);
  }
  Expression flat = read_expression(reader, "flat").value_or(Expression());
  Expression nested = read_expression(reader, "nested").value_or(Expression());
  for (const auto* expression : {&flat, &nested}) {
    for (const std::string& name : expression->variables()) {
      if (name != "n" && name != "rows")
        reader.error("nested", fmt::format("may use n and rows, not '{}'", name));
    }
  }
  Curve curve{Elem::none,
              Elem::none,
              reader.boolean("high_precision", false),
              static_cast<uint32_t>(reader.integer("flat_lanes", 1, 4096, 0)),
              static_cast<uint32_t>(reader.integer("nested_lanes", 1, 4096, 0)),
              std::move(flat),
              std::move(nested),
              read_provenance(reader, config)};
  for (const std::string& name : words(reader.text("types"))) {
    const size_t arrow = name.find('>');
    const std::optional<Elem> src = elem_named(name.substr(0, arrow));
    const std::optional<Elem> dst =
        arrow == std::string::npos ? Elem::none : elem_named(name.substr(arrow + 1));
    if (name != "any" && (!src || !dst))
      reader.error("types", fmt::format("names an unknown element type in '{}'", name));
    curve.src = name == "any" ? Elem::none : src.value_or(Elem::none);
    curve.dst = dst.value_or(Elem::none);
    list.push_back(curve);
  }
  reader.finish();
}

void read_curves(TableReader& root, ConfigFile& config) {
  const toml::table* table = root.table("curve");
  if (!table) return;
  for (const auto& [key, node] : *table) {
    std::vector<Curve>& list = config.curves[std::string(key.str())];
    read_entries(node, fmt::format("curve.\"{}\"", key.str()), root.errors(),
                 [&](TableReader& reader) { read_curve(reader, config, list); });
  }
}

VfInstr::Unit read_unit(TableReader& reader) {
  static constexpr std::pair<std::string_view, VfInstr::Unit> kUnits[] = {
      {"alu", VfInstr::Unit::alu},
      {"alu0", VfInstr::Unit::alu0},
      {"load", VfInstr::Unit::load},
      {"store", VfInstr::Unit::store},
      {"predicate", VfInstr::Unit::predicate},
      {"barrier", VfInstr::Unit::barrier},
      {"free", VfInstr::Unit::free}};
  const std::string name = reader.text("unit");
  for (const auto& [text, unit] : kUnits) {
    if (text == name) return unit;
  }
  reader.error("unit", "must be alu, alu0, load, store, predicate, barrier or free");
  return VfInstr::Unit::alu;
}

void read_vf_entry(TableReader& reader, const ConfigFile& config, VfInstrSet& set) {
  VfInstr instr;
  instr.from = read_provenance(reader, config);
  instr.unit = read_unit(reader);
  instr.latency = static_cast<uint32_t>(reader.integer("latency", 1, 10000));
  instr.forward = static_cast<uint32_t>(reader.integer("forward", 1, 10000, instr.latency));
  instr.to_store = static_cast<uint32_t>(reader.integer("to_store", 1, 10000, instr.latency));
  instr.interval = static_cast<uint32_t>(reader.integer("interval", 1, 1000, 1));
  put_by_type(reader, set, instr);
  reader.finish();
}

VfConfig read_vf(const toml::table& table, ConfigErrors& errors, const ConfigFile& config) {
  TableReader reader(table, errors, "vf");
  VfConfig out;
  out.from = read_provenance(reader, config);
  out.start = static_cast<uint32_t>(reader.integer("start", 0, 10000));
  out.drain = static_cast<uint32_t>(reader.integer("drain", 0, 10000));
  out.dispatch = static_cast<uint32_t>(reader.integer("dispatch", 1, 64));
  out.window = static_cast<uint32_t>(reader.integer("window", 1, 128));
  out.ports = static_cast<uint32_t>(reader.integer("ports", 1, 64));
  out.memory_slots = static_cast<uint32_t>(reader.integer("memory_slots", 1, 64));
  out.store_slots = static_cast<uint32_t>(reader.integer("store_slots", 1, 64));
  out.memory_window = static_cast<uint32_t>(reader.integer("memory_window", 1, 128));
  out.registers = static_cast<uint32_t>(reader.integer("registers", 1, 1024));
  out.in_flight = static_cast<uint32_t>(reader.integer("in_flight", 1, 100));
  out.register_return = static_cast<uint32_t>(reader.integer("register_return", 0, 1000));
  out.loop = static_cast<uint32_t>(reader.integer("loop", 0, 1000));
  const toml::table* instrs = reader.table("instr");
  if (!instrs) reader.missing("instr");
  for (const auto& [key, node] : instrs ? *instrs : toml::table{}) {
    VfInstrSet& set = out.instr[std::string(key.str())];
    read_entries(node, fmt::format("vf.instr.{}", key.str()), errors,
                 [&](TableReader& entry) { read_vf_entry(entry, config, set); });
    const bool complete = std::all_of(set.known.begin(), set.known.end(), [](bool known) { return known; });
    if (!complete) errors.add(node, fmt::format("'vf.instr.{}' needs an entry for \"any\" type", key.str()));
  }
  reader.finish();
  return out;
}

ThreadCosts read_threads(const toml::table& table, ConfigErrors& errors, const ConfigFile& config) {
  TableReader reader(table, errors, "simt");
  ThreadCosts out;
  out.from = read_provenance(reader, config);
  const auto cycles = [&](std::string_view key, int64_t least) {
    return static_cast<uint32_t>(reader.integer(key, least, 100000));
  };
  out.start = cycles("start", 0);
  out.drain = cycles("drain", 0);
  out.latency = cycles("latency", 1);
  out.line = cycles("line", 1);
  out.ub_latency = cycles("ub_latency", 1);
  out.gm_latency = cycles("gm_latency", 1);
  out.ub_interval = cycles("ub_interval", 1);
  out.gm_interval = cycles("gm_interval", 1);
  reader.finish();
  return out;
}

VectorConfig read_vector(const toml::table& table, ConfigErrors& errors, const ConfigFile& config) {
  TableReader reader(table, errors, "vector");
  VectorConfig out;
  out.from = read_provenance(reader, config);
  out.launch = static_cast<uint32_t>(reader.integer("launch", 0, 1000));
  out.turn = static_cast<uint32_t>(reader.integer("turn", 0, 1000));
  out.region = static_cast<uint32_t>(reader.integer("region", 0, 1000));
  out.mask = static_cast<uint32_t>(reader.integer("mask", 0, 1000, 0));
  out.count_issue = static_cast<uint32_t>(reader.integer("count_issue", 0, 1000, 0));
  out.max_repeats = static_cast<uint32_t>(reader.integer("max_repeats", 1, 1 << 20));
  out.copy_burst = static_cast<uint32_t>(reader.integer("copy_burst", 0, 1000));
  out.copy_block = static_cast<uint32_t>(reader.integer("copy_block", 0, 1000));
  out.mask_switch = static_cast<uint32_t>(reader.integer("mask_switch", 0, 1000));
  out.scalar_round = static_cast<uint32_t>(reader.integer("scalar_round", 0, 1000));
  out.banks = {config.machine.ub_bank_group_bytes, config.machine.ub_bank_groups};
  read_vector_instructions(reader, config, static_cast<uint32_t>(reader.integer("issue", 1, 1000)), out);
  reader.finish();
  return out;
}

MemoryConfig read_memory(const toml::table& table, ConfigErrors& errors, const ConfigFile& config) {
  TableReader reader(table, errors, "chip");
  const auto parameter = [&](std::string_view key, bool needed = true) {
    Parameter out;
    const toml::table* each = reader.table(key);
    if (!each) {
      if (needed) reader.missing(key);
      return out;
    }
    TableReader row(*each, errors, fmt::format("chip.{}", key));
    out.value = row.number("value");
    if (!(out.value >= 0 && out.value < 1e15)) row.error("value", "must not be negative");
    out.from = read_provenance(row, config);
    row.finish();
    return out;
  };
  MemoryConfig out{parameter("read"),   parameter("write"), parameter("hbm"),          parameter("capacity"),
                   parameter("signal"), parameter("cube"),  parameter("vector", false)};
  reader.finish();
  return out;
}

}  // namespace

std::optional<Elem> elem_named(std::string_view name) {
  for (size_t i = 0; i < kElemCount; ++i) {
    std::string known(to_string(static_cast<Elem>(i)));
    if (known.starts_with("!pto.")) known.erase(0, 5);
    std::transform(known.begin(), known.end(), known.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (known.ends_with("fn")) known.resize(known.size() - 2);
    if (known == name) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

const CostRow* find_cost(const ConfigFile& config, std::string_view cost_class) {
  const auto exact = config.costs.find(cost_class);
  if (exact != config.costs.end()) return &exact->second;
  for (size_t dot = cost_class.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = cost_class.rfind('.', dot - 1)) {
    const auto prefix = config.costs.find(std::string(cost_class.substr(0, dot)) + ".*");
    if (prefix != config.costs.end()) return &prefix->second;
  }
  const auto all = config.costs.find("*");
  return all == config.costs.end() ? nullptr : &all->second;
}

Result<ConfigFile> read_config(const toml::table& root) {
  ConfigErrors errors;
  ConfigFile config;
  TableReader reader(root, errors, "");
  machine::check_tables(reader);
  if (errors.any()) return errors.first();
  config.sources = read_sources(reader);
  if (const toml::table* machine = reader.table("machine")) config.machine = read_machine(*machine, errors);
  if (const toml::table* vector = reader.table("vector"))
    config.vector = read_vector(*vector, errors, config);
  if (const toml::table* vf = reader.table("vf")) config.vf = read_vf(*vf, errors, config);
  if (const toml::table* threads = reader.table("simt"))
    config.threads = read_threads(*threads, errors, config);
  if (const toml::table* memory = reader.table("chip")) config.memory = read_memory(*memory, errors, config);
  read_curves(reader, config);
  read_documented(reader, config);
  read_formulas(reader, config);
  read_costs(reader, config);
  if (errors.any()) return errors.first();
  return config;
}

Result<ConfigFile> read_config(std::string_view text, const std::string& file) {
  const Result<toml::table> root = parse_toml(text, file);
  return root ? read_config(*root) : root.error();
}

}  // namespace pto::timing
