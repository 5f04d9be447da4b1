// What holds for every input and every timing: runs of a kernel for all numbers that decide about its order,
// and loops whose later iterations repeat earlier ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pto/launch.hpp"
#include "pto/result.hpp"

namespace pto {

struct ProveOptions {
  LaunchOptions launch;
  SimOptions sim;                  ///< limits and switches of each run
  uint64_t max_runs = 5000;        ///< combinations of numbers, as it is and with branches let go
  uint64_t max_seconds = 0;        ///< of one kernel; longer: not decided; 0: no limit
  uint64_t max_events = 1u << 21;  ///< of one run that are kept to compare iterations
};

/// What is known of one kernel.
struct Proof {
  std::string kernel;
  enum class Verdict : uint8_t {
    proved,
    counterexample,  ///< `diagnostics` holds its findings, `inputs` the numbers
    undecided,       ///< `diagnostics` holds UNPROVED, once per reason
  } verdict = Verdict::undecided;
  Diagnostics diagnostics;
  std::vector<std::string> inputs;  ///< "n = 128", "2 blocks"
  /// The numbers that decide, with what they stand for: "n: any", "blocks: 1 to 3".
  std::vector<std::string> covers;
  uint64_t runs = 0;
};

struct Proofs {
  std::vector<Proof> kernels;
  Diagnostics diagnostics;          ///< of the program's text
  std::string source_name, source;  ///< for format_text()
};

/// Every launch of a program (LaunchOptions::entry: one of them). Says of each that no input and no timing
/// gives a deadlock, a race, or a flag, buffer id, signal or queue slot that is left; or with which numbers
/// one does; or which statement keeps it from saying so. Integers that the scalar unit loads are such
/// numbers; what else data decide is proved only where it may decide anything. Errors: files, configurations,
/// an instruction that is not implemented.
Result<Proofs> prove(const std::string& file, const ProveOptions& options);

}  // namespace pto
