// Over 500 lines: one wait-for graph, of which every part asks the others.
// Why nothing moves: the wait-for graph in the words of the program.
//
// Every blocked agent waits for one thing. For a flag the question is which set was meant: one that sits in a
// queue behind something blocked, one the scalar unit has not come to, one in a branch or loop that did not
// run, or none at all - then the nearest other flag is named. A set that waits for its flag to be taken asks
// the same of a wait.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/regions.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/engine_findings.hpp"
#include "sim/findings/flag_advice.hpp"
#include "sim/findings/queue_findings.hpp"
#include "sim/findings/signal_findings.hpp"

namespace pto::sim {
namespace {

class Explainer {
 public:
  Explainer(const Device& device, FindingList& findings)
      : d_(device), p_(*device.program), findings_(findings), tree_(p_) {}

  void explain() {
    for (const auto& core : d_.cores) {
      if (core->started) group(*core);
    }
    bool any = false;
    for (Group& each : groups_) any = tell(each, [&] { return explain_lanes(*each.cores.front()); }) || any;
    for (Group& each : groups_) any = tell(each, [&] { return explain_scalar(*each.cores.front()); }) || any;
    for (const Group& each : groups_) note_others(each);
    if (!any) findings_.add(FindingId::deadlock, ~0u, "nothing can move although the kernel has not ended");
    note_waiting_blocks(d_, findings_);
  }

 private:
  // ---- cores of one role that stand at the same places are told once

  struct Group {
    std::vector<uint64_t> state;
    std::vector<const Core*> cores;
    std::vector<size_t> findings;  ///< about the first of the cores
  };

  /// Where a core stands and what it waits for.
  static std::vector<uint64_t> state_of(const Core& core) {
    std::vector<uint64_t> state{reinterpret_cast<uintptr_t>(core.role), static_cast<uint64_t>(core.su.block),
                                core.su.at};
    for (const Lane& lane : core.lanes) {
      const bool stands = blocked(lane);
      state.push_back(stands ? static_cast<uint64_t>(lane.block) : 0);
      state.push_back(stands ? reinterpret_cast<uintptr_t>(lane.slot(lane.started).code) : 0);
      state.push_back(stands ? static_cast<uint64_t>(lane.slot(lane.started).id) : 0);
    }
    return state;
  }

  void group(const Core& core) {
    std::vector<uint64_t> state = state_of(core);
    const auto same = std::ranges::find_if(groups_, [&](const Group& g) { return g.state == state; });
    if (same != groups_.end()) return same->cores.push_back(&core);
    groups_.push_back({std::move(state), {&core}, {}});
  }

  template <typename Explain>
  bool tell(Group& group, Explain&& explain) {
    const size_t before = findings_.size();
    const bool any = explain();
    for (size_t i = before; i < findings_.size(); ++i) group.findings.push_back(i);
    return any;
  }

  void note_others(const Group& group) {
    constexpr size_t kNamed = 3;
    const size_t others = group.cores.size() - 1;
    if (others == 0 || group.findings.empty()) return;
    std::string names;
    for (size_t i = 1; i <= std::min(others, kNamed); ++i)
      names += (i == 1 ? "" : i == others ? " and " : ", ") + core_name(d_, *group.cores[i]);
    if (others > kNamed)
      names += fmt::format(" and {} more core{}", others - kNamed, others - kNamed == 1 ? "" : "s");
    Diagnostic& finding = findings_.at(group.findings.front());
    finding.notes.push_back(
        {fmt::format("{} hang{} in the same way", names, others == 1 ? "s" : ""), {}, {}, {}});
  }

  // ---- one finding per agent that waits for something only another instruction can give

