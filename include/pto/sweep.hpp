// Many runs of one program or case: parameters, one row for every point (docs/user/profile.md).
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
  SimOptions sim;  ///< its mode is taken from the file, unless `mode_given`
  bool mode_given = false;
  std::string out;                 ///< OUT.jsonl, OUT.csv; empty: the sweep file without its extension
  uint64_t shard = 0, shards = 0;  ///< runs points with index % shards == shard; shards 0: all points
  unsigned jobs = 0;               ///< points to run in parallel; 0: one per host core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(uint64_t done, uint64_t all)> progress = {};  ///< one call at a time
};

struct SweepOutcome {
  uint64_t points = 0;  ///< of the sweep, or of the shard
  uint64_t rows = 0;    ///< rows that are complete now
  uint64_t ok = 0;
  std::string text, json;  ///< best points, Pareto front, failed points; only of a complete sweep
};

/// Runs the points that have no row yet. Every point gets a row, also if it fails. Rows are written
/// in the order of the points. Returns an error about the sweep itself.
Result<SweepOutcome> run_sweep(const std::filesystem::path& file, const SweepOptions& options);
/// Merges the rows of all shards. The resulting files equal those of one run of the whole sweep.
Result<SweepOutcome> merge_sweep(const std::filesystem::path& file, const SweepOptions& options);

/// Parses "2/8", or "auto": the rank and size of mpirun or Slurm from the environment.
Result<std::pair<uint64_t, uint64_t>> parse_shard(const std::string& text);

}  // namespace pto
