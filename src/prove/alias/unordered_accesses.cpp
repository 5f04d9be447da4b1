#include "prove/alias/unordered_accesses.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {

// ---- what a run shows

void FarWatch::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  cores_.assign(cores.begin(), cores.end());
  start(cores.size());
}

void FarWatch::on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t bytes, bool) {
  arguments_[addr] = {addr + bytes, index};
}

void FarWatch::on_order(const OrderEvent& event) {
  if (event.release) {
    const uint32_t thread = thread_of(event.from_core, event.from);
    settle_entry(thread);
    if (event.issue) issued_.insert(event.token);
    if (thread % kPerCore == kScalarLane && !event.issue) publish_stores(event.from_core);
    return merge(tokens_[event.token], tell(thread));
  }
  const auto at = tokens_.find(event.token);
  if (at == tokens_.end()) return;
  const uint32_t index = thread_of(event.to_core, event.to);
  const bool begins = issued_.erase(event.token) != 0;
  if (begins) settle_entry(index);
  Thread& thread = threads_[index];
  merge(thread.seen, at->second);
  thread.order = ++entries_;
  if (begins && deciders_.moving_places(event.pc) != nullptr) untouched_[index] = event.pc;
  if (event.last) tokens_.erase(at);
}

FarWatch::Loops FarWatch::loops_of(const Access& access) const {
  Loops loops;
  const Moment moment = context_->moment_of(access.mark);
  for (const Moment::Iteration& each : moment.loops) {
    loops.ops.push_back(each.op);
    loops.values.push_back(each.variable.empty() ? static_cast<int64_t>(each.number) : each.value);
  }
  return loops;
}

void FarWatch::on_footprint(const FootprintEvent& event) {
  if (event.pc >= program_->ops.size() || overrun_) return;
  if (event.space != Space::gm) return note_on_chip(event);
  const auto behind = arguments_.upper_bound(event.addr);
  uint32_t argument = GmPlace::kNoArgument;
  if (behind != arguments_.begin()) {
    const auto& [end, index] = std::prev(behind)->second;
    if (event.addr < end) argument = index;
  }
  uint32_t thread = thread_of(event.core, event.pipe);
  if (thread % kPerCore == kScalarLane && event.write) thread = event.core * kPerCore + kStores;
  threads_[thread].touched = true;
  const Key key{argument, thread, event.pc, event.write, event.update};
  std::vector<Access>& mine = accesses_[argument][key];
  if (event.write) written_.insert(argument);
  // What the one core of a launch itself stores stands there before it waits, or never.
  if (event.write && (cores_.size() > 1 || thread % kPerCore != kStores)) telling_.insert(argument);
  if (word_waits_.contains(event.pc)) words_.emplace(argument, event.pc);
  seen_.insert(event.pc);
  const Thread& now = threads_[thread];
  const bool entry = thread % kPerCore != kScalarLane && thread % kPerCore != kStores;
  if (entry && !mine.empty() && mine.back().epoch == now.epoch && mine.back().entry == now.order) return;
  const Access access{now.epoch, now.order, context_->mark()};
  compare(key, access);
  mine.push_back(access);
}

/// With all that came before and that nothing orders.
void FarWatch::compare(const Key& key, const Access& access) {
  const uint32_t core = key.thread / kPerCore, unit = unit_of(key.thread);
  const Clock& seen = threads_[unit].seen;
  for (const auto& [other, list] : accesses_[key.argument]) {
    if ((!key.write && !other.write) || (key.update && other.update)) continue;
    const uint32_t its_core = other.thread / kPerCore;
    if (queue_ops_.contains(key.pc) && queue_ops_.contains(other.pc)) continue;
    const CoreInfo &here = cores_[core], &there = cores_[its_core];
    // Both vector cores of a block may write the same bytes: no more than a warning.
    if (key.write && other.write && core != its_core && here.block == there.block &&
        here.kind == CoreKind::aiv && there.kind == CoreKind::aiv)
      continue;
    const uint32_t its_unit = unit_of(other.thread);
    if (its_unit == unit && !overlaps(unit)) continue;
    for (auto each = list.rbegin(); each != list.rend() && each->epoch > seen[other.thread]; ++each) {
      if (its_unit == unit && each->entry == access.entry) continue;
      if (++pairs_ > kMostPairs) return void(overrun_ = true);
      note(key, access, other, *each);
      if (here.block != there.block) break;  // how far apart does not count
    }
  }
}

