#include "prove/alias/unordered_accesses.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {

// ---- what a run shows

void UnorderedAccessObserver::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  cores_.assign(cores.begin(), cores.end());
  order_ = sim::order_of_pipes(overlapping_, clocks_, cores.size());
  entry_.assign(order_.size(), 0);
}

void UnorderedAccessObserver::on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t bytes,
                                          bool) {
  arguments_[addr] = {addr + bytes, index};
}

void UnorderedAccessObserver::on_order(const OrderEvent& event) {
  if (event.release) {
    const uint32_t thread = sim::thread_of(event.from_core, event.from);
    finish_entry(thread);
    if (event.issue) issued_.insert(event.token);
    sim::SharedPipeClock clock = order_.release_store(thread);
    if (sim::is_scalar(thread) && !event.issue) order_.publish(sim::stores_of(event.from_core), clock);
    return tokens_[event.token].merge(clock);
  }
  const auto at = tokens_.find(event.token);
  if (at == tokens_.end()) return;
  const uint32_t thread = sim::thread_of(event.to_core, event.to);
  const bool begins = issued_.erase(event.token) != 0;
  if (begins) finish_entry(thread);
  order_.acquire(thread, at->second);
  entry_[thread] = ++entries_;
  if (begins && slice_.varying_ranges(event.pc) != nullptr) untouched_[thread] = event.pc;
  if (event.last) tokens_.erase(at);
}

UnorderedAccessObserver::Loops UnorderedAccessObserver::loops_of(const Access& access) const {
  Loops loops;
  const Moment moment = context_->moment_of(access.mark);
  for (const Moment::Iteration& each : moment.loops) {
    loops.ops.push_back(each.op);
    loops.values.push_back(each.variable.empty() ? static_cast<int64_t>(each.number) : each.value);
  }
  return loops;
}

void UnorderedAccessObserver::on_footprint(const FootprintEvent& event) {
  if (event.pc >= program_->ops.size() || overrun_) return;
  if (event.space != Space::gm) return record_onchip_access(event);
  const auto behind = arguments_.upper_bound(event.addr);
  uint32_t argument = SymbolicRegion::kNoArgument;
  if (behind != arguments_.begin()) {
    const auto& [end, index] = std::prev(behind)->second;
    if (event.addr < end) argument = index;
  }
  uint32_t thread = sim::thread_of(event.core, event.pipe);
  if (sim::is_scalar(thread) && event.write) thread = sim::stores_of(event.core);
  const uint32_t epoch = order_.access(thread);
  const Key key{argument, thread, event.pc, event.write, event.update};
  std::vector<Access>& mine = accesses_[argument][key];
  if (event.write) written_.insert(argument);
  // What the one core of a launch itself stores is there before it waits, or never.
  if (event.write && (cores_.size() > 1 || sim::unit_of(thread) == thread)) signalling_.insert(argument);
  if (word_waits_.contains(event.pc)) words_.emplace(argument, event.pc);
  seen_.insert(event.pc);
  const uint64_t number = entry_[thread];
  const bool entry = !sim::is_scalar(sim::unit_of(thread));
  if (entry && !mine.empty() && mine.back().epoch == epoch && mine.back().entry == number) return;
  const Access access{epoch, number, context_->mark()};
  compare(key, access);
  mine.push_back(access);
}

/// With all that came before and that nothing orders.
void UnorderedAccessObserver::compare(const Key& key, const Access& access) {
  const uint32_t core = sim::core_of_thread(key.thread);
  const uint32_t unit = sim::unit_of(key.thread);
  for (const auto& [other, list] : accesses_[key.argument]) {
    if ((!key.write && !other.write) || (key.update && other.update)) continue;
    const uint32_t its_core = sim::core_of_thread(other.thread);
    if (queue_ops_.contains(key.pc) && queue_ops_.contains(other.pc)) continue;
    const CoreInfo& here = cores_[core];
    const CoreInfo& there = cores_[its_core];
    // Both vector cores of a block may write the same bytes: no more than a warning.
    if (key.write && other.write && core != its_core && here.block == there.block &&
        here.kind == CoreKind::aiv && there.kind == CoreKind::aiv)
      continue;
    const uint32_t its_unit = sim::unit_of(other.thread);
    if (its_unit == unit && !overlaps(unit)) continue;
    for (auto each = list.rbegin(); each != list.rend(); ++each) {
      if (order_.is_ordered({other.thread, each->epoch}, unit)) break;
      if (its_unit == unit && each->entry == access.entry) continue;
      if (++pairs_ > kMaxPairs) return void(overrun_ = true);
      record_pair(key, access, other, *each);
      if (here.block != there.block) break;  // how far apart does not count
    }
  }
}

