// Further runs of a kernel: copies of the arguments, and the comparison of their outputs with the
// first run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/checkers.hpp"
#include "pto/simulator.hpp"
#include "sim/memory/device_memory.hpp"

namespace pto::sim {

inline constexpr uint64_t kMaxRetained = uint64_t{1} << 28;  ///< bytes

/// Copies of the arguments for another run; none where they have more than so many bytes.
std::optional<std::vector<Argument>> kept(const std::vector<Argument>& arguments, uint64_t most);
/// Whether the caller has handed one memory over as several arguments.
bool share_memory(const std::vector<Argument>& arguments);
/// The arguments as they are before a run: those that it changes are copied when it first does.
class ArgumentsBefore final : public FirstWrites {
 public:
  /// `arguments`: those that the run works on. Nothing is kept where they have more than kMaxRetained bytes.
  explicit ArgumentsBefore(const std::vector<Argument>& arguments);
  void will_write(uint32_t argument) override;
  /// For another run, while the arguments are as this one left them. Nothing where they were too large.
  [[nodiscard]] std::optional<std::vector<Argument>> all() const;

 private:
  const std::vector<Argument>& arguments_;
  bool keeps_;
  std::vector<std::optional<std::vector<std::byte>>> copies_;
};
/// Moves the outputs of another run to the caller.
void move_outputs(std::vector<Argument>& from, std::vector<Argument>& to);

/// The buffer that two runs left differently, and whether it has other bytes than those that the other one
/// found in memory, in both halves of whose `fill` are the same 16 bits but for those that vary. A move may
/// make a NaN quiet.
struct OutputDifference {
  std::string output;
  bool computed = false;
};
OutputDifference difference(const std::vector<Argument>& one, const std::vector<Argument>& other,
                            uint32_t fill);

/// Compares the outputs of runs with different uninitialised bytes.
class FillComparison {
 public:
  /// The arguments as both runs took them, as the first one left them, and the other one, with `fill`.
  void add(const std::vector<Argument>& before, const std::vector<Argument>& one,
           const std::vector<Argument>& other, uint32_t fill);
  void add(OutputDifference found, bool nothing_else);
  /// An output differs by more than the bytes themselves: further runs give no new information.
  [[nodiscard]] bool computed() const { return found_.computed; }
  [[nodiscard]] bool nothing_else() const { return nothing_else_; }
  [[nodiscard]] const std::string& output() const { return found_.output; }
  void confirm_effects(UninitialisedFindings& reads) const {
    reads.confirm_effect(found_.output, found_.computed, nothing_else_);
  }

 private:
  OutputDifference found_;
  bool nothing_else_ = false;
};

}  // namespace pto::sim
