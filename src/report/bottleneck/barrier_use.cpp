#include "report/bottleneck/barrier_use.hpp"

#include <utility>

#include "check/footprint_ranges.hpp"
#include "ir/op_queries.hpp"
#include "isa/opcode_class.hpp"
#include "isa/row.hpp"

namespace pto::report {
namespace {

constexpr uint64_t kOwnTokens = uint64_t{1} << 63;  // the engine's count from 1
constexpr int kOwnFlags = 1 << 16;                  // ids that no target has

/// A memory that nobody has: a word of it for each pipe of a core that has touched what other cores see. Who
/// signals reads it, and the checker tells of what it does not know.
constexpr uint32_t kNotes = 1u << 28;

unsigned lane_of_event(Pipe pipe) {
  const int lane = lane_of(pipe);
  return static_cast<unsigned>(lane == kNoLane ? kScalarLane : lane);
}

}  // namespace

void BarrierUse::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  cores_.assign(cores.begin(), cores.end());
  states_.resize(cores.size());
}

/// The machine is reported after the start.
sim::RaceFindings& BarrierUse::checker() {
  if (checker_ == nullptr) {
    checker_ =
        sim::make_race_checker(steps_.machine(), [this](const sim::UnorderedPair& p) { unordered(p); });
    std::vector<CoreInfo> cores = cores_;
    cores.push_back({.index = static_cast<uint32_t>(cores_.size())});  // takes what nobody wants any more
    checker_->on_start(cores, *program_);
  }
  return *checker_;
}

/// Of which pipe; none of another operation.
Pipe BarrierUse::barrier_of(uint32_t pc) const {
  if (pc >= program_->ops.size()) return Pipe::none;
  const OpView op(*program_, pc);
  return isa::opcode_class(op) == isa::OpcodeClass::barrier ? static_cast<Pipe>(op.attr_int("pipe"))
                                                            : Pipe::none;
}

void BarrierUse::on_order(const OrderEvent& event) {
  const Pipe barrier = barrier_of(event.pc);
  if (barrier == Pipe::all) {
    if (event.release && event.from == Pipe::s) pass(event.from_core, event.pc);
    return;
  }
  if (barrier != Pipe::none && event.from == event.to) {
    if (event.release) pass_own(event.from_core, lane_of_event(event.from), event.pc);
    if (steps_.machine().overlaps(event.from)) return;
  }
  const unsigned to = lane_of_event(event.to);
  if (event.release && event.to == Pipe::none && event.from_core < states_.size()) {
    before_signal(event.from_core, lane_of_event(event.from), event.pc);
    signal_tokens_.insert(event.token);
  }
  if (event.release && event.from == Pipe::s) {
    ++issued_;
    if (event.issue) issue_tokens_[event.token] = 2 * issued_;
  }
  if (!event.release) {
    if (signal_tokens_.contains(event.token)) {
      states_[event.to_core].receivers |= static_cast<uint8_t>(1U << to);
      if (event.last) signal_tokens_.erase(event.token);
    }
    if (const auto issue = issue_tokens_.find(event.token); issue != issue_tokens_.end()) {
      states_[event.to_core].issued[to] = issue->second;
      issue_tokens_.erase(issue);
    }
  }
  checker().on_order(event);
  apply_late();
}

void BarrierUse::on_footprint(const FootprintEvent& event) {
  known_ = true;
  checker().on_footprint(event);
  apply_late();
  const bool shared = event.space == Space::gm || (event.home != ~0u && event.home != event.core);
  if (!shared || event.pc >= program_->ops.size()) return;
  FootprintEvent note = event;
  note.space = Space::none;
  note.home = kNotes + event.core;
  note.addr = sizeof(uint64_t) * lane_of_event(event.pipe);
  note.rows = 1;
  note.row_bytes = sizeof(uint64_t);
  note.pitch = sizeof(uint64_t);
  note.write = true;
  note.update = false;
  notes_ = true;
  checker().on_footprint(note);
  notes_ = false;
}

uint64_t BarrierUse::release(uint32_t core, unsigned lane, bool issue) {
  const Pipe pipe = pipe_of_lane(static_cast<int>(lane));
  const uint64_t token = kOwnTokens + ++made_;
  if (pipe == Pipe::s) ++issued_;
  checker().on_order({.from_core = core,
                      .to_core = core,
                      .from = pipe,
                      .to = pipe,
                      .token = token,
                      .release = true,
                      .issue = issue});
  return token;
}

void BarrierUse::acquire(uint32_t core, unsigned lane, uint64_t token, bool last) {
  const Pipe pipe = pipe_of_lane(static_cast<int>(lane));
  checker().on_order(
      {.from_core = core, .to_core = core, .from = pipe, .to = pipe, .token = token, .last = last});
}

