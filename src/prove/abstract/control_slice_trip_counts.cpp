// How often a loop runs at most, whatever the parameters are.
#include <algorithm>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"
#include "support/saturating.hpp"

namespace pto::driver {

using isa::Does;

int64_t iterations(int64_t lower, int64_t upper, int64_t step) {
  if (upper <= lower) return 0;
  const uint64_t width = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  constexpr uint64_t kMost = uint64_t{1} << 62;
  return static_cast<int64_t>(std::min((width - 1) / static_cast<uint64_t>(step) + 1, kMost));
}

/// What a counter comes by in the first and the last iterations.
Deciders::Numbers Deciders::course_of_counter(uint32_t loop) {
  const OpView op(program_, loop);
  const Number lower = constant(op.operand(0)), upper = constant(op.operand(1));
  const int64_t step = std::max<int64_t>(1, constant(op.operand(2)).value_or(1)), begin = lower.value_or(0);
  int64_t turns = upper ? iterations(begin, *upper, step) : trips_;
  if (!lower) turns = std::min(turns, trips_);
  Numbers made;
  const auto insert = [&](int64_t i) { made.insert(sat_add(begin, sat_mul(i, step))); };
  for (int64_t i = 0; i <= std::min(trips_, turns); ++i) insert(i);
  for (int64_t i = std::max<int64_t>(0, turns - trips_); i <= turns; ++i) insert(i);
  if (turns > 2 * trips_) sampled_loops_.insert(loop);
  return made;
}

/// What divides each step of a value from one iteration to the next.
int64_t Deciders::pace(ValueId value, int depth) const {
  constexpr int kDeepest = 16;
  const auto found = origins_.find(value);
  if (found == origins_.end() || depth > kDeepest) return 1;
  const Origin& origin = found->second;
  if (origin.kind == Origin::Kind::counter)
    return std::max<int64_t>(1, constant(OpView(program_, origin.at).operand(2)).value_or(1));
  if (origin.kind != Origin::Kind::op) return 1;
  const OpView op(program_, origin.at);
  if (may_wrap(op)) return 1;  // at the end of its type it moves by another number
  const auto of = [&](unsigned i) { return constant(op.operand(i)) ? 0 : pace(op.operand(i), depth + 1); };
  switch (isa::does(op)) {
    case Does::cast:
      return keeps_numbers(op) ? of(0) : 1;
    case Does::add:
    case Does::sub:
      return std::max<int64_t>(1, std::gcd(of(0), of(1)));
    case Does::mul: {
      const Number factor = constant(op.operand(1));
      return factor && *factor > 0 && *factor < (1 << 20) ? sat_mul(of(0), *factor) : 1;
    }
    default:
      return 1;
  }
}

/// Loops whose counters a value is made of.
std::set<uint32_t> Deciders::counters_of(ValueId value) const {
  std::set<uint32_t> found;
  for_each_source(value, [&](ValueId, const Origin* origin) {
    if (origin == nullptr || origin->kind != Origin::Kind::counter) return true;
    found.insert(origin->at);
    return false;
  });
  return found;
}

/// With these counters, and 0 for all else that nobody knows.
int64_t Deciders::number_with(ValueId value, const std::map<uint32_t, int64_t>& counters,
                              std::map<ValueId, int64_t>& known, int depth) const {
  constexpr int kDeepest = 24;
  if (const Number number = constant(value)) return *number;
  if (const auto before = known.find(value); before != known.end()) return before->second;
  const auto found = origins_.find(value);
  if (found == origins_.end() || depth > kDeepest) return 0;
  const Origin& origin = found->second;
  if (origin.kind == Origin::Kind::counter) return counters.at(origin.at);
  if (origin.kind != Origin::Kind::op) return 0;
  return known[value] = fold_with(OpView(program_, origin.at), [&](ValueId from) {
                          return Number(number_with(from, counters, known, depth + 1));
                        }).value_or(0);
}

Deciders::Numbers Deciders::course(ValueId value) {
  constexpr uint64_t kMost = 4096;
  std::map<uint32_t, int64_t> counters;
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> courses;
  uint64_t all = 1;
  for (const uint32_t loop : counters_of(value)) {
    const Numbers numbers = course_of_counter(loop);
    courses.emplace_back(loop, std::vector(numbers.begin(), numbers.end()));
    all = std::min(all * courses.back().second.size(), kMost + 1);
  }
  if (courses.empty()) return {};
  if (all > kMost) {
    refuse(deciding_, "too many of its numbers make a difference");
    return {};
  }
  Numbers made;
  for (uint64_t i = 0; i < all; ++i) {
    uint64_t left = i;
    for (const auto& [loop, numbers] : courses) {
      counters[loop] = numbers[left % numbers.size()];
      left /= numbers.size();
    }
    std::map<ValueId, int64_t> known;
    made.insert(number_with(value, counters, known, 0));
  }
  return made;
}

/// The least or the greatest number that a value can be.
Number Deciders::extreme(ValueId value, Extreme which, int depth) const {
  if (const Number number = constant(value)) return number;
  const auto found = origins_.find(value);
  if (found == origins_.end() || found->second.kind != Origin::Kind::op || depth > 16) return std::nullopt;
  const OpView op(program_, found->second.at);
  const bool most = which == Extreme::most;
  const auto of = [&](unsigned i) { return extreme(op.operand(i), which, depth + 1); };
  const auto better = [&](Number a, Number b, bool greater) {
    return Number(greater ? std::max(*a, *b) : std::min(*a, *b));
  };
  const auto either = [&](Number a, Number b, bool greater) {
    return a && b ? better(a, b, greater) : std::nullopt;
  };
  switch (isa::does(op)) {
    case Does::min_s:
    case Does::max_s: {
      const bool greater = isa::does(op) == Does::max_s;
      const Number a = of(0), b = of(1);
      if (greater == most) return either(a, b, greater);
      return a && b ? better(a, b, greater) : a ? a : b;
    }
    case Does::select:
      return either(of(1), of(2), most);
    case Does::rem_s:
    case Does::rem_u: {
      const Number period = constant(op.operand(1));
      if (!period || *period <= 0) return std::nullopt;
      return most ? *period - 1 : isa::does(op) == Does::rem_s ? 1 - *period : 0;
    }
    case Does::cast:
      return keeps_numbers(op) ? of(0) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// How far one value is ahead of another at most: it is made by adding to it. Not negative: a sum that leaves
/// its type is below what it was made of, a difference above.
Number Deciders::ahead(ValueId value, ValueId of, int depth) const {
  const auto found = origins_.find(value), other = origins_.find(of);
  if (found == origins_.end() || found->second.kind != Origin::Kind::op || depth > 16) return std::nullopt;
  const OpView op(program_, found->second.at);
  const Does does = isa::does(op);
  const auto forward = [](Number far) { return far && *far >= 0 ? far : std::nullopt; };
  if (does == Does::add && (op.operand(0) == of || op.operand(1) == of))
    return forward(constant(op.operand(op.operand(0) == of ? 1 : 0)));
  if (does == Does::min_s) {
    const Number a = ahead(op.operand(0), of, depth + 1), b = ahead(op.operand(1), of, depth + 1);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  const bool product = does == Does::mul && other != origins_.end() && other->second.kind == Origin::Kind::op;
  if (!product || isa::does(OpView(program_, other->second.at)) != Does::mul) return std::nullopt;
  const OpView base(program_, other->second.at);
  const Number factor = constant(op.operand(1)), step = ahead(op.operand(0), base.operand(0), depth + 1);
  if (!factor || factor != constant(base.operand(1)) || !step) return std::nullopt;
  return forward(sat_mul(*factor, *step));
}

std::optional<int64_t> Deciders::bound(uint32_t loop) const {
  const OpView op(program_, loop);
  if (isa::does(op) != Does::loop) return std::nullopt;
  if (const Number far = ahead(op.operand(1), op.operand(0)), by = constant(op.operand(2));
      far && by && *by > 0)
    return iterations(0, *far, *by);
  const Number lower = extreme(op.operand(0), Extreme::least), upper = extreme(op.operand(1), Extreme::most),
               step = constant(op.operand(2));
  if (!lower || !upper || !step || *step <= 0) return std::nullopt;
  return iterations(*lower, *upper, *step);
}

}  // namespace pto::driver
