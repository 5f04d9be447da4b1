// The two files that PyPTO's in-core loop reads: a trace of the pipes alone (trace.clean.json) and sums per
// instruction and core (instr_metrics.json). Source of the forms: hw-native-sys/pypto at e2d0f78, the page on
// cleaning simulator traces.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::report {

class CleanTrace final : public Observer {
 public:
  /// Times in the trace are microseconds; with a clock of 0, cycles.
  explicit CleanTrace(double clock_ghz) : cycles_per_us_(clock_ghz > 0 ? clock_ghz * 1000 : 1) {}

  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_flag(const FlagEvent& event) override;

  [[nodiscard]] std::string trace() const;
  [[nodiscard]] std::string metrics() const;

 private:
  struct Slice {
    uint64_t begin = 0, end = 0;
    uint32_t core = 0, pc = 0;
    Pipe pipe = Pipe::none;
    uint32_t lane = 0;  ///< of the pipe's tracks: slices of one track do not overlap
  };
  struct Sum {
    uint64_t cycles = 0, count = 0;
  };
  struct Arrow;

  [[nodiscard]] std::vector<Slice> packed() const;
  [[nodiscard]] std::vector<Arrow> arrows(const std::vector<Slice>& slices) const;

  double cycles_per_us_;
  const Program* program_ = nullptr;
  std::vector<CoreInfo> cores_;
  std::vector<Slice> slices_;
  std::vector<FlagEvent> flags_;
  std::map<std::pair<uint32_t, uint32_t>, std::pair<Pipe, Sum>> sums_;  ///< by core and operation
};

}  // namespace pto::report