void FarWatch::note(const Key& a, const Access& one, const Key& b, const Access& two) {
  const bool swap = std::tuple(b.pc, b.thread) < std::tuple(a.pc, a.thread);
  const Key &first = swap ? b : a, &second = swap ? a : b;
  const Loops x = loops_of(swap ? two : one), y = loops_of(swap ? one : two);
  const CoreInfo &here = cores_[first.thread / kPerCore], &there = cores_[second.thread / kPerCore];
  Unordered pair;
  pair.cores = here.index == there.index   ? Unordered::Cores::same
               : here.block == there.block ? Unordered::Cores::block
                                           : Unordered::Cores::other;
  pair.first = first.pc, pair.second = second.pc, pair.argument = first.argument;
  pair.first_loops = x.ops, pair.second_loops = y.ops;
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
  found.by_first.resize(depth), found.by_second.resize(depth);
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
bool grows(const ByValue& by, const Periods::Repetition& loop) {
  if (!loop.even) return true;
  const int64_t back = loop.step * static_cast<int64_t>(loop.period);
  for (const auto& [value, range] : by) {
    if (value <= loop.last - back) continue;
    const auto before = by.find(value - back);
    if (before == by.end() || before->second != range) return true;
  }
  return false;
}

}  // namespace

void FarWatch::add_to(FarAccesses& all, const std::map<uint32_t, Periods::Repetition>& loops) const {
  all.written_.insert(written_.begin(), written_.end());
  all.seen_.insert(seen_.begin(), seen_.end());
  all.overrun_ = all.overrun_ || overrun_;
  std::set<uint32_t> blocks;
  for (const CoreInfo& core : cores_) blocks.insert(core.block);
  all.one_core_each_ = all.one_core_each_ && blocks.size() == cores_.size();
  all.on_chip_.insert(on_chip_.begin(), on_chip_.end());
  all.words_.insert(words_.begin(), words_.end());
  all.telling_.insert(telling_.begin(), telling_.end());
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
        if (!open_loops_.contains(loop) || repetition == loops.end()) continue;
        open = open || grows(*by, repetition->second);
      }
      if (open) {  // all that is on the same side
        const int sign = pair.signs[i];
        least = sign < 0 ? std::nullopt : std::optional<int64_t>(sign);
        most = sign > 0 ? std::nullopt : std::optional<int64_t>(sign);
      }
      if (fresh) {
        distances.least.push_back(least), distances.most.push_back(most);
        continue;
      }
      std::optional<int64_t>&low = distances.least[i], &high = distances.most[i];
      low = low && least ? std::optional(std::min(*low, *least)) : std::nullopt;
      high = high && most ? std::optional(std::max(*high, *most)) : std::nullopt;
    }
  }
}

// ---- whether bytes can be the same

namespace {

class Meet {
 public:
  Meet(GmPlaces& places, const Unordered& pair, const Distances& distances, FarAccesses::Limits limits)
      : unknowns_(places.unknowns()), pair_(pair), distances_(distances), limits_(limits) {}

  bool cannot(const GmAccess& a, const GmAccess& b) {
    Apart apart;
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
    Facts facts;
    facts.positive = a.conditions;
    for (const Poly& each : b.conditions) facts.positive.push_back(unknowns_.second(each, apart));
    if (same_loops) add_distances(facts, a, b, apart);
    add_subblocks(facts);
    const GmPlace other = second(b.place, apart);
    if (!told(a.place) || !told(other) || a.place.argument != other.argument) return false;
    const bool grid = limits_.in_views && add_same_grid(facts, a.place, other);
    if (!grid) add_same_bytes(facts, a.place, other);
    if (!apart.block) return never(unknowns_, facts);
    const Poly block = unknowns_.make({.kind = Unknown::Kind::block}),
               its = unknowns_.make({.kind = Unknown::Kind::block, .side = 1});
    Facts before = facts, behind = facts;
    before.positive.push_back(its - block - Poly(1));
    behind.positive.push_back(block - its - Poly(1));
    return never(unknowns_, before) && never(unknowns_, behind);
  }

 private:
  /// Its numbers have not left 64 bits.
  static bool told(const GmPlace& place) {
    return place.known && place.base.known() && place.width.known() &&
           std::ranges::all_of(place.dims, [](const GmPlace::Dim& dim) {
             return dim.offset.known() && dim.size.known() && dim.step.known() &&
                    (!dim.limit || dim.limit->known());
           });
  }