void UnorderedAccessObserver::record_pair(const Key& a, const Access& one, const Key& b, const Access& two) {
  const bool swap = std::tuple(b.pc, b.thread) < std::tuple(a.pc, a.thread);
  const Key& first = swap ? b : a;
  const Key& second = swap ? a : b;
  const Loops x = loops_of(swap ? two : one);
  const Loops y = loops_of(swap ? one : two);
  const CoreInfo& here = cores_[sim::core_of_thread(first.thread)];
  const CoreInfo& there = cores_[sim::core_of_thread(second.thread)];
  Unordered pair;
  pair.cores = here.index == there.index   ? Unordered::Cores::same
               : here.block == there.block ? Unordered::Cores::block
                                           : Unordered::Cores::other;
  pair.first = first.pc;
  pair.second = second.pc;
  pair.argument = first.argument;
  pair.first_loops = x.ops;
  pair.second_loops = y.ops;
  if (pair.cores == Unordered::Cores::block) {
    pair.first_subblock = here.kind == CoreKind::aiv ? here.subblock : ~0u;
    pair.second_subblock = there.kind == CoreKind::aiv ? there.subblock : ~0u;
  }
  const size_t depth = pair.cores == Unordered::Cores::other ? 0 : std::min(x.ops.size(), y.ops.size());
  for (size_t i = 0; i < depth; ++i) {
    const int64_t apart = x.values[i] - y.values[i];
    pair.signs.push_back(apart < 0 ? -1 : apart > 0 ? 1 : 0);
  }
  Found& found = found_[pair];
  found.by_first.resize(depth);
  found.by_second.resize(depth);
  for (size_t i = 0; i < depth; ++i) {
    const int64_t apart = x.values[i] - y.values[i];
    for (auto& [by, value] :
         {std::pair(&found.by_first[i], x.values[i]), std::pair(&found.by_second[i], y.values[i])}) {
      const auto [at, fresh] = by->emplace(value, std::pair(apart, apart));
      if (fresh) continue;
      at->second.first = std::min(at->second.first, apart);
      at->second.second = std::max(at->second.second, apart);
    }
  }
}

namespace {

/// Whether the last iterations of a loop reach further than those a period before.
template <typename ByValue>
bool is_increasing(const ByValue& by, const LoopPeriodicity::Repetition& loop) {
  if (!loop.is_uniform) return true;
  const int64_t back = loop.step * static_cast<int64_t>(loop.period);
  for (const auto& [value, range] : by) {
    if (value <= loop.last - back) continue;
    const auto before = by.find(value - back);
    if (before == by.end() || before->second != range) return true;
  }
  return false;
}

}  // namespace

void UnorderedAccessObserver::add_to(UnorderedAccesses& all,
                                     const std::map<uint32_t, LoopPeriodicity::Repetition>& loops) const {
  all.written_.insert(written_.begin(), written_.end());
  all.seen_.insert(seen_.begin(), seen_.end());
  all.overrun_ = all.overrun_ || overrun_;
  std::set<uint32_t> blocks;
  for (const CoreInfo& core : cores_) blocks.insert(core.block);
  all.one_core_per_block_ = all.one_core_per_block_ && blocks.size() == cores_.size();
  all.onchip_conflicts_.insert(onchip_conflicts_.begin(), onchip_conflicts_.end());
  all.words_.insert(words_.begin(), words_.end());
  all.signalling_.insert(signalling_.begin(), signalling_.end());
  for (const auto& [pair, found] : found_) {
    const size_t depth = pair.signs.size();
    const auto [at, fresh] = all.pairs_.try_emplace(pair);
    Distances& distances = at->second;
    for (size_t i = 0; i < depth; ++i) {
      std::optional<int64_t> least, most;
      for (const auto& [value, range] : found.by_first[i]) {
        least = least ? std::min(*least, range.first) : range.first;
        most = most ? std::max(*most, range.second) : range.second;
      }
      // Which of the two came later does not matter: what has an end has it by either counter.
      bool open = false;
      for (const auto& [loop, by] : {std::pair(pair.first_loops[i], &found.by_first[i]),
                                     std::pair(pair.second_loops[i], &found.by_second[i])}) {
        const auto repetition = loops.find(loop);
        if (!input_dependent_loops_.contains(loop) || repetition == loops.end()) continue;
        open = open || is_increasing(*by, repetition->second);
      }
      if (open) {  // all that is on the same side
        const int sign = pair.signs[i];
        least = sign < 0 ? std::nullopt : std::optional<int64_t>(sign);
        most = sign > 0 ? std::nullopt : std::optional<int64_t>(sign);
      }
      if (fresh) {
        distances.min.push_back(least);
        distances.max.push_back(most);
        continue;
      }
      std::optional<int64_t>& low = distances.min[i];
      std::optional<int64_t>& high = distances.max[i];
      low = low && least ? std::optional(std::min(*low, *least)) : std::nullopt;
      high = high && most ? std::optional(std::max(*high, *most)) : std::nullopt;
    }
  }
}

