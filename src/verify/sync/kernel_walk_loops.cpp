// Loops and branches: what is followed exactly, and what is forgotten.
#include <algorithm>
#include <limits>

#include "ir/regions.hpp"
#include "support/saturating.hpp"
#include "verify/sync/kernel_walk.hpp"

namespace pto::legality::sync {
namespace {

/// Of a loop that runs at least once.
int64_t trip_count(int64_t lower, int64_t upper, int64_t step) {
  const uint64_t distance = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower),
                 by = static_cast<uint64_t>(step);
  return static_cast<int64_t>(
      std::min<uint64_t>((distance - 1) / by + 1, std::numeric_limits<int64_t>::max()));
}

}  // namespace

void Walk::loop(const OpView& op) {
  const std::optional<int64_t> lower = values_.integer(op.operand(0)), upper = values_.integer(op.operand(1)),
                               step = values_.integer(op.operand(2));
  std::optional<int64_t> trips;
  if (lower && upper && step && *step > 0) trips = *lower >= *upper ? 0 : trip_count(*lower, *upper, *step);
  if (trips == 0) {
    std::vector<AbstractValue> initial;
    for (const ValueId value : op.operands(3)) initial.push_back(values_.value_of(value));
    return results(op, initial);
  }
  if (!works(op.index())) return forget_results(op);
  // Three iterations show what the next one, and the one after it with two buffers, meets of the first. A
  // loop in a loop shows it the first time around; after that, once is enough.
  constexpr uint32_t kExact = 4, kSome = 3, kMax = 8;
  if (traces() && trips && synchronises(op.index())) {
    if (*trips > static_cast<int64_t>(options_.budget)) return void(overrun_ = true);
    return walk_times(op, static_cast<uint32_t>(*trips), true, lower, step, trips);
  }
  if (traces()) {  // any iteration stands for all of them
    walk_times(op, 1, false, std::nullopt, std::nullopt, trips);
    return forget_results(op);
  }
  const bool exact = trips && *trips <= kExact && times_ * static_cast<uint32_t>(*trips) <= kMax;
  const uint32_t some = first_time_ ? kSome : 1;
  const uint32_t times = exact   ? static_cast<uint32_t>(*trips)
                         : trips ? static_cast<uint32_t>(std::min<int64_t>(*trips, some))
                                 : some;
  walk_times(op, times, trips && static_cast<int64_t>(times) == *trips, lower, step, trips);
}

/// `exact`: these are all iterations.
void Walk::walk_times(const OpView& op, uint32_t times, bool exact, std::optional<int64_t> lower,
                      std::optional<int64_t> step, std::optional<int64_t> trips) {
  const Region& body = body_of(op);
  std::vector<AbstractValue> carried, initial;
  for (const ValueId value : op.operands(3)) initial.push_back(values_.value_of(value));
  carried = initial;
  std::vector<int> before, after = core_.balance();
  unknown_loops_ += !trips;
  const bool first_time = first_time_;
  if (exact && !traces()) times_ *= times;
  loops_.push_back({0, !trips});
  for (uint32_t i = 0; i < times && !overrun_; ++i) {
    loops_.back().begin = ++time_;
    first_time_ = first_time && i == 0;
    values_.set_integer(body.first_arg,
                        lower && (step || i == 0)
                            ? std::optional(sat_add(*lower, sat_mul<int64_t>(i, step.value_or(0))))
                            : std::nullopt);
    for (uint32_t k = 1; k < body.n_args; ++k) {
      if (traces() && !exact)
        values_.forget(body.first_arg + k);
      else if (k - 1 < carried.size())
        values_.set(body.first_arg + k, carried[k - 1]);
    }
    region(body);
    carried = take_yield();
    before = std::exchange(after, core_.balance());
  }
  loops_.pop_back();
  first_time_ = first_time;
  if (exact && !traces()) times_ /= times;
  unknown_loops_ -= !trips;
  if (exact) return results(op, carried);
  results(op, carried == initial ? carried : std::vector<AbstractValue>{});
  forget_region(op.index() + 1, program_.end_of(op.index()), true);
  before.resize(after.size());
  if (!trips) {
    core_.record_deficit(now(op.index()), before, after);
    core_.record_cycles();
    core_.release_blocked();
    return core_.forget_differences(before, after);
  }
  std::vector<int> change(after.size());
  for (size_t i = 0; i < after.size(); ++i) change[i] = after[i] - before[i];
  core_.add_balance(change, *trips - times);
}

