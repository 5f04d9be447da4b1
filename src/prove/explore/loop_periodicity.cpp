#include "prove/explore/loop_periodicity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pto::driver {

void LoopPeriodicity::on_start(std::span<const CoreInfo> cores, const Program&) {
  order_ = sim::order_of_pipes({}, clocks_, cores.size());
  releases_.resize(order_.size());
  now_.assign(order_.size(), 0);
  counted_.assign(cores.size(), 0);
  iteration_vectors_.emplace_back();
  iteration_ids_.emplace(IterationVector(), 0);
}

uint32_t LoopPeriodicity::current_iteration_vector(uint32_t core) {
  IterationVector turns;
  const Moment moment = context_->entry_moment();
  if (moment.core != core) return now_[sim::thread_of(core, Pipe::s)];
  for (const Moment::Iteration& each : moment.loops)
    turns.push_back({each.op, each.variable.empty() ? static_cast<int64_t>(each.number) : each.value});
  const auto [at, fresh] = iteration_ids_.emplace(turns, static_cast<uint32_t>(iteration_vectors_.size()));
  if (fresh) iteration_vectors_.push_back(std::move(turns));
  return at->second;
}

void LoopPeriodicity::on_order(const OrderEvent& event) {
  if (left_ == 0) return;
  if (event.release) {
    const uint32_t thread = sim::thread_of(event.from_core, event.from);
    if (event.issue) issued_[event.token] = now_[thread] = current_iteration_vector(event.from_core);
    releases_[thread].push_back({event.pc, now_[thread]});
    order_.execute(thread, static_cast<uint32_t>(releases_[thread].size()));
    order_.release(thread, tokens_[event.token]);
    return record(thread, event.pc, true);
  }
  const auto token = tokens_.find(event.token);
  if (token == tokens_.end()) return;
  const uint32_t thread = sim::thread_of(event.to_core, event.to);
  if (const auto entry = issued_.find(event.token); entry != issued_.end()) {
    now_[thread] = entry->second;
    issued_.erase(entry);
  }
  order_.acquire(thread, token->second);
  if (event.last) tokens_.erase(token);
  record(thread, event.pc, false);
}

/// An iteration in which the scalar unit does something by itself counts, though nothing in it orders
/// anything.
void LoopPeriodicity::on_footprint(const FootprintEvent& event) {
  if (left_ == 0 || !sim::is_scalar(sim::thread_of(event.core, event.pipe))) return;
  const uint32_t now = current_iteration_vector(event.core);
  if (std::exchange(counted_[event.core], now) == now) return;
  for (size_t depth = 0; depth < iteration_vectors_[now].size() && left_ != 0; ++depth) {
    if (loops_.contains(iteration_vectors_[now][depth].loop))
      (void)iteration(event.core, iteration_vectors_[now], depth);
  }
}

/// Of the loop at that depth.
std::vector<LoopPeriodicity::Event>& LoopPeriodicity::iteration(uint32_t core, const IterationVector& turns,
                                                                size_t depth) {
  --left_;
  LoopExecution& pass =
      executions_[{core, turns[depth].loop,
                   IterationVector(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(depth))}];
  const auto at = std::ranges::find(pass.values, turns[depth].value);
  const auto index = static_cast<size_t>(at - pass.values.begin());
  if (at == pass.values.end()) {
    pass.values.push_back(turns[depth].value);
    pass.iterations.emplace_back();
  }
  return pass.iterations[index];
}

/// In every loop around that is asked for.
void LoopPeriodicity::record(uint32_t thread, uint32_t pc, bool release) {
  const IterationVector& turns = iteration_vectors_[now_[thread]];
  for (size_t i = 0; i < turns.size() && left_ != 0; ++i) {
    if (!loops_.contains(turns[i].loop)) continue;
    iteration(sim::core_of_thread(thread), turns, i).push_back({pc, thread, release, order_.clock(thread)});
  }
}

/// The same instruction, `distance` further in one of the loops around.
bool LoopPeriodicity::is_same_release(uint32_t thread, uint32_t later, uint32_t earlier,
                                      int64_t distance) const {
  if (later == earlier) return true;
  if (later == 0 || earlier == 0) return false;
  const Release& a = releases_[thread][later - 1];
  const Release& b = releases_[thread][earlier - 1];
  const IterationVector& x = iteration_vectors_[a.iteration_vector];
  const IterationVector& y = iteration_vectors_[b.iteration_vector];
  if (a.pc != b.pc || x.size() != y.size()) return false;
  size_t moved = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].loop != y[i].loop) return false;
    if (x[i].value == y[i].value) continue;
    if (x[i].value - y[i].value != distance) return false;
    ++moved;
  }
  return moved == 1;
}

