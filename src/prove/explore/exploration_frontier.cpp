#include "prove/explore/exploration_frontier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pto::driver {

/// Behind what is to be tried, other numbers in each run, so that one run tries something at many places:
/// what is left to be tried in many states there more often.
int64_t ExplorationFrontier::any_number(const Representatives& numbers, const std::map<int64_t, size_t>* left,
                                        size_t place) const {
  constexpr uint64_t kInTurn = 6, kMix = 0x9E3779B97F4A7C15;
  const uint64_t chance = ((place + 1) * kMix ^ round_ * (kMix << 7)) >> 33;
  if (round_ >= kInTurn && left != nullptr && chance % 4 != 0) {
    size_t all = 0;
    for (const auto& [number, times] : *left) all += times;
    size_t at = chance / 4 % all;
    for (const auto& [number, times] : *left) {
      if (at < times) return number;
      at -= times;
    }
  }
  const uint64_t iteration = round_ < kInTurn ? place + round_ : chance;
  return *std::next(numbers.begin(), static_cast<std::ptrdiff_t>(iteration % numbers.size()));
}

void ExplorationFrontier::push(const FrontierState& frontier_state) {
  if (frontier_state.untried.empty()) return;
  std::map<int64_t, size_t>& times = untried_[frontier_state.cell];
  for (const int64_t number : frontier_state.untried) ++times[number];
}

void ExplorationFrontier::remove_untried(const MemoryCell& place, int64_t number) {
  const auto times = untried_.find(place);
  const auto at = times->second.find(number);
  if (--at->second == 0) times->second.erase(at);
  if (times->second.empty()) untried_.erase(times);
}

void ExplorationFrontier::mark_tried(FrontierState& frontier_state, int64_t number) {
  if (frontier_state.untried.erase(number) != 0) remove_untried(frontier_state.cell, number);
}

/// Of those that stand foremost.
const ExplorationFrontier::FrontierState* ExplorationFrontier::first_untried() {
  for (; !worklist_.empty(); worklist_.erase(worklist_.begin())) {
    const size_t depth = worklist_.begin()->first;
    std::set<std::string>& keys = worklist_.begin()->second;
    for (; !keys.empty(); keys.erase(keys.begin())) {
      const std::vector<FrontierState>& all = states_[*keys.begin()];
      const auto found = std::ranges::find_if(
          all, [&](const FrontierState& each) { return each.depth == depth && !each.untried.empty(); });
      if (found != all.end()) return &*found;
    }
  }
  return nullptr;
}

std::optional<MemoryInputs> ExplorationFrontier::next_input() {
  if (!started_) {
    started_ = true;
    return MemoryInputs();
  }
  const FrontierState* first = first_untried();
  if (first == nullptr) return std::nullopt;
  MemoryInputs contents(first->run->begin(), first->run->begin() + static_cast<std::ptrdiff_t>(first->depth));
  contents.push_back({first->cell, *first->untried.begin()});
  request_ = {first->state.key, contents};
  std::set<MemoryCell> there;
  for (const MemoryInput& each : contents) there.insert(each.cell);
  size_t index = 0;
  for (const auto& [place, numbers] : cells_) {
    const auto of = untried_.find(place);
    if (!there.contains(place))
      contents.push_back({place, any_number(numbers, of == untried_.end() ? nullptr : &of->second, index)});
    ++index;
  }
  ++round_;
  return contents;
}

/// What was asked for has been tried: the run came the same way.
void ExplorationFrontier::mark_requested_tried() {
  const MemoryInput& last = request_.inputs.back();
  for (FrontierState& each : states_[request_.key]) {
    const bool same =
        each.cell == last.cell && each.depth + 1 == request_.inputs.size() &&
        std::equal(each.run->begin(), each.run->begin() + static_cast<std::ptrdiff_t>(each.depth),
                   request_.inputs.begin());
    if (same) mark_tried(each, last.number);
  }
}

void ExplorationFrontier::add(const MemoryInputs& came, std::vector<std::optional<CheckpointState>> states,
                              const std::vector<Representatives>& numbers) {
  const auto run = std::make_shared<const MemoryInputs>(came);
  std::string way = "=";
  // Behind a state that another one covers nothing is left to be tried: what comes of that one shows it.
  bool covered = false;
  for (size_t i = 0; i < came.size(); ++i) {
    const MemoryCell& place = came[i].cell;
    cells_[place] = numbers[i];
    CheckpointState state = states[i] ? std::move(*states[i]) : CheckpointState{.key = way};
    way += fmt::format("{}+{}#{}={} ", place.argument, place.offset, place.context, came[i].number);
    if (i + 1 == request_.inputs.size() &&
        std::equal(request_.inputs.begin(), request_.inputs.end(), came.begin())) {
      mark_requested_tried();
      covered = false;
      continue;
    }
    std::vector<FrontierState>& known = states_[state.key];
    const auto same = std::ranges::find_if(known, [&](const FrontierState& each) {
      return each.cell == place && each.state.pending_accesses == state.pending_accesses;
    });
    if (same != known.end()) {
      covered = false;
      mark_tried(*same, came[i].number);
      continue;
    }
    covered = covered || std::ranges::any_of(
                             known, [&](const FrontierState& each) { return each.state.subsumes(state); });
    if (covered) continue;
    std::erase_if(known, [&](const FrontierState& each) {
      const bool covers = each.cell == place && state.subsumes(each.state);
      for (auto number = each.untried.begin(); covers && number != each.untried.end(); ++number)
        remove_untried(place, *number);
      return covers;
    });
    FrontierState frontier_state{std::move(state), place, run, i, numbers[i]};
    frontier_state.untried.erase(came[i].number);
    push(frontier_state);
    worklist_[i].insert(frontier_state.state.key);
    known.push_back(std::move(frontier_state));
  }
}

}  // namespace pto::driver
