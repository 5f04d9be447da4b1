// Over 500 lines: threads, clocks, flags and what races are one state, and every part reads the others.
// The race checker: vector clocks per (core, pipe) from the engine's order events, and a shadow of every
// memory that knows the last writes and the reads since. Two accesses race when one is a write and neither
// happens before the other; what happened in this run does not matter, so one run judges every timing of the
// same input.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "isa/lanes.hpp"
#include "isa/row.hpp"
#include "isa/walk.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"
#include "sim/check/footprint.hpp"
#include "sim/check/race_cells.hpp"
#include "sim/check/rank_race.hpp"
#include "sim/check/shadow_memory.hpp"
#include "sim/describe.hpp"
#include "sim/places.hpp"

namespace pto::sim {
namespace {

class RaceChecker final : public RaceFindings, public ArrivalObserver, public OrderKeeper {
 public:
  RaceChecker(const Machine& machine, Unordered unordered, std::optional<uint32_t> rank)
      : rank_(rank.value_or(0)),
        several_(rank.has_value()),
        unordered_(std::move(unordered)),
        event_ids_(machine.event_ids),
        flag_capacity_(machine.flag_capacity()),
        flag_key_has_src_(machine.flag_key_has_src) {
    for (int lane = 0; lane < kLanes; ++lane)
      overlaps_[static_cast<size_t>(lane)] = machine.overlaps(pipe_of_lane(lane));
  }

  void on_start(std::span<const CoreInfo> cores, const Program& program) override {
    program_ = &program;
    cores_.assign(cores.begin(), cores.end());
    threads_.assign(cores.size() * kThreads, Thread{std::make_shared<const Clock>()});
    first_core_ = rank_ * static_cast<uint32_t>(cores.size());
  }

  void on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes, bool) override {
    arguments_.add(name, addr, bytes);
  }

  void on_order(const OrderEvent& event) override {
    if (event.release) {
      if (event.flag >= 0) set_flag(event);
      const uint32_t from = thread_of(event.from_core, event.from);
      if (!event.issue && pipe_of(from) == Pipe::s) publish_stores(event.from_core);
      release(from, event.token);
    } else {
      acquire(thread_of(event.to_core, event.to), event.token, event.last);
      if (event.flag >= 0) wait_flag(event);
    }
  }

  void on_flag(const FlagEvent& event) override { used_flags_.emplace(event.src, event.dst, event.id); }

