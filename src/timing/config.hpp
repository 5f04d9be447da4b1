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

namespace pto::timing {

/// How a number came about, and from where. Every cost row has one.
struct Provenance {
  Basis basis = Basis::assumed;
  std::string source;              ///< key of [sources]
  uint32_t line = 0;
};

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
  std::map<std::string, CostRow, std::less<>> costs;
};

/// Parses one configuration; `file` is for messages. The error has file and line.
Result<ConfigFile> read_config(std::string_view text, const std::string& file);

/// The configuration compiled into the library under that name ("a2a3"); null when there is none.
struct EmbeddedConfig {
  std::string_view name, text;
};
std::vector<EmbeddedConfig> embedded_configs();

}  // namespace pto::timing
