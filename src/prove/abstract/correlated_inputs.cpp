// Each question that decides is asked with many combinations of numbers: of those that answer all questions
// alike one is tried.
#include <algorithm>
#include <unordered_set>

#include "prove/abstract/branch_predicates.hpp"
#include "prove/abstract/control_slice.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using Numbers = std::set<int64_t>;

constexpr size_t kMostAsked = 100'000, kMostConstants = 16;
constexpr int64_t kLeast = -9;

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
    add_beside(made, a), add_beside(made, sat_mul<int64_t>(a, -1));
    for (const int64_t b : constants) {
      const int64_t sum = sat_add(a, b), difference = sat_add(a, sat_mul<int64_t>(b, -1));
      for (const int64_t each : {sum, difference, sum / 2, difference / 2, sat_mul(a, b)})
        add_beside(made, each);
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

/// All combinations of some numbers, or so many of them, spread over all, as long as there is time.
template <typename Visit>
void combine(const std::vector<std::vector<int64_t>>& of, size_t most, const Deadline& deadline,
             Visit visit) {
  constexpr uint64_t kLooks = 1024;
  uint64_t all = 1;
  for (const auto& each : of) all = sat_mul<uint64_t>(all, each.size());
  std::vector<int64_t> row(of.size());
  uint64_t chance = 1;
  for (uint64_t i = 0; i < std::min<uint64_t>(all, most); ++i) {
    if (i % kLooks == 0 && deadline.over()) return;
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

/// Of what parameters and loads are tried with: more of them where a question is answered otherwise then.
bool Deciders::find_together(const Deadline& deadline) {
  if (together_found_) return true;
  together_.clear();
  Questions questions(*this);
  for (const auto& [op, source] : questions.carried()) {
    const OpView sum(program_, source);
    if (moves(sum.operand(0)) && moves(sum.operand(1)))
      obstacles_.insert({op, source, "what a loop carries on decides with other numbers that change"});
  }
  const bool covered =
      std::ranges::all_of(roots_, [&](ValueId each) { return !open(each) || questions.covers(each); });
  for (const Questions::Group& group : questions.groups()) {
    const size_t many = group.chosen.size();
    std::vector<std::vector<int64_t>> own, wide;
    bool loads = false;
    const auto varied = static_cast<size_t>(std::ranges::count_if(group.chosen, [&](uint32_t each) {
      return questions.chosen()[each].load || !spare_.contains(questions.chosen()[each].at);
    }));
    for (const uint32_t each : group.chosen) {
      const auto [load, at] = questions.chosen()[each];
      loads = loads || load;
      if (!load && spare_.contains(at)) {
        own.push_back({0}), wide.push_back({0});
        continue;
      }
      Numbers numbers = load ? loads_[at] : parameters_[at];
      if (numbers.empty()) numbers = {0, 1};
      Numbers more = beside_constants(group.constants);
      for (const int64_t number : numbers) add_beside(more, number);
      for (int64_t i = kLeast; i < dense(varied); ++i) more.insert(i);
      const auto too_large = [&](int64_t number) { return !fits(questions.type_of(each), number); };
      std::erase_if(numbers, too_large), std::erase_if(more, too_large);
      own.push_back(by_size(numbers)), wide.push_back(by_size(more));
    }
    std::unordered_set<uint64_t> answers;
    const auto answered = [&](const std::vector<int64_t>& row) {
      if (const auto hash = questions.answers(group, row)) answers.insert(*hash);
    };
    Together found;
    uint64_t combinations = 1;
    for (const auto& each : own) combinations = sat_mul<uint64_t>(combinations, each.size());
    found.alone = covered && !loads && combinations <= kMostAsked;
    combine(own, kMostAsked, deadline, [&](const std::vector<int64_t>& row) {
      const auto hash = questions.answers(group, row);
      const bool fresh = hash && answers.insert(*hash).second;
      if (found.alone && (!hash || fresh)) found.rows.push_back(row);
    });
    const auto learn = [&](const std::vector<int64_t>& row) {
      const auto hash = questions.answers(group, row);
      if (!hash || !answers.insert(*hash).second) return;
      if (!loads) return found.rows.push_back(row);
      // What is loaded is tried with all numbers that anything else is.
      for (size_t i = 0; i < many; ++i) {
        if (std::ranges::find(own[i], row[i]) != own[i].end()) continue;
        own[i].push_back(row[i]);
        std::vector<std::vector<int64_t>> with = own;
        with[i] = {row[i]};
        combine(with, kMostAsked, deadline, answered);
      }
    };
    for (size_t i = many; i-- > 0;) {  // one that is new beside others that are not
      std::vector<std::vector<int64_t>> with = own;
      with[i] = wide[i];
      combine(with, kMostAsked, deadline, learn);
    }
    combine(wide, kMostAsked, deadline, learn);
    for (size_t i = 0; i < many; ++i) {
      const auto [load, at] = questions.chosen()[group.chosen[i]];
      (load ? loads_[at] : parameters_[at]).insert(own[i].begin(), own[i].end());
      found.parameters.push_back(at);
    }
    found.alone = found.alone && !deadline.over();
    if (!loads) together_.push_back(std::move(found));
  }
  return together_found_ = !deadline.over();
}

}  // namespace pto::driver