  void on_footprint(const FootprintEvent& event) override {
    if (event.pc >= program_->ops.size()) return;  // initial contents
    const uint32_t pipe = thread_of(event.core, event.pipe);
    const bool scalar = pipe_of(pipe) == Pipe::s;  // runs at once: after all that was issued so far
    const uint32_t index = scalar && event.write ? stores_of(event.core) : pipe;
    Thread& thread = at(index);
    thread.touched = true;
    if (scalar)
      thread.moment = scalar_moments_ == kScalarMoments ? nullptr : (++scalar_moments_, entry_moment());
    else if (thread.moment == nullptr)
      thread.moment = entry_moment();
    const MemoryAccess access{
        index,       thread.epoch, event.pc,     scalar ? 2 * issued_ + 1 : thread.order,
        event.write, event.update, thread.moment};
    auto& memory = memories_[memory_of(event)];
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      bool written = false;
      memory.update(begin, end, [&](uint64_t from, uint64_t to, ShadowCell& shadow) {
        touch(access, *at(unit_of(index)).seen, event.space, from, to, shadow);
        if (!event.write) return;
        if (several_ && event.update) {
          replace(access, *at(unit_of(index)).seen, shadow);
          written = true;
          return;
        }
        if (from != begin || to != end) return;
        if (shadow.accesses.capacity() == 0) shadow.accesses.reserve(kUsual);
        shadow.accesses.assign(1, access);
        written = true;
      });
      if (event.write && !written)
        memory.assign(begin, end, ShadowCell{{access}});  // joins what reads had split
    });
  }

  bool has_errors() const override {
    return std::ranges::any_of(conflicts_, [this](const Conflict& each) { return !is_mild(each); });
  }
  std::set<uint32_t> overtaken() const override {
    std::set<uint32_t> out;
    for (const Conflict& each : conflicts_)
      if (!each.first.write && !is_mild(each)) out.insert(each.first.pc);
    return out;
  }
  uint64_t issued(uint32_t core, Pipe pipe) const override { return at(thread_of(core, pipe)).order; }
  void settle(std::string_view output) override { differs_ = output; }

  std::vector<Diagnostic> take() override {
    std::vector<Diagnostic> findings;
    std::erase_if(conflicts_, [this](const Conflict& each) {
      return rank_races_.are_signals(each.first.pc, each.second.pc);
    });
    for (const Conflict& conflict : conflicts_) findings.push_back(told(conflict));
    conflicts_.clear();
    const auto first = std::ranges::find(findings, Severity::error, &Diagnostic::severity);
    if (!differs_.empty() && first != findings.end())
      first->notes.emplace_back().message =
          "output '" + differs_ + "' comes out otherwise when the two turn round, and is left so";
    for (Diagnostic& each : reuses_) findings.push_back(std::move(each));
    reuses_.clear();
    for (Diagnostic& each : rank_races_.take(*program_, rank_, arguments_))
      findings.push_back(std::move(each));
    return findings;
  }

  // ---- several devices

  void on_arrival(const Arrival& event) override {
    if (event.kind == Arrival::Kind::got) return;
    if (event.kind == Arrival::Kind::notify) return rank_races_.is_signal(event.pc);
    const Stamped stamp = read_stamp(event.stamp);
    MemoryAccess access{.thread = stamp.thread, .epoch = stamp.epoch, .pc = event.pc};
    access.write = event.changes();
    access.update = event.kind == Arrival::Kind::add;
    FootprintEvent rows;
    rows.space = Space::gm;
    rows.addr = event.addr, rows.rows = event.rows, rows.row_bytes = event.row_bytes,
    rows.pitch = event.pitch;
    for_each_range(rows, [&](uint64_t begin, uint64_t end) {
      memories_[memory_of(rows)].update(begin, end, [&](uint64_t from, uint64_t to, ShadowCell& shadow) {
        touch(access, stamp.clock, Space::gm, from, to, shadow);
        if (access.write) replace(access, stamp.clock, shadow);
      });
    });
  }

  void on_awoken(const Awoken& event) override {
    rank_races_.is_signal(event.pc);
    Thread& unit = at(thread_of(event.core, Pipe::s));
    for (const Clock& clock : needed_.of(event, *unit.seen)) {
      std::shared_ptr<const Clock> both = merged(unit.seen, clock);
      if (both != unit.seen) unit.told = nullptr;
      unit.seen = std::move(both);
    }
  }

  Stamp of_access(uint32_t core, unsigned lane, bool write) override {
    const uint32_t unit = thread_of(core, pipe_of_lane(static_cast<int>(lane)));
    const uint32_t index = write && lane == kScalarLane ? stores_of(core) : unit;
    at(index).touched = true;
    return stamp_of(index, at(index).epoch, *at(unit).seen);
  }

  Stamp of_notify(uint32_t core, uint32_t pc) override {
    rank_races_.is_signal(pc);
    publish_stores(core);
    const uint32_t unit = thread_of(core, Pipe::s);
    at(unit).touched = true;  // every notify has an epoch of its own
    const std::shared_ptr<const Clock>& clock = tell(unit);
    return stamp_of(unit, (*clock)[unit], *clock);
  }

 private:
  static Pipe pipe_of(uint32_t thread) {
    const uint32_t lane = thread % kThreads;
    return lane == kScalarStores ? Pipe::s : pipe_of_lane(static_cast<int>(lane));
  }
  /// The thread whose clock knows what happens before an access.
  static uint32_t unit_of(uint32_t thread) {
    return thread % kThreads == kScalarStores ? thread - kScalarStores + kScalarLane : thread;
  }
  /// What has no pipe is done by the scalar unit.
  uint32_t thread_of(uint32_t core, Pipe pipe) const {
    const int lane = lane_of(pipe);
    return (first_core_ + core) * kThreads + static_cast<uint32_t>(lane == kNoLane ? kScalarLane : lane);
  }

  /// Entries of the vector unit of A2/A3 start before the ones in front are done; a barrier of its own makes
  /// it wait, as whatever it waits for does that came after them.
  bool overlaps(uint32_t index) const { return overlaps_[index % kThreads]; }

  /// Threads have numbers over all devices; those of this one are kept.
  Thread& at(uint32_t thread) { return threads_[thread - first_core_ * kThreads]; }
  [[nodiscard]] const Thread& at(uint32_t thread) const { return threads_[thread - first_core_ * kThreads]; }
  [[nodiscard]] uint32_t stores_of(uint32_t core) const {
    return (first_core_ + core) * kThreads + kScalarStores;
  }
  [[nodiscard]] bool elsewhere(uint32_t thread) const {
    return thread / kThreads < first_core_ || thread / kThreads >= first_core_ + cores_.size();
  }
  [[nodiscard]] const CoreInfo& core_of(uint32_t thread) const {
    return cores_[thread / kThreads - first_core_];
  }

  void publish_stores(uint32_t core) {
    const uint32_t stores = stores_of(core);
    if (!at(stores).touched) return;
    Thread& unit = at(unit_of(stores));
    auto clock = std::make_shared<Clock>(*unit.seen);
    clock->set(stores, at(stores).epoch++);
    unit.seen = std::move(clock);
    unit.told = nullptr;
    at(stores).touched = false;
  }

  /// What a thread knows and has done, for those who come behind.
  const std::shared_ptr<const Clock>& tell(uint32_t index) {
    Thread& thread = at(index);
    if (thread.touched) {
      ++thread.epoch;
      thread.touched = false;
      thread.told = nullptr;
    }
    if (thread.told == nullptr) {
      auto clock = std::make_shared<Clock>(*thread.seen);
      clock->set(index, thread.epoch - 1);
      thread.told = std::move(clock);
      if (!overlaps(index)) thread.seen = thread.told;
    }
    return thread.told;
  }

  void release(uint32_t index, uint64_t token) {
    const std::shared_ptr<const Clock>& clock = tell(index);
    Token& told = tokens_[token];
    told.clock = told.clock ? merged(told.clock, *clock) : clock;  // more than one: a meeting
    if (pipe_of(index) == Pipe::s) told.order = 2 * ++issued_;
  }

  void acquire(uint32_t index, uint64_t token, bool last) {
    const auto it = tokens_.find(token);
    if (it == tokens_.end()) return;
    Thread& thread = at(index);
    if (it->second.clock != thread.seen) {
      std::shared_ptr<const Clock> both = merged(thread.seen, *it->second.clock);
      if (both != thread.seen) thread.told = nullptr;
      thread.seen = std::move(both);
    }
    if (it->second.order != 0) thread.moment = nullptr;  // another entry
    thread.order = std::max(thread.order, it->second.order);
    if (last) tokens_.erase(it);
  }

  // ---- flags: a set must know that the wait for the set before has taken it

  struct FlagUses {
    std::vector<MemoryAccess> sets,
        waits;                     ///< thread, epoch and pc of the last ones, a ring of `flag_capacity_`
    uint64_t set = 0, waited = 0;  ///< how many there were
    std::set<uint32_t> set_at, wait_at;  ///< operations
  };

  FlagUses& uses_of(const OrderEvent& event) {
    const Pipe source = flag_key_has_src_ ? event.from : Pipe::none;
    FlagUses& uses = flags_[{event.from_core, source, event.to, event.flag}];
    uses.sets.resize(flag_capacity_);
    uses.waits.resize(flag_capacity_);
    return uses;
  }

  void set_flag(const OrderEvent& event) {
    FlagUses& uses = uses_of(event);
    const uint32_t thread = thread_of(event.from_core, event.from);
    const size_t place = uses.set % flag_capacity_;
    // A wait that has not come yet is the engine's to tell: FLAG-DOUBLE.
    if (uses.set >= flag_capacity_ && uses.set - flag_capacity_ < uses.waited) {
      const MemoryAccess& wait = uses.waits[place];
      if (wait.thread != thread && (*at(thread).seen)[wait.thread] < wait.epoch)
        reuse(event, uses.sets[place], wait);
    }
    uses.sets[place] = {.thread = thread, .pc = event.pc};
    uses.set_at.insert(event.pc);
    ++uses.set;
  }

  void wait_flag(const OrderEvent& event) {
    FlagUses& uses = uses_of(event);
    const uint32_t thread = thread_of(event.to_core, event.to);
    at(thread).touched = true;
    uses.wait_at.insert(event.pc);
    uses.waits[uses.waited++ % flag_capacity_] = {
        .thread = thread,
        .epoch = at(thread).epoch,
        .pc = event.pc,
        .order = pipe_of(thread) == Pipe::s ? 2 * issued_ + 1 : at(thread).order};
  }

  void reuse(const OrderEvent& event, const MemoryAccess& set, const MemoryAccess& wait) {
    if (unordered_)
      unordered_({.first_core = core_of(wait.thread).index,
                  .second_core = event.from_core,
                  .first = pipe_of(wait.thread),
                  .second = event.from,
                  .first_issued = wait.order,
                  .flag = event.flag});
    if (!reused_.emplace(event.pc, set.pc).second) return;
    const std::string flag = isa::to_string(isa::FlagName{event.from, event.to, event.flag}),
                      source = std::string(to_string(event.from));
    Diagnostic out = finding(
        *program_, "FLAG-REUSE", event.pc,
        fmt::format(
            "{} is set again, and nothing tells {} that {} has taken the set before: under another timing "
            "this set is lost and a wait hangs",
            flag, source, to_string(event.to)),
        Severity::error);
    out.moment = moment();
    out.notes.push_back(note_at(*program_, set.pc, "the set before"));
    out.notes.push_back(note_at(*program_, wait.pc, "the wait that takes it"));
    const std::optional<int> id = free_id(event.to, event.from);
    if (!id) {
      out.help = "use another event id, or a barrier between the wait and this set";
    } else {
      out.help = flag_between({event.to, event.from, *id}, wait.pc, event.pc) + ", or use another event id";
    }
    reuses_.push_back(std::move(out));
  }

  static std::shared_ptr<const Clock> merged(const std::shared_ptr<const Clock>& clock, const Clock& other) {
    if (!clock->behind(other)) return clock;
    auto both = std::make_shared<Clock>(*clock);
    both->merge(other);
    return both;
  }

  /// `seen`: what happens before `now`.
  bool ordered(const MemoryAccess& before, const MemoryAccess& now, const Clock& seen) const {
    const uint32_t unit = unit_of(now.thread);
    if (unit_of(before.thread) == unit && (!overlaps(unit) || before.order == now.order)) return true;
    return seen[before.thread] >= before.epoch;
  }

  void touch(const MemoryAccess& access, const Clock& seen, Space space, uint64_t begin, uint64_t end,
             ShadowCell& shadow) {
    auto& list = shadow.accesses;
    for (const MemoryAccess& before : list) {
      if (!before.write && !access.write) break;  // reads stand behind the write
      // Atomics: any order is meant. Of registers, what the scalar unit reads is the one thing that counts.
      const bool commute = space == Space::none ? before.write && access.write
                                                : space == Space::gm && before.update && access.update;
      if (!commute && !ordered(before, access, seen)) conflict(before, access, space, begin, end);
    }
    if (access.write) return;  // replaces the list
    if (list.capacity() == 0) list.reserve(kUsual);
    const auto reads = std::ranges::find(list, false, &MemoryAccess::write);
    const auto own =
        std::lower_bound(reads, list.end(), access.thread,
                         [](const MemoryAccess& read, uint32_t thread) { return read.thread < thread; });
    if (own == list.end() || own->thread != access.thread)
      list.insert(own, access);
    else if (!overlaps(access.thread) || own->order == access.order)
      *own = access;
    else if (const auto older = own + 1; older != list.end() && older->thread == access.thread)
      *older = *own, *own = access;
    else
      list.insert(own, access);
  }

  /// What the next access must follow: this write, and sums that are in no order with it.
  void replace(const MemoryAccess& access, const Clock& seen, ShadowCell& shadow) const {
    std::erase_if(shadow.accesses, [&](const MemoryAccess& before) {
      return !access.update || !before.update || before.thread == access.thread ||
             ordered(before, access, seen);
    });
    shadow.accesses.push_back(access);
  }

  void conflict(const MemoryAccess& before, const MemoryAccess& now, Space space, uint64_t begin,
                uint64_t end) {
    if (elsewhere(before.thread) || elsewhere(now.thread))
      return rank_races_.add(race_of(before, now, begin, end));
    const bool same_core = before.thread / kThreads == now.thread / kThreads;
    const bool swap = same_core && now.order < before.order;
    const MemoryAccess& first = swap ? now : before;
    const MemoryAccess& second = swap ? before : now;
    const bool mild = same_on_both_vector_cores(first, second);
    if (unordered_)
      unordered_({begin, end, core_of(before.thread).index, core_of(now.thread).index, pipe_of(before.thread),
                  pipe_of(now.thread), before.order, before.write && !swap, mild});
    const auto [it, fresh] = known_.try_emplace(
        std::tuple(first.pc, second.pc, first.write, second.write, mild), conflicts_.size());
    if (fresh) {
      Conflict made{first, second, space, begin, end, 1, operand_of(now, second, space, begin)};
      if (has_context())  // with the loops inside of a vector function
        (swap ? made.first : made.second).moment = std::make_shared<const Moment>(*moment());
      return conflicts_.push_back(std::move(made));
    }
    Conflict& same = conflicts_[it->second];
    ++same.count;
    if (begin == same.end && same.count < 1u << 20) same.end = end;
  }

  /// The tile that both touch: what runs now knows; of an access before only what is the same or the only one
  /// is known.
  ValueId operand_of(const MemoryAccess& now, const MemoryAccess& wanted, Space space, uint64_t addr) const {
    if (!has_context() || space == Space::gm) return kNoValue;
    const ValueId here = operand_at(space, addr);
    return &now == &wanted ? here : operand_before(*program_, wanted.pc, space, here);
  }

  Diagnostic told(const Conflict& race) {
    const Pipe first = pipe_of(race.first.thread), second = pipe_of(race.second.thread);
    std::string message = fmt::format(
        "{} on {} {} {} that {} on {} {}; nothing orders the two", mnemonic(*program_, race.second.pc),
        short_name(second), race.second.write ? "writes" : "reads",
        arguments_.bytes_at(*program_, race.operand, race.space, race.begin, race.end - race.begin),
        mnemonic(*program_, race.first.pc), short_name(first), race.first.write ? "writes" : "reads");
    Diagnostic out = finding(*program_, "RACE", race.second.pc, std::move(message),
                             is_mild(race) ? Severity::warning : Severity::error);
    if (race.second.moment) out.moment = *race.second.moment;
    if (race.operand != kNoValue) out.operand = isa::value_name(*program_, race.operand);
    out.notes.push_back(
        note_at(*program_, race.first.pc,
                fmt::format("the other access is {}", describe(*program_, race.first.pc, first))));
    if (race.first.moment) out.notes.back().moment = *race.first.moment;
    out.help = help(race, first, second);
    return out;
  }

  bool is_mild(const Conflict& race) const { return same_on_both_vector_cores(race.first, race.second); }

  /// The vector cores of a cluster often do one thing twice; equal bytes in either order are what the kernel
  /// means.
  bool same_on_both_vector_cores(const MemoryAccess& one, const MemoryAccess& other) const {
    const CoreInfo& first = core_of(one.thread);
    const CoreInfo& second = core_of(other.thread);
    return one.write && other.write && first.index != second.index && first.block == second.block &&
           first.kind == CoreKind::aiv && second.kind == CoreKind::aiv;
  }

  std::string help(const Conflict& race, Pipe first, Pipe second) {
    if (race.first.thread / kThreads != race.second.thread / kThreads) {
      return fmt::format(
          "the accesses are on {} and {}: order them with pto.sync.set and pto.sync.wait, or give the cores "
          "separate bytes",
          core_name(core_of(race.first.thread)), core_name(core_of(race.second.thread)));
    }
    if (first == second)
      return fmt::format(
          "add pto.barrier <{}> {}: {} starts an instruction before the ones in front are done",
          to_string(first), places().before(race.second.pc), to_string(first));
    if (const auto pending = pending_set(core_of(race.first.thread).index, first, second)) {
      return fmt::format("add pto.wait_flag{} {}: nobody waits for the set at {}",
                         isa::brackets({first, second, pending->first}), places().before(race.second.pc),
                         place(*program_, pending->second));
    }
    if (std::string turned = turned_round(race, first, second); !turned.empty()) return turned;
    const std::optional<int> id = free_id(first, second);
    if (!id) return isa::no_free_flag(first, second, event_ids_, places().before(race.second.pc));
    return flag_between({first, second, *id}, race.first.pc, race.second.pc);
  }

  /// A flag from one pipe to the other that was set more often than waited for, and its last set.
  std::optional<std::pair<int, uint32_t>> pending_set(uint32_t core, Pipe first, Pipe second) const {
    for (const auto& [key, uses] : flags_) {
      const auto& [of, source, target, id] = key;
      if (of != core || target != second || (flag_key_has_src_ && source != first)) continue;
      if (uses.set > uses.waited) return std::pair(id, uses.sets[(uses.set - 1) % flag_capacity_].pc);
    }
    return std::nullopt;
  }

  /// A set and a wait between the two accesses that go the other way, although the pipe that waits has
  /// nothing to do behind.
  std::string turned_round(const Conflict& race, Pipe first, Pipe second) {
    for (const auto& [key, uses] : flags_) {
      const auto& [of, source, target, id] = key;
      if (of != core_of(race.first.thread).index || source != second || target != first) continue;
      const auto set = uses.set_at.upper_bound(race.first.pc), wait = uses.wait_at.upper_bound(race.first.pc);
      if (set == uses.set_at.end() || wait == uses.wait_at.end() || *set > *wait || *wait > race.second.pc ||
          places().tree().region_of(*set) != places().tree().region_of(*wait) ||
          works_within(first, *wait, race.second.pc))
        continue;
      const std::optional<int> fresh =
          used_flags_.contains({first, second, id}) ? free_id(first, second) : std::optional<int>(id);
      if (!fresh) continue;
      const std::string name = isa::brackets({first, second, *fresh});
      return fmt::format(
          "write pto.set_flag{} at {} and write pto.wait_flag{} at {}: they hold {} back, not {}", name,
          place(*program_, *set), name, place(*program_, *wait), to_string(first), to_string(second));
    }
    return {};
  }

  bool works_within(Pipe pipe, uint32_t begin, uint32_t end) const {
    for (uint32_t at = begin; at < end; ++at) {
      const OpView op(*program_, at);
      if (isa::pipe_of(op) == pipe && !isa::synchronises(isa::does(op))) return true;
    }
    return false;
  }

  /// The flag that orders what stands at `first` before what stands at `second`, in the next iteration where
  /// that comes first in the text.
  std::string flag_between(const isa::FlagName& flag, uint32_t first, uint32_t second) {
    const std::string name = isa::brackets(flag);
    const std::optional<FlagPlaces> at = places().between(first, second);
    std::string text = fmt::format("add pto.set_flag{} {} and pto.wait_flag{} {}", name,
                                   places().after(at ? at->set_after : first), name,
                                   places().before(at ? at->wait_before : second));
    if (at ? at->loop != kNoOp : first > second)
      text += fmt::format(" of the next iteration (set it once before the loop{}, wait once after it)",
                          at ? " at " + place(*program_, at->loop) : "");
    return text;
  }

  const Places& places() {
    if (!places_) places_.emplace(*program_);
    return *places_;
  }

  std::optional<int> free_id(Pipe src, Pipe dst) const {
    for (int id = 0; id < event_ids_; ++id) {
      if (!used_flags_.contains({src, dst, id})) return id;
    }
    return std::nullopt;
  }

  RankRace race_of(const MemoryAccess& before, const MemoryAccess& now, uint64_t begin, uint64_t end) const {
    const auto side = [&](const MemoryAccess& access) {
      const uint32_t core = access.thread / kThreads;
      const auto rank = core / static_cast<uint32_t>(cores_.size());
      return RankRace::Side{rank,         access.pc,     pipe_of(access.thread),
                            access.write, access.update, access.moment};
    };
    return {side(before), side(now), begin, end};
  }

  struct Token {
    std::shared_ptr<const Clock> clock;
    uint64_t order = 0;
  };

  uint32_t rank_, first_core_ = 0;
  bool several_;  ///< devices
  RankRaces rank_races_;
  NeededNotifies needed_;
  Unordered unordered_;
  std::string differs_;
  int event_ids_;
  uint32_t flag_capacity_;  ///< sets that a flag holds
  bool flag_key_has_src_;
  std::array<bool, kThreads> overlaps_{};  ///< by thread of a core
  const Program* program_ = nullptr;
  std::optional<Places> places_;
  std::vector<CoreInfo> cores_;
  ArgumentMap arguments_;
  std::vector<Thread> threads_;
  std::unordered_map<uint64_t, Token> tokens_;
  std::unordered_map<MemoryKey, ShadowMemory<ShadowCell>> memories_;
  std::map<std::tuple<uint32_t, uint32_t, bool, bool, bool>, size_t> known_;
  std::vector<Conflict> conflicts_;
  std::map<std::tuple<uint32_t, Pipe, Pipe, int>, FlagUses> flags_;
  std::set<std::pair<uint32_t, uint32_t>> reused_;  ///< pcs of both sets
  std::vector<Diagnostic> reuses_;
  std::set<std::tuple<Pipe, Pipe, int>> used_flags_;
  uint64_t issued_ = 0;  ///< entries that S put into queues so far
  /// Neighbouring accesses of the scalar unit with moments of their own do not become one part of memory.
  static constexpr uint32_t kScalarMoments = 1u << 14;
  uint32_t scalar_moments_ = 0;
};

}  // namespace

std::unique_ptr<RaceFindings> make_race_checker(const Machine& machine, Unordered unordered,
                                                std::optional<uint32_t> rank) {
  return std::make_unique<RaceChecker>(machine, std::move(unordered), rank);
}

}  // namespace pto::sim
