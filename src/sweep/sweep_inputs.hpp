// The inputs of the points of a sweep: the launch of each point, and the files that it reads.
#pragma once

#include <cstdint>
#include <string>

#include "pto/launch.hpp"
#include "pto/result.hpp"
#include "pto/sweep.hpp"
#include "sweep/sweep_spec.hpp"

namespace pto::driver {

LaunchOptions launch_of(const SweepPlan& plan, uint64_t point, const SweepOptions& options);

/// All inputs of the rows: the sweep file, the files of its points (programs, targets, arrays), and
/// the command line.
struct SweepInputs {
  std::string fingerprint;  ///< a number for all of it
  FileGuard guard;          ///< where files may lie; the files that were read
};
/// The error is about a file that cannot be read, or may not.
Result<SweepInputs> inputs_of(const SweepPlan& plan, const std::filesystem::path& file,
                              const SweepOptions& options);

}  // namespace pto::driver
