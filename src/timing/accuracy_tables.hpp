// Cost models against public measurements (sim-configs/evidence/*.csv).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "timing/cost_model.hpp"

namespace pto::timing {

/// One measurement. Columns of the files, in this order.
struct Evidence {
  std::string target;   ///< a2a3, a5
  std::string kind;     ///< tile, vector, path, cube, vf
  std::string subject;  ///< pto.tadd; vadd; gm_ub; mad
  std::string types;    ///< f32; f32>f16 for a conversion
  std::string shape;    ///< "64x64 valid 60x60 inplace"; "repeat 16"; "bytes 4096"; "32x16x48" (m x k x n)
  double cycles = 0;
  bool busy = false;  ///< measure: busy (back to back) or latency (alone)
  std::string use;    ///< judged; fitted (our numbers come from this row); weak; excluded: why
  std::string source;
};

/// Cells of a line; quoted ones may hold commas.
std::vector<std::string> split_csv(const std::string& line);
/// Reads one evidence file. Errors name file and line.
Result<std::vector<Evidence>> read_evidence(const std::string& file);

/// The predictions of both models for a measurement; empty if a model has none.
struct Prediction {
  std::optional<double> measured_model, documented_model;
};

class AccuracyModels {
 public:
  /// A target's name or a configuration file, with KEY=VALUE settings over it.
  static Result<AccuracyModels> load(const std::string& target, std::span<const std::string> settings = {});
  [[nodiscard]] Prediction predict(const Evidence& evidence);

 private:
  std::optional<double> tile(const Evidence& evidence, CostModel& costs) const;
  struct State;
  std::shared_ptr<State> state_;
};

/// Error in percent of the measured value.
double error_percent(double predicted, double measured);

}  // namespace pto::timing
