// A target's configuration file as data: what sim-configs/*.toml says, checked, expressions compiled.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/machine.hpp"
#include "pto/result.hpp"
#include "timing/expression.hpp"
#include "timing/provenance.hpp"
#include "timing/vector_model.hpp"

namespace pto::timing {

/// `[cost]`: what a cost class takes.
struct CostRow {
  std::string cost_class;
  Provenance from;
  std::optional<Expression> busy, latency;   ///< expression rows; latency defaults to busy
  std::string model;                         ///< model rows: a named decomposition (docs/timing.md)
  std::vector<std::string> instr;            ///< model rows: vector instructions it issues
};

struct ConfigFile {
  Machine machine;
  std::map<std::string, std::string, std::less<>> sources;
  std::map<std::string, CostRow, std::less<>> costs;   ///< by class; "tile.*" stands for classes without a row of their own
  std::optional<VectorConfig> vector;                  ///< A2/A3 vector unit
};

/// The row of a class: its own, else the longest "prefix.*" or "*"; null when there is none.
const CostRow* find_cost(const ConfigFile& config, std::string_view cost_class);

/// Parses one configuration; `file` is for messages. The error has file and line.
Result<ConfigFile> read_config(std::string_view text, const std::string& file);

/// The configuration compiled into the library under that name ("a2a3"); null when there is none.
struct EmbeddedConfig {
  std::string_view name, text;
};
std::vector<EmbeddedConfig> embedded_configs();

}  // namespace pto::timing