/// A barrier of all pipes: it orders what it is known to be needed for.
void BarrierUse::pass(uint32_t core, uint32_t pc) {
  CoreState& state = states_[core];
  // What follows is issued behind it.
  acquire(core, kScalarLane, release(core, kScalarLane, true));
  state.all = {pc, 2 * issued_};
  const auto nobody = static_cast<uint32_t>(states_.size());
  for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
    if (state.snapshots[lane] != 0) acquire(nobody, lane, state.snapshots[lane]);
    state.snapshots[lane] = release(core, lane);
  }
  std::vector<OrderEvent> waits;  // behind all sets
  for_each(needs_[pc], [&](unsigned from, unsigned to) {
    OrderEvent flag{.from_core = core,
                    .to_core = core,
                    .from = pipe_of_lane(static_cast<int>(from)),
                    .to = pipe_of_lane(static_cast<int>(to)),
                    .token = kOwnTokens + ++made_,
                    .release = true,
                    .pc = pc,
                    .flag = from == to ? -1 : kOwnFlags + static_cast<int>(pc)};
    if (from == kScalarLane) ++issued_;
    checker().on_order(flag);
    flag.release = false;
    waits.push_back(flag);
  });
  for (const OrderEvent& each : waits) checker().on_order(each);
}

void BarrierUse::pass_own(uint32_t core, unsigned lane, uint32_t pc) {
  states_[core].own[lane] = {pc, states_[core].issued[lane]};
  own_.try_emplace(pc, false);
}

/// The signalling pipe determines what other cores see of this one.
void BarrierUse::before_signal(uint32_t core, unsigned lane, uint32_t pc) {
  if (states_[core].all.pc == ~0u) return;
  asks_ = true;
  FootprintEvent read;
  read.core = core;
  read.pipe = pipe_of_lane(static_cast<int>(lane));
  read.pc = pc;
  read.space = Space::none;
  read.home = kNotes + core;
  read.row_bytes = sizeof(uint64_t) * kLanes;
  read.pitch = static_cast<int64_t>(read.row_bytes);
  checker().on_footprint(read);
  asks_ = false;
  apply_late();
}

void BarrierUse::unordered(const sim::UnorderedPair& pair) {
  if (notes_ || pair.is_benign) return;
  if (pair.flag >= kOwnFlags) {
    unsure_.insert(static_cast<uint32_t>(pair.flag - kOwnFlags));
    return;
  }
  CoreState& state = states_[pair.second_core];
  const unsigned from = lane_of_event(pair.first);
  const unsigned to = lane_of_event(pair.second);
  if (pair.first_core != pair.second_core) {
    // Who has taken the signal; what the scalar unit knows goes with every issue.
    unexplained_ |= state.all.pc == ~0u || (state.receivers & ~1U & ~(1U << to)) == 0;
    for (unsigned lane = kFirstQueue; state.all.pc != ~0u && lane < kLanes; ++lane)
      if ((state.receivers >> lane & 1) != 0 && lane != to) need(pair.second_core, lane, to);
    return;
  }
  const Mark& own = state.own[to];
  const bool behind_own = from == to && own.pc != ~0u && pair.first_issued < own.issued;
  const bool behind_all = state.all.pc != ~0u && pair.first_issued < state.all.issued;
  if (behind_own && (!behind_all || own.issued > state.all.issued))
    own_[own.pc] = true;
  else if (behind_all)
    need(pair.second_core, from, to);
  else if (!asks_)
    unexplained_ = true;
}

void BarrierUse::need(uint32_t core, unsigned from, unsigned to) {
  needs_[states_[core].all.pc].add(from, to);
  late_.push_back({core, from, to});
}

/// As if the flag had was at the barrier that has just been found to need it.
void BarrierUse::apply_late() {
  for (const Late& each : std::exchange(late_, {})) {
    if (each.from == kScalarLane)
      acquire(each.core, each.to, release(each.core, kScalarLane));
    else
      acquire(each.core, each.to, states_[each.core].snapshots[each.from], false);
  }
}

const LanePairs* BarrierUse::flags(uint32_t pc) const {
  if (!known_ || unexplained_ || unsure_.contains(pc)) return nullptr;
  const auto at = needs_.find(pc);
  return at == needs_.end() ? nullptr : &at->second;
}

std::vector<uint32_t> BarrierUse::idle_barriers() const {
  std::vector<uint32_t> list;
  for (const auto& [pc, orders] : own_)
    if (known_ && !unexplained_ && !orders) list.push_back(pc);
  return list;
}

}  // namespace pto::report