/// Whether one iteration does what an earlier one did. `reach`: how many iterations back its knowledge goes.
bool LoopPeriodicity::has_equal_iterations(const LoopExecution& pass, size_t later, size_t earlier,
                                           uint32_t loop, size_t& reach) const {
  std::map<uint32_t, std::pair<std::vector<const Event*>, std::vector<const Event*>>> threads;
  for (const Event& each : pass.iterations[later]) threads[each.thread].first.push_back(&each);
  for (const Event& each : pass.iterations[earlier]) threads[each.thread].second.push_back(&each);
  const int64_t distance = pass.values[later] - pass.values[earlier];
  for (const auto& [thread, both] : threads) {
    const auto& [mine, theirs] = both;
    if (mine.size() != theirs.size()) return false;
    for (size_t i = 0; i < mine.size(); ++i) {
      if (mine[i]->pc != theirs[i]->pc || mine[i]->release != theirs[i]->release) return false;
      if (mine[i]->clock.is_same(theirs[i]->clock)) continue;
      for (uint32_t of = 0; of < order_.size(); ++of) {
        const uint32_t a = mine[i]->clock[of];
        const uint32_t b = theirs[i]->clock[of];
        if (!is_same_release(of, a, b, distance)) return false;
        if (a == b) continue;
        for (const LoopIndex& turn : iteration_vectors_[releases_[of][a - 1].iteration_vector]) {
          if (turn.loop != loop) continue;
          const auto at = std::ranges::find(pass.values, turn.value);
          const auto index = static_cast<size_t>(at - pass.values.begin());
          if (index < later) reach = std::max(reach, later - index);
        }
      }
    }
  }
  return true;
}

/// As many iterations as knowledge reaches back, and a whole period, are like those a period before.
std::optional<uint64_t> LoopPeriodicity::find_period(const LoopExecution& pass, uint32_t loop) const {
  const size_t n = pass.iterations.size();
  for (size_t period = 1; 2 * period <= n; ++period) {
    size_t run = 0, reach = 0;
    for (size_t i = period; i < n; ++i) {
      run = has_equal_iterations(pass, i, i - period, loop, reach) ? run + 1 : 0;
      if (run != 0 && run >= std::max(period, reach)) return period;
    }
  }
  return std::nullopt;
}

std::map<uint32_t, LoopPeriodicity::Repetition> LoopPeriodicity::repetitions(uint64_t trips) const {
  std::map<uint32_t, Repetition> found;
  for (const auto& [key, pass] : executions_) {
    const uint32_t loop = std::get<1>(key);
    if (pass.iterations.size() < trips || pass.values.size() < 2) continue;
    const auto period = find_period(pass, loop);
    const int64_t step = pass.values[1] - pass.values[0];
    const int64_t last = pass.values.back();
    const auto [at, fresh] = found.try_emplace(loop, Repetition{period.value_or(1), step, last, true});
    Repetition& all = at->second;
    all.is_uniform = all.is_uniform && period && all.step == step && all.last == last;
    all.period = std::lcm(all.period, period.value_or(1));
  }
  return found;
}

std::set<uint32_t> LoopPeriodicity::aperiodic(uint64_t trips) const {
  std::set<uint32_t> found;
  for (const auto& [key, pass] : executions_) {
    if (pass.iterations.size() >= trips && !find_period(pass, std::get<1>(key)))
      found.insert(std::get<1>(key));
  }
  return found;
}

std::set<uint32_t> LoopPeriodicity::periodic(uint64_t trips) const {
  std::set<uint32_t> found;
  for (const auto& [key, pass] : executions_) {
    if (pass.iterations.size() >= trips) found.insert(std::get<1>(key));
  }
  for (const uint32_t loop : aperiodic(trips)) found.erase(loop);
  return found;
}

std::map<uint32_t, uint64_t> LoopPeriodicity::max_trip_counts() const {
  std::map<uint32_t, uint64_t> found;
  for (const auto& [key, pass] : executions_) {
    uint64_t& most = found[std::get<1>(key)];
    most = std::max<uint64_t>(most, pass.iterations.size());
  }
  return found;
}

}  // namespace pto::driver
