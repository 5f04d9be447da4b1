#include "prove/explore/checkpoints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>

namespace pto::driver {
namespace {

constexpr uint64_t kEnd = std::numeric_limits<uint64_t>::max();
constexpr size_t kMostEvents = size_t{1} << 23;

int64_t counted(const Moment::Iteration& each) {
  return each.variable.empty() ? static_cast<int64_t>(each.number) : each.value;
}

}  // namespace

// ---- the run

void Cuts::on_start(std::span<const CoreInfo> cores, const Program&) {
  cores_.assign(cores.begin(), cores.end());
  start(cores.size());
  current_.assign(threads_.size(), 0);
  scalar_at_.assign(cores.size(), 0);
  issues_.assign(cores.size(), 0);
  core_reads_.resize(cores.size());
  entries_.resize(cores.size());
}

void Cuts::on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t bytes, bool) {
  reads_.on_argument(index, addr, bytes);
}

void Cuts::on_order(const OrderEvent& event) {
  if (events_.size() >= kMostEvents) return void(broken_ = true);
  const uint32_t from = thread_of(event.from_core, event.from), to = thread_of(event.to_core, event.to);
  const uint32_t thread = event.release ? from : to;
  const uint32_t core = thread / kPerCore;
  if (!event.release) {
    if (const auto entry = issued_.find(event.token); entry != issued_.end()) {
      current_[thread] = entry->second;
      issued_.erase(entry);
    }
  }
  if (thread % kPerCore == kScalarLane) current_[thread] = ++scalar_at_[core];
  if (event.release && event.issue) {
    issued_[event.token] = scalar_at_[core];
    const auto use = rules_.queue_ops.find(event.pc);
    if (use != rules_.queue_ops.end()) note_entry(core, use->first, use->second);
  }
  // What a pipe tells its scalar unit that waits for it to be done belongs to that wait.
  const bool drained = event.release && !event.issue && event.flag < 0 && from != to &&
                       to / kPerCore == core && to % kPerCore == kScalarLane;
  const uint64_t position = drained ? scalar_at_[core] : current_[thread];
  events_.push_back({event.release ? Event::Kind::release : Event::Kind::acquire, thread, position,
                     event.token, event.last, event.issue, event.flag, signalled_by(event.pc),
                     event.release ? to : from});
}

/// Whose signal that of an operation is told apart as.
uint32_t Cuts::signalled_by(uint32_t pc) const {
  const auto of_queue = rules_.queue_signals.find(pc);
  return of_queue == rules_.queue_signals.end() ? pc : of_queue->second;
}

/// An operation may put several entries into queues each time.
void Cuts::note_entry(uint32_t core, uint32_t op, const SlotUse& use) {
  Entries& entries = entries_[core][op];
  if (use.slots != 0) {
    std::vector<uint64_t> counters;
    const EntryMark mark = context_->mark();
    for (uint32_t i = 0; i < mark.depth; ++i) counters.push_back(mark.variable(i));
    if (!entries.positions.empty() && counters == entries.counters) return;
    entries.counters = std::move(counters);
  }
  entries.positions.push_back(scalar_at_[core]);
}

