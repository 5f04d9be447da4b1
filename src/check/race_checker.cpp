// Over 500 lines: threads, clocks, flags and what races are one state, and every part reads the others.
// The race checker: happens-before between pipes from the engine's order events, and a shadow of every
// memory. race_shadow.hpp has the state, with a worked example.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "check/checkers.hpp"
#include "check/flag_history.hpp"
#include "check/footprint_ranges.hpp"
#include "check/race_advice.hpp"
#include "check/race_shadow.hpp"
#include "check/rank_race_checker.hpp"
#include "check/shadow_memory.hpp"
#include "check/signal_history.hpp"
#include "check/tile_addresses.hpp"
#include "exec/peer_access.hpp"
#include "ir/hardware_lanes.hpp"
#include "ir/regions.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "order/happens_before.hpp"
#include "order/token_ring.hpp"
#include "sim/findings/insertion_points.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

class RaceChecker final : public RaceFindings, public MessageObserver, public OrderOracle {
 public:
  RaceChecker(const Machine& machine, Unordered unordered, std::optional<uint32_t> rank)
      : rank_(rank.value_or(0)),
        several_(rank.has_value()),
        unordered_(std::move(unordered)),
        event_ids_(machine.event_ids),
        flag_kind_(machine.flags),
        overlaps_(overlapping_threads(machine)),
        flags_(machine) {}

  uint32_t wants() const override { return kFlags | kFootprints | kOrder; }

  void on_start(std::span<const CoreInfo> cores, const Program& program) override {
    program_ = &program;
    cores_.assign(cores.begin(), cores.end());
    const auto count = static_cast<uint32_t>(cores.size());
    first_core_ = rank_ * count;
    entries_of_ = std::vector<ThreadEntry>(count * kThreads);
    order_ = order_of_pipes(overlaps_, clocks_, count, first_core_);
    flags_.start(cores.size());
  }

