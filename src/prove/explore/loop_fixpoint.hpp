// Loops without a bound that load numbers which decide: whether what their iterations come to is what earlier
// ones have come to, whatever they load. Then all further iterations come to nothing else.
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

class Closures {
 public:
  /// `loads`: of each loop one that every iteration does. What an iteration does by itself differs up to the
  /// one `furthest` and is the same again `period` iterations later.
  Closures(const std::map<uint32_t, uint32_t>& loads, int64_t furthest, int64_t period)
      : loads_(loads), furthest_(furthest), period_(period) {}

  /// What a run has come to, at each of its cuts; nothing: that cannot be told.
  void add(const std::optional<CutState>& state);
  void clear() { seen_.clear(); }
  struct Found {
    std::set<uint32_t> closed, open;       ///< loops of which some run had that many iterations
    std::map<uint32_t, uint64_t> longest;  ///< most iterations of each
  };
  void finish(uint64_t trips, Found& found) const;

 private:
  using Loops = std::vector<std::pair<uint32_t, int64_t>>;
  void add(const CutState& state);
  using Iterations = std::map<int64_t, std::vector<CutState>>;  ///< by counter

  [[nodiscard]] CutState relative(const CutState& state, size_t depth, int64_t to) const;
  [[nodiscard]] bool closes(const Iterations& iterations, int64_t from, int64_t to) const;
  [[nodiscard]] bool closes(uint32_t loop, const Iterations& iterations) const;
  [[nodiscard]] std::set<uint32_t> cores_in_loops(const CutState& state) const;

  const std::map<uint32_t, uint32_t>& loads_;
  int64_t furthest_ = 0, period_ = 1;
  bool given_up_ = false;
  std::set<uint32_t> in_loops_;                            ///< cores that have stood in such loops
  std::map<std::pair<uint32_t, Loops>, Iterations> seen_;  ///< per loop and iterations of those around
};

}  // namespace pto::driver
