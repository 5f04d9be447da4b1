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
constexpr size_t kMaxEvents = size_t{1} << 23;

int64_t counted(const Moment::Iteration& each) {
  return each.variable.empty() ? static_cast<int64_t>(each.number) : each.value;
}

}  // namespace

// ---- the run

void Checkpoints::on_start(std::span<const CoreInfo> cores, const Program&) {
  cores_.assign(cores.begin(), cores.end());
  order_ = sim::order_of_pipes(overlapping_, clocks_, cores.size());
  current_.assign(order_.size(), 0);
  scalar_at_.assign(cores.size(), 0);
  core_reads_.resize(cores.size());
  entries_.resize(cores.size());
}

void Checkpoints::on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t bytes, bool) {
  reads_.on_argument(index, addr, bytes);
}

void Checkpoints::on_order(const OrderEvent& event) {
  if (events_.size() >= kMaxEvents) return void(is_inconsistent_ = true);
  const uint32_t from = sim::thread_of(event.from_core, event.from);
  const uint32_t to = sim::thread_of(event.to_core, event.to);
  const uint32_t thread = event.release ? from : to;
  const uint32_t core = sim::core_of_thread(thread);
  if (!event.release) {
    if (const auto entry = issued_.find(event.token); entry != issued_.end()) {
      current_[thread] = entry->second;
      issued_.erase(entry);
    }
  }
  if (sim::is_scalar(thread)) current_[thread] = ++scalar_at_[core];
  if (event.release && event.issue) {
    issued_[event.token] = scalar_at_[core];
    const auto use = rules_.queue_ops.find(event.pc);
    if (use != rules_.queue_ops.end()) note_entry(core, use->first, use->second);
  }
  // What a pipe tells its scalar unit that waits for it to be done belongs to that wait.
  const bool drained = event.release && !event.issue && event.flag < 0 && from != to &&
                       sim::core_of_thread(to) == core && sim::is_scalar(to);
  const uint64_t position = drained ? scalar_at_[core] : current_[thread];
  events_.push_back({event.release ? Event::Kind::release : Event::Kind::acquire, thread, position,
                     event.token, event.last, event.issue, event.flag, signal_of(event.pc),
                     event.release ? to : from});
}

/// The signal id that distinguishes the signals of an operation.
uint32_t Checkpoints::signal_of(uint32_t pc) const {
  const auto of_queue = rules_.queue_signals.find(pc);
  return of_queue == rules_.queue_signals.end() ? pc : of_queue->second;
}