void Cuts::on_footprint(const FootprintEvent& event) {
  if (event.space == Space::none || event.pc >= rules_.program->ops.size()) return;
  if (events_.size() >= kMostEvents) return void(broken_ = true);
  uint32_t thread = thread_of(event.core, event.pipe);
  const bool scalar = thread % kPerCore == kScalarLane;
  if (scalar) current_[thread] = ++scalar_at_[event.core];
  const uint64_t position = current_[thread];
  if (event.write) reads_.note_write(event);
  std::optional<size_t> place;
  Moment moment;
  if (reads_.decides(event)) {
    moment = context_->entry_moment();
    place = reads_.note_load(event, way_of(event, moment));
  }
  if (place) {
    Read read{position, *place, {event.core, event.pc, {}}, rules_.deciders->addresses().at(event.pc).alike};
    for (const Moment::Iteration& each : moment.loops) read.at.loops.emplace_back(each.op, counted(each));
    core_reads_[event.core].push_back(std::move(read));
  }
  if (scalar && event.write) thread = event.core * kPerCore + kStores;
  MemoryUse::Access access{.thread = thread,
                           .kind = static_cast<uint8_t>((event.write ? 1 : 0) | (event.update ? 2 : 0)),
                           .memory = {},
                           .begin = event.addr,
                           .rows = event.rows,
                           .row_bytes = event.row_bytes,
                           .pitch = event.rows > 1 ? event.pitch : 0};
  if (event.space == Space::gm) return note_in_gm(event, access, position);
  const uint64_t owner = event.home == ~0u ? event.core : event.home;
  const auto memory_of = [&](Space space) { return (owner + 1) << 8 | static_cast<uint64_t>(space); };
  if (const auto* all = rules_.deciders->places_by_data(event.pc)) {
    for (const ChipPlace& each : *all) {
      access.kind = each.written ? 1 : 0;
      access.memory.first = memory_of(each.space);
      access.begin = each.begin, access.rows = 1, access.row_bytes = each.end - each.begin, access.pitch = 0;
      note_access(access, position);
    }
    return;
  }
  access.memory.first = memory_of(event.space);
  if (const auto reach = rules_.deciders->reach(event.pc, event.space, event.addr)) {
    access.begin = reach->begin, access.rows = 1, access.row_bytes = reach->end - reach->begin;
    access.pitch = 0;
  }
  note_access(access, position);
}

void Cuts::note_access(const MemoryUse::Access& access, uint64_t position) {
  const uint32_t unit = unit_of(access.thread), number = use_.note(access, unit, overlaps(unit));
  broken_ = broken_ || use_.overrun();
  events_.push_back({Event::Kind::access, access.thread, position, number, false, false, -1, 0, 0});
}

/// With its bytes where several pipes touch the same ones, and as one that other parameters may move.
void Cuts::note_in_gm(const FootprintEvent& event, MemoryUse::Access access, uint64_t position) {
  const auto found = reads_.argument_at(event.addr);
  const uint32_t argument = found.value_or(GmSharing::kElsewhere);
  const uint64_t base = found ? reads_.begin_of(argument) : 0;
  sharing_.note(argument, base, event, unit_of(access.thread), overlaps(access.thread));
  access.memory = {0, argument};
  MemoryUse::Access moved{
      .thread = access.thread, .kind = access.kind, .memory = access.memory, .op = event.pc};
  note_access(moved, position);
  if (!rules_.shared.contains(argument)) return;
  access.begin -= base;
  note_access(access, position);
}

/// How a load comes to its place, with the numbers that its counters have now.
uint32_t Cuts::way_of(const FootprintEvent& event, const Moment& moment) {
  const auto found = rules_.deciders->addresses().find(event.pc);
  if (found == rules_.deciders->addresses().end()) return 0;
  const CoreInfo& core = cores_[event.core];
  if (const Deciders::Address& address = found->second; address.any) {
    std::string way = fmt::format("{}:{}", core.index, event.pc);
    if (address.alike != 0)
      way = fmt::format("={}:{}.{}", address.alike, address.block ? core.block : 0,
                        address.subblock ? core.subblock : 0);
    for (const Moment::Iteration& each : moment.loops)
      way += fmt::format(",{}:{}", address.alike != 0 ? 0 : each.op, counted(each));
    const uint32_t before = times_[fmt::format("{}|{}", core.index, way)]++;
    return ways_.number(fmt::format("{}x{}", way, before));
  }
  if (!found->second.moves) return 0;
  std::string way =
      fmt::format("{}.{};", found->second.block ? core.block : 0, found->second.subblock ? core.subblock : 0);
  const std::string& formula = found->second.formula;
  for (size_t at = 0; at < formula.size();) {
    const size_t counter = formula.find(Deciders::kCounter, at);
    way += formula.substr(at, counter - at);
    if (counter == std::string::npos) break;
    const size_t end = formula.find(';', counter);
    const auto loop = static_cast<uint32_t>(std::stoul(formula.substr(counter + 1, end - counter - 1)));
    const auto each = std::ranges::find(moment.loops, loop, &Moment::Iteration::op);
    // A loop around a call that this is in is not told apart by its number: all of them are.
    if (each == moment.loops.end()) {
      for (const Moment::Iteration& around : moment.loops)
        way += fmt::format("{}:{},", around.op, counted(around));
      way += formula.substr(counter, end - counter);
    } else {
      way += std::to_string(counted(*each));
    }
    at = end + 1;
  }
  return ways_.number(std::move(way));
}