  void add_distances(Facts& facts, const GmAccess& a, const GmAccess& b, const Apart& apart) {
    for (size_t i = 0; i < pair_.signs.size(); ++i) {
      if (i >= a.counters.size() || i >= b.counters.size()) return;
      const Poly far = a.counters[i] - unknowns_.second(b.counters[i], apart);
      const bool once = distances_.least[i] && distances_.least[i] == distances_.most[i];
      if (once) {
        facts.zero.push_back(far - Poly(*distances_.least[i]));
        continue;
      }
      if (distances_.least[i]) facts.positive.push_back(far - Poly(*distances_.least[i]));
      if (distances_.most[i]) facts.positive.push_back(Poly(*distances_.most[i]) - far);
    }
  }

  void add_subblocks(Facts& facts) {
    if (pair_.cores != Unordered::Cores::block) return;
    for (const uint32_t side : {0u, 1u}) {
      const uint32_t number = side == 0 ? pair_.first_subblock : pair_.second_subblock;
      if (number == ~0u) continue;
      facts.zero.push_back(unknowns_.make({.kind = Unknown::Kind::subblock, .side = side}) -
                           Poly(int64_t{number}));
    }
  }

  GmPlace second(GmPlace place, const Apart& apart) {
    place.base = unknowns_.second(place.base, apart);
    place.width = unknowns_.second(place.width, apart);
    for (GmPlace::Dim& dim : place.dims) {
      dim.offset = unknowns_.second(dim.offset, apart), dim.size = unknowns_.second(dim.size, apart);
      dim.step = unknowns_.second(dim.step, apart);
      if (dim.limit) dim.limit = unknowns_.second(*dim.limit, apart);
    }
    return place;
  }

