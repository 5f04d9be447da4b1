#include "sim/findings/rank_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "sim/engine/device_state.hpp"
#include "sim/findings/engine_findings.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

int32_t word_at(const Device& device, uint64_t addr) {
  int32_t value = 0;
  const std::byte* at = const_cast<GlobalMemory&>(device.gm).find(addr, sizeof value, exec::AccessMode::read);
  if (at != nullptr) std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename T>
T take(std::string_view& text) {
  T value{};
  if (text.size() < sizeof value) {
    text = {};
    return value;
  }
  std::memcpy(&value, text.data(), sizeof value);
  text.remove_prefix(sizeof value);
  return value;
}

}  // namespace

std::string packed(const std::vector<RankState>& states) {
  std::string out;
  for (const RankState& state : states) {
    put(out, state.rank);
    put(out, state.done);
    put(out, state.stopped);
    put(out, state.stuck.size());
    for (const BlockedRank& stuck : state.stuck) put(out, stuck);
  }
  return out;
}

std::vector<RankState> unpacked_states(std::string_view text) {
  std::vector<RankState> states;
  while (!text.empty()) {
    RankState& state = states.emplace_back();
    state.rank = take<uint32_t>(text);
    state.done = take<bool>(text);
    state.stopped = take<bool>(text);
    state.stuck.resize(std::min(take<size_t>(text), text.size() / sizeof(BlockedRank)));
    for (BlockedRank& stuck : state.stuck) stuck = take<BlockedRank>(text);
  }
  return states;
}

RankState state_of(const Device& device, const RankEndpoint& port, bool done) {
  RankState state{port.rank(), done, device.stopped, {}};
  for (const auto& core : device.cores) {
    if (!core->su.asleep) continue;
    const uint32_t pc = core->role->code[core->su.at].pc;
    const auto found = port.signals().open().find({core->info.index, pc});
    if (found == port.signals().open().end()) continue;
    const Awaited& wait = found->second;
    BlockedRank stuck{port.rank(), core->info.index, pc, 0, wait.how, wait.wanted, 0, wait.first};
    for (const uint64_t word : wait.words) {
      stuck.word = word;
      stuck.value = word_at(device, word);
      if (!isa::holds(wait.how, stuck.value, wait.wanted)) break;
    }
    state.stuck.push_back(stuck);
  }
  return state;
}

namespace {

class RankExplainer {
 public:
  RankExplainer(const Device& device, const RankEndpoint& port, const std::vector<RankState>& all,
                uint64_t after)
      : d_(device), p_(*device.program), port_(port), all_(all), after_(after) {
    for (const GlobalMemory::Allocation& a : device.gm.allocations()) arguments_.add(a.name, a.addr, a.bytes);
  }

  Diagnostic explain(const BlockedRank& stuck) {
    const Core& core = *d_.cores[stuck.core];
    const std::string word = arguments_.place(Space::gm, stuck.word);
    Diagnostic out = finding(p_, FindingId::deadlock, stuck.pc, "");
    const std::vector<Notification> came = notifies(stuck.word, false), missed = notifies(stuck.word, true);
    const std::string state =
        fmt::format("{} of rank {} waits until {} is {} {}; it is {}", core_name(d_, core), stuck.rank, word,
                    isa::operator_sign(stuck.how), stuck.wanted, stuck.value);
    note_what_came(out, came);
    if (missed.empty()) {
      out.message = state + " and no rank notifies it any more";
      out.help = came.empty()
                     ? "a notify for every wait: does the sender's address name this word of this rank?"
                     : "count the notifies of all ranks: one is missing, or the wait wants too many";
      note_others(out, stuck);
      return out;
    }
    out.message = state + ", and who would notify it waits as well";
    std::set<uint32_t> reported;
    bool own = false;
    for (const Notification& by : missed) {
      if (!reported.insert(by.rank).second || reported.size() > kMaxNotes) continue;
      own = own || by.rank == stuck.rank;
      const BlockedRank* wait = wait_of(by.rank);
      out.notes.push_back(note_at(
          p_, by.pc,
          fmt::format("rank {} would notify it here, behind {}", by.rank,
                      wait == nullptr ? "a wait" : fmt::format("its wait at {}", place_of(p_, wait->pc)))));
    }
    const BlockedRank* wait = wait_of(missed.front().rank);
    if (wait != nullptr && wait->pc == stuck.pc)
      out.help = fmt::format("every rank waits before it notifies: notify (at {}) before {}",
                             place_of(p_, missed.front().pc), place_of(p_, stuck.pc));
    else
      out.help = fmt::format("notify (at {}) before the operation that rank {} waits for",
                             place_of(p_, missed.front().pc), missed.front().rank);
    return out;
  }

