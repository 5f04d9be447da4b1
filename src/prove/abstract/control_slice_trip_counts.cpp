// How often a loop runs at most, whatever the parameters are.
#include <algorithm>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"
#include "support/saturating.hpp"

namespace pto::driver {

using isa::OpcodeClass;

int64_t trip_count(int64_t lower, int64_t upper, int64_t step) {
  if (upper <= lower) return 0;
  const uint64_t width = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  constexpr uint64_t kMax = uint64_t{1} << 62;
  return static_cast<int64_t>(std::min((width - 1) / static_cast<uint64_t>(step) + 1, kMax));
}

/// What a counter comes by in the first and the last iterations.
InputSlice::Representatives InputSlice::sampled_counter(uint32_t loop) {
  const OpView op(program_, loop);
  const Number lower = constant(op.operand(0));
  const Number upper = constant(op.operand(1));
  const int64_t step = std::max<int64_t>(1, constant(op.operand(2)).value_or(1));
  const int64_t begin = lower.value_or(0);
  int64_t trip_counts = upper ? trip_count(begin, *upper, step) : explored_trips_;
  if (!lower) trip_counts = std::min(trip_counts, explored_trips_);
  Representatives built;
  const auto insert = [&](int64_t i) { built.insert(sat_add(begin, sat_mul(i, step))); };
  for (int64_t i = 0; i <= std::min(explored_trips_, trip_counts); ++i) insert(i);
  for (int64_t i = std::max<int64_t>(0, trip_counts - explored_trips_); i <= trip_counts; ++i) insert(i);
  if (trip_counts > 2 * explored_trips_) sampled_loops_.insert(loop);
  return built;
}

/// What divides each step of a value from one iteration to the next.
int64_t InputSlice::stride(ValueId value, int depth) const {
  constexpr int kMaxDepth = 16;
  const auto found = defs_.find(value);
  if (found == defs_.end() || depth > kMaxDepth) return 1;
  const Def& origin = found->second;
  if (origin.kind == Def::Kind::counter)
    return std::max<int64_t>(1, constant(OpView(program_, origin.at).operand(2)).value_or(1));
  if (origin.kind != Def::Kind::op) return 1;
  const OpView op(program_, origin.at);
  if (may_wrap(op)) return 1;  // at the end of its type it moves by another number
  const auto operand = [&](unsigned i) {
    return constant(op.operand(i)) ? 0 : stride(op.operand(i), depth + 1);
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::cast:
      return keeps_numbers(op) ? operand(0) : 1;
    case OpcodeClass::add:
    case OpcodeClass::sub:
      return std::max<int64_t>(1, std::gcd(operand(0), operand(1)));
    case OpcodeClass::mul: {
      const Number factor = constant(op.operand(1));
      return factor && *factor > 0 && *factor < (1 << 20) ? sat_mul(operand(0), *factor) : 1;
    }
    default:
      return 1;
  }
}

/// Loops whose counters a value is made of.
std::set<uint32_t> InputSlice::counters_of(ValueId value) const {
  std::set<uint32_t> found;
  for_each_source(value, [&](ValueId, const Def* origin) {
    if (origin == nullptr || origin->kind != Def::Kind::counter) return true;
    found.insert(origin->at);
    return false;
  });
  return found;
}

/// With these counters, and 0 for all else that nobody knows.
int64_t InputSlice::evaluate_with(ValueId value, const std::map<uint32_t, int64_t>& counters,
                                  std::map<ValueId, int64_t>& known, int depth) const {
  constexpr int kMaxDepth = 24;
  if (const Number number = constant(value)) return *number;
  if (const auto before = known.find(value); before != known.end()) return before->second;
  const auto found = defs_.find(value);
  if (found == defs_.end() || depth > kMaxDepth) return 0;
  const Def& origin = found->second;
  if (origin.kind == Def::Kind::counter) return counters.at(origin.at);
  if (origin.kind != Def::Kind::op) return 0;
  return known[value] = fold_with(OpView(program_, origin.at), [&](ValueId from) {
                          return Number(evaluate_with(from, counters, known, depth + 1));
                        }).value_or(0);
}

InputSlice::Representatives InputSlice::sampled_values(ValueId value) {
  constexpr uint64_t kMax = 4096;
  std::map<uint32_t, int64_t> counters;
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> courses;
  uint64_t all = 1;
  for (const uint32_t loop : counters_of(value)) {
    const Representatives numbers = sampled_counter(loop);
    courses.emplace_back(loop, std::vector(numbers.begin(), numbers.end()));
    all = std::min(all * courses.back().second.size(), kMax + 1);
  }
  if (courses.empty()) return {};
  if (all > kMax) {
    mark_inconclusive(controlling_op_, "too many of its values have different effects");
    return {};
  }
  Representatives built;
  for (uint64_t i = 0; i < all; ++i) {
    uint64_t left = i;
    for (const auto& [loop, numbers] : courses) {
      counters[loop] = numbers[left % numbers.size()];
      left /= numbers.size();
    }
    std::map<ValueId, int64_t> known;
    built.insert(evaluate_with(value, counters, known, 0));
  }
  return built;
}

/// The least or the greatest number that a value can be.
Number InputSlice::extreme(ValueId value, Extreme which, int depth) const {
  if (const Number number = constant(value)) return number;
  const auto found = defs_.find(value);
  if (found == defs_.end() || found->second.kind != Def::Kind::op || depth > 16) return std::nullopt;
  const OpView op(program_, found->second.at);
  const bool most = which == Extreme::most;
  const auto operand = [&](unsigned i) { return extreme(op.operand(i), which, depth + 1); };
  const auto better = [&](Number a, Number b, bool greater) {
    return Number(greater ? std::max(*a, *b) : std::min(*a, *b));
  };
  const auto either = [&](Number a, Number b, bool greater) {
    return a && b ? better(a, b, greater) : std::nullopt;
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::min_s:
    case OpcodeClass::max_s: {
      const bool greater = isa::opcode_class(op) == OpcodeClass::max_s;
      const Number a = operand(0);
      const Number b = operand(1);
      if (greater == most) return either(a, b, greater);
      return a && b ? better(a, b, greater) : a ? a : b;
    }
    case OpcodeClass::select:
      return either(operand(1), operand(2), most);
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u: {
      const Number period = constant(op.operand(1));
      if (!period || *period <= 0) return std::nullopt;
      return most ? *period - 1 : isa::opcode_class(op) == OpcodeClass::rem_s ? 1 - *period : 0;
    }
    case OpcodeClass::cast:
      return keeps_numbers(op) ? operand(0) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// How far one value is ahead of another at most: it is made by adding to it. Not negative: a sum that leaves
/// its type is below what it was made of, a difference above.
Number InputSlice::max_difference(ValueId value, ValueId of, int depth) const {
  const auto found = defs_.find(value);
  const auto other = defs_.find(of);
  if (found == defs_.end() || found->second.kind != Def::Kind::op || depth > 16) return std::nullopt;
  const OpView op(program_, found->second.at);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const auto forward = [](Number far) { return far && *far >= 0 ? far : std::nullopt; };
  if (opcode_class == OpcodeClass::add && (op.operand(0) == of || op.operand(1) == of))
    return forward(constant(op.operand(op.operand(0) == of ? 1 : 0)));
  if (opcode_class == OpcodeClass::min_s) {
    const Number a = max_difference(op.operand(0), of, depth + 1);
    const Number b = max_difference(op.operand(1), of, depth + 1);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  const bool product =
      opcode_class == OpcodeClass::mul && other != defs_.end() && other->second.kind == Def::Kind::op;
  if (!product || isa::opcode_class(OpView(program_, other->second.at)) != OpcodeClass::mul)
    return std::nullopt;
  const OpView base(program_, other->second.at);
  const Number factor = constant(op.operand(1));
  const Number step = max_difference(op.operand(0), base.operand(0), depth + 1);
  if (!factor || factor != constant(base.operand(1)) || !step) return std::nullopt;
  return forward(sat_mul(*factor, *step));
}

std::optional<int64_t> InputSlice::max_trip_count(uint32_t loop) const {
  const OpView op(program_, loop);
  if (isa::opcode_class(op) != OpcodeClass::loop) return std::nullopt;
  if (const Number far = max_difference(op.operand(1), op.operand(0)), by = constant(op.operand(2));
      far && by && *by > 0)
    return trip_count(0, *far, *by);
  const Number lower = extreme(op.operand(0), Extreme::least);
  const Number upper = extreme(op.operand(1), Extreme::most);
  const Number step = constant(op.operand(2));
  if (!lower || !upper || !step || *step <= 0) return std::nullopt;
  return trip_count(*lower, *upper, *step);
}

}  // namespace pto::driver