  /// Whether positions of a view that differ are different bytes, as long as they stay in the view: each step
  /// is as far as all of some other dimension, the least one a whole element.
  bool distinct(const GmPlace& place, const std::vector<Poly>& conditions) {
    std::vector<const GmPlace::Dim*> left;
    for (const GmPlace::Dim& dim : place.dims) {
      if (!dim.limit) return false;
      if (dim.limit->number() != 1) left.push_back(&dim);
    }
    Poly reach = place.width;
    while (!left.empty()) {
      // Of those that are far enough apart, the one that leaves room for the rest.
      bool found = false;
      for (size_t i = 0; i < left.size() && !found; ++i) {
        if (!unknowns_.positive(left[i]->step - reach, conditions)) continue;
        const Poly whole = left[i]->step * *left[i]->limit;
        bool good = true;
        for (size_t j = 0; j < left.size() && good; ++j)
          good = j == i || unknowns_.positive(left[j]->step - whole, conditions);
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
  bool add_same_grid(Facts& facts, const GmPlace& a, const GmPlace& b) {
    if (a.base != b.base || a.width != b.width || a.dims.size() != b.dims.size() || a.dims.empty())
      return false;
    for (size_t i = 0; i < a.dims.size(); ++i) {
      if (a.dims[i].step != b.dims[i].step || a.dims[i].limit != b.dims[i].limit) return false;
    }
    if (!distinct(a, facts.positive)) return false;
    for (size_t i = 0; i < a.dims.size(); ++i) {
      const GmPlace::Dim &one = a.dims[i], &two = b.dims[i];
      facts.positive.push_back(two.offset + two.size - Poly(1) - one.offset);
      facts.positive.push_back(one.offset + one.size - Poly(1) - two.offset);
      for (const GmPlace::Dim* dim : {&one, &two}) {  // they stay in the view
        facts.positive.push_back(dim->offset);
        facts.positive.push_back(*dim->limit - dim->offset - dim->size);
      }
    }
    return true;
  }

  /// The bytes that lie side by side, and a number for each dimension beyond those.
  struct Run {
    Poly begin, bytes;
  };
  Run run_of(Facts& facts, const GmPlace& place, uint32_t side) {
    Run run{place.base, place.width};
    std::vector<const GmPlace::Dim*> left;
    for (const GmPlace::Dim& dim : place.dims) {
      run.begin = run.begin + dim.offset * dim.step;
      if (dim.size.number() != 1) left.push_back(&dim);
    }
    for (size_t i = 0; i < left.size(); ++i) {
      if (left[i]->step != run.bytes) continue;
      run.bytes = run.bytes * left[i]->size;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      i = ~size_t{0};
    }
    for (size_t i = 0; i < left.size(); ++i) {
      const Poly at = unknowns_.make({.kind = Unknown::Kind::other,
                                      .at = static_cast<uint32_t>(i),
                                      .side = side,
                                      .context = "row",
                                      .of = {0, left[i]->size - Poly(1)}});
      run.begin = run.begin + at * left[i]->step;
      facts.positive.push_back(left[i]->size - Poly(1) - at);
    }
    return run;
  }

  void add_same_bytes(Facts& facts, const GmPlace& a, const GmPlace& b) {
    const Run one = run_of(facts, a, 0), two = run_of(facts, b, 1);
    facts.positive.push_back(two.begin + two.bytes - Poly(1) - one.begin);
    facts.positive.push_back(one.begin + one.bytes - Poly(1) - two.begin);
  }

  Unknowns& unknowns_;
  const Unordered& pair_;
  const Distances& distances_;
  FarAccesses::Limits limits_;
};

}  // namespace

void FarAccesses::add_between_blocks(const Program& program, const GmPlaces& places) {
  const auto writes = [&](uint32_t op) {
    const isa::Does does = isa::does(OpView(program, op));
    return does == isa::Does::store || does == isa::Does::store_buffer;
  };
  for (const auto& [first, some] : places.accesses()) {
    for (const auto& [second, others] : places.accesses()) {
      if (second < first || (!writes(first) && !writes(second))) continue;
      for (const GmAccess& a : some) {
        for (const GmAccess& b : others) {
          const bool told = a.place.argument != GmPlace::kNoArgument;
          if (told && b.place.argument != GmPlace::kNoArgument && a.place.argument != b.place.argument)
            continue;
          Unordered pair{.cores = Unordered::Cores::other, .first = first, .second = second};
          pair.argument = told ? a.place.argument : b.place.argument;
          pairs_.try_emplace(std::move(pair));
        }
      }
    }
  }
}

std::vector<FarAccesses::Meeting> FarAccesses::meetings(GmPlaces& places, Limits limits) const {
  std::vector<Meeting> found;
  std::set<std::tuple<uint32_t, uint32_t, bool>> told;
  static const std::vector<GmAccess> nothing;
  for (const auto& [pair, distances] : pairs_) {
    const bool blocks = pair.cores == Unordered::Cores::other;
    if (told.contains({pair.first, pair.second, blocks})) continue;
    const auto of = [&](uint32_t op) -> const std::vector<GmAccess>& {
      const auto at = places.accesses().find(op);
      return at == places.accesses().end() ? nothing : at->second;
    };
    const std::vector<GmAccess>&first = of(pair.first), &second = of(pair.second);
    bool can = false, looked = false;
    for (const GmAccess& a : first) {
      for (const GmAccess& b : second) {
        // An operand that is another argument has no part in it.
        if (can || (a.place.argument != pair.argument && a.place.argument != GmPlace::kNoArgument) ||
            (b.place.argument != pair.argument && b.place.argument != GmPlace::kNoArgument))
          continue;
        looked = true;
        can = !Meet(places, pair, distances, limits).cannot(a, b);
      }
    }
    if (!can && looked) continue;
    told.insert({pair.first, pair.second, blocks});
    found.push_back({pair.first, pair.second, blocks});
    constexpr size_t kMost = 10;
    if (found.size() == kMost) break;
  }
  return found;
}

std::optional<uint32_t> FarAccesses::waits_for_itself() const {
  for (const auto& [argument, op] : words_) {
    if (argument == GmPlace::kNoArgument || telling_.contains(argument)) return op;
  }
  return std::nullopt;
}

bool FarAccesses::reads_what_is_given(const GmPlaces& places, uint32_t op) const {
  const auto found = places.accesses().find(op);
  return found != places.accesses().end() && std::ranges::none_of(found->second, [&](const GmAccess& access) {
           return access.place.argument == GmPlace::kNoArgument || written_.contains(access.place.argument);
         });
}

std::vector<uint32_t> FarAccesses::not_seen(GmPlaces& places) const {
  std::vector<uint32_t> found;
  for (const auto& [op, accesses] : places.accesses()) {
    if (seen_.contains(op)) continue;
    const bool counts = std::ranges::any_of(accesses, [&](const GmAccess& access) {
      // Where no numbers fulfil the conditions, it never runs.
      if (!(access.moves || access.writes) || never(places.unknowns(), {{}, access.conditions})) return false;
      return access.writes || access.place.argument == GmPlace::kNoArgument ||
             written_.contains(access.place.argument);
    });
    if (counts) found.push_back(op);
  }
  return found;
}

}  // namespace pto::driver
