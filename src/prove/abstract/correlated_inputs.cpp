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

using Representatives = std::set<int64_t>;

constexpr size_t kMaxPredicateQueries = 100'000, kMaxConstants = 16;
constexpr int64_t kMinValue = -9;

void add_boundary_values(Representatives& built, int64_t number) {
  constexpr int64_t kMaxMagnitude = int64_t{1} << 40;
  if (number > kMaxMagnitude || number < -kMaxMagnitude) return;
  built.insert({number - 1, number, number + 1});
}

/// What numbers may be that are beside these in questions: sums, differences, products and quotients.
Representatives boundary_values_of_constants(const Representatives& all) {
  Representatives built, constants;
  for (const int64_t number : all) {
    if (constants.size() < kMaxConstants) constants.insert(number);
  }
  for (const int64_t a : constants) {
    add_boundary_values(built, a);
    add_boundary_values(built, sat_mul<int64_t>(a, -1));
    for (const int64_t b : constants) {
      const int64_t sum = sat_add(a, b);
      const int64_t difference = sat_add(a, sat_mul<int64_t>(b, -1));
      for (const int64_t each : {sum, difference, sum / 2, difference / 2, sat_mul(a, b)})
        add_boundary_values(built, each);
      if (b > 0) add_boundary_values(built, a / b);
    }
  }
  return built;
}

/// Those next to 0 first: runs with them are short.
std::vector<int64_t> by_size(const Representatives& numbers) {
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
    if (i % kLooks == 0 && deadline.is_over()) return;
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
int64_t is_dense(size_t together) {
  return together == 1 ? 2048 : together == 2 ? 96 : together == 3 ? 24 : 12;
}

}  // namespace

/// Of what parameters and loads are tried with: more of them where a question is answered otherwise then.
bool InputSlice::find_correlated_inputs(const Deadline& deadline) {
  if (found_correlated_inputs_) return true;
  correlated_inputs_.clear();
  BranchPredicates questions(*this);
  for (const auto& [op, source] : questions.loop_carried()) {
    const OpView sum(program_, source);
    if (varies_per_launch(sum.operand(0)) && varies_per_launch(sum.operand(1)))
      inconclusive_.insert({op, source, "a loop-carried value decides together with other varying values"});
  }
  const bool covered = std::ranges::all_of(
      roots_, [&](ValueId each) { return !is_input_dependent(each) || questions.determines(each); });
  for (const BranchPredicates::Group& group : questions.groups()) {
    const size_t many = group.inputs.size();
    std::vector<std::vector<int64_t>> own, wide;
    bool loads = false;
    const auto varied = static_cast<size_t>(std::ranges::count_if(group.inputs, [&](uint32_t each) {
      return questions.inputs()[each].load || !merged_inputs_.contains(questions.inputs()[each].at);
    }));
    for (const uint32_t each : group.inputs) {
      const auto [load, at] = questions.inputs()[each];
      loads = loads || load;
      if (!load && merged_inputs_.contains(at)) {
        own.push_back({0});
        wide.push_back({0});
        continue;
      }
      Representatives numbers = load ? loads_[at] : parameters_[at];
      if (numbers.empty()) numbers = {0, 1};
      Representatives more = boundary_values_of_constants(group.constants);
      for (const int64_t number : numbers) add_boundary_values(more, number);
      for (int64_t i = kMinValue; i < is_dense(varied); ++i) more.insert(i);
      const auto too_large = [&](int64_t number) { return !fits(questions.type_of(each), number); };
      std::erase_if(numbers, too_large);
      std::erase_if(more, too_large);
      own.push_back(by_size(numbers));
      wide.push_back(by_size(more));
    }
    std::unordered_set<uint64_t> answers;
    const auto answered = [&](const std::vector<int64_t>& row) {
      if (const auto hash = questions.valuation(group, row)) answers.insert(*hash);
    };
    CorrelatedInputs found;
    uint64_t combinations = 1;
    for (const auto& each : own) combinations = sat_mul<uint64_t>(combinations, each.size());
    found.is_exhaustive = covered && !loads && combinations <= kMaxPredicateQueries;
    combine(own, kMaxPredicateQueries, deadline, [&](const std::vector<int64_t>& row) {
      const auto hash = questions.valuation(group, row);
      const bool fresh = hash && answers.insert(*hash).second;
      if (found.is_exhaustive && (!hash || fresh)) found.rows.push_back(row);
    });
    const auto learn = [&](const std::vector<int64_t>& row) {
      const auto hash = questions.valuation(group, row);
      if (!hash || !answers.insert(*hash).second) return;
      if (!loads) return found.rows.push_back(row);
      // What is loaded is tried with all numbers that anything else is.
      for (size_t i = 0; i < many; ++i) {
        if (std::ranges::find(own[i], row[i]) != own[i].end()) continue;
        own[i].push_back(row[i]);
        std::vector<std::vector<int64_t>> with = own;
        with[i] = {row[i]};
        combine(with, kMaxPredicateQueries, deadline, answered);
      }
    };
    for (size_t i = many; i-- > 0;) {  // one that is new beside others that are not
      std::vector<std::vector<int64_t>> with = own;
      with[i] = wide[i];
      combine(with, kMaxPredicateQueries, deadline, learn);
    }
    combine(wide, kMaxPredicateQueries, deadline, learn);
    for (size_t i = 0; i < many; ++i) {
      const auto [load, at] = questions.inputs()[group.inputs[i]];
      (load ? loads_[at] : parameters_[at]).insert(own[i].begin(), own[i].end());
      found.parameters.push_back(at);
    }
    found.is_exhaustive = found.is_exhaustive && !deadline.is_over();
    if (!loads) correlated_inputs_.push_back(std::move(found));
  }
  return found_correlated_inputs_ = !deadline.is_over();
}

}  // namespace pto::driver