  void on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes, bool) override {
    arguments_.add(name, addr, bytes);
  }

  void on_order(const OrderEvent& event) override {
    if (event.release) {
      if (event.flag >= 0) set_flag(event);
      const uint32_t from = thread_of(event.from_core, event.from);
      if (event.signal >= 0)
        order_signals(event, {event.from_core, event.to_core, false, event.signal}, from);
      release(from, event);
    } else {
      if (event.signal >= 0)
        order_signals(event, {event.to_core, event.to_core, true, event.signal},
                      thread_of(event.to_core, event.to));
      acquire(thread_of(event.to_core, event.to), event.token, event.last);
      if (event.flag >= 0) wait_flag(event);
    }
  }

  void on_flag(const FlagEvent& event) override { flags_.reserve_id(event.src, event.dst, event.id); }

  void on_footprint(const FootprintEvent& event) override {
    if (event.pc >= program_->ops.size()) return;  // initial contents
    const uint32_t pipe = thread_of(event.core, event.pipe);
    const bool scalar = is_scalar(pipe);  // runs at once: after all that was issued so far
    const uint32_t index = scalar && event.write ? behind(event.core, kScalarStores) : pipe;
    ThreadEntry& runs = entry_of(index);
    mark_entry(runs, scalar);
    const AccessRef& access = access_of(runs, {.thread = index,
                                               .epoch = order_.access(index),
                                               .pc = event.pc,
                                               .write = event.write,
                                               .update = event.update,
                                               .order = scalar ? 2 * issued_ + 1 : runs.order,
                                               .entry = runs.entry});
    const auto seen = [this, unit = unit_of(index)](order::Epoch before) {
      return order_.is_ordered(before, unit);
    };
    auto& memory = memories_.of(event);
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      bool written = false;
      memory.update(begin, end, [&](uint64_t from, uint64_t to, ShadowCell& shadow) {
        touch(access, seen, event.space, from, to, shadow);
        if (!event.write) return;
        if (several_ && event.update) {
          replace(access, seen, shadow);
          written = true;
          return;
        }
        if (from != begin || to != end) return;
        shadow.set(access);
        written = true;
      });
      if (event.write && !written)
        memory.assign(begin, end, ShadowCell{access});  // joins what reads had split
    });
  }

  bool has_errors() const override {
    return std::ranges::any_of(conflicts_,
                               [this](const Conflict& each) { return !is_benign_duplicate_write(each); });
  }
  bool has_reuse() const override { return loses_sets() && !reused_.empty(); }
  uint64_t double_sets() const override { return loses_sets() ? 0 : double_sets_.count; }
  std::set<uint32_t> racing_readers() const override {
    std::set<uint32_t> out;
    for (const Conflict& each : conflicts_)
      if (!each.first.write && !is_benign_duplicate_write(each)) out.insert(each.first.pc);
    return out;
  }
  uint64_t issued(uint32_t core, Pipe pipe) const override { return entry_of(thread_of(core, pipe)).order; }
  void confirm_effect(std::string_view output) override { differs_ = output; }

  std::vector<Diagnostic> take_findings() override {
    std::vector<Diagnostic> findings;
    std::erase_if(conflicts_, [this](const Conflict& each) {
      return rank_races_.are_signals(each.first.pc, each.second.pc);
    });
    for (const Conflict& conflict : conflicts_) {
      const uint32_t core = core_of(conflict.first.thread).index;
      if (core == core_of(conflict.second.thread).index) advice().expect(pair_of(conflict));
    }
    for (const Conflict& conflict : conflicts_) findings.push_back(finding_of(conflict));
    conflicts_.clear();
    const auto first = std::ranges::find(findings, Severity::error, &Diagnostic::severity);
    if (!differs_.empty() && first != findings.end())
      first->notes.emplace_back().message =
          "output '" + differs_ + "' differs when the two are exchanged, and stays different";
    for (std::vector<Diagnostic>* made : {&reuses_, &turns_}) {
      for (Diagnostic& each : *made) findings.push_back(std::move(each));
      made->clear();
    }
    for (const SignalCounts::Late& late : counts_.late()) findings.push_back(overflow(late));
    counts_ = {};
    for (Diagnostic& each : rank_races_.take_findings(*program_, rank_, arguments_))
      findings.push_back(std::move(each));
    return findings;
  }

  // ---- several devices

  void on_message(const MessageEvent& event) override {
    if (event.kind == MessageEvent::Kind::got) return;
    if (event.kind == MessageEvent::Kind::notify) return rank_races_.is_signal(event.pc);
    const Stamped stamp = read_stamp(event.stamp);
    const AccessRef access = accesses_.make(AccessKey{.thread = stamp.at.thread,
                                                      .epoch = stamp.at.value,
                                                      .pc = event.pc,
                                                      .write = event.changes(),
                                                      .update = event.kind == MessageEvent::Kind::add});
    FootprintEvent rows;
    rows.space = Space::gm;
    rows.addr = event.addr;
    rows.rows = event.rows;
    rows.row_bytes = event.row_bytes;
    rows.pitch = event.pitch;
    const auto seen = [&](order::Epoch before) { return stamp.clock[before.thread] >= before.value; };
    for_each_range(rows, [&](uint64_t begin, uint64_t end) {
      memories_.gm().update(begin, end, [&](uint64_t from, uint64_t to, ShadowCell& shadow) {
        touch(access, seen, Space::gm, from, to, shadow);
        if (access->write) replace(access, seen, shadow);
      });
    });
  }

  void on_wait_released(const WaitReleased& event) override {
    rank_races_.is_signal(event.pc);
    const uint32_t unit = thread_of(event.core, Pipe::s);
    for (const PipeClock& clock : needed_.clocks_of(event, *order_.clock(unit))) order_.acquire(unit, clock);
  }

  ClockStamp of_access(uint32_t core, unsigned lane, uint32_t pc, bool write) override {
    const uint32_t unit = thread_of(core, pipe_of_lane(static_cast<int>(lane)));
    const uint32_t index = !write || lane != kScalarLane ? unit
                           : copies_to_peer(pc)          ? behind(core, kPeerCopies)
                                                         : behind(core, kScalarStores);
    return stamp_of({index, order_.access(index)}, *order_.clock(unit));
  }

  ClockStamp of_wait(uint32_t core) override {
    const uint32_t unit = thread_of(core, Pipe::s);
    const uint32_t epoch = order_.access(unit);  // every wait has an epoch of its own
    return stamp_of({unit, epoch}, *order_.clock(unit));
  }

  bool comes_before(const ClockStamp& one, const ClockStamp& notify) const override {
    const Stamped first = read_stamp(one), second = read_stamp(notify);
    return second.clock[first.at.thread] >= first.at.value;
  }

  ClockStamp of_notify(uint32_t core, uint32_t pc) override {
    rank_races_.is_signal(pc);
    const uint32_t unit = thread_of(core, Pipe::s);
    const uint32_t epoch = order_.access(unit);  // every notify has an epoch of its own
    SharedPipeClock clock = order_.release_store(unit);
    order_.publish(behind(core, kScalarStores), clock);
    return stamp_of({unit, epoch}, *clock);
  }

 private:
  static Pipe pipe_of(uint32_t thread) {
    const uint32_t lane = thread % kThreads;
    if (lane == kScalarStores) return Pipe::s;
    return lane == kPeerCopies ? Pipe::mte3 : pipe_of_lane(static_cast<int>(lane));
  }
  uint32_t thread_of(uint32_t core, Pipe pipe) const { return sim::thread_of(first_core_ + core, pipe); }

  /// Entries of the vector unit of A2/A3 start before the ones in front are done; a barrier of its own makes
  /// it wait, as whatever it waits for does that came after them.
  bool overlaps(uint32_t index) const { return overlaps_[index % kThreads]; }

  /// Threads have numbers over all devices; those of this one are kept.
  ThreadEntry& entry_of(uint32_t thread) { return entries_of_[thread - first_core_ * kThreads]; }
  [[nodiscard]] const ThreadEntry& entry_of(uint32_t thread) const {
    return entries_of_[thread - first_core_ * kThreads];
  }
  /// What the scalar unit has done and does not wait for.
  [[nodiscard]] uint32_t behind(uint32_t core, uint32_t thread) const {
    return (first_core_ + core) * kThreads + thread;
  }
  [[nodiscard]] bool copies_to_peer(uint32_t pc) const {
    if (pc >= program_->ops.size()) return false;
    const std::string_view name = isa::row(program_->ops[pc].row).name;
    return std::ranges::any_of(exec::transfers(), [&](const auto& each) { return each.name == name; });
  }
  [[nodiscard]] bool elsewhere(uint32_t thread) const {
    return thread / kThreads < first_core_ || thread / kThreads >= first_core_ + cores_.size();
  }
  [[nodiscard]] const CoreInfo& core_of(uint32_t thread) const {
    return cores_[thread / kThreads - first_core_];
  }

  void release(uint32_t index, const OrderEvent& event) {
    const bool scalar = is_scalar(index);
    SharedPipeClock clock = order_.release_store(index);
    // Scalar stores are there when a flag of PIPE_S is set; entries that it issues later do not wait for
    // them.
    if (scalar && !event.issue) order_.publish(behind(event.from_core, kScalarStores), clock);
    // Behind its copies to other devices MTE3 goes on in order; a barrier of all pipes waits for them.
    const bool waits = (scalar && event.to == Pipe::s) || event.from == Pipe::mte3;
    if (waits) order_.publish(behind(event.from_core, kPeerCopies), clock);
    ReleasedClock& released = tokens_.value_of(event.token);
    released.clock.merge(clock);
    if (scalar) released.order = 2 * ++issued_;
  }

  void acquire(uint32_t index, uint64_t token, bool last) {
    ReleasedClock* const released = tokens_.find(token);
    if (released == nullptr) return;
    ThreadEntry& runs = entry_of(index);
    if (!released->clock.is_same(runs.issuer)) order_.acquire(index, released->clock);
    if (released->order != 0) {  // another entry
      runs.issuer = released->clock;
      runs.entry = 0;
    }
    runs.order = std::max(runs.order, released->order);
    if (last) tokens_.erase(token);
  }

  // ---- accesses

  /// Keeps what the moment of the entry that runs is made of.
  void mark_entry(ThreadEntry& thread, bool scalar) {
    if (!has_context() || (!scalar && thread.entry != 0)) return;
    if (scalar && scalar_moments_ == kScalarMoments) {
      thread.entry = 0;
      return;
    }
    scalar_moments_ += scalar;
    thread.entry = ++entries_;
    thread.mark = mark();
  }

  /// Shared by what an entry, or the scalar unit, does with one operation.
  const AccessRef& access_of(ThreadEntry& thread, const AccessKey& key) {
    AccessRef& recent = thread.recent[key.pc % thread.recent.size()];
    if (recent && static_cast<const AccessKey&>(*recent) == key) return recent;
    return recent = key.entry == 0 ? accesses_.make(key) : accesses_.make(key, thread.mark);
  }

  // ---- flags: whether a set knows that the wait for the set before has taken it

  void set_flag(const OrderEvent& event) {
    FlagUses& uses = flags_.entry_of(event);
    const uint32_t thread = thread_of(event.from_core, event.from);
    if (uses.set > uses.waited) {  // the engine tells: FLAG-DOUBLE
      double_sets_.add(event.pc);
    } else if (uses.set != 0) {
      const FlagUses::Use& wait = uses.last_wait;
      if (wait.at.thread != thread && !order_.is_ordered(wait.at, thread)) reuse(event, uses.last_set, wait);
    }
    uses.last_set = {.at = {thread, 0}, .pc = event.pc};
    uses.set_at.add(event.pc);
    ++uses.set;
  }

  void wait_flag(const OrderEvent& event) {
    FlagUses& uses = flags_.entry_of(event);
    const uint32_t thread = thread_of(event.to_core, event.to);
    uses.wait_at.add(event.pc);
    ++uses.waited;
    uses.last_wait = {.at = {thread, order_.access(thread)},
                      .pc = event.pc,
                      .issued = is_scalar(thread) ? 2 * issued_ + 1 : entry_of(thread).order};
  }

  bool loses_sets() const { return flag_kind_ == FlagKind::bit; }

  std::string late_set(Pipe source) const {
    if (loses_sets()) return "this set is lost and a wait hangs";
    if (flag_kind_ == FlagKind::bit_stall) return fmt::format("{} waits here for that", to_string(source));
    return "the flag counts two sets; the vendor's page requires pairs";
  }

  void reuse(const OrderEvent& event, const FlagUses::Use& set, const FlagUses::Use& wait) {
    if (unordered_)
      unordered_({.first_core = core_of(wait.at.thread).index,
                  .second_core = event.from_core,
                  .first = pipe_of(wait.at.thread),
                  .second = event.from,
                  .first_issued = wait.issued,
                  .flag = event.flag});
    double_sets_.add(event.pc);
    if (reused_.contains({event.pc, set.pc})) return;
    reused_.emplace(event.pc, set.pc);
    const std::string flag = isa::to_string(isa::FlagName{event.from, event.to, event.flag}),
                      source = std::string(to_string(event.from));
    Diagnostic out = finding(*program_, FindingId::flag_reuse, event.pc,
                             fmt::format("{} is set again, and {} is not ordered after the wait of {} for "
                                         "the previous set: under another timing {}",
                                         flag, source, to_string(event.to), late_set(event.from)),
                             loses_sets() ? Severity::error : Severity::warning);
    out.moment = moment();
    out.notes.push_back(note_at(*program_, set.pc, "the set before"));
    out.notes.push_back(note_at(*program_, wait.pc, "the wait that takes it"));
    const std::optional<int> id = flags_.free_id(event.to, event.from);
    if (!id) {
      out.help = "use another event id, or a barrier between the wait and this set";
    } else {
      out.help = advice()
                     .flag_between({event.to, event.from, *id}, wait.pc, event.pc)
                     .then(", or use another event id");
    }
    reuses_.push_back(std::move(out));
  }

  // ---- signals between cores

  void order_signals(const OrderEvent& event, const SignalOrders::Key& key, uint32_t thread) {
    const uint32_t epoch = order_.access(thread);  // every one has an epoch of its own
    const SignalOrders::Use now{{thread, epoch}, event.pc};
    const auto knows = [&](const SignalOrders::Use& use) { return order_.is_ordered(use.at, thread); };
    if (key.wait)
      counts_.waits(event.from_core, event.to_core, event.signal, now);
    else if (event.from_core != event.to_core)
      counts_.signals(event.from_core, event.to_core, event.signal, event.pc, knows);
    const std::optional<SignalOrders::Use> before = signals_.add(key, now, knows);
    if (!before || !turned_.emplace(event.pc, before->pc).second) return;
    const std::string_view what = key.wait ? "wait" : "signal", others = key.wait ? "signals" : "waits";
    Diagnostic out = finding(
        *program_, FindingId::cross_order, event.pc,
        fmt::format("this {} of {} and the {} of {} before have one id, and nothing orders the two: under "
                    "another timing they meet their {} the other way round",
                    what, to_string(pipe_of(thread)), what, to_string(pipe_of(before->at.thread)), others),
        Severity::warning);
    out.notes.push_back(note_at(*program_, before->pc, fmt::format("the {} before", what)));
    out.help = fmt::format("give the two ids of their own, or order {} behind {} with a flag",
                           to_string(pipe_of(thread)), to_string(pipe_of(before->at.thread)));
    turns_.push_back(std::move(out));
  }

  /// What may be more than the counter of a signal holds under another timing.
  Diagnostic overflow(const SignalCounts::Late& late) const {
    Diagnostic out = finding(
        *program_, FindingId::cross_overflow, late.pc,
        fmt::format("this signal is not ordered after the wait of {} for the signal {} before: under another "
                    "timing {} signals are pending, the counter is full and this one is lost",
                    core_name(cores_[late.core]), SignalCounts::kMaxCounters, SignalCounts::kMaxCounters),
        Severity::error);
    if (late.wait_pc != ~0u) out.notes.push_back(note_at(*program_, late.wait_pc, "the wait"));
    out.help = "hold the signalling core back with a signal in the other direction";
    return out;
  }

  /// `seen`: whether the unit of `now` has an epoch behind it.
  bool ordered(const MemoryAccess& before, const MemoryAccess& now, const auto& seen) const {
    const uint32_t unit = unit_of(now.thread);
    if (unit_of(before.thread) == unit && (!overlaps(unit) || before.order == now.order)) return true;
    return seen(order::Epoch{before.thread, before.epoch});
  }

  void touch(const AccessRef& now, const auto& seen, Space space, uint64_t begin, uint64_t end,
             ShadowCell& shadow) {
    const MemoryAccess& access = *now;
    const std::span<AccessRef> list = shadow.accesses();
    for (const AccessRef& each : list) {
      const MemoryAccess& before = *each;
      if (!before.write && !access.write) break;  // reads stand behind the write
      // Atomics: any order is meant. Of registers, what the scalar unit reads is the one thing that counts.
      const bool commute = space == Space::none ? before.write && access.write
                                                : space == Space::gm && before.update && access.update;
      if (!commute && !ordered(before, access, seen)) conflict(before, access, space, begin, end);
    }
    if (access.write) return;  // replaces the list
    size_t own = 0;
    while (own < list.size() && (list[own]->write || list[own]->thread < access.thread)) ++own;
    if (own == list.size() || list[own]->thread != access.thread)
      shadow.insert(own, now);
    else if (!overlaps(access.thread) || list[own]->order == access.order)
      list[own] = now;
    else if (own + 1 < list.size() && list[own + 1]->thread == access.thread)
      list[own + 1] = std::exchange(list[own], now);
    else
      shadow.insert(own, now);
  }

  /// What the next access must follow: this write, and sums that are in no order with it.
  void replace(const AccessRef& now, const auto& seen, ShadowCell& shadow) const {
    const MemoryAccess& access = *now;
    shadow.filter([&](const MemoryAccess& before) {
      return access.update && before.update && before.thread != access.thread &&
             !ordered(before, access, seen);
    });
    shadow.insert(shadow.accesses().size(), now);
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
      Conflict made{.first = first,
                    .second = second,
                    .first_moment = moment_of(first),
                    .second_moment = moment_of(second),
                    .space = space,
                    .begin = begin,
                    .end = end,
                    .operand = operand_of(now, second, space, begin)};
      if (has_context())  // with the loops inside of a vector function
        (swap ? made.first_moment : made.second_moment) = moment();
      return conflicts_.push_back(std::move(made));
    }
    Conflict& same = conflicts_[it->second];
    ++same.count;
    if (begin == same.end && same.count < 1u << 20) same.end = end;
  }

  std::optional<Moment> moment_of(const MemoryAccess& access) const {
    return access.entry == 0 ? std::nullopt : std::optional(RunChecker::moment_of(access.mark));
  }

  /// The tile that both touch: what runs now knows; of an access before only what is the same or the only one
  /// is known.
  ValueId operand_of(const MemoryAccess& now, const MemoryAccess& wanted, Space space, uint64_t addr) const {
    if (!has_context() || space == Space::gm) return kNoValue;
    const ValueId here = operand_at(space, addr);
    return &now == &wanted ? here : operand_before(*program_, wanted.pc, space, here);
  }

  Diagnostic finding_of(const Conflict& race) {
    const Pipe first = pipe_of(race.first.thread), second = pipe_of(race.second.thread);
    std::string message = fmt::format(
        "{} on {} {} {} that {} on {} {}; nothing orders the two", mnemonic(*program_, race.second.pc),
        short_name(second), race.second.write ? "writes" : "reads",
        arguments_.bytes_at(*program_, race.operand, race.space, race.begin, race.end - race.begin),
        mnemonic(*program_, race.first.pc), short_name(first), race.first.write ? "writes" : "reads");
    Diagnostic out = finding(*program_, FindingId::race, race.second.pc, std::move(message),
                             is_benign_duplicate_write(race) ? Severity::warning : Severity::error);
    out.moment = race.second_moment;
    if (race.operand != kNoValue) out.operand = isa::value_name(*program_, race.operand);
    out.notes.push_back(
        note_at(*program_, race.first.pc,
                fmt::format("the other access is {}", describe(*program_, race.first.pc, first))));
    out.notes.back().moment = race.first_moment;
    out.help = help(race);
    return out;
  }

  bool is_benign_duplicate_write(const Conflict& race) const {
    return same_on_both_vector_cores(race.first, race.second);
  }

  /// The vector cores of a cluster often do one thing twice; equal bytes in either order are what the kernel
  /// means.
  bool same_on_both_vector_cores(const MemoryAccess& one, const MemoryAccess& other) const {
    const CoreInfo& first = core_of(one.thread);
    const CoreInfo& second = core_of(other.thread);
    return one.write && other.write && first.index != second.index && first.block == second.block &&
           first.kind == CoreKind::aiv && second.kind == CoreKind::aiv;
  }

  /// One instruction of the text in one iteration: where the cores differ, the place does not depend on it.
  static bool is_same_window(const Conflict& race) {
    const auto values = [](const std::optional<Moment>& moment) {
      std::vector<int64_t> all;
      for (const Moment::Iteration& loop : moment ? moment->loops : std::vector<Moment::Iteration>())
        all.push_back(loop.value);
      return all;
    };
    return race.first.pc == race.second.pc && race.first.write == race.second.write &&
           values(race.first_moment) == values(race.second_moment);
  }

  /// Blocks run in any order, or at the same time; signals stay within one (docs/internals/engine.md).
  std::string help_between_blocks(const Conflict& race, const CoreInfo& first, const CoreInfo& second) const {
    if (!is_same_window(race))
      return fmt::format(
          "the accesses are on {} and {}, of different blocks: give each block bytes of its own by "
          "an offset that depends on pto.get_block_idx, or let all blocks meet with pto.syncall",
          core_name(first), core_name(second));
    const std::string who = fmt::format("blocks {} and {} {} the same bytes here", first.block, second.block,
                                        race.second.write ? "write" : "read");
    const std::optional<bool> depends = depends_on_block(*program_, race.second.pc);
    if (!depends)
      return who +
             ": give each block a window of its own by an offset that depends on pto.get_block_idx, or "
             "run one block";
    return who + (*depends
                      ? ": the window depends on the block and reaches into the next one; let its offset "
                        "move by a whole window from block to block"
                      : ": the window does not depend on the block; let its offset depend on "
                        "pto.get_block_idx, or run one block");
  }

  /// Of one core.
  FlagWords::Pair pair_of(const Conflict& race) const {
    return {core_of(race.first.thread).index, pipe_of(race.first.thread), pipe_of(race.second.thread),
            race.first.pc, race.second.pc};
  }

  Fix help(const Conflict& race) {
    const CoreInfo &first_core = core_of(race.first.thread), &second_core = core_of(race.second.thread);
    if (first_core.block != second_core.block) return help_between_blocks(race, first_core, second_core);
    if (is_benign_duplicate_write(race) && is_same_window(race))
      return fmt::format(
          "both vector cores do this to the same bytes: let the offset depend on "
          "pto.get_subblock_idx, or do it on one of them");
    if (first_core.index != second_core.index) {
      return fmt::format(
          "the accesses are on {} and {}: order them with pto.sync.set and pto.sync.wait, or give the cores "
          "separate bytes",
          core_name(first_core), core_name(second_core));
    }
    return advice().order(pair_of(race)).after(shared_bytes(race));
  }

  /// Where the two accesses are of tiles that lie across each other: which, in front of the advice.
  std::string shared_bytes(const Conflict& race) {
    if (race.operand == kNoValue || race.space == Space::gm || race.space == Space::none) return {};
    if (!tiles_) tiles_.emplace(*program_);
    for (const isa::TilePlace& one : tiles_->place_of(race.first.pc, race.space, race.begin)) {
      for (const isa::TilePlace& other : tiles_->place_of(race.second.pc, race.space, race.begin)) {
        std::string text = isa::across_each_other(one, other, to_string(race.space));
        if (!text.empty()) return text;
      }
    }
    return {};
  }

  FlagWords& advice() {
    if (!advice_) advice_.emplace(*program_, flags_, event_ids_);
    return *advice_;
  }

  RankRace race_of(const MemoryAccess& before, const MemoryAccess& now, uint64_t begin, uint64_t end) const {
    const auto side = [&](const MemoryAccess& access) {
      const uint32_t core = access.thread / kThreads;
      const auto rank = core / static_cast<uint32_t>(cores_.size());
      return RankRace::Side{rank,         access.pc,     pipe_of(access.thread),
                            access.write, access.update, moment_of(access)};
    };
    return {side(before), side(now), begin, end};
  }

  SharedPipeClock::Arena clocks_;  ///< before all that holds some of them
  AccessRef::Arena accesses_;
  uint32_t rank_, first_core_ = 0;
  bool several_;  ///< devices
  RankRaces rank_races_;
  NeededNotifies needed_;
  Unordered unordered_;
  std::string differs_;
  int event_ids_;
  FlagKind flag_kind_;
  std::array<bool, kThreads> overlaps_;  ///< by thread of a core
  const Program* program_ = nullptr;
  std::optional<FlagWords> advice_;
  std::optional<TilePlaces> tiles_;
  std::vector<CoreInfo> cores_;
  ArgumentMap arguments_;
  order::HappensBefore<SharedPipeClock> order_;
  std::vector<ThreadEntry> entries_of_;
  order::TokenRing<ReleasedClock> tokens_;
  Memories<ShadowMemory<ShadowCell>> memories_;
  std::map<std::tuple<uint32_t, uint32_t, bool, bool, bool>, size_t> known_;
  std::vector<Conflict> conflicts_;
  FlagBook flags_;
  std::set<std::pair<uint32_t, uint32_t>> reused_;  ///< pcs of both sets
  /// Operations, told again and again.
  struct Operations {
    std::vector<bool> in;
    uint64_t count = 0;
    void add(uint32_t pc) {
      if (pc >= in.size()) in.resize(pc + 1U);
      count += !in[pc];
      in[pc] = true;
    }
  };
  Operations double_sets_;  ///< the second ones, in this or another timing
  std::vector<Diagnostic> reuses_;
  SignalOrders signals_;
  SignalCounts counts_;
  std::set<std::pair<uint32_t, uint32_t>> turned_;  ///< pcs of signals, or waits, in no order
  std::vector<Diagnostic> turns_;
  uint64_t issued_ = 0;  ///< entries that S put into queues so far
  /// Neighbouring accesses of the scalar unit with moments of their own do not become one part of memory.
  static constexpr uint32_t kScalarMoments = 1u << 14;
  uint32_t scalar_moments_ = 0;
  uint64_t entries_ = 0;  ///< whose moments were kept
};

}  // namespace

std::unique_ptr<RaceFindings> make_race_checker(const Machine& machine, Unordered unordered,
                                                std::optional<uint32_t> rank) {
  return std::make_unique<RaceChecker>(machine, std::move(unordered), rank);
}

}  // namespace pto::sim