void Walk::while_loop(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  if (!works(op.index())) return forget_results(op);
  std::vector<int> before, after = core_.balance();
  ++unknown_loops_;
  const bool first_time = first_time_;
  const uint32_t times = first_time ? 2 : 1;
  loops_.push_back({0, true});
  std::vector<AbstractValue> carried;
  for (const ValueId value : op.operands(0)) carried.push_back(values_.value_of(value));
  for (uint32_t i = 0; i < times && !overrun_; ++i) {
    loops_.back().begin = ++time_;
    first_time_ = first_time && i == 0;
    for (size_t half = 0; half < 2 && half < regions.size(); ++half) {
      for (uint32_t k = 0; k < regions[half].n_args; ++k) {
        if (k < carried.size() && i == 0 && half == 0 && !traces())
          values_.set(regions[half].first_arg + k, carried[k]);
        else
          values_.forget(regions[half].first_arg + k);
      }
      region(regions[half]);
      carried = take_yield();
    }
    before = std::exchange(after, core_.balance());
  }
  loops_.pop_back();
  first_time_ = first_time;
  --unknown_loops_;
  forget_results(op);
  forget_region(op.index() + 1, program_.end_of(op.index()), false);
  core_.record_cycles();
  core_.release_blocked();
  before.resize(after.size());
  core_.forget_differences(before, after);
}

/// A chain of calls is forgotten as far as it would be walked; what lies deeper gives the whole walk up.
void Walk::forget_call(const OpView& op) {
  if (depth_ >= kMaxDepth || (time_ += 1) > options_.budget) return void(overrun_ = true);
  ++depth_;
  for (const uint32_t callee : functions_.called(op, *functions_.enclosing_function(op.index())))
    forget_region(functions_[callee].info.op, functions_[callee].end, false);
  --depth_;
}

/// What iterations that are not walked may do to flags: those set or taken under a condition, or by a
/// computed id.
void Walk::forget_region(uint32_t begin, uint32_t end, bool conditional_only) {
  uint32_t conditional_end = 0;
  for (uint32_t i = begin; i < end && !overrun_; ++i) {
    const OpView op(program_, i);
    const OperationFacts& facts = facts_.find(op.op().row);
    const bool counted = facts.opcode_class == OpcodeClass::loop && check_.constant(op.operand(0)) &&
                         check_.constant(op.operand(1)) && check_.constant(op.operand(2));
    if (!counted && (facts.opcode_class == OpcodeClass::branch || facts.opcode_class == OpcodeClass::loop ||
                     facts.opcode_class == OpcodeClass::while_loop))
      conditional_end = std::max(conditional_end, program_.end_of(i));
    if (facts.opcode_class == OpcodeClass::call) {
      forget_call(op);
      continue;
    }
    const bool reported_findings =
        conditional_only && i >= conditional_end;  // it ran in every iteration that was walked
    if (isa::is_signal(facts.opcode_class) && !reported_findings) signals_unknown_ = true;
    const bool dynamic =
        facts.opcode_class == OpcodeClass::set_flag_dyn || facts.opcode_class == OpcodeClass::wait_flag_dyn;
    const bool set = facts.opcode_class == OpcodeClass::set_flag ||
                     facts.opcode_class == OpcodeClass::record_event,
               wait = facts.opcode_class == OpcodeClass::wait_flag ||
                      facts.opcode_class == OpcodeClass::wait_event;
    if (!(dynamic || set || wait) || (reported_findings && !dynamic)) continue;
    int src = -1, dst = -1;
    const std::optional<FlagKey> key = key_of(op, facts.opcode_class, src, dst);
    if (src < 0 || dst < 0) continue;
    if (dynamic || !key)
      core_.set_unknown(src, dst);
    else
      core_.forget(*key, set);
  }
}

void Walk::branch(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const std::optional<int64_t> condition = values_.integer(op.operand(0));
  if (condition) {
    yielded_.clear();
    region(regions[*condition != 0 ? 0 : 1]);
    const std::vector<AbstractValue> given = take_yield();
    return results(op, given);
  }
  if (op.op().n_results == 0 && !works(op.index())) return;
  undecided(op);
}

void Walk::undecided(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const CoreModel::State before = core_.save();
  const uint32_t outer = path_;
  std::array<std::vector<AbstractValue>, 2> given;
  CoreModel::State first;
  for (size_t i = 0; i < 2; ++i) {
    if (i == 1) core_.restore(before);
    paths_.push_back({outer, static_cast<uint32_t>(loops_.size()), loops_.empty() ? 0 : loops_.back().begin});
    path_ = static_cast<uint32_t>(paths_.size() - 1);
    yielded_.clear();
    region(regions[i]);
    given[i] = take_yield();
    core_.record_cycles();
    core_.release_blocked();
    if (i == 0) first = core_.save();
  }
  path_ = outer;
  core_.join(first);
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    const bool same = i < given[0].size() && i < given[1].size() && given[0][i] == given[1][i];
    if (same)
      values_.set(op.result(i), given[0][i]);
    else
      values_.forget(op.result(i));
  }
}

}  // namespace pto::legality::sync
