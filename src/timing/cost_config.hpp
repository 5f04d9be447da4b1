// The configuration file of a target (sim-configs/*.toml) as checked data, with compiled
// expressions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/machine.hpp"
#include "pto/result.hpp"
#include "support/toml.hpp"
#include "timing/cost_expression.hpp"
#include "timing/documented_model.hpp"
#include "timing/memory_system.hpp"
#include "timing/provenance.hpp"
#include "timing/simt_costs.hpp"
#include "timing/vector_function_model.hpp"
#include "timing/vector_model.hpp"

namespace pto::timing {

/// `[formula]`: durations over free variables, shared by several cost classes.
struct Formula {
  std::string name;
  CostSource from;
  Expression busy;
  std::optional<Expression> latency;  ///< defaults to busy
  std::optional<Expression> gm;       ///< bytes between GM and the chip
  std::optional<Expression> ops;      ///< Cost::ops
  uint32_t restart = 0;               ///< Cost::restart
  uint32_t turn = 0;                  ///< a tile operation keeps its pipe so much longer than busy
};

/// `[cost]`: the cost of a class. Exactly one of busy, use and model is given.
struct CostRow {
  std::string cost_class;
  std::string place;                        ///< file and line
  CostSource from;                          ///< not of `use` rows: theirs is the formula's
  std::optional<Expression> busy, latency;  ///< expressions over operands; latency defaults to busy
  std::string use;  ///< a formula, or "@path": the one named by the operands' spaces ("gm_ub")
  std::vector<std::pair<std::string, Expression>> args;  ///< `use` rows: the formula's variables
  std::string model;                                     ///< a decomposition (src/timing/tile_model.hpp)
  std::vector<std::string> instr;                        ///< model rows: the vector instructions it issues
};

/// One row of `[curve]`: cycles of an A5 tile operation as a vector function over n repeats of a row and
/// `rows` rows.
struct Curve {
  Elem src = Elem::none, dst = Elem::none;  ///< none: any
  bool high_precision = false;
  uint32_t flat_lanes = 0, nested_lanes = 0;  ///< elements one n represents; 0: a repeat of the wider type
  Expression flat;                            ///< contiguous tiles: n repeats in all
  Expression nested;                          ///< others: n repeats in each of `rows` rows
  CostSource from;
};

struct ConfigFile {
  Machine machine;
  std::map<std::string, std::string, std::less<>> sources;
  std::map<std::string, Formula, std::less<>> formulas;
  std::map<std::string, CostRow, std::less<>>
      costs;  ///< by class; "tile.*" represents classes without a row of their own
  std::map<std::string, DocumentedSet, std::less<>> documented;   ///< by class, for CostBasis::documented
  std::map<std::string, std::vector<Curve>, std::less<>> curves;  ///< by class
  std::optional<VfConfig> vf;                                     ///< A5 vector function unit
  std::optional<VectorConfig> vector;                             ///< A2/A3 vector unit
  ThreadCosts threads;                                            ///< of SIMT launches
  std::optional<MemoryConfig> memory;                             ///< shared resources of the cores
};

/// Element format by the short names configurations use: f32, bf16, i8, ui8, hif8, f8e4m3, f4e2m1x2, ..
std::optional<Elem> elem_named(std::string_view name);

/// The row of a class: its own, else the longest "prefix.*" or "*"; null when there is none.
const CostRow* find_cost(const ConfigFile& config, std::string_view cost_class);

/// Reads the tables of a configuration. The error has file and line.
Result<ConfigFile> read_config(const toml::table& root);
/// The same from a text without `base`; `file` is for messages.
Result<ConfigFile> read_config(std::string_view text, const std::string& file);

}  // namespace pto::timing
