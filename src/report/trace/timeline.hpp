// The timeline: time from left to right, one row per pipe, or per instruction while there are few.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pto/simulator.hpp"
#include "report/run_report.hpp"

namespace pto::report {

/// The use of the time of one pipe, summed in buckets of cycles that get wider as the run gets
/// longer.
class PipeTime {
 public:
  static constexpr std::string_view kMarks = " #.bfmqrtwx";
  using Weights = std::array<uint64_t, kMarks.size()>;  ///< cycles by mark
  explicit PipeTime(size_t most) : most_(most) {}
  void add(uint64_t begin, uint64_t end, char mark);
  [[nodiscard]] uint64_t width() const { return width_; }
  [[nodiscard]] const std::vector<Weights>& buckets() const { return buckets_; }

 private:
  void widen();

  size_t most_;         ///< buckets
  uint64_t width_ = 1;  ///< cycles of a bucket
  std::vector<Weights> buckets_;
};

/// Keeps the first instructions and the sums of PipeTime: as much for a long run as for a short one.
class Timeline final : public Observer {
 public:
  static constexpr size_t kFewInstructions = 40, kMaxCores = 128;
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_stall(const StallEvent& event) override;
  /// No line is longer than 100 columns.
  [[nodiscard]] std::string text(const Run& run) const;

 private:
  struct Row {
    PipeTime time;
    bool used = false;  ///< by an instruction
  };
  Row* row_of(uint32_t core, Pipe pipe);
  [[nodiscard]] std::string by_pipe(const Run& run) const;
  [[nodiscard]] std::string by_instruction(const Run& run) const;

  size_t buckets_ = 0, cores_ = 0;
  std::vector<std::unique_ptr<Row>> rows_;  ///< per core: S, then the queues
  std::vector<InstEvent> first_;
  uint64_t instructions_ = 0;
};

}  // namespace pto::report
