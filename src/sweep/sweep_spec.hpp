// A sweep file as data: parameters, the points that satisfy its constraints, and the requested
// metrics.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "pto/simulator.hpp"

namespace pto::driver {

/// A column that is measured.
struct SweepMetric {
  std::string_view name;
  bool more_is_better = false;
};
inline constexpr SweepMetric kSweepMetrics[] = {
    {"cycles"},        {"kernel_cycles"}, {"us"},       {"tflops", true}, {"read_bytes"},
    {"written_bytes"}, {"ub_bytes"},      {"l1_bytes"}, {"l0a_bytes"},    {"l0b_bytes"},
    {"l0c_bytes"},     {"errors"},        {"warnings"}};
/// The other columns, beside the parameters.
inline constexpr std::string_view kSweepColumns[] = {"point", "state", "message", "finding", "sweep"};

struct SweepValue {
  std::string text;              ///< as behind -D
  std::string toml;              ///< as in a case or configuration
  bool quoted = false;           ///< a string or a list
  std::optional<int64_t> whole;  ///< an integer
};

struct SweepParameter {
  std::string name;
  enum class Kind : uint8_t { define, of_case, of_target } kind = Kind::define;
  std::string key;  ///< without "case." or "target."
  bool listed = false;
  std::vector<SweepValue> values;
};

class SweepPlan {
 public:
  static Result<SweepPlan> read(const std::filesystem::path& file);

  std::string source;             ///< of the sweep file
  std::string input;              ///< a case file or program
  std::vector<std::string> args;  ///< as behind --arg
  std::optional<Mode> mode;
  std::vector<SweepParameter> parameters;
  std::vector<uint64_t> points;  ///< those that meet the constraints, by their number in the whole grid
  SweepMetric best = kSweepMetrics[0];
  std::vector<std::string> per;  ///< parameters: a best point for each of their values
  std::vector<SweepMetric> pareto;

  [[nodiscard]] const SweepValue& value(uint64_t number, size_t parameter) const;

 private:
  friend class SweepReader;
  uint64_t listed_ = 1, grid_ = 1;  ///< points of the list; of the grid of the others
  std::vector<uint64_t> strides_;   ///< of parameters of the grid
};

}  // namespace pto::driver