bool Cuts::add_loaded_again(LoadedAgain& all) const {
  bool fresh = false;
  for (const std::vector<Read>& reads : core_reads_) {
    size_t furthest = 0;
    for (const Read& read : reads) {
      if (read.place < furthest) fresh |= all[reads_.places()[read.place]].insert(read.at).second;
      furthest = std::max(furthest, read.place);
    }
  }
  return fresh;
}

bool LoadAt::is_behind(const LoadAt& other) const {
  for (size_t i = 0; i <= loops.size() && i <= other.loops.size(); ++i) {
    const uint32_t mine = i < loops.size() ? loops[i].first : op,
                   its = i < other.loops.size() ? other.loops[i].first : other.op;
    if (mine != its) return its < mine;
    if (i == loops.size() || i == other.loops.size()) break;
    if (loops[i].second != other.loops[i].second) return other.loops[i].second < loops[i].second;
  }
  return false;
}

// ---- which cut comes before which

/// Of two cores that come to these: the one in the earlier iterations, so that cores which do the same stay
/// together.
bool Cuts::Read::goes_first(const Read& other) const {
  const auto value = [](const std::pair<uint32_t, int64_t>& loop) { return loop.second; };
  const auto order = std::lexicographical_compare_three_way(
      at.loops.begin(), at.loops.end(), other.at.loops.begin(), other.at.loops.end(),
      [&](const auto& a, const auto& b) { return value(a) <=> value(b); });
  if (order != 0) return order < 0;
  return std::pair(alike, at.core) < std::pair(other.alike, other.at.core);
}

void Cuts::order_places() {
  constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::vector<size_t> order, rank(reads_.places().size(), kNone), next(core_reads_.size());
  while (order.size() < rank.size()) {
    const Read* first = nullptr;
    for (size_t core = 0; core < core_reads_.size(); ++core) {
      const std::vector<Read>& reads = core_reads_[core];
      while (next[core] < reads.size() && rank[reads[next[core]].place] != kNone) ++next[core];
      if (next[core] == reads.size()) continue;
      if (first == nullptr || reads[next[core]].goes_first(*first)) first = &reads[next[core]];
    }
    rank[first->place] = order.size();
    order.push_back(first->place);
  }
  for (std::vector<Read>& reads : core_reads_) {
    for (Read& read : reads) read.place = rank[read.place];
  }
  reads_.reorder(order);
}

// ---- what is ordered, up to a cut: as in the race checker

/// It happens, or its unit waits with all that it does from there on.
void Cuts::come_to(uint32_t index) {
  const Event& event = events_[index];
  const auto before = blocked_.find(unit_of(event.thread));
  if (before != blocked_.end()) return before->second.push_back(index);
  if (waits(event)) return blocked_[unit_of(event.thread)].push_back(index);
  replay(event);
  if (event.kind == Event::Kind::release && !blocked_.empty()) go_on();
}

bool Cuts::waits(const Event& event) const {
  return event.kind == Event::Kind::acquire && !tokens_.contains(event.token);
}

void Cuts::go_on() {
  for (bool more = true; more;) {
    more = false;
    for (auto at = blocked_.begin(); at != blocked_.end();) {
      std::deque<uint32_t>& left = at->second;
      for (; !left.empty() && !waits(events_[left.front()]); left.pop_front()) {
        replay(events_[left.front()]);
        more = true;
      }
      at = left.empty() ? blocked_.erase(at) : std::next(at);
    }
  }
}

void Cuts::replay(const Event& event) {
  Thread& thread = threads_[event.thread];
  const uint32_t core = event.thread / kPerCore;
  const bool scalar = event.thread % kPerCore == kScalarLane;
  switch (event.kind) {
    case Event::Kind::access: {
      thread.touched = true;
      const auto number = static_cast<uint32_t>(event.token);
      last_[{event.thread, use_[number].kind, use_.group(number)}] = {event.thread, thread.epoch, number};
      return;
    }
    case Event::Kind::release: {
      if (scalar && !event.issue) publish_stores(core);
      const Clock& clock = tell(event.thread);
      Token& token = tokens_[event.token];
      if (token.clock.empty())
        token = {clock, 0, event.thread, event.other, event.pc, event.flag, event.issue};
      else
        merge(token.clock, clock);
      if (scalar) token.order = 2 * ++issues_[core];
      return;
    }
    case Event::Kind::acquire: {
      const auto at = tokens_.find(event.token);
      merge(thread.seen, at->second.clock);
      thread.order = std::max(thread.order, at->second.order);
      if (event.flag >= 0) {
        thread.touched = true;
        std::vector<Last>& waits = waits_[{event.other, event.thread, event.flag}];
        waits.push_back({event.thread, thread.epoch, 0});
        if (waits.size() > 1) waits.erase(waits.begin());  // the last one decides whether a set is doubled
      }
      if (event.last) tokens_.erase(at);
      return;
    }
  }
}