// ---- whether bytes can be the same

namespace {

class ConflictTest {
 public:
  ConflictTest(SymbolicAccesses& places, const Unordered& pair, const Distances& distances,
               UnorderedAccesses::Limits limits)
      : unknowns_(places.symbols()), pair_(pair), distances_(distances), limits_(limits) {}

  bool is_impossible(const SymbolicAccess& a, const SymbolicAccess& b) {
    Renaming apart;
    apart.core = pair_.cores != Unordered::Cores::same;
    apart.block = pair_.cores == Unordered::Cores::other;
    // Distances hold for the loops that a run names; it does not know those around some calls.
    const bool same_loops =
        limits_.distances && a.loops == pair_.first_loops && b.loops == pair_.second_loops;
    for (size_t i = 0; i < a.loops.size(); ++i) {
      const bool zero = same_loops && i < pair_.signs.size() && i < b.loops.size() &&
                        a.loops[i] == b.loops[i] && pair_.signs[i] == 0;
      if (!zero) apart.loops.insert(a.loops.begin() + static_cast<std::ptrdiff_t>(i), a.loops.end());
    }
    ConstraintSet facts;
    facts.non_negative = a.conditions;
    for (const Polynomial& each : b.conditions) facts.non_negative.push_back(unknowns_.prime(each, apart));
    if (same_loops) add_distances(facts, a, b, apart);
    add_subblocks(facts);
    const SymbolicRegion other = primed_of(b.region, apart);
    if (!found_conflict(a.region) || !found_conflict(other) || a.region.argument != other.argument)
      return false;
    const bool grid = limits_.in_views && add_same_grid(facts, a.region, other);
    if (!grid) add_same_bytes(facts, a.region, other);
    if (!apart.block) return is_infeasible_with_cases(unknowns_, facts);
    const Polynomial block = unknowns_.make({.kind = Symbol::Kind::block});
    const Polynomial its = unknowns_.make({.kind = Symbol::Kind::block, .execution = 1});
    ConstraintSet before = facts, behind = facts;
    before.non_negative.push_back(its - block - Polynomial(1));
    behind.non_negative.push_back(block - its - Polynomial(1));
    return is_infeasible_with_cases(unknowns_, before) && is_infeasible_with_cases(unknowns_, behind);
  }

 private:
  /// Its numbers have not left 64 bits.
  static bool found_conflict(const SymbolicRegion& place) {
    return place.known && place.base.is_known() && place.width.is_known() &&
           std::ranges::all_of(place.dims, [](const SymbolicRegion::Dim& dim) {
             return dim.offset.is_known() && dim.size.is_known() && dim.step.is_known() &&
                    (!dim.limit || dim.limit->is_known());
           });
  }

  void add_distances(ConstraintSet& facts, const SymbolicAccess& a, const SymbolicAccess& b,
                     const Renaming& apart) {
    for (size_t i = 0; i < pair_.signs.size(); ++i) {
      if (i >= a.counters.size() || i >= b.counters.size()) return;
      const Polynomial far = a.counters[i] - unknowns_.prime(b.counters[i], apart);
      const bool once = distances_.min[i] && distances_.min[i] == distances_.max[i];
      if (once) {
        facts.equal_zero.push_back(far - Polynomial(*distances_.min[i]));
        continue;
      }
      if (distances_.min[i]) facts.non_negative.push_back(far - Polynomial(*distances_.min[i]));
      if (distances_.max[i]) facts.non_negative.push_back(Polynomial(*distances_.max[i]) - far);
    }
  }

  void add_subblocks(ConstraintSet& facts) {
    if (pair_.cores != Unordered::Cores::block) return;
    for (const uint32_t side : {0u, 1u}) {
      const uint32_t number = side == 0 ? pair_.first_subblock : pair_.second_subblock;
      if (number == ~0u) continue;
      facts.equal_zero.push_back(unknowns_.make({.kind = Symbol::Kind::subblock, .execution = side}) -
                                 Polynomial(int64_t{number}));
    }
  }

