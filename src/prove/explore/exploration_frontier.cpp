#include "prove/explore/exploration_frontier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pto::driver {

/// Behind what is to be tried, other numbers in each run, so that one run tries something at many places:
/// what is left to be tried in many states there more often.
int64_t Crossings::any_number(const Numbers& numbers, const std::map<int64_t, size_t>* left,
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
  const uint64_t turn = round_ < kInTurn ? place + round_ : chance;
  return *std::next(numbers.begin(), static_cast<std::ptrdiff_t>(turn % numbers.size()));
}

void Crossings::add_left(const Crossing& crossing) {
  if (crossing.left.empty()) return;
  std::map<int64_t, size_t>& times = left_[crossing.place];
  for (const int64_t number : crossing.left) ++times[number];
}

void Crossings::drop_left(const Place& place, int64_t number) {
  const auto times = left_.find(place);
  const auto at = times->second.find(number);
  if (--at->second == 0) times->second.erase(at);
  if (times->second.empty()) left_.erase(times);
}

void Crossings::tried(Crossing& crossing, int64_t number) {
  if (crossing.left.erase(number) != 0) drop_left(crossing.place, number);
}

/// Of those that stand foremost.
const Crossings::Crossing* Crossings::first_left() {
  for (; !todo_.empty(); todo_.erase(todo_.begin())) {
    const size_t depth = todo_.begin()->first;
    std::set<std::string>& keys = todo_.begin()->second;
    for (; !keys.empty(); keys.erase(keys.begin())) {
      const std::vector<Crossing>& all = crossings_[*keys.begin()];
      const auto found = std::ranges::find_if(
          all, [&](const Crossing& each) { return each.depth == depth && !each.left.empty(); });
      if (found != all.end()) return &*found;
    }
  }
  return nullptr;
}

std::optional<Contents> Crossings::next() {
  if (!begun_) {
    begun_ = true;
    return Contents();
  }
  const Crossing* first = first_left();
  if (first == nullptr) return std::nullopt;
  Contents contents(first->run->begin(), first->run->begin() + static_cast<std::ptrdiff_t>(first->depth));
  contents.push_back({first->place, *first->left.begin()});
  asked_ = {first->state.key, contents};
  std::set<Place> there;
  for (const Content& each : contents) there.insert(each.place);
  size_t index = 0;
  for (const auto& [place, numbers] : places_) {
    const auto of = left_.find(place);
    if (!there.contains(place))
      contents.push_back({place, any_number(numbers, of == left_.end() ? nullptr : &of->second, index)});
    ++index;
  }
  ++round_;
  return contents;
}

/// What was asked for has been tried: the run came the same way.
void Crossings::answer() {
  const Content& last = asked_.way.back();
  for (Crossing& each : crossings_[asked_.key]) {
    const bool same =
        each.place == last.place && each.depth + 1 == asked_.way.size() &&
        std::equal(each.run->begin(), each.run->begin() + static_cast<std::ptrdiff_t>(each.depth),
                   asked_.way.begin());
    if (same) tried(each, last.number);
  }
}

void Crossings::add(const Contents& came, std::vector<std::optional<CutState>> states,
                    const std::vector<Numbers>& numbers) {
  const auto run = std::make_shared<const Contents>(came);
  std::string way = "=";
  // Behind a state that another one covers nothing is left to be tried: what comes of that one shows it.
  bool covered = false;
  for (size_t i = 0; i < came.size(); ++i) {
    const Place& place = came[i].place;
    places_[place] = numbers[i];
    CutState state = states[i] ? std::move(*states[i]) : CutState{.key = way};
    way += fmt::format("{}+{}#{}={} ", place.argument, place.offset, place.way, came[i].number);
    if (i + 1 == asked_.way.size() && std::equal(asked_.way.begin(), asked_.way.end(), came.begin())) {
      answer();
      covered = false;
      continue;
    }
    std::vector<Crossing>& known = crossings_[state.key];
    const auto same = std::ranges::find_if(
        known, [&](const Crossing& each) { return each.place == place && each.state.open == state.open; });
    if (same != known.end()) {
      covered = false;
      tried(*same, came[i].number);
      continue;
    }
    covered =
        covered || std::ranges::any_of(known, [&](const Crossing& each) { return each.state.covers(state); });
    if (covered) continue;
    std::erase_if(known, [&](const Crossing& each) {
      const bool covers = each.place == place && state.covers(each.state);
      for (auto number = each.left.begin(); covers && number != each.left.end(); ++number)
        drop_left(place, *number);
      return covers;
    });
    Crossing crossing{std::move(state), place, run, i, numbers[i]};
    crossing.left.erase(came[i].number);
    add_left(crossing);
    todo_[i].insert(crossing.state.key);
    known.push_back(std::move(crossing));
  }
}

}  // namespace pto::driver