// ---- states

std::vector<std::optional<CutState>> Cuts::states(const Contents& contents) {
  const size_t places = reads_.places().size();
  std::vector<std::optional<CutState>> found(places);
  find_limits(places);
  std::vector<std::vector<uint32_t>> by_cut(places);
  for (uint32_t i = 0; i < events_.size(); ++i) {
    const std::vector<uint64_t>& limits = limits_[events_[i].thread / kPerCore];
    const auto cut = std::ranges::upper_bound(limits, events_[i].position);
    if (cut != limits.end()) by_cut[static_cast<size_t>(cut - limits.begin())].push_back(i);
  }
  stands_.assign(cores_.size(), {});
  kept_.clear(), blocked_.clear();
  for (size_t k = 0; k < places && !broken_; ++k) {
    for (const uint32_t i : by_cut[k]) come_to(i);
    if (!broken_) found[k] = state(k, contents);
  }
  return found;
}

/// Where each core comes to read a place for the first time that is not read before the cut.
void Cuts::find_limits(size_t places) {
  limits_.assign(cores_.size(), std::vector<uint64_t>(places, kEnd));
  for (size_t core = 0; core < cores_.size(); ++core) {
    std::vector<uint64_t>& limits = limits_[core];
    for (const Read& read : core_reads_[core])
      limits[read.place] = std::min(limits[read.place], read.position);
    for (size_t k = places; k-- > 1;) limits[k - 1] = std::min(limits[k - 1], limits[k]);
  }
}

CutState Cuts::state(size_t place, const Contents& contents) {
  CutState out;
  positions(out, place, contents);
  pending(out.rest);
  blocked(out.rest);
  known(out.open);
  out.write_key();
  return out;
}

/// Where the scalar units are, and what they have loaded that counts from there on. Cut after cut, each
/// further on than the one before.
void Cuts::positions(CutState& state, size_t place, const Contents& contents) {
  std::string& out = state.rest;
  std::vector<LoadAt>& stands = state.stands;
  for (size_t core = 0; core < cores_.size(); ++core) {
    Stand& stand = stands_[core];
    const uint64_t limit = limits_[core][place];
    const std::vector<Read>& reads = core_reads_[core];
    for (; stand.next < reads.size() && reads[stand.next].position < limit; ++stand.next)
      stand.loaded[reads[stand.next].at.op] = reads[stand.next].place;
    if (stand.next == reads.size()) {
      out += "end;";
      continue;
    }
    const LoadAt& next = reads[stand.next].at;
    stands.push_back(next);
    for (const auto& [op, at] : stand.loaded) {
      if (!rules_.live->live(op, next.op)) continue;
      const int64_t number = at < contents.size() ? contents[at].number : 0;
      out += fmt::format("|{}={}", op, number);
      const auto loop = rules_.trips.find(op);
      const auto is_loop = [&](const auto& around) { return around.first == loop->second; };
      if (loop != rules_.trips.end() && std::ranges::any_of(next.loops, is_loop))
        state.trips[loop->second] = number;
    }
    count_slots(core, limit, out);
    out += ';';
  }
  if (place != 0 && rules_.kept.contains(reads_.places()[place - 1])) kept_.push_back(place - 1);
  for (const size_t at : kept_) {
    const driver::Place& before = reads_.places()[at];
    const bool comes = std::ranges::any_of(rules_.kept.at(before), [&](const LoadAt& load) {
      return std::ranges::any_of(stands, [&](const LoadAt& core) { return comes_to(core, load); });
    });
    if (comes)
      out += fmt::format("{}+{}#{}={} ", before.argument, before.offset, before.way,
                         at < contents.size() ? contents[at].number : 0);
  }
}