  SymbolicRegion primed_of(SymbolicRegion place, const Renaming& apart) {
    place.base = unknowns_.prime(place.base, apart);
    place.width = unknowns_.prime(place.width, apart);
    for (SymbolicRegion::Dim& dim : place.dims) {
      dim.offset = unknowns_.prime(dim.offset, apart);
      dim.size = unknowns_.prime(dim.size, apart);
      dim.step = unknowns_.prime(dim.step, apart);
      if (dim.limit) dim.limit = unknowns_.prime(*dim.limit, apart);
    }
    return place;
  }

  /// Whether positions of a view that differ are different bytes, as long as they stay in the view: each step
  /// is as far as all of some other dimension, the least one a whole element.
  bool distinct(const SymbolicRegion& place, const std::vector<Polynomial>& conditions) {
    std::vector<const SymbolicRegion::Dim*> left;
    for (const SymbolicRegion::Dim& dim : place.dims) {
      if (!dim.limit) return false;
      if (dim.limit->constant_value() != 1) left.push_back(&dim);
    }
    Polynomial reach = place.width;
    while (!left.empty()) {
      // Of those that are far enough apart, the one that leaves room for the rest.
      bool found = false;
      for (size_t i = 0; i < left.size() && !found; ++i) {
        if (!unknowns_.is_non_negative(left[i]->step - reach, conditions)) continue;
        const Polynomial whole = left[i]->step * *left[i]->limit;
        bool good = true;
        for (size_t j = 0; j < left.size() && good; ++j)
          good = j == i || unknowns_.is_non_negative(left[j]->step - whole, conditions);
        if (!good) continue;
        reach = whole;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        found = true;
      }
      if (!found) return false;
    }
    return true;
  }

  /// Two windows of one view, or of views that are alike.
  bool add_same_grid(ConstraintSet& facts, const SymbolicRegion& a, const SymbolicRegion& b) {
    if (a.base != b.base || a.width != b.width || a.dims.size() != b.dims.size() || a.dims.empty())
      return false;
    for (size_t i = 0; i < a.dims.size(); ++i) {
      if (a.dims[i].step != b.dims[i].step || a.dims[i].limit != b.dims[i].limit) return false;
    }
    if (!distinct(a, facts.non_negative)) return false;
    for (size_t i = 0; i < a.dims.size(); ++i) {
      const SymbolicRegion::Dim& one = a.dims[i];
      const SymbolicRegion::Dim& two = b.dims[i];
      facts.non_negative.push_back(two.offset + two.size - Polynomial(1) - one.offset);
      facts.non_negative.push_back(one.offset + one.size - Polynomial(1) - two.offset);
      for (const SymbolicRegion::Dim* dim : {&one, &two}) {  // they stay in the view
        facts.non_negative.push_back(dim->offset);
        facts.non_negative.push_back(*dim->limit - dim->offset - dim->size);
      }
    }
    return true;
  }

  /// The bytes that lie side by side, and a number for each dimension beyond those.
  struct Run {
    Polynomial begin, bytes;
  };
  Run run_of(ConstraintSet& facts, const SymbolicRegion& place, uint32_t side) {
    Run run{place.base, place.width};
    std::vector<const SymbolicRegion::Dim*> left;
    for (const SymbolicRegion::Dim& dim : place.dims) {
      run.begin = run.begin + dim.offset * dim.step;
      if (dim.size.constant_value() != 1) left.push_back(&dim);
    }
    for (size_t i = 0; i < left.size(); ++i) {
      if (left[i]->step != run.bytes) continue;
      run.bytes = run.bytes * left[i]->size;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      i = ~size_t{0};
    }
    for (size_t i = 0; i < left.size(); ++i) {
      const Polynomial at = unknowns_.make({.kind = Symbol::Kind::other,
                                            .at = static_cast<uint32_t>(i),
                                            .execution = side,
                                            .context = "row",
                                            .operands = {0, left[i]->size - Polynomial(1)}});
      run.begin = run.begin + at * left[i]->step;
      facts.non_negative.push_back(left[i]->size - Polynomial(1) - at);
    }
    return run;
  }

  void add_same_bytes(ConstraintSet& facts, const SymbolicRegion& a, const SymbolicRegion& b) {
    const Run one = run_of(facts, a, 0);
    const Run two = run_of(facts, b, 1);
    facts.non_negative.push_back(two.begin + two.bytes - Polynomial(1) - one.begin);
    facts.non_negative.push_back(one.begin + one.bytes - Polynomial(1) - two.begin);
  }

