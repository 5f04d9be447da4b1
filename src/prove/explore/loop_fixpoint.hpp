// Fixpoint of unbounded loops that load control-relevant inputs. Such a loop is fully explored once
// a further iteration reaches only checkpoint states that earlier iterations have covered.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "prove/explore/checkpoints.hpp"

namespace pto::driver {

class LoopFixpoint {
 public:
  /// `loads`: for each loop a load that every iteration executes. The effects of single iterations
  /// can differ up to `farthest_offset`, and repeat with `period`.
  LoopFixpoint(const std::map<uint32_t, uint32_t>& loads, int64_t farthest_offset, int64_t period)
      : loads_(loads), prefix_length_(farthest_offset), period_(period) {}

  /// Adds the checkpoint states of a run; nullopt: unknown.
  void add(const std::optional<CheckpointState>& state);
  void clear() { states_.clear(); }
  struct Found {
    std::set<uint32_t> converged, diverging;       ///< loops of which some run had that many iterations
    std::map<uint32_t, uint64_t> max_trip_counts;  ///< most iterations of each
  };
  void finish(uint64_t trips, Found& found) const;

 private:
  using Loops = std::vector<std::pair<uint32_t, int64_t>>;
  void add(const CheckpointState& state);
  using Iterations = std::map<int64_t, std::vector<CheckpointState>>;  ///< by counter

  [[nodiscard]] CheckpointState relative(const CheckpointState& state, size_t depth, int64_t to) const;
  [[nodiscard]] bool is_closed(const Iterations& iterations, int64_t from, int64_t to) const;
  [[nodiscard]] bool is_closed(uint32_t loop, const Iterations& iterations) const;
  [[nodiscard]] std::set<uint32_t> cores_in_loops(const CheckpointState& state) const;

  const std::map<uint32_t, uint32_t>& loads_;
  int64_t prefix_length_ = 0, period_ = 1;
  bool given_up_ = false;
  std::set<uint32_t> in_loops_;                              ///< cores that have was in such loops
  std::map<std::pair<uint32_t, Loops>, Iterations> states_;  ///< per loop and iterations of those around
};

}  // namespace pto::driver