/// As long as slots have not been used, and then which one is next.
void Cuts::count_slots(size_t core, uint64_t limit, std::string& out) const {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> counts;
  for (const auto& [op, all] : entries_[core]) {
    const SlotUse& use = rules_.queue_ops.at(op);
    auto& [count, slots] = counts[use.queue];
    count += static_cast<uint64_t>(std::ranges::lower_bound(all.positions, limit) - all.positions.begin());
    slots = use.slots;
  }
  for (const auto& [queue, use] : counts) {
    const auto [count, slots] = use;
    out += fmt::format("|{}x{}", queue, slots == 0 || count < slots ? count : slots + count % slots);
  }
}

/// Whether a core that stands here may still come to the other load.
bool Cuts::comes_to(const LoadAt& here, const LoadAt& load) const {
  if (here.core != load.core) return false;
  return !rules_.live->same_function(here.op, load.op) || !here.is_behind(load);
}

/// Flags and signals that nobody has taken.
void Cuts::pending(std::string& out) {
  pending_.clear();
  for (const auto& [id, token] : tokens_) pending_.push_back(&token);
  std::ranges::stable_sort(pending_, {}, [](const Token* token) { return token->key(); });
  for (const Token* token : pending_) out += fmt::format("{} ", fmt::join(token->key(), ":"));
  out += ';';
}

/// What units have begun that wait for what comes behind the cut.
void Cuts::blocked(std::string& out) {
  for (const auto& [unit, left] : blocked_) {
    out += fmt::format("wait {}", unit);
    for (const uint32_t i : left) {
      const Event& event = events_[i];
      const bool access = event.kind == Event::Kind::access;
      out += fmt::format(",{}:{}:{}:{}:{}:{}:{}", static_cast<int>(event.kind), event.thread, event.other,
                         event.flag >= 0 ? -1 : int64_t{event.pc}, event.flag, event.last, event.issue);
      if (access) {
        const auto number = static_cast<uint32_t>(event.token);
        out += fmt::format(":{}:{}", use_[number].kind, use_.group(number));
      }
    }
    out += ';';
  }
}

std::string Cuts::knowers(const Last& last) const {
  std::string mask;
  for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
    const bool own = thread == last.thread && !overlaps(thread);
    mask += own || threads_[thread].seen[last.thread] >= last.epoch ? '1' : '0';
  }
  for (const Token* token : pending_) mask += token->clock[last.thread] >= last.epoch ? '1' : '0';
  return mask;
}

bool Cuts::all_know(const Last& last) const {
  return std::ranges::all_of(use_.rivals(last.access), [&](uint32_t unit) {
    return unit < threads_.size() && threads_[unit].seen[last.thread] >= last.epoch;
  });
}

/// Accesses and waits that somebody may still have to know of.
void Cuts::known(std::map<std::string, std::string>& out) {
  for (const auto& [alike, last] : last_) {
    if (all_know(last)) continue;
    const auto& [thread, kind, group] = alike;
    out[fmt::format("{}:{}:{}", thread, kind, group)] = knowers(last);
  }
  for (const auto& [flag, waits] : waits_) {
    for (size_t i = 0; i < waits.size(); ++i) {
      if (threads_[std::get<0>(flag)].seen[waits[i].thread] >= waits[i].epoch) continue;
      out[fmt::format("{}>{}:{}:{}", std::get<0>(flag), std::get<1>(flag), std::get<2>(flag),
                      waits.size() - i)] = knowers(waits[i]);
    }
  }
}

void CutState::write_key() {
  key.clear();
  for (const LoadAt& stand : stands) {
    key += std::to_string(stand.op);
    for (const auto& [loop, value] : stand.loops) key += fmt::format(",{}:{}", loop, value);
    key += ';';
  }
  key += rest;
}

bool CutState::covers(const CutState& other) const {
  const auto fewer = [](const std::string& a, const std::string& b) {  // no more know in `a` than in `b`
    return a.size() == b.size() && std::ranges::equal(a, b, std::less_equal<>());
  };
  return key == other.key && std::ranges::all_of(other.open, [&](const auto& each) {
           const auto at = open.find(each.first);
           return at != open.end() && fewer(at->second, each.second);
         });
}

}  // namespace pto::driver