  SymbolTable& unknowns_;
  const Unordered& pair_;
  const Distances& distances_;
  UnorderedAccesses::Limits limits_;
};

}  // namespace

void UnorderedAccesses::add_between_blocks(const Program& program, const SymbolicAccesses& places) {
  const auto writes = [&](uint32_t op) {
    const isa::OpcodeClass opcode_class = isa::opcode_class(OpView(program, op));
    return opcode_class == isa::OpcodeClass::store || opcode_class == isa::OpcodeClass::store_buffer;
  };
  for (const auto& [first, some] : places.accesses()) {
    for (const auto& [second, others] : places.accesses()) {
      if (second < first || (!writes(first) && !writes(second))) continue;
      for (const SymbolicAccess& a : some) {
        for (const SymbolicAccess& b : others) {
          const bool told = a.region.argument != SymbolicRegion::kNoArgument;
          if (told && b.region.argument != SymbolicRegion::kNoArgument &&
              a.region.argument != b.region.argument)
            continue;
          Unordered pair{.cores = Unordered::Cores::other, .first = first, .second = second};
          pair.argument = told ? a.region.argument : b.region.argument;
          pairs_.try_emplace(std::move(pair));
        }
      }
    }
  }
}

std::vector<UnorderedAccesses::PossibleConflict> UnorderedAccesses::possible_conflicts(
    SymbolicAccesses& places, Limits limits) const {
  std::vector<PossibleConflict> found;
  std::set<std::tuple<uint32_t, uint32_t, bool>> told;
  static const std::vector<SymbolicAccess> nothing;
  for (const auto& [pair, distances] : pairs_) {
    const bool blocks = pair.cores == Unordered::Cores::other;
    if (told.contains({pair.first, pair.second, blocks})) continue;
    const auto accesses_of = [&](uint32_t op) -> const std::vector<SymbolicAccess>& {
      const auto at = places.accesses().find(op);
      return at == places.accesses().end() ? nothing : at->second;
    };
    const std::vector<SymbolicAccess>& first = accesses_of(pair.first);
    const std::vector<SymbolicAccess>& second = accesses_of(pair.second);
    bool can = false, looked = false;
    for (const SymbolicAccess& a : first) {
      for (const SymbolicAccess& b : second) {
        // An operand that is another argument has no part in it.
        if (can || (a.region.argument != pair.argument && a.region.argument != SymbolicRegion::kNoArgument) ||
            (b.region.argument != pair.argument && b.region.argument != SymbolicRegion::kNoArgument))
          continue;
        looked = true;
        can = !ConflictTest(places, pair, distances, limits).is_impossible(a, b);
      }
    }
    if (!can && looked) continue;
    told.insert({pair.first, pair.second, blocks});
    found.push_back({pair.first, pair.second, blocks});
    constexpr size_t kMax = 10;
    if (found.size() == kMax) break;
  }
  return found;
}

std::optional<uint32_t> UnorderedAccesses::self_waiting_op() const {
  for (const auto& [argument, op] : words_) {
    if (argument == SymbolicRegion::kNoArgument || signalling_.contains(argument)) return op;
  }
  return std::nullopt;
}

bool UnorderedAccesses::is_read_of_unwritten_argument(const SymbolicAccesses& places, uint32_t op) const {
  const auto found = places.accesses().find(op);
  return found != places.accesses().end() &&
         std::ranges::none_of(found->second, [&](const SymbolicAccess& access) {
           return access.region.argument == SymbolicRegion::kNoArgument ||
                  written_.contains(access.region.argument);
         });
}

std::vector<uint32_t> UnorderedAccesses::unobserved_accesses(SymbolicAccesses& places) const {
  std::vector<uint32_t> found;
  for (const auto& [op, accesses] : places.accesses()) {
    if (seen_.contains(op)) continue;
    const bool counts = std::ranges::any_of(accesses, [&](const SymbolicAccess& access) {
      // Where no numbers fulfil the conditions, it never runs.
      if (!(access.is_transfer || access.may_write) ||
          is_infeasible_with_cases(places.symbols(), {{}, access.conditions}))
        return false;
      return access.may_write || access.region.argument == SymbolicRegion::kNoArgument ||
             written_.contains(access.region.argument);
    });
    if (counts) found.push_back(op);
  }
  return found;
}

}  // namespace pto::driver
