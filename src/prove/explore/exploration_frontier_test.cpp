// What is tried of a machine that takes a number in each iteration, beside all that it can do.
#include "prove/explore/exploration_frontier.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <set>
#include <tuple>

#include "testing/catch_main.hpp"

namespace pto::driver {
namespace {

constexpr uint32_t kTurns = 12, kStates = 4;
const std::set<int64_t> kNumbers{-1, 0, 1, 5};

/// Where it goes from a state with a number; some turns are left out in some states.
struct Machine {
  explicit Machine(uint32_t seed) {
    std::mt19937 random(seed);
    for (auto& turn : next) {
      for (auto& state : turn) {
        for (const int64_t number : kNumbers) state[number] = random() % kStates;
      }
    }
    for (auto& turn : far) {
      for (uint32_t& each : turn) each = random() % 5 == 0 ? 2 : 1;
    }
  }
  std::array<std::array<std::map<int64_t, uint32_t>, kStates>, kTurns> next;
  std::array<std::array<uint32_t, kStates>, kTurns> far;
};

using Step = std::tuple<uint32_t, uint32_t, int64_t>;

std::set<Step> all_steps(const Machine& machine) {
  std::set<Step> steps;
  std::set<std::pair<uint32_t, uint32_t>> todo{{0, 0}};
  while (!todo.empty()) {
    const auto [turn, state] = *todo.begin();
    todo.erase(todo.begin());
    if (turn >= kTurns) continue;
    for (const int64_t number : kNumbers) {
      if (!steps.emplace(turn, state, number).second) continue;
      todo.emplace(turn + machine.far[turn][state], machine.next[turn][state].at(number));
    }
  }
  return steps;
}

TEST_CASE("every number is tried in every state that can be come to, several in one run", "[prove]") {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const Machine machine(seed);
    ExplorationFrontier frontier;
    std::set<Step> tried;
    size_t runs = 0;
    while (const auto contents = frontier.next_input()) {
      ++runs;
      std::map<MemoryCell, int64_t> numbers;
      for (const MemoryInput& each : *contents) numbers[each.cell] = each.number;
      MemoryInputs came;
      std::vector<std::optional<CheckpointState>> states;
      uint32_t state = 0;
      for (uint32_t turn = 0; turn < kTurns;) {
        const MemoryCell place{0, 4 * turn, 4, 0};
        const int64_t number = numbers.contains(place) ? numbers[place] : 0;
        came.push_back({place, number});
        states.emplace_back(CheckpointState{fmt::format("{}.{}", turn, state), {}, {}, {}});
        tried.emplace(turn, state, number);
        const uint32_t from = state;
        state = machine.next[turn][state].at(number);
        turn += machine.far[turn][from];
      }
      const std::vector<std::set<int64_t>> all(came.size(), kNumbers);
      frontier.add(came, std::move(states), all);
    }
    const std::set<Step> steps = all_steps(machine);
    CHECK(tried == steps);
    CHECK(runs * 3 < steps.size() * 2);  // each run takes several steps
  }
}

TEST_CASE("nothing is merged where nothing tells the state", "[prove]") {
  ExplorationFrontier frontier;
  size_t runs = 0;
  std::set<std::vector<int64_t>> ways;
  while (const auto contents = frontier.next_input()) {
    ++runs;
    MemoryInputs came;
    for (uint64_t i = 0; i < 3; ++i) came.push_back({{0, 8 * i, 4, 0}, 0});
    for (const MemoryInput& each : *contents) {
      for (MemoryInput& place : came) place.number = place.cell == each.cell ? each.number : place.number;
    }
    std::vector<int64_t> way;
    for (const MemoryInput& each : came) way.push_back(each.number);
    ways.insert(way);
    frontier.add(came, std::vector<std::optional<CheckpointState>>(3),
                 std::vector<std::set<int64_t>>(3, kNumbers));
  }
  CHECK(ways.size() == 64);
  CHECK(runs == 64);
}

TEST_CASE("a state in which less is known is followed in place of one in which more is", "[prove]") {
  // One turn: which of two states it comes to, a first number says.
  for (const bool fewer_first : {true, false}) {
    ExplorationFrontier frontier;
    std::set<std::pair<bool, int64_t>> tried;
    while (const auto contents = frontier.next_input()) {
      std::array<int64_t, 2> numbers{};
      for (const MemoryInput& each : *contents) numbers[each.cell.offset / 4] = each.number;
      const bool fewer = (numbers[0] == 0) == fewer_first;
      tried.emplace(fewer, numbers[1]);
      frontier.add({{{0, 0, 4, 0}, numbers[0]}, {{0, 4, 4, 0}, numbers[1]}},
                   {CheckpointState{"start", {}, {}, {}},
                    CheckpointState{"second", {{"store", fewer ? "10" : "11"}}, {}, {}}},
                   {{0, 1}, kNumbers});
    }
    for (const int64_t number : kNumbers) CHECK(tried.contains({true, number}));
    CHECK(tried.size() < 2 * kNumbers.size());
  }
}

}  // namespace
}  // namespace pto::driver
