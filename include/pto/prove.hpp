// Proofs for all inputs and timings: runs of a kernel for representative values of the inputs that
// control its synchronisation, and loops whose later iterations repeat earlier ones.
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
  uint64_t max_runs = 5000;        ///< maximum number of simulated input combinations, per abstraction level
  uint64_t max_seconds = 0;        ///< time limit of one kernel; 0: none
  uint64_t max_events = 1u << 21;  ///< recorded events of one run, to compare iterations
};

/// The result for one kernel.
struct Proof {
  std::string kernel;
  enum class Verdict : uint8_t {
    proved,
    counterexample,  ///< `diagnostics` has its findings, `inputs` the values
    undecided,       ///< `diagnostics` has UNPROVED, once per reason
  } verdict = Verdict::undecided;
  Diagnostics diagnostics;
  std::vector<std::string> inputs;  ///< "n = 128", "2 blocks"
  /// The control-relevant inputs and their covered values: "n: any", "blocks: 1 to 3".
  std::vector<std::string> covers;
  uint64_t runs = 0;
};

struct Proofs {
  std::vector<Proof> kernels;
  Diagnostics diagnostics;          ///< of the text of the program
  std::string source_name, source;  ///< for format_text()
};

/// Checks every launch of a program, or the one of LaunchOptions::entry. The verdict of a launch is
/// one of three. proved: no input and no timing causes a deadlock, a race, or a flag, buffer id,
/// signal or queue slot that is left over. counterexample: the inputs that cause one. undecided:
/// the statements that prevent a decision.
///
/// Integers that scalar units load are inputs as well. Other data that control a branch are
/// replaced by nondeterministic values. Returns an error for files, configurations and instructions
/// that are not implemented.
Result<Proofs> prove(const std::string& file, const ProveOptions& options);

}  // namespace pto