/// An operation may put several entries into queues each time.
void Checkpoints::note_entry(uint32_t core, uint32_t op, const QueueSlotCounter& use) {
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

void Checkpoints::on_footprint(const FootprintEvent& event) {
  if (event.space == Space::none || event.pc >= rules_.program->ops.size()) return;
  if (events_.size() >= kMaxEvents) return void(is_inconsistent_ = true);
  uint32_t thread = sim::thread_of(event.core, event.pipe);
  const bool scalar = sim::is_scalar(thread);
  if (scalar) current_[thread] = ++scalar_at_[event.core];
  const uint64_t position = current_[thread];
  if (event.write) reads_.record_write(event);
  std::optional<size_t> place;
  Moment moment;
  if (reads_.is_input_load(event)) {
    moment = context_->entry_moment();
    place = reads_.record_load(event, context_of(event, moment));
  }
  if (place) {
    Read read{
        position, *place, {event.core, event.pc, {}}, rules_.slice->addresses().at(event.pc).equality_class};
    for (const Moment::Iteration& each : moment.loops) read.at.loops.emplace_back(each.op, counted(each));
    core_reads_[event.core].push_back(std::move(read));
  }
  if (scalar && event.write) thread = sim::stores_of(event.core);
  ConflictSets::Access access{.thread = thread,
                              .kind = static_cast<uint8_t>((event.write ? 1 : 0) | (event.update ? 2 : 0)),
                              .memory = {},
                              .begin = event.addr,
                              .rows = event.rows,
                              .row_bytes = event.row_bytes,
                              .pitch = event.rows > 1 ? event.pitch : 0};
  if (event.space == Space::gm) return note_in_gm(event, access, position);
  const uint64_t owner = event.home == ~0u ? event.core : event.home;
  const auto memory_of = [&](Space space) { return (owner + 1) << 8 | static_cast<uint64_t>(space); };
  if (const auto* all = rules_.slice->data_dependent_ranges(event.pc)) {
    for (const OnChipRange& each : *all) {
      access.kind = each.written ? 1 : 0;
      access.memory.first = memory_of(each.space);
      access.begin = each.begin;
      access.rows = 1;
      access.row_bytes = each.end - each.begin;
      access.pitch = 0;
      note_access(access, position);
    }
    return;
  }
  access.memory.first = memory_of(event.space);
  if (const auto reach = rules_.slice->may_touch(event.pc, event.space, event.addr)) {
    access.begin = reach->begin;
    access.rows = 1;
    access.row_bytes = reach->end - reach->begin;
    access.pitch = 0;
  }
  note_access(access, position);
}

void Checkpoints::note_access(const ConflictSets::Access& access, uint64_t position) {
  const uint32_t unit = sim::unit_of(access.thread);
  const uint32_t number = use_.add(access, unit, overlaps(unit));
  is_inconsistent_ = is_inconsistent_ || use_.overrun();
  events_.push_back({Event::Kind::access, access.thread, position, number, false, false, -1, 0, 0});
}

/// With its bytes where several pipes touch the same ones, and as one that other parameters may move.
void Checkpoints::note_in_gm(const FootprintEvent& event, ConflictSets::Access access, uint64_t position) {
  const auto found = reads_.argument_at(event.addr);
  const uint32_t argument = found.value_or(SharedGmArguments::kElsewhere);
  const uint64_t base = found ? reads_.begin_of(argument) : 0;
  sharing_.record(argument, base, event, sim::unit_of(access.thread), overlaps(access.thread));
  access.memory = {0, argument};
  ConflictSets::Access moved{
      .thread = access.thread, .kind = access.kind, .memory = access.memory, .op = event.pc};
  note_access(moved, position);
  if (!rules_.shared.contains(argument)) return;
  access.begin -= base;
  note_access(access, position);
}

/// How a load comes to its place, with the numbers that its counters have now.
uint32_t Checkpoints::context_of(const FootprintEvent& event, const Moment& moment) {
  const auto found = rules_.slice->addresses().find(event.pc);
  if (found == rules_.slice->addresses().end()) return 0;
  const CoreInfo& core = cores_[event.core];
  if (const InputSlice::SymbolicAddress& address = found->second; address.is_data_dependent) {
    std::string way = fmt::format("{}:{}", core.index, event.pc);
    if (address.equality_class != 0)
      way = fmt::format("={}:{}.{}", address.equality_class, address.block ? core.block : 0,
                        address.subblock ? core.subblock : 0);
    for (const Moment::Iteration& each : moment.loops)
      way += fmt::format(",{}:{}", address.equality_class != 0 ? 0 : each.op, counted(each));
    const uint32_t before = times_[fmt::format("{}|{}", core.index, way)]++;
    return contexts_.id_of(fmt::format("{}x{}", way, before));
  }
  if (!found->second.varies_per_launch) return 0;
  std::string way =
      fmt::format("{}.{};", found->second.block ? core.block : 0, found->second.subblock ? core.subblock : 0);
  const std::string& formula = found->second.formula;
  for (size_t at = 0; at < formula.size();) {
    const size_t counter = formula.find(InputSlice::kCounterMark, at);
    way += formula.substr(at, counter - at);
    if (counter == std::string::npos) break;
    const size_t end = formula.find(';', counter);
    const auto loop = static_cast<uint32_t>(std::stoul(formula.substr(counter + 1, end - counter - 1)));
    const auto each = std::ranges::find(moment.loops, loop, &Moment::Iteration::op);
    // A loop around a call that this is in is not distinguished by its iteration index: all of them are.
    if (each == moment.loops.end()) {
      for (const Moment::Iteration& around : moment.loops)
        way += fmt::format("{}:{},", around.op, counted(around));
      way += formula.substr(counter, end - counter);
    } else {
      way += std::to_string(counted(*each));
    }
    at = end + 1;
  }
  return contexts_.id_of(std::move(way));
}

bool Checkpoints::add_reloaded(ReloadedCells& all) const {
  bool fresh = false;
  for (const std::vector<Read>& reads : core_reads_) {
    size_t farthest_offset = 0;
    for (const Read& read : reads) {
      if (read.place < farthest_offset) fresh |= all[reads_.cells()[read.place]].insert(read.at).second;
      farthest_offset = std::max(farthest_offset, read.place);
    }
  }
  return fresh;
}

bool ProgramPoint::is_after(const ProgramPoint& other) const {
  for (size_t i = 0; i <= loops.size() && i <= other.loops.size(); ++i) {
    const uint32_t mine = i < loops.size() ? loops[i].first : op;
    const uint32_t its = i < other.loops.size() ? other.loops[i].first : other.op;
    if (mine != its) return its < mine;
    if (i == loops.size() || i == other.loops.size()) break;
    if (loops[i].second != other.loops[i].second) return other.loops[i].second < loops[i].second;
  }
  return false;
}

// ---- which cut comes before which

/// Of two cores that come to these: the one in the earlier iterations, so that cores which do the same stay
/// together.
bool Checkpoints::Read::precedes(const Read& other) const {
  const auto value = [](const std::pair<uint32_t, int64_t>& loop) { return loop.second; };
  const auto order = std::lexicographical_compare_three_way(
      at.loops.begin(), at.loops.end(), other.at.loops.begin(), other.at.loops.end(),
      [&](const auto& a, const auto& b) { return value(a) <=> value(b); });
  if (order != 0) return order < 0;
  return std::pair(equality_class, at.core) < std::pair(other.equality_class, other.at.core);
}

void Checkpoints::sort_cells() {
  constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::vector<size_t> order, rank(reads_.cells().size(), kNone), next(core_reads_.size());
  while (order.size() < rank.size()) {
    const Read* first = nullptr;
    for (size_t core = 0; core < core_reads_.size(); ++core) {
      const std::vector<Read>& reads = core_reads_[core];
      while (next[core] < reads.size() && rank[reads[next[core]].place] != kNone) ++next[core];
      if (next[core] == reads.size()) continue;
      if (first == nullptr || reads[next[core]].precedes(*first)) first = &reads[next[core]];
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
void Checkpoints::reach_load(uint32_t index) {
  const Event& event = events_[index];
  const auto before = blocked_.find(sim::unit_of(event.thread));
  if (before != blocked_.end()) return before->second.push_back(index);
  if (is_blocked(event)) return blocked_[sim::unit_of(event.thread)].push_back(index);
  replay(event);
  if (event.kind == Event::Kind::release && !blocked_.empty()) run_until_blocked();
}

bool Checkpoints::is_blocked(const Event& event) const {
  return event.kind == Event::Kind::acquire && !tokens_.contains(event.token);
}

void Checkpoints::run_until_blocked() {
  for (bool more = true; more;) {
    more = false;
    for (auto at = blocked_.begin(); at != blocked_.end();) {
      std::deque<uint32_t>& left = at->second;
      for (; !left.empty() && !is_blocked(events_[left.front()]); left.pop_front()) {
        replay(events_[left.front()]);
        more = true;
      }
      at = left.empty() ? blocked_.erase(at) : std::next(at);
    }
  }
}

void Checkpoints::replay(const Event& event) {
  switch (event.kind) {
    case Event::Kind::access: {
      const order::Epoch at{event.thread, order_.access(event.thread)};
      const auto number = static_cast<uint32_t>(event.token);
      last_[{event.thread, use_[number].kind, use_.group(number)}] = {at, number};
      return;
    }
    case Event::Kind::release: {
      sim::SharedPipeClock clock = order_.release_store(event.thread);
      if (sim::is_scalar(event.thread) && !event.issue)
        order_.publish(sim::stores_of(sim::core_of_thread(event.thread)), clock);
      Token& token = tokens_[event.token];
      if (!token.clock) token = {{}, event.thread, event.other, event.pc, event.flag, event.issue};
      return token.clock.merge(clock);
    }
    case Event::Kind::acquire: {
      const auto at = tokens_.find(event.token);
      order_.acquire(event.thread, at->second.clock);
      if (event.flag >= 0) {
        std::vector<Last>& waits = waits_[{event.other, event.thread, event.flag}];
        waits.push_back({{event.thread, order_.access(event.thread)}, 0});
        if (waits.size() > 1) waits.erase(waits.begin());  // the last one decides whether a set is doubled
      }
      if (event.last) tokens_.erase(at);
      return;
    }
  }
}

// ---- states

std::vector<std::optional<CheckpointState>> Checkpoints::states(const MemoryInputs& contents) {
  const size_t places = reads_.cells().size();
  std::vector<std::optional<CheckpointState>> found(places);
  find_limits(places);
  std::vector<std::vector<uint32_t>> by_cut(places);
  for (uint32_t i = 0; i < events_.size(); ++i) {
    const std::vector<uint64_t>& limits = limits_[sim::core_of_thread(events_[i].thread)];
    const auto cut = std::ranges::upper_bound(limits, events_[i].position);
    if (cut != limits.end()) by_cut[static_cast<size_t>(cut - limits.begin())].push_back(i);
  }
  positions_.assign(cores_.size(), {});
  reloaded_.clear();
  blocked_.clear();
  for (size_t k = 0; k < places && !is_inconsistent_; ++k) {
    for (const uint32_t i : by_cut[k]) reach_load(i);
    if (!is_inconsistent_) found[k] = state(k, contents);
  }
  return found;
}

/// Where each core comes to read a place for the first time that is not read before the cut.
void Checkpoints::find_limits(size_t places) {
  limits_.assign(cores_.size(), std::vector<uint64_t>(places, kEnd));
  for (size_t core = 0; core < cores_.size(); ++core) {
    std::vector<uint64_t>& limits = limits_[core];
    for (const Read& read : core_reads_[core])
      limits[read.place] = std::min(limits[read.place], read.position);
    for (size_t k = places; k-- > 1;) limits[k - 1] = std::min(limits[k - 1], limits[k]);
  }
}

CheckpointState Checkpoints::state(size_t place, const MemoryInputs& contents) {
  CheckpointState out;
  write_positions(out, place, contents);
  write_pending(out.remainder);
  write_blocked(out.remainder);
  write_observers(out.pending_accesses);
  out.write_key();
  return out;
}

/// Where the scalar units are, and what they have loaded that counts from there on. Cut after cut, each
/// further on than the one before.
void Checkpoints::write_positions(CheckpointState& state, size_t place, const MemoryInputs& contents) {
  std::string& out = state.remainder;
  std::vector<ProgramPoint>& stands = state.positions;
  for (size_t core = 0; core < cores_.size(); ++core) {
    Position& stand = positions_[core];
    const uint64_t limit = limits_[core][place];
    const std::vector<Read>& reads = core_reads_[core];
    for (; stand.next < reads.size() && reads[stand.next].position < limit; ++stand.next)
      stand.loaded[reads[stand.next].at.op] = reads[stand.next].place;
    if (stand.next == reads.size()) {
      out += "end;";
      continue;
    }
    const ProgramPoint& next = reads[stand.next].at;
    stands.push_back(next);
    for (const auto& [op, at] : stand.loaded) {
      if (!rules_.live->is_live(op, next.op)) continue;
      const int64_t number = at < contents.size() ? contents[at].number : 0;
      out += fmt::format("|{}={}", op, number);
      const auto loop = rules_.trips.find(op);
      const auto is_loop = [&](const auto& around) { return around.first == loop->second; };
      if (loop != rules_.trips.end() && std::ranges::any_of(next.loops, is_loop))
        state.trip_counts[loop->second] = number;
    }
    write_slot_counts(core, limit, out);
    out += ';';
  }
  if (place != 0 && rules_.reloaded.contains(reads_.cells()[place - 1])) reloaded_.push_back(place - 1);
  for (const size_t at : reloaded_) {
    const driver::MemoryCell& before = reads_.cells()[at];
    const bool comes = std::ranges::any_of(rules_.reloaded.at(before), [&](const ProgramPoint& load) {
      return std::ranges::any_of(stands, [&](const ProgramPoint& core) { return can_reach(core, load); });
    });
    if (comes)
      out += fmt::format("{}+{}#{}={} ", before.argument, before.offset, before.context,
                         at < contents.size() ? contents[at].number : 0);
  }
}

/// As long as slots have not been used, and then which one is next.
void Checkpoints::write_slot_counts(size_t core, uint64_t limit, std::string& out) const {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> counts;
  for (const auto& [op, all] : entries_[core]) {
    const QueueSlotCounter& use = rules_.queue_ops.at(op);
    auto& [count, slots] = counts[use.queue];
    count += static_cast<uint64_t>(std::ranges::lower_bound(all.positions, limit) - all.positions.begin());
    slots = use.slots;
  }
  for (const auto& [queue, use] : counts) {
    const auto [count, slots] = use;
    out += fmt::format("|{}x{}", queue, slots == 0 || count < slots ? count : slots + count % slots);
  }
}

/// Whether a core at this point may still reach the other load.
bool Checkpoints::can_reach(const ProgramPoint& here, const ProgramPoint& load) const {
  if (here.core != load.core) return false;
  return !rules_.live->is_same_function(here.op, load.op) || !here.is_after(load);
}

/// Flags and signals that nobody has taken.
void Checkpoints::write_pending(std::string& out) {
  pending_.clear();
  for (const auto& [id, token] : tokens_) pending_.push_back(&token);
  std::ranges::stable_sort(pending_, {}, [](const Token* token) { return token->key(); });
  for (const Token* token : pending_) out += fmt::format("{} ", fmt::join(token->key(), ":"));
  out += ';';
}

/// What units have begun that wait for what comes behind the cut.
void Checkpoints::write_blocked(std::string& out) {
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

std::string Checkpoints::observers_mask(const Last& last) const {
  std::string mask;
  for (uint32_t thread = 0; thread < order_.size(); ++thread)
    mask += order_.is_ordered(last.at, thread) ? '1' : '0';
  for (const Token* token : pending_) mask += token->clock[last.at.thread] >= last.at.value ? '1' : '0';
  return mask;
}

bool Checkpoints::happens_before_all(const Last& last) const {
  return std::ranges::all_of(use_.conflicting_units(last.access), [&](uint32_t unit) {
    return unit < order_.size() && order_.is_ordered(last.at, unit);
  });
}

/// Accesses and waits that somebody may still have to know of.
void Checkpoints::write_observers(std::map<std::string, std::string>& out) {
  for (const auto& [equality_class, last] : last_) {
    if (happens_before_all(last)) continue;
    const auto& [thread, kind, group] = equality_class;
    out[fmt::format("{}:{}:{}", thread, kind, group)] = observers_mask(last);
  }
  for (const auto& [flag, waits] : waits_) {
    for (size_t i = 0; i < waits.size(); ++i) {
      if (order_.is_ordered(waits[i].at, std::get<0>(flag))) continue;
      out[fmt::format("{}>{}:{}:{}", std::get<0>(flag), std::get<1>(flag), std::get<2>(flag),
                      waits.size() - i)] = observers_mask(waits[i]);
    }
  }
}

void CheckpointState::write_key() {
  key.clear();
  for (const ProgramPoint& stand : positions) {
    key += std::to_string(stand.op);
    for (const auto& [loop, value] : stand.loops) key += fmt::format(",{}:{}", loop, value);
    key += ';';
  }
  key += remainder;
}

bool CheckpointState::subsumes(const CheckpointState& other) const {
  const auto fewer = [](const std::string& a, const std::string& b) {  // no more know in `a` than in `b`
    return a.size() == b.size() && std::ranges::equal(a, b, std::less_equal<>());
  };
  return key == other.key && std::ranges::all_of(other.pending_accesses, [&](const auto& each) {
           const auto at = pending_accesses.find(each.first);
           return at != pending_accesses.end() && fewer(at->second, each.second);
         });
}

}  // namespace pto::driver
