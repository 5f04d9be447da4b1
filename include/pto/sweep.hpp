// Many runs of one program or case: parameters, one row for every point (docs/user/sweeps.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "pto/launch.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"

namespace pto {

struct SweepOptions {
  LaunchOptions launch;
  SimOptions sim;  ///< its mode is the file's, unless `mode_given`
  bool mode_given = false;
  std::string out;                 ///< OUT.jsonl, OUT.csv; empty: the sweep file without its extension
  uint64_t shard = 0, shards = 0;  ///< points whose number leaves `shard` when divided; 0: all of them
  unsigned jobs = 0;               ///< points that run at the same time; 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(uint64_t done, uint64_t all)> progress = {};  ///< one call at a time
};

struct SweepOutcome {
  uint64_t points = 0;  ///< of the sweep, or of the shard
  uint64_t rows = 0;    ///< of those, that are there now
  uint64_t ok = 0;
  std::string text, json;  ///< best, Pareto front, what failed; only of a whole sweep
};

/// Runs the points that have no row yet. Every point becomes a row, whatever happens to it; rows are written
/// in the order of the points. The error is about the sweep itself.
Result<SweepOutcome> run_sweep(const std::filesystem::path& file, const SweepOptions& options);
/// Puts the rows of shards together: the files are those of one run of the whole sweep.
Result<SweepOutcome> merge_sweep(const std::filesystem::path& file, const SweepOptions& options);

/// "2/8", or "auto": what mpirun or Slurm say in the environment.
Result<std::pair<uint64_t, uint64_t>> parse_shard(const std::string& text);

}  // namespace pto
