// The scope of a proof: the inputs that it covers and varies, and its limits.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"

namespace pto::driver {

/// Whether a finding is an error that a proof excludes, or has one as a consequence.
inline bool is_proof_failure(const Diagnostic& finding) {
  return (finding.severity == Severity::error && has_trait(finding.id, kInProofs)) ||
         std::ranges::any_of(finding.notes,
                             [](const Note& note) { return has_trait(note.consequence, kInProofs); });
}

/// The assumption of a proof about flags that may be set twice.
inline std::string flags_of(const Machine& machine) {
  return machine.flags == FlagKind::bit_stall ? "a second set of a flag waits" : "flags that count";
}

/// One number that is tried: a parameter, or how many blocks there are.
struct Choice {
  uint32_t parameter = ~0u;  ///< ~0: blocks
  std::string name;
  std::vector<int64_t> numbers;
};

/// The time of one kernel, from its construction on.
class Deadline {
 public:
  /// 0: there is none.
  explicit Deadline(double seconds) : seconds_(seconds), begin_(std::chrono::steady_clock::now()) {}
  [[nodiscard]] bool is_over() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    return seconds_ > 0 && spent.count() >= seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace pto::driver
