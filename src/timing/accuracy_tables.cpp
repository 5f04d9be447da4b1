#include "timing/accuracy_tables.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "target/config_layers.hpp"
#include "timing/cost_config.hpp"
#include "timing/cost_probe.hpp"
#include "timing/table_model.hpp"

namespace pto::timing {

namespace {

/// The numbers of "64x64" or "32x16x48".
std::vector<uint32_t> sizes(std::string_view text) {
  std::vector<uint32_t> list;
  while (!text.empty()) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return {};
    list.push_back(value);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  return list;
}

struct Shape {
  std::vector<uint32_t> size, valid;
  bool inplace = false, tree = false, high_precision = false, fixed = false;
};

Shape parse_shape(const std::string& text) {
  Shape shape;
  std::string_view rest = text;
  bool valid = false;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (word == "valid")
      valid = true;
    else if (word == "inplace")
      shape.inplace = true;
    else if (word == "tree")
      shape.tree = true;
    else if (word == "static")
      shape.fixed = true;
    else if (word == "high_precision")
      shape.high_precision = true;
    else if (!sizes(word).empty())
      (valid ? shape.valid : shape.size) = sizes(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (shape.valid.empty()) shape.valid = shape.size;
  return shape;
}

struct Types {
  Elem src = Elem::none, dst = Elem::none;
};

std::optional<Types> parse_types(const std::string& text) {
  const size_t arrow = text.find('>');
  const std::optional<Elem> src = elem_named(text.substr(0, arrow));
  const std::optional<Elem> dst =
      arrow == std::string::npos ? src : elem_named(text.substr(text.rfind('>') + 1));
  if (!src || !dst) return std::nullopt;
  return Types{*src, *dst};
}

/// Tiles are laid out one after the other from address 0, as a kernel's author would; the sources do not say.
class TilePlacer {
 public:
  TilePlacer(const Types& types, const Shape& shape) : types_(types), shape_(shape) {}

  ProbeTile place(std::string_view operand, const isa::Row& row, bool is_output) {
    ProbeTile tile{is_output ? types_.dst : types_.src, shape_.size[0], shape_.size[1], shape_.valid[0],
                   shape_.valid[1]};
    const uint32_t block = 32 / std::max(1u, byte_width(tile.elem));
    if (row.rule_names.has(isa::RuleName::row_reduce) && is_output) {
      tile.cols = block;
      tile.valid_cols = 1;
    }
    if (row.rule_names.has(isa::RuleName::row_expand) && !is_output) {
      tile.cols = block;
      tile.valid_cols = 1;
    }
    if (row.rule_names.has(isa::RuleName::col_reduce) && is_output) tile.rows = tile.valid_rows = 1;
    if (operand == "mask") tile.elem = Elem::ui8;
    tile.fixed = shape_.fixed;
    if (shape_.inplace) return tile;
    tile.addr = next_;
    next_ += (uint64_t{tile.rows} * tile.cols * bit_width(tile.elem) / 8 + 31) / 32 * 32;
    return tile;
  }

 private:
  Types types_;
  Shape shape_;
  uint64_t next_ = 0;
};

std::optional<Probe> matmul_probe(RowId row, const Types& types, const Shape& shape) {
  if (shape.size.size() != 3) return std::nullopt;
  const uint32_t m = shape.size[0];
  const uint32_t k = shape.size[1];
  const uint32_t n = shape.size[2];
  Probe probe(row);
  probe.tile("lhs", {types.src, m, k, 0, 0, 0, Space::l0a});
  probe.tile("rhs", {types.src, k, n, 0, 0, 0, Space::l0b});
  probe.tile("dst", {Elem::f32, m, n, 0, 0, 0, Space::l0c});
  return probe;
}

std::optional<Probe> tile_probe(const Evidence& evidence) {
  const isa::Row* row = isa::find_row(evidence.subject);
  const std::optional<Types> types = parse_types(evidence.types);
  const Shape shape = parse_shape(evidence.shape);
  if (!row || !types) return std::nullopt;
  const RowId id = isa::id_of(*row);
  if (row->rule_names.has(isa::RuleName::matmul)) return matmul_probe(id, *types, shape);
  if (shape.size.size() != 2) return std::nullopt;
  Probe probe(id);
  TilePlacer placer(*types, shape);
  for (const isa::OperandSpec& spec : probe.schema().operands) {
    if ((spec.kinds & isa::kTile) && !(spec.arity == isa::Arity::optional && spec.role != isa::Role::tmp) &&
        !(spec.name == "scalar" && (spec.kinds & isa::kScalar))) {
      probe.tile(spec.name,
                 placer.place(spec.name, *row, spec.role == isa::Role::out || spec.role == isa::Role::inout));
    } else if (spec.arity == isa::Arity::one && (spec.kinds & (isa::kView | isa::kTView))) {
      probe.view(spec.name, types->src, shape.valid[0], shape.valid[1]);
    } else if (spec.arity == isa::Arity::one &&
               (spec.kinds & (isa::kScalar | isa::kInt | isa::kIndex | isa::kFloat))) {
      probe.integer(spec.name, 0);
    }
  }
  if (shape.tree) probe.attribute("isBinary", 1);
  if (shape.high_precision) probe.attribute("precision_mode", 1);
  return probe;
}

/// A vector instruction by itself; both sources start in one bank group, as in the tables (powers of two,
/// aligned).
std::optional<double> vector_cycles(const Evidence& evidence, const ConfigFile& config) {
  const std::optional<Types> types = parse_types(evidence.types);
  const auto set = config.vector ? config.vector->instr.find(evidence.subject)
                                 : std::map<std::string, VectorInstrSet, std::less<>>::const_iterator{};
  if (!types || !config.vector || set == config.vector->instr.end() || !evidence.shape.starts_with("repeat "))
    return std::nullopt;
  const uint64_t repeats = sizes(evidence.shape.substr(7)).at(0);
  const VectorInstr& instr = *instruction_for(set->second, types->src);
  VectorTimeline time(*config.vector);
  time.issue(instr, repeats, repeats);
  return static_cast<double>(evidence.busy ? time.occupied() : time.latency());
}

/// "64 times: vlds v0 < ; vmuls v1 < v0 ; vsts < v1": a loop of a vector function.
std::optional<double> vector_function_cycles(const Evidence& evidence, const ConfigFile& config) {
  const std::optional<Types> types = parse_types(evidence.types);
  const size_t colon = evidence.shape.find(" times: ");
  if (!types || !config.vf || colon == std::string::npos) return std::nullopt;
  struct Step {
    const VfInstr* instr;
    std::vector<uint32_t> sources, results;
  };
  std::vector<Step> body(1);
  bool after_arrow = false;
  std::istringstream words(evidence.shape.substr(colon + 8));
  for (std::string word; words >> word;) {
    if (word == ";") {
      body.emplace_back();
      after_arrow = false;
    } else if (word == "<") {
      after_arrow = true;
    } else if (word[0] == 'v' && word.size() > 1 && word[1] >= '0' && word[1] <= '9') {
      (after_arrow ? body.back().sources : body.back().results).push_back(sizes(word.substr(1)).at(0));
    } else {
      const auto found = config.vf->instr.find(word);
      if (found == config.vf->instr.end()) return std::nullopt;
      body.back().instr = &found->second.by_elem[static_cast<size_t>(types->src)];
    }
  }
  VfScoreboard board(*config.vf);
  board.begin();
  for (uint32_t i = 0; i < sizes(evidence.shape.substr(0, colon)).at(0); ++i) {
    for (const Step& step : body) board.step(*step.instr, step.sources, step.results, step.results.size());
    board.loop_iteration();
  }
  return static_cast<double>(board.end());
}

std::optional<double> formula_cycles(const Evidence& evidence, const ConfigFile& config) {
  const auto formula = config.formulas.find(evidence.subject);
  if (formula == config.formulas.end()) return std::nullopt;
  const Expression& expression =
      !evidence.busy && formula->second.latency ? *formula->second.latency : formula->second.busy;
  std::vector<int64_t> values;
  for (const std::string& name : expression.variables()) {
    if (evidence.kind == "path") {
      const int64_t bytes = sizes(evidence.shape.substr(std::string_view("bytes ").size())).at(0);
      // One burst; a matrix of 16 rows of 4-byte elements where the path asks for one.
      const int64_t value = name == "bytes"    ? bytes
                            : name == "bursts" ? 1
                            : name == "rows"   ? 16
                            : name == "cols"   ? bytes / 64
                            : name == "elem"   ? 4
                            : name == "out"    ? 4
                                               : -1;
      if (value < 0) return std::nullopt;
      values.push_back(value);
    } else {
      const std::vector<uint32_t> mkn = sizes(evidence.shape);
      const std::optional<Types> types = parse_types(evidence.types);
      if (mkn.size() != 3 || !types) return std::nullopt;
      const int64_t bits = bit_width(types->src);
      const int64_t fractals = (mkn[0] + 15) / 16 * ((mkn[1] * bits + 255) / 256) * ((mkn[2] + 15) / 16);
      const int64_t value = name == "fractals" ? fractals : name == "passes" ? (bits == 32 ? 2 : 1) : -1;
      if (value < 0) return std::nullopt;
      values.push_back(value);
    }
  }
  const std::optional<Fraction> cycles = expression.eval(values);
  if (!cycles) return std::nullopt;
  return static_cast<double>(cycles->num) / static_cast<double>(cycles->den);
}

}  // namespace

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

Result<std::vector<Evidence>> read_evidence(const std::string& file) {
  std::ifstream in(file);
  if (!in) return Error{fmt::format("{}: cannot read", file)};
  std::vector<Evidence> list;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1) continue;  // column names
    const std::vector<std::string> cells = split_csv(line);
    if (cells.size() != 9)
      return Error{fmt::format("{}:{}: {} columns instead of 9", file, number, cells.size())};
    char* end = nullptr;
    const double cycles = std::strtod(cells[5].c_str(), &end);
    if (*end != 0 || !(cycles > 0) || (cells[6] != "busy" && cells[6] != "latency"))
      return Error{fmt::format("{}:{}: bad cycles or measure", file, number)};
    list.push_back(
        {cells[0], cells[1], cells[2], cells[3], cells[4], cycles, cells[6] == "busy", cells[7], cells[8]});
  }
  return list;
}