  /// First the waits whose set is not in any queue, then circles of waits; what only follows from these is
  /// noted there.
  bool explain_lanes(const Core& core) {
    std::array<std::optional<unsigned>, kLanes> behind;
    for (unsigned i = kFirstQueue; i < kLanes; ++i) behind[i] = lane_that_holds_up(core, i);
    bool any = false;
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      if (blocked(core.lanes[i]) && !behind[i]) any = explain_lane(core, i) || any;
    }
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      if (!blocked(core.lanes[i]) || !in_circle(behind, i)) continue;
      any = explain_lane(core, i) || any;
      if (core.lanes[i].block == Block::flag_full) continue;
      if (Fix help = advice_on_circle(d_, core); !help.empty() && told(core, i) != nullptr)
        told(core, i)->help = std::move(help);
    }
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      if (blocked(core.lanes[i])) any = explain_consequence(core, behind, i) || any;
    }
    return any;
  }

  /// The blocked pipe in whose queue the set, or the wait, stands that this pipe waits for.
  [[nodiscard]] std::optional<unsigned> lane_that_holds_up(const Core& core, unsigned index) const {
    const Lane& lane = core.lanes[index];
    if (!blocked(lane)) return std::nullopt;
    if (lane.block == Block::unit_flag)
      return static_cast<unsigned>(
          lane_of(index == static_cast<unsigned>(lane_of(Pipe::m)) ? Pipe::fix : Pipe::m));
    if (lane.block != Block::flag && lane.block != Block::flag_full) return std::nullopt;
    const Slot& head = lane.slot(lane.started);
    const bool full = lane.block == Block::flag_full;
    const unsigned other = full ? head.code->dst : head.code->src;
    if (other == kScalarLane) return std::nullopt;
    const Lane& wanted = core.lanes[other];
    for (uint64_t serial = wanted.started; serial < wanted.issued; ++serial) {
      const Slot& slot = wanted.slot(serial);
      if (slot.code->op == (full ? OpCode::wait_flag : OpCode::set_flag) && slot.id == head.id &&
          (full ? slot.code->src : slot.code->dst) == index)
        return other;
    }
    return std::nullopt;
  }

  static bool in_circle(const std::array<std::optional<unsigned>, kLanes>& behind, unsigned index) {
    std::optional<unsigned> at = behind[index];
    for (unsigned steps = 0; at.has_value() && steps < kLanes; ++steps) {
      if (*at == index) return true;
      at = behind[*at];
    }
    return false;
  }

  bool explain_lane(const Core& core, unsigned index) {
    const Lane& lane = core.lanes[index];
    if (!explained_.insert({core.info.index, index}).second) return true;
    const Slot& head = lane.slot(lane.started);
    const std::string who = fmt::format("{} of {}", to_string(pipe_of_lane(index)), core_name(d_, core));
    cause_.reset();
    Diagnostic* finding = report(head.code->pc, who, lane.block, *head.code, head.id, core);
    if (finding == nullptr) return true;
    finding->moment = moment_of_entry(p_, core, lane, lane.started, d_.now);
    told_[{core.info.index, index}] = findings_.size() - 1;
    note_queue(*finding, lane);
    follow_causes(*finding, core, index);
    return true;
  }

  /// A pipe that waits for a set behind a wait that is explained already.
  bool explain_consequence(const Core& core, const std::array<std::optional<unsigned>, kLanes>& behind,
                           unsigned index) {
    if (!explained_.insert({core.info.index, index}).second) return true;
    unsigned root = index;
    for (unsigned steps = 0; behind[root].has_value() && steps < kLanes; ++steps) root = *behind[root];
    const Slot& head = core.lanes[index].slot(core.lanes[index].started);
    Diagnostic* finding = told(core, root);
    if (finding == nullptr) return true;
    if (core.lanes[index].block == Block::unit_flag) {
      finding->notes.push_back(findings_.note(
          head.code->pc,
          fmt::format("{} waits here for {} to hand over the accumulator", to_string(pipe_of_lane(index)),
                      to_string(pipe_of_lane(*behind[index])))));
      return true;
    }
    if (core.lanes[index].block == Block::flag_full) {
      finding->notes.push_back(findings_.note(
          head.code->pc,
          fmt::format("{} cannot set {} again here: the wait that takes it is after the wait on {}",
                      to_string(pipe_of_lane(index)), flag_name(head.code->src, head.code->dst, head.id),
                      to_string(pipe_of_lane(*behind[index])))));
      return true;
    }
    finding->notes.push_back(findings_.note(
        head.code->pc,
        fmt::format("{} waits here for {}, whose set is after the wait on {}", to_string(pipe_of_lane(index)),
                    flag_name(head.code->src, head.code->dst, head.id),
                    to_string(pipe_of_lane(*behind[index])))));
    return true;
  }

  /// What was said about a pipe; null when nothing was, or it is not kept.
  Diagnostic* told(const Core& core, unsigned lane) {
    const auto found = told_.find({core.info.index, lane});
    return found == told_.end() ? nullptr : &findings_.at(found->second);
  }

  static bool blocked(const Lane& lane) {
    return lane.block != Block::none && lane.block != Block::barrier && !lane.empty();
  }

  void note_queue(Diagnostic& finding, const Lane& lane) {
    if (lane.waiting() < 2) return;
    const Slot& behind = lane.slot(lane.started + 1);
    finding.notes.push_back(findings_.note(
        behind.code->pc, fmt::format("{} more entr{} queued behind it, first this {}", lane.waiting() - 1,
                                     lane.waiting() == 2 ? "y is" : "ies are", name(behind.code->pc))));
  }

  /// The set that is missing stands behind a wait of another pipe: that wait, and so on, belongs to the same
  /// finding.
  void follow_causes(Diagnostic& finding, const Core& core, unsigned root) {
    while (cause_.has_value()) {
      const unsigned index = *std::exchange(cause_, std::nullopt);
      const Lane& lane = core.lanes[index];
      if (!blocked(lane) || lane.block != Block::flag) return;
      if (!explained_.insert({core.info.index, index}).second) return;
      if (const auto known = told_.find({core.info.index, root}); known != told_.end())
        told_[{core.info.index, index}] = known->second;
      const Slot& head = lane.slot(lane.started);
      finding.notes.push_back(
          findings_.note(head.code->pc, fmt::format("{} waits here for {}", to_string(pipe_of_lane(index)),
                                                    flag_name(head.code->src, head.code->dst, head.id))));
      for (const uint32_t at : matching_sets(core, *head.code, head.id))
        finding.notes.push_back(explain_set(core, at, *head.code, head.id, finding.help));
    }
  }

  bool explain_scalar(const Core& core) {
    const ScalarState& su = core.su;
    if (su.block == Block::none || su.block == Block::halted) return false;
    const BytecodeInst& code = core.role->code[su.at];
    const std::string who = fmt::format("the scalar unit of {}", core_name(d_, core));
    if (su.block == Block::queue_full || su.block == Block::barrier_all || su.block == Block::results)
      return explain_follower(core, code, who);
    int16_t id = code.id;
    if ((code.flags & kDynamicId) != 0) id = static_cast<int16_t>(core.frame[code.a]);
    if (Diagnostic* finding = report(code.pc, who, su.block, code, id, core))
      finding->moment = moment_of(p_, core, code.pc, su.time);
    return true;
  }

  /// The scalar unit waits for a pipe that itself is blocked: part of the cycle, not its cause.
  bool explain_follower(const Core& core, const BytecodeInst& code, const std::string& who) {
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      const Lane& lane = core.lanes[i];
      if (!blocked(lane) || (core.su.block == Block::queue_full && core.su.key != i)) continue;
      Diagnostic* finding = told(core, i);
      if (finding == nullptr) continue;
      const std::string why =
          core.su.block == Block::queue_full
              ? fmt::format("waits for room in the queue of {}", to_string(pipe_of_lane(i)))
              : std::string("waits for every pipe to finish");
      finding->notes.push_back(findings_.note(code.pc, fmt::format("{} {}", who, why)));
      return true;
    }
    return true;
  }

  Diagnostic* add(uint32_t pc, std::string message, const Core& core) {
    return findings_.add(FindingId::deadlock, pc, std::move(message), Severity::error, core.info.index);
  }

  Diagnostic* report(uint32_t pc, const std::string& who, Block block, const BytecodeInst& code, int id,
                     const Core& core) {
    switch (block) {
      case Block::flag:
        return report_flag(pc, who, code, id, core);
      case Block::flag_full:
        return report_full_flag(pc, who, code, id, core);
      case Block::buffer:
        return report_buffer(pc, who, id, core);
      case Block::meeting:
        return report_wait(pc, explain_meeting(d_, core, pc, who, findings_), core);
      case Block::cross_core:
        if (of_tile_queue(code))
          return report_wait(pc, explain_queue_wait(d_, core, code, who, findings_), core);
        if (is_meeting(d_, pc)) return report_wait(pc, explain_meeting(d_, core, pc, who, findings_), core);
        return report_wait(pc, explain_signal(d_, core, code, id, who, findings_), core);
      default:
        return add(pc, fmt::format("{} waits for ever", who), core);
    }
  }

  // ---- flags

  Diagnostic* report_flag(uint32_t pc, const std::string& who, const BytecodeInst& wait, int id,
                          const Core& core) {
    Diagnostic* finding = add(
        pc, fmt::format("{} waits for {}, which is never set", who, flag_name(wait.src, wait.dst, id)), core);
    if (finding == nullptr) return nullptr;
    const std::vector<uint32_t> sets = matching_sets(core, wait, id);
    if (sets.empty()) {
      explain_missing(*finding, who, wait, id, core);
      return finding;
    }
    for (const uint32_t at : sets) finding->notes.push_back(explain_set(core, at, wait, id, finding->help));
    if (cause_.has_value()) return finding;  // a circle: the flag is not short of sets
    if (Fix help = advice_on_extra_wait(d_, core, flag_of(wait, id), pc); !help.empty())
      finding->help = std::move(help);
    return finding;
  }

  /// A set that waits for the ones before to be taken.
  Diagnostic* report_full_flag(uint32_t pc, const std::string& who, const BytecodeInst& set, int id,
                               const Core& core) {
    const uint32_t index = d_.config.flag_index(set.src, set.dst, static_cast<unsigned>(id)),
                   sets = core.flags.count(index);
    Diagnostic* finding =
        add(pc,
            fmt::format("{} cannot set {} again: no wait takes the {} before", who,
                        flag_name(set.src, set.dst, id), sets == 1 ? "set" : fmt::format("{} sets", sets)),
            core);
    if (finding == nullptr) return nullptr;
    if (sets != 0)
      finding->notes.push_back(findings_.note(core.flags.oldest(index).pc, "the oldest of them"));
    const unsigned other = set.dst;
    if (other != kScalarLane && blocked(core.lanes[other])) {
      const Slot& head = core.lanes[other].slot(core.lanes[other].started);
      finding->notes.push_back(
          findings_.note(head.code->pc, fmt::format("{} is held up here", to_string(pipe_of_lane(other)))));
    }
    finding->help = "wait for the flag between the sets, or use another event id";
    return finding;
  }

  [[nodiscard]] std::vector<uint32_t> matching_sets(const Core& core, const BytecodeInst& wait,
                                                    int id) const {
    std::vector<uint32_t> found;
    for (uint32_t at = 0; at < core.role->code.size(); ++at) {
      const BytecodeInst& code = core.role->code[at];
      if (code.op != OpCode::set_flag || code.dst != wait.dst ||
          (d_.config.key_has_src && code.src != wait.src))
        continue;
      if ((code.flags & kDynamicId) != 0 || code.id == id) found.push_back(at);
    }
    return found;
  }

  /// Why a set that would have freed the wait did not.
  Note explain_set(const Core& core, uint32_t at, const BytecodeInst& wait, int id, Fix& help) {
    const BytecodeInst& set = core.role->code[at];
    const uint64_t runs = core.runs(at);
    if (set.src != kScalarLane) {
      const Lane& lane = core.lanes[set.src];
      for (uint64_t serial = lane.started; serial < lane.issued; ++serial) {
        if (lane.slot(serial).code != &set || lane.slot(serial).id != id) continue;
        const Slot& head = lane.slot(lane.started);
        cause_ = set.src;
        suggest(help, core, wait, set, *head.code);
        return findings_.note(
            set.pc,
            fmt::format("this set is in the queue of {} after {} at {}, which is blocked itself",
                        to_string(pipe_of_lane(set.src)), name(head.code->pc), place_of(p_, head.code->pc)));
      }
    }
    if (d_.config.flags == FlagKind::bit &&
        findings_.raised(FindingId::flag_double, set.pc, Severity::error)) {
      help = "wait between the two sets; the second finds the flag set and is lost";
      Note lost = findings_.note(set.pc, "this set was lost: the flag was still set");
      lost.kind = NoteKind::lost_set;
      return lost;
    }
    if (runs > 0) {
      const uint64_t waits = waits_done(core, wait, id);
      if (help.empty()) help = "there is one wait too many, or one set too few";
      return findings_.note(set.pc, fmt::format("this set ran {} time{}; {} wait{} took its sets", runs,
                                                runs == 1 ? "" : "s", waits, waits == 1 ? "" : "s"));
    }
    const ScalarState& su = core.su;
    if (su.block != Block::halted && comes_later(core, at)) {
      const uint32_t stuck = core.role->code[su.at].pc;
      if (help.empty()) help = fmt::format("issue this set before {}", place_of(p_, stuck));
      return findings_.note(set.pc,
                            fmt::format("the scalar unit has not come to this set: it is held up at {} ({})",
                                        place_of(p_, stuck), name(stuck)));
    }
    if (const std::optional<uint32_t> around = enclosing_control(set.pc)) {
      const isa::Row& structure = isa::row(p_.ops[*around].row);
      if (help.empty())
        help = "set the flag on every path that leads to the wait, or wait only where it is set";
      if (structure.opcode_class == isa::OpcodeClass::branch)
        return findings_.note(set.pc,
                              fmt::format("this set did not run: its branch of the {} at {} was not taken",
                                          structure.name, place_of(p_, *around)));
      return findings_.note(set.pc, fmt::format("this set did not run: the {} at {} made no iteration",
                                                structure.name, place_of(p_, *around)));
    }
    return findings_.note(set.pc, "this set did not run");
  }

  /// Two pipes wait for each other. A wait at the head of a loop body whose set stands later in the body
  /// lacks its first set.
  void suggest(Fix& help, const Core& core, const BytecodeInst& wait, const BytecodeInst& set,
               const BytecodeInst& head) const {
    const std::optional<uint32_t> loop = common_loop(wait.pc, set.pc);
    const bool never = core.runs(static_cast<size_t>(&set - core.role->code.data())) == 0;
    if (loop && set.pc > wait.pc && never) {
      help = advice_on_extra_wait(d_, core, flag_of(wait, wait.id), wait.pc);
      if (help.empty())
        help = fmt::format("the first pass of the loop at {} waits for a set that comes later in the pass",
                           place_of(p_, *loop));
    } else if (help.empty()) {
      help = fmt::format("{} and {} wait for each other: move this set before {}",
                         to_string(pipe_of_lane(set.src)), to_string(pipe_of_lane(wait.dst)),
                         place_of(p_, head.pc));
    }
  }

  /// The innermost loop that holds both operations.
  [[nodiscard]] std::optional<uint32_t> common_loop(uint32_t a, uint32_t b) const {
    return enclosing(std::min(a, b), [&](uint32_t op) {
      const isa::OpcodeClass opcode_class = isa::row(p_.ops[op].row).opcode_class;
      return p_.end_of(op) > std::max(a, b) &&
             (opcode_class == isa::OpcodeClass::loop || opcode_class == isa::OpcodeClass::while_loop);
    });
  }

  [[nodiscard]] uint64_t waits_done(const Core& core, const BytecodeInst& wait, int id) const {
    uint64_t waits = 0;
    for (uint32_t at = 0; at < core.role->code.size(); ++at) {
      const BytecodeInst& code = core.role->code[at];
      if (code.op == OpCode::wait_flag && code.src == wait.src && code.dst == wait.dst &&
          ((code.flags & kDynamicId) != 0 || code.id == id))
        waits += core.runs(at);
    }
    return waits;
  }

  /// Whether the scalar unit, from where it stands, would still reach a position: it lies ahead, or in a loop
  /// around it.
  [[nodiscard]] bool comes_later(const Core& core, uint32_t at) const {
    const uint32_t stuck = core.su.at;
    if (at > stuck) return true;
    return common_loop(core.role->code[at].pc, core.role->code[stuck].pc).has_value();
  }

  /// The innermost structure around an operation that decides whether it runs.
  [[nodiscard]] std::optional<uint32_t> enclosing_control(uint32_t pc) const {
    return enclosing(
        pc, [&](uint32_t op) { return isa::is_control_flow(isa::row(p_.ops[op].row).opcode_class); });
  }
  template <typename Wanted>
  std::optional<uint32_t> enclosing(uint32_t op, Wanted wanted) const {
    for (op = tree_.parent(op); op != kNoOp; op = tree_.parent(op)) {
      if (wanted(op)) return op;
    }
    return std::nullopt;
  }

  /// No set has this key: the likeliest slip is in the nearest set that nobody waits for.
  void explain_missing(Diagnostic& finding, const std::string& who, const BytecodeInst& wait, int id,
                       const Core& core) {
    const isa::FlagName wanted = flag_of(wait, id);
    const BytecodeInst* near = nullptr;
    int best = 0;
    for (const BytecodeInst& code : core.role->code) {
      if (code.op != OpCode::set_flag || (code.flags & kDynamicId) != 0 || awaited(core, code)) continue;
      const int score = isa::likeness(flag_of(code, code.id), wanted);
      if (score > best) {
        near = &code;
        best = score;
      }
    }
    finding.message = fmt::format("{} waits for {}, but no set_flag of {} sets it", who,
                                  flag_name(wait.src, wait.dst, id), core_name(d_, core));
    if (near == nullptr) {
      finding.help = advice_on_extra_wait(d_, core, wanted, wait.pc);
      if (!finding.help.empty()) return;
      finding.help = Fix::add(
          isa::spelt(p_, "set", {wanted}),
          {TextPlace::Side::after, fmt::format("the operation that {} waits for", to_string(wanted.dst))});
      return;
    }
    finding.notes.push_back(findings_.note(near->pc, isa::slip(flag_of(*near, near->id), wanted)));
    finding.help = advice_on_extra_wait(d_, core, wanted, wait.pc);
    if (finding.help.empty()) finding.help = isa::kSlipHelp;
  }

  static isa::FlagName flag_of(const BytecodeInst& code, int id) {
    return {pipe_of_lane(code.src), pipe_of_lane(code.dst), id};
  }

  /// Whether a wait of the core may be for this set.
  static bool awaited(const Core& core, const BytecodeInst& set) {
    return std::ranges::any_of(core.role->code, [&](const BytecodeInst& code) {
      return code.op == OpCode::wait_flag && code.src == set.src && code.dst == set.dst &&
             ((code.flags & kDynamicId) != 0 || code.id == set.id);
    });
  }

  // ---- buffer tokens, and what other cores have to do

  Diagnostic* report_buffer(uint32_t pc, const std::string& who, int id, const Core& core) {
    Diagnostic* finding =
        add(pc, fmt::format("{} waits for buffer id {}, which an earlier rls_buf does not release", who, id),
            core);
    if (finding == nullptr) return nullptr;
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      const Lane& lane = core.lanes[i];
      for (uint64_t serial = lane.started; serial < lane.issued; ++serial) {
        const BytecodeInst& code = *lane.slot(serial).code;
        if (code.op != OpCode::rls_buf || lane.slot(serial).id != id) continue;
        const Slot& head = lane.slot(lane.started);
        finding->notes.push_back(findings_.note(
            code.pc,
            fmt::format("this release is in the queue of {} after {} at {}", to_string(pipe_of_lane(i)),
                        name(head.code->pc), place_of(p_, head.code->pc))));
        break;
      }
    }
    return finding;
  }

  Diagnostic* report_wait(uint32_t pc, QueueWait wait, const Core& core) {
    Diagnostic* finding = add(pc, std::move(wait.message), core);
    if (finding == nullptr) return nullptr;
    finding->notes = std::move(wait.notes);
    finding->help = std::move(wait.help);
    return finding;
  }

  [[nodiscard]] std::string_view name(uint32_t pc) const {
    return pc < p_.ops.size() ? isa::row(p_.ops[pc].row).name : std::string_view{};
  }

  const Device& d_;
  const Program& p_;
  FindingList& findings_;
  const RegionTree tree_;
  std::vector<Group> groups_;
  std::set<std::pair<uint32_t, unsigned>> explained_;     ///< core, lane
  std::map<std::pair<uint32_t, unsigned>, size_t> told_;  ///< core, lane -> finding
  std::optional<unsigned> cause_;  ///< lane whose head keeps the set that is waited for
};

}  // namespace

void explain_deadlock(const Device& device, FindingList& findings) { Explainer(device, findings).explain(); }

}  // namespace pto::sim