 private:
  static constexpr size_t kMaxNotes = 8;

  /// Of a word: those that came, or those that came only as waits were let go.
  [[nodiscard]] std::vector<Notification> notifies(uint64_t word, bool late) const {
    std::vector<Notification> out;
    if (const std::vector<Notification>* all = port_.signals().word_of(word)) {
      for (const Notification& by : *all) {
        if ((by.time >= after_) == late) out.push_back(by);
      }
    }
    return out;
  }

  void note_what_came(Diagnostic& out, const std::vector<Notification>& came) const {
    if (came.empty()) {
      out.notes.push_back({"no rank has notified this word", {}, {}, {}});
      return;
    }
    std::map<uint32_t, std::vector<uint32_t>> by_place;
    for (const Notification& by : came) by_place[by.pc].push_back(by.rank);
    for (const auto& [pc, ranks] : by_place)
      out.notes.push_back(
          note_at(p_, pc,
                  fmt::format("{} notif{} came, of rank{} {}", ranks.size(), ranks.size() == 1 ? "y" : "ies",
                              ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "))));
  }

  void note_others(Diagnostic& out, const BlockedRank& stuck) const {
    std::vector<uint32_t> ended, stopped;
    for (const RankState& state : all_) {
      if (state.rank == stuck.rank) continue;
      if (state.stopped)
        stopped.push_back(state.rank);
      else if (state.done)
        ended.push_back(state.rank);
    }
    const auto note = [&](const std::vector<uint32_t>& ranks, std::string_view what) {
      if (ranks.empty()) return;
      out.notes.push_back({fmt::format("rank{} {} {} {}", ranks.size() == 1 ? "" : "s",
                                       fmt::join(ranks, ", "), ranks.size() == 1 ? "has" : "have", what),
                           {},
                           {},
                           {}});
    };
    note(ended, "ended");
    note(stopped, "stopped with a finding");
  }

  [[nodiscard]] const BlockedRank* wait_of(uint32_t rank) const {
    const auto found = std::ranges::find(all_, rank, &RankState::rank);
    return found == all_.end() || found->stuck.empty() ? nullptr : &found->stuck.front();
  }

  const Device& d_;
  const Program& p_;
  const RankEndpoint& port_;
  const std::vector<RankState>& all_;
  uint64_t after_;
  ArgumentMap arguments_;
};

}  // namespace

namespace {

Diagnostic overtaken(const Program& program, const RankEndpoint& port, const ArgumentMap& arguments,
                     const SignalLog::Overtaking& lost) {
  constexpr FindingId kId = FindingId::signal_lost;
  const std::string_view how = isa::operator_sign(lost.how);
  Diagnostic out =
      finding(program, kId, lost.by.pc,
              fmt::format("rank {} sets {} of rank {} to {}, and is not ordered after the wait for {} {}: "
                          "with a late rank {} that wait never sees its value and hangs",
                          lost.by.rank, arguments.place(Space::gm, lost.word), port.rank(), lost.by.after,
                          how, lost.wanted, port.rank()));
  out.notes.push_back(note_at(program, lost.wait_pc, "the wait"));
  out.help = fmt::format(
      "wait for >= {} if the values grow, or answer after the wait and notify again when the answer has come",
      lost.wanted);
  return out;
}

}  // namespace

/// One per operation of the wait, or of the two notifies.
std::vector<Diagnostic> signal_findings(const Device& device, const RankEndpoint& port) {
  constexpr size_t kMax = 64;
  const Program& program = *device.program;
  ArgumentMap arguments;
  for (const GlobalMemory::Allocation& a : device.gm.allocations()) arguments.add(a.name, a.addr, a.bytes);
  std::vector<Diagnostic> out;
  std::set<std::pair<uint32_t, uint32_t>> reported;
  for (const SignalLog::Stale& stale : port.signals().stale()) {
    constexpr FindingId kId = FindingId::signal_stale;
    if (reported.size() == kMax || !reported.emplace(stale.pc, stale.before).second) continue;
    Diagnostic& each = out.emplace_back(
        finding(program, kId, stale.pc,
                fmt::format("this wait of rank {} never blocks: {} is {} {} since its wait at {}",
                            port.rank(), arguments.place(Space::gm, stale.word),
                            isa::operator_sign(stale.how), stale.wanted, place_of(program, stale.before))));
    each.moment = moment_at(device.cores[stale.core]->info, stale.time);
    each.notes.push_back(note_at(program, stale.before, "the wait before"));
    each.notes.back().moment = moment_at(device.cores[stale.core]->info, stale.passed);
    const Notification& last = port.signals().word_of(stale.word)->back();
    each.notes.push_back(
        note_at(program, last.pc,
                fmt::format("rank {} notifies the word again here; it is {} then", last.rank, last.after)));
    each.help = "wait for a value that grows with every use, or reset the word before it is used again";
  }
  reported.clear();
  for (const SignalLog::Lost& lost : port.signals().lost()) {
    constexpr FindingId kId = FindingId::signal_lost;
    if (reported.size() == kMax || !reported.emplace(lost.lost.pc, lost.by.pc).second) continue;
    Diagnostic& each = out.emplace_back(finding(
        program, kId, lost.by.pc,
        fmt::format(
            "rank {} sets {} of rank {} to {}, over a notification of rank {} for which no wait has passed",
            lost.by.rank, arguments.place(Space::gm, lost.word), port.rank(), lost.by.value,
            lost.lost.rank)));
    each.notes.push_back(note_at(program, lost.lost.pc,
                                 fmt::format("the notify of rank {}: it made {} of {}", lost.lost.rank,
                                             lost.lost.after, lost.lost.before)));
    each.help = "give every sender a word of its own, or let all of them add to one (atomic_add)";
  }
  if (port.order == nullptr) return out;
  for (const SignalLog::Overtaking& each : port.signals().overtaking(*port.order)) {
    if (reported.size() == kMax || !reported.emplace(each.wait_pc, each.by.pc).second) continue;
    out.push_back(overtaken(program, port, arguments, each));
  }
  return out;
}

std::vector<Moment> moments_of(const Device& device, const RankState& state) {
  std::vector<Moment> out;
  for (const BlockedRank& stuck : state.stuck)
    out.push_back(moment_of(*device.program, *device.cores[stuck.core], stuck.pc, stuck.since));
  return out;
}

std::vector<Diagnostic> explain_ranks(const Device& device, const RankEndpoint& port, const RankState& own,
                                      const std::vector<Moment>& moments, const std::vector<RankState>& all,
                                      uint64_t after) {
  std::vector<Diagnostic> out;
  RankExplainer explainer(device, port, all, after);
  for (size_t i = 0; i < own.stuck.size(); ++i) {
    out.push_back(explainer.explain(own.stuck[i]));
    if (i < moments.size()) out.back().moment = moments[i];
  }
  return out;
}

}  // namespace pto::sim
