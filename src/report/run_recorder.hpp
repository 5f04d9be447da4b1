// Observers that collect data for reports: sums per operation and per wait, and the last writer of
// each byte.
#pragma once

#include <optional>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::report {

/// One reason why a pipe waited at one operation, summed over the run.
struct Wait {
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  Stall reason = Stall::none;
  uint32_t pc = ~0u;
  uint64_t cycles = 0, times = 0;
};

/// Cycles and count per operation.
struct OpTotal {
  uint64_t cycles = 0, count = 0;
  Basis basis = Basis::assumed;
};

/// Of more than 128 cores the waits are summed by kind, at the first core of a kind.
class Summary final : public Observer {
 public:
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_stall(const StallEvent& event) override;
  /// Longest first; ties in the order of core, pipe, reason, operation.
  [[nodiscard]] std::vector<Wait> waits() const;
  [[nodiscard]] const std::vector<OpTotal>& operations() const { return operations_; }  ///< by pc

 private:
  struct Sum {
    uint64_t key = 0, cycles = 0, times = 0;  ///< no times: a free place
  };
  Sum& sum_of(uint64_t key);
  void grow();
  static constexpr size_t kMaxCores = 128;
  std::vector<uint64_t> core_key_;  ///< by core, the part of it in a key
  std::vector<Sum> waits_;          ///< by key: core 16 bits, pipe 8, reason 8, operation 32
  size_t used_ = 0;                 ///< of them
  std::vector<OpTotal> operations_;
};

/// Which instruction wrote one byte of an argument last. Attached to a second run after a mismatch.
class LastWriter final : public Observer, public sim::MessageObserver {
 public:
  LastWriter(uint32_t argument, uint64_t byte) : argument_(argument), byte_(byte) {}
  void on_context(const RunContext& context) override { context_ = &context; }
  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_message(const sim::MessageEvent& arrival) override;
  /// Of several devices: the one that wrote, where it is another.
  [[nodiscard]] std::optional<uint32_t> rank() const { return rank_; }
  [[nodiscard]] bool written() const { return pc_ != ~0u; }
  [[nodiscard]] uint32_t pc() const { return pc_; }
  [[nodiscard]] uint32_t core() const { return core_; }
  [[nodiscard]] uint64_t time() const { return time_; }
  [[nodiscard]] const std::optional<Moment>& moment() const {
    return moment_;
  }  ///< nothing without an engine

 private:
  const RunContext* context_ = nullptr;
  std::optional<Moment> moment_;
  std::optional<uint32_t> rank_;
  uint32_t argument_;
  uint64_t byte_, addr_ = ~uint64_t{0}, time_ = 0;
  uint32_t pc_ = ~0u, core_ = 0;
};

}  // namespace pto::report