struct AccuracyModels::State {
  ConfigFile config;
  std::unique_ptr<CostModel> measured, documented;
};

Result<AccuracyModels> AccuracyModels::load(const std::string& target,
                                            std::span<const std::string> settings) {
  const Result<toml::table> table = machine::read_layers(target, settings);
  if (!table.ok()) return table.error();
  Result<ConfigFile> config = read_config(*table);
  if (!config.ok()) return config.error();
  AccuracyModels models;
  models.state_ = std::make_shared<State>();
  models.state_->config = *config;
  models.state_->measured = std::make_unique<ConfigCostModel>(*config, CostOptions{});
  models.state_->documented =
      std::make_unique<ConfigCostModel>(std::move(*config), CostOptions{CostBasis::documented, false});
  return models;
}

std::optional<double> AccuracyModels::tile(const Evidence& evidence, CostModel& costs) const {
  std::optional<Probe> probe = tile_probe(evidence);
  if (!probe || !probe->ok()) return std::nullopt;
  const RowId row = probe->inst().row;
  if (!costs.unbound({&row, 1}).empty()) return std::nullopt;
  const Cost cost = costs.cost(probe->inst(), probe->frame());
  return evidence.busy ? cost.busy : cost.latency;
}

Prediction AccuracyModels::predict(const Evidence& evidence) {
  Prediction prediction;
  if (evidence.kind == "vector") prediction.measured_model = vector_cycles(evidence, state_->config);
  if (evidence.kind == "vf") prediction.measured_model = vector_function_cycles(evidence, state_->config);
  if (evidence.kind == "path" || evidence.kind == "cube")
    prediction.measured_model = formula_cycles(evidence, state_->config);
  if (evidence.kind == "tile") {
    prediction.measured_model = tile(evidence, *state_->measured);
    const isa::Row* row = isa::find_row(evidence.subject);
    if (row && state_->config.documented.contains(row->cost))
      prediction.documented_model = tile(evidence, *state_->documented);
  }
  return prediction;
}

double error_percent(double predicted, double measured) { return 100.0 * (predicted - measured) / measured; }

}  // namespace pto::timing
