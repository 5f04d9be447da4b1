// Each question that decides is asked with many combinations of numbers: of those that answer all questions
// alike one is tried.
#include <algorithm>
#include <unordered_set>

#include "driver/contents.hpp"
#include "driver/deciders.hpp"
#include "driver/questions.hpp"
#include "support/checked.hpp"

namespace pto::driver {
namespace {

using Numbers = std::set<int64_t>;

constexpr size_t kMostAsked = 100'000, kMostConstants = 16;

void add_beside(Numbers& made, int64_t number) {
  constexpr int64_t kFar = int64_t{1} << 40;
  if (number > kFar || number < -kFar) return;
  made.insert({number - 1, number, number + 1});
}

/// What numbers may be that stand beside these in questions: sums, differences, products and quotients.
Numbers beside_constants(const Numbers& all) {
  Numbers made, constants;
  for (const int64_t number : all) {
    if (constants.size() < kMostConstants) constants.insert(number);
  }
  for (const int64_t a : constants) {
    add_beside(made, a);
    for (const int64_t b : constants) {
      const int64_t sum = sat_add(a, b), difference = sat_add(a, sat_mul<int64_t>(b, -1));
      for (const int64_t each : {sum, difference, sum / 2, difference / 2, sat_mul(a, b)}) add_beside(made, each);
      if (b > 0) add_beside(made, a / b);
    }
  }
  return made;
}

/// Those next to 0 first: runs with them are short.
std::vector<int64_t> by_size(const Numbers& numbers) {
  std::vector<int64_t> sorted(numbers.begin(), numbers.end());
  std::ranges::stable_sort(sorted, [](int64_t a, int64_t b) {
    return std::pair(std::abs(a), a < 0) < std::pair(std::abs(b), b < 0);
  });
  return sorted;
}

/// All combinations of some numbers, or so many of them, spread over all.
template <typename Visit>
void combine(const std::vector<std::vector<int64_t>>& of, size_t most, Visit visit) {
  uint64_t all = 1;
  for (const auto& each : of) all = sat_mul<uint64_t>(all, each.size());
  std::vector<int64_t> row(of.size());
  uint64_t chance = 1;
  for (uint64_t i = 0; i < std::min<uint64_t>(all, most); ++i) {
    uint64_t left = i;
    for (size_t k = 0; k < of.size(); ++k) {
      if (all > most) {
        chance = chance * 6364136223846793005 + 1442695040888963407;
        left = chance >> 33;
      }
      row[k] = of[k][left % of[k].size()];
      left /= of[k].size();
    }
    visit(row);
  }
}

/// How many numbers next to 0 are tried where so many numbers decide together.
int64_t dense(size_t together) { return together == 1 ? 2048 : together == 2 ? 96 : together == 3 ? 24 : 12; }

}  // namespace

void Deciders::find_together() {
  Questions questions(*this);
  for (const Questions::Group& group : questions.groups()) {
    Together found;
    bool loads = false;
    std::vector<std::vector<int64_t>> own, wide;
    for (const uint32_t each : group.chosen) {
      const auto [load, at] = questions.chosen()[each];
      Numbers& numbers = load ? loads_[at] : parameters_[at];
      if (numbers.empty()) numbers.insert({0, 1});
      std::erase_if(numbers, [&](int64_t number) { return !fits(questions.type_of(each), number); });
      loads = loads || load;
      if (!load) found.parameters.push_back(at);
      own.push_back(by_size(numbers));
      Numbers more = beside_constants(group.constants);
      for (const int64_t number : numbers) add_beside(more, number);
      for (int64_t i = -9; i < dense(group.chosen.size()); ++i) more.insert(i);
      std::erase_if(more, [&](int64_t number) { return !fits(questions.type_of(each), number); });
      wide.push_back(by_size(more));
    }
    std::unordered_set<uint64_t> answers;
    combine(own, kMostAsked, [&](const std::vector<int64_t>& row) {
      if (const auto hash = questions.answers(group, row)) answers.insert(*hash);
    });
    combine(wide, kMostAsked, [&](const std::vector<int64_t>& row) {
      const auto hash = questions.answers(group, row);
      if (!hash || !answers.insert(*hash).second) return;
      if (!loads) return found.rows.push_back(row);
      for (size_t i = 0; i < row.size(); ++i) {
        const auto [load, at] = questions.chosen()[group.chosen[i]];
        (load ? loads_[at] : parameters_[at]).insert(row[i]);
      }
    });
    if (!loads) together_.push_back(std::move(found));
  }
}

}  // namespace pto::driver
