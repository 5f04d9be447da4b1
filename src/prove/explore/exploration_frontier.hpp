// Which numbers are left to be tried where runs come to load what decides. Where a run comes to what another
// one has come to, each number has to be tried from there in one of them only.
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
  /// What the next run puts where; nothing when all has been tried. The first one has 0 everywhere.
  std::optional<MemoryInputs> next_input();
  /// What a run came to: the places that it read, with what stood there; before each what the rest depends on
  /// (nothing: all that was loaded), and what else may stand there.
  void add(const MemoryInputs& came, std::vector<std::optional<CheckpointState>> states,
           const std::vector<Representatives>& numbers);
  void clear() { states_.clear(), worklist_.clear(), untried_.clear(), request_ = {}, started_ = false; }

 private:
  struct FrontierState {
    CheckpointState state;
    MemoryCell cell;
    std::shared_ptr<const MemoryInputs> run;  ///< one that came here
    size_t depth = 0;                         ///< how much of it stands in front
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
  /// Keys of states in which something may be left to be tried, by how many places stand in front.
  std::map<size_t, std::set<std::string>> worklist_;
  std::map<MemoryCell, Representatives> cells_;  ///< of all runs
  std::map<MemoryCell, std::map<int64_t, size_t>>
      untried_;  ///< in how many states a number is left to be tried
  bool started_ = false;
  uint64_t round_ = 0;
};

}  // namespace pto::driver
