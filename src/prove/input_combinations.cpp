#include "prove/input_combinations.hpp"

#include <algorithm>

#include "support/saturating.hpp"

namespace pto::driver {
namespace {

constexpr uint64_t kMaxCombinations = uint64_t{1} << 30;

size_t position(std::vector<int64_t>& numbers, int64_t number) {
  const auto found = std::ranges::find(numbers, number);
  if (found != numbers.end()) return static_cast<size_t>(found - numbers.begin());
  numbers.push_back(number);
  return numbers.size() - 1;
}

}  // namespace

Combinations::Combinations(std::vector<Choice>& choices, const std::vector<CorrelatedInputs>& together)
    : choices_(choices.size()) {
  std::vector<bool> taken(choices.size());
  std::vector<const CorrelatedInputs*> of;
  for (const CorrelatedInputs& each : together) {
    std::vector<size_t> some;
    for (const uint32_t parameter : each.parameters) {
      const auto found = std::ranges::find(choices, parameter, &Choice::parameter);
      if (found != choices.end()) some.push_back(static_cast<size_t>(found - choices.begin()));
    }
    if (some.size() != each.parameters.size()) continue;
    for (const size_t one : some) taken[one] = true;
    add(choices, std::move(some));
    of.push_back(&each);
  }
  for (size_t i = 0; i < choices.size(); ++i) {
    if (!taken[i]) add(choices, {i});
  }
  for (size_t i = 0; i < of.size(); ++i) {
    Group& group = groups_[i];
    if (of[i]->is_exhaustive) group.product = 0;
    for (const std::vector<int64_t>& row : of[i]->rows) {
      std::vector<size_t> at;
      for (size_t k = 0; k < row.size(); ++k)
        at.push_back(position(choices[group.choices[k]].numbers, row[k]));
      group.more.push_back(std::move(at));
    }
  }
  for (const Group& group : groups_)
    count_ = std::min(sat_mul<uint64_t>(count_, group.product + group.more.size()), kMaxCombinations);
}

void Combinations::add(const std::vector<Choice>& choices, std::vector<size_t> of) {
  Group group{.choices = std::move(of)};
  for (const size_t each : group.choices) {
    group.sizes.push_back(choices[each].numbers.size());
    group.product = std::min(sat_mul<uint64_t>(group.product, group.sizes.back()), kMaxCombinations);
  }
  groups_.push_back(std::move(group));
}

std::vector<size_t> Combinations::at(uint64_t i) const {
  std::vector<size_t> found(choices_);
  for (const Group& group : groups_) {
    const uint64_t all = group.product + group.more.size();
    const uint64_t one = i % all;
    i /= all;
    uint64_t left = one;
    for (size_t k = 0; k < group.choices.size(); ++k) {
      const bool own = one < group.product;
      found[group.choices[k]] = own ? left % group.sizes[k] : group.more[one - group.product][k];
      left /= group.sizes[k];
    }
  }
  return found;
}

}  // namespace pto::driver
