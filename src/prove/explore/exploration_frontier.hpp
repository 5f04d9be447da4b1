// Worklist of the state-space search: checkpoint states with the input values that are still to be
// tried after them. If a run reaches a known state, each value has to be tried after that state
// only once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "prove/explore/checkpoints.hpp"

namespace pto::driver {

class ExplorationFrontier {
 public:
  using Representatives = std::set<int64_t>;
  /// The inputs of the next run; nullopt if all have been tried. The first run has 0 everywhere.
  std::optional<MemoryInputs> next_input();
  /// Adds the result of a run: the cells that it read with their values; the checkpoint state
  /// before each (nullopt: it depends on all loads), and the other values to try.
  void add(const MemoryInputs& came, std::vector<std::optional<CheckpointState>> states,
           const std::vector<Representatives>& numbers);
  void clear() {
    states_.clear();
    worklist_.clear();
    untried_.clear();
    request_ = {};
    started_ = false;
  }

 private:
  struct FrontierState {
    CheckpointState state;
    MemoryCell cell;
    std::shared_ptr<const MemoryInputs> run;  ///< one that came here
    size_t depth = 0;                         ///< how much of it is in front
    Representatives untried;                  ///< not tried yet
  };
  [[nodiscard]] int64_t any_number(const Representatives& numbers, const std::map<int64_t, size_t>* left,
                                   size_t place) const;
  [[nodiscard]] const FrontierState* first_untried();
  void push(const FrontierState& frontier_state);
  void remove_untried(const MemoryCell& place, int64_t number);
  void mark_tried(FrontierState& frontier_state, int64_t number);
  void mark_requested_tried();

  struct Request {
    std::string key;
    MemoryInputs inputs;
  } request_;                                                 ///< of the next run
  std::map<std::string, std::vector<FrontierState>> states_;  ///< by key of the state
  /// Keys of states in which something may be left to be tried, by how many places are in front.
  std::map<size_t, std::set<std::string>> worklist_;
  std::map<MemoryCell, Representatives> cells_;  ///< of all runs
  std::map<MemoryCell, std::map<int64_t, size_t>>
      untried_;  ///< in how many states a number is left to be tried
  bool started_ = false;
  uint64_t round_ = 0;
};

}  // namespace pto::driver
