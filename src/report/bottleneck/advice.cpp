#include "report/bottleneck/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "report/bottleneck/barrier_use.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/bottleneck/redundant_flags.hpp"
#include "report/naming.hpp"

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

std::string_view lane_name(unsigned lane) { return short_name(pipe_of_lane(static_cast<int>(lane))); }

std::string line_of(const Program& program, uint32_t pc) {
  const uint32_t line = where(program, pc).line;
  return line != 0 ? std::to_string(line) : fmt::format("operation {}", pc);
}
std::string lines_of(const Program& program, const std::vector<uint32_t>& pcs) {
  std::vector<std::string> lines;
  for (const uint32_t pc : pcs) {
    std::string line = line_of(program, pc);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return fmt::format("line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

class Adviser {
 public:
  explicit Adviser(const Run& run) : run_(run), graph_(*run.steps) {}

  Advice make() {
    const StepTimes times = graph_.time_again();
    out_.total = times.total;
    out_.path = critical_path(graph_, times);
    out_.flags = flag_uses(run_.program, graph_, times);
    std::erase_if(out_.flags, [this](const FlagUse& use) { return !is_flag(use.wait_pc); });
    out_.ids = id_uses(graph_);
    out_.event_ids = static_cast<uint32_t>(graph_.machine().event_ids);
    add_limits();
    add_buffers();
    add_ordered_flags();
    add_barriers();
    add_conflicts();
    add_queue_room();
    std::ranges::stable_sort(out_.help, std::greater{}, &Help::saves);
    return std::move(out_);
  }

 private:
  /// Not one that an instruction uses itself.
  [[nodiscard]] bool is_flag(uint32_t pc) const {
    return isa::is_synchronisation(isa::opcode_class(OpView(run_.program, pc)));
  }
  [[nodiscard]] uint64_t saved(const StepChanges& changes) const {
    const uint64_t total = graph_.time_again(changes).total;
    return total < out_.total ? out_.total - total : 0;
  }
  /// Half a percent of the run.
  [[nodiscard]] bool worth_telling(uint64_t cycles) const { return cycles * 200 >= out_.total; }
  [[nodiscard]] std::string words(uint64_t cycles) const {
    return fmt::format("{} cycle{} ({})", grouped(cycles), cycles == 1 ? "" : "s",
                       percent(cycles, out_.total));
  }
  void add(std::string kind, uint32_t pc, uint64_t saves, std::string text) {
    out_.help.push_back({std::move(kind), pc, saves, std::move(text)});
  }

  void add_limits() {
    for (const StepNode& node : graph_.nodes())
      if (node.busy != 0) works_[node.lane] = true;
    for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
      if (!works_[lane]) continue;
      StepChanges changes;
      changes.free[lane] = true;
      out_.limits.push_back({pipe_of_lane(static_cast<int>(lane)), graph_.time_again(changes).total});
    }
    std::ranges::stable_sort(out_.limits, {}, &Limit::cycles);
  }

  /// A pipe that waits for the next pipe to be done with what it has filled: loop by loop, and where only all
  /// together is worth a word, all together.
  void add_buffers() {
    std::array<std::map<uint32_t, std::set<uint32_t>>, kLanes> waits;  // by lane and innermost loop
    const RegionTree tree(run_.program);
    for (const StepNode& node : graph_.nodes()) {
      for (const uint32_t taken : graph_.needs(node))
        if (graph_.frees(node, taken)) waits[node.lane][loop_around(tree, node.pc)].insert(node.pc);
    }
    for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
      bool reported = false;
      for (const auto& [loop, pcs] : waits[lane])
        reported |= add_buffers(lane, loop, std::vector<uint32_t>(pcs.begin(), pcs.end()));
      if (!reported && waits[lane].size() > 1) add_buffers(lane, kNoOp, {});
    }
  }

  [[nodiscard]] uint32_t loop_around(const RegionTree& tree, uint32_t op) const {
    for (op = tree.parent(op); op != kNoOp; op = tree.parent(op)) {
      const isa::OpcodeClass opcode_class = isa::opcode_class(OpView(run_.program, op));
      if (opcode_class == isa::OpcodeClass::loop || opcode_class == isa::OpcodeClass::while_loop) break;
    }
    return op;
  }

  bool add_buffers(unsigned lane, uint32_t loop, std::vector<uint32_t> at) {
    constexpr uint32_t kMany = 64;
    const auto savings_with = [&](uint32_t more) {
      StepChanges changes;
      changes.more_buffers[lane] = more;
      changes.more_at = at;
      return saved(changes);
    };
    const uint64_t most = savings_with(kMany);
    if (!worth_telling(most)) return false;
    uint32_t more = 1;
    uint64_t saves = savings_with(more);
    const uint64_t twice = saves;
    constexpr uint32_t kMaxRepeats = 7;
    while (saves < most && more < kMaxRepeats) saves = savings_with(++more);
    std::string text = fmt::format("twice the buffers that {} fills", lane_name(lane));
    if (loop != kNoOp) text += fmt::format(" in the loop on line {}", line_of(run_.program, loop));
    text += fmt::format(" save {}", words(twice));
    if (more > 1) text += fmt::format(", {} times {}", more + 1, words(saves));
    if (saves == most) text += ", more nothing";
    add("buffers", loop, std::max(twice, saves), text);
    return true;
  }

  /// Flags of the program's own only: others are not the author's to remove. One that a finding speaks of
  /// lacks its other end; the finding has the cure.
  void add_ordered_flags() {
    if (run_.inserted != 0) return;
    for (const OrderedFlag& flag : ordered_flags(graph_)) {
      if (flag.set_pcs.empty() || flag.wait_pcs.empty() || is_in_a_finding(flag)) continue;
      if (!is_flag(flag.wait_pcs.front())) continue;
      StepChanges changes;
      changes.no_wait = flag.wait_pcs;
      changes.no_wait.insert(changes.no_wait.end(), flag.set_pcs.begin(), flag.set_pcs.end());
      std::ranges::sort(changes.no_wait);
      const uint64_t saves = saved(changes);
      add("ordered_flag", flag.wait_pcs.empty() ? ~0u : flag.wait_pcs.front(), saves,
          fmt::format(
              "the flag {} -> {} (set on {}, waited for on {}) orders nothing that is not ordered without "
              "it: {}",
              lane_name(flag.src), lane_name(flag.dst), lines_of(run_.program, flag.set_pcs),
              lines_of(run_.program, flag.wait_pcs), saves == 0 ? "no cycles, but an id" : words(saves)));
    }
  }

  [[nodiscard]] bool is_in_a_finding(const OrderedFlag& flag) const {
    const auto of_flag = [&](uint32_t op) {
      return std::ranges::count(flag.set_pcs, op) != 0 || std::ranges::count(flag.wait_pcs, op) != 0;
    };
    return std::ranges::any_of(run_.result.findings.all(), [&](const Diagnostic& finding) {
      return of_flag(finding.anchor.op) ||
             std::ranges::any_of(finding.notes, [&](const Note& note) { return of_flag(note.anchor.op); });
    });
  }

  void add_barriers() {
    std::map<uint32_t, uint64_t> barriers, own;  // and how often
    std::vector<std::set<uint32_t>> last(graph_.cores().size());
    for (const StepNode& node : graph_.nodes()) {
      if (node.meeting) continue;
      if (node.kind == Kind::barrier_all) last[node.core].insert(node.pc);
      if (node.kind == Kind::barrier) ++own[node.pc];
      if (node.kind != Kind::instruction) continue;
      for (const uint32_t pc : last[node.core]) ++barriers[pc];  // the end of a kernel waits for all pipes
      last[node.core].clear();
    }
    StepChanges together;
    for (const auto& [pc, times] : barriers) {
      const LanePairs* const flags = run_.barriers != nullptr ? run_.barriers->flags(pc) : nullptr;
      if (flags == nullptr)
        add_barrier(pc, times);
      else
        together.as_flags[pc] = *flags;
    }
    add_known_barriers(barriers, together);
    if (run_.barriers == nullptr) return;
    for (const uint32_t pc : run_.barriers->idle_barriers()) {
      StepChanges without;
      without.no_wait = {pc};
      const uint64_t saves = saved(without);
      if (!worth_telling(saves)) continue;
      add("barrier", pc, saves,
          fmt::format(
              "pto.barrier on line {} ({}) orders no bytes that are not in order anyhow: without it {} less",
              line_of(run_.program, pc), times_words(own[pc]), words(saves)));
    }
  }

  static std::string times_words(uint64_t times) {
    return fmt::format("{} time{}", grouped(times), times == 1 ? "" : "s");
  }

  /// Nobody knows which bytes it orders.
  void add_barrier(uint32_t pc, uint64_t times) {
    StepChanges flags, nothing;
    for (unsigned from = kFirstQueue; from < kLanes; ++from)
      for (unsigned to = kFirstQueue; to < kLanes; ++to)
        if (works_[from] && works_[to]) flags.as_flags[pc].add(from, to);
    nothing.no_wait = {pc};
    const uint64_t saves = saved(flags);
    const uint64_t most = saved(nothing);
    if (!worth_telling(most)) return;
    add("barrier", pc, saves,
        fmt::format("barrier PIPE_ALL on line {} ({}): flags between all pipes save {}, fewer flags up to {}",
                    line_of(run_.program, pc), times_words(times), words(saves), words(most)));
  }

  /// One of them alone often saves nothing, as the next one holds the pipes.
  void add_known_barriers(const std::map<uint32_t, uint64_t>& times, const StepChanges& together) {
    const uint64_t all = together.as_flags.empty() ? 0 : saved(together);
    std::vector<uint32_t> pcs;
    for (const auto& [pc, flags] : together.as_flags) {
      StepChanges changes;
      changes.as_flags[pc] = flags;
      const uint64_t saves = saved(changes);
      pcs.push_back(pc);
      if (worth_telling(std::max(saves, all))) add_barrier(pc, times.at(pc), flags, saves);
    }
    if (pcs.size() > 1 && worth_telling(all))
      add("barrier", ~0u, all,
          fmt::format("the barriers on {} as these flags together save {}", lines_of(run_.program, pcs),
                      words(all)));
  }

  void add_barrier(uint32_t pc, uint64_t times, const LanePairs& flags, uint64_t saves) {
    std::vector<std::string> pairs;
    for_each(flags, [&](unsigned from, unsigned to) { pairs.push_back(in_place(from, to)); });
    std::string text = fmt::format("barrier PIPE_ALL on line {} ({}) orders ", line_of(run_.program, pc),
                                   times_words(times));
    if (pairs.empty())
      text += fmt::format("no bytes that are not in order without it, in this run: without it {} less",
                          words(saves));
    else
      text +=
          fmt::format("only the bytes of {} in this run: {} in its place save{} {}", fmt::join(pairs, ", "),
                      pairs.size() == 1 ? "this" : "these", pairs.size() == 1 ? "s" : "", words(saves));
    add("barrier", pc, saves, text);
  }

  /// "V -> MTE3 (EVENT_ID1)"
  [[nodiscard]] std::string in_place(unsigned from, unsigned to) const {
    if (from == to) return fmt::format("{} (a barrier of its own)", lane_name(from));
    const std::string pair = fmt::format("{} -> {}", lane_name(from), lane_name(to));
    for (int id = 0; id < graph_.machine().event_ids; ++id) {
      const bool used = std::ranges::any_of(graph_.nodes(), [&](const StepNode& node) {
        return (node.kind == Kind::set_flag || node.kind == Kind::wait_flag) && node.src == from &&
               node.dst == to && node.id == id;
      });
      if (!used) return fmt::format("{} (EVENT_ID{})", pair, id);
    }
    return pair + " (no id is left)";
  }

  void add_conflicts() {
    for (const timing::BankConflicts& each : graph_.conflicts()) {
      StepChanges changes;
      changes.shorter = {{each.pc, each.cycles / each.times}};
      const uint64_t saves = saved(changes);
      add("bank_conflicts", each.pc, saves,
          fmt::format("{} on line {} loses {} cycles ({} time{}) because both sources lie in one bank group "
                      "of UB: the "
                      "second one {} bytes further on saves {}",
                      mnemonic(run_.program, each.pc), line_of(run_.program, each.pc), grouped(each.cycles),
                      grouped(each.times), each.times == 1 ? "" : "s", each.shift, words(saves)));
    }
  }

  void add_queue_room() {
    const uint64_t saves = saved({.deep_queues = true});
    if (!worth_telling(saves)) return;
    add("queue_room", ~0u, saves,
        fmt::format("full queues hold the scalar unit back: if other pipes' work came before, up to {}",
                    words(saves)));
  }

  const Run& run_;
  const StepGraph& graph_;
  std::array<bool, kLanes> works_{};
  Advice out_;
};

// ---- as text

constexpr size_t kSums = 6;   // places of the path that are reported
constexpr size_t kFlags = 4;  // flags that are reported
constexpr size_t kHelp = 6;

std::string sum_line(const Run& run, const PathSum& sum) {
  const std::string share =
      fmt::format("{:>12} {:>7}", grouped(sum.cycles), percent(sum.cycles, run.result.kernel_cycles()));
  const std::string times = fmt::format("{} time{}", grouped(sum.times), sum.times == 1 ? "" : "s");
  if (sum.pipe == Pipe::s) return fmt::format("{}  S     scalar unit, {}\n", share, times);
  return fmt::format("{}  {:<5} {} at {}, {}\n", share, short_name(sum.pipe), mnemonic(run.program, sum.pc),
                     place(run.program, sum.pc), times);
}

std::string sums_text(const Run& run, const std::vector<PathPart>& path) {
  std::string out;
  const std::vector<PathSum> sums = path_sums(run.program, path);
  for (size_t i = 0; i < std::min(sums.size(), kSums); ++i) out += sum_line(run, sums[i]);
  if (sums.size() <= kSums) return out;
  uint64_t rest = 0;
  for (size_t i = kSums; i < sums.size(); ++i) rest += sums[i].cycles;
  return out + fmt::format("{:>12} {:>7}  {} other line{}\n", grouped(rest),
                           percent(rest, run.result.kernel_cycles()), sums.size() - kSums,
                           sums.size() - kSums == 1 ? "" : "s");
}

std::string flags_text(const Run& run, const Advice& advice) {
  if (advice.flags.empty()) return "";
  std::string out = "flags: the cycles that their waits took, and by how many the set came before at least\n";
  for (size_t i = 0; i < std::min(advice.flags.size(), kFlags); ++i) {
    const FlagUse& use = advice.flags[i];
    const std::string slack =
        use.waited_times != 0
            ? fmt::format("waited {} of {} times", grouped(use.waited_times), grouped(use.times))
            : fmt::format("{} before, {} times", grouped(use.slack), grouped(use.times));
    out += fmt::format("{:>12} {:>7}  {} -> {}, line {} to {}, {}\n", grouped(use.waited), "",
                       lane_name(use.src), lane_name(use.dst), line_of(run.program, use.set_pc),
                       line_of(run.program, use.wait_pc), slack);
  }
  if (advice.flags.size() > kFlags)
    out += fmt::format("{:>12} {:>7}  {} others\n", "", "", advice.flags.size() - kFlags);
  std::string ids;
  for (const IdUse& use : advice.ids) {
    const uint32_t left = advice.event_ids > use.used ? advice.event_ids - use.used : 0;
    ids +=
        fmt::format("{}{} -> {} {}", ids.empty() ? "" : ", ", lane_name(use.src), lane_name(use.dst), left);
  }
  return out + fmt::format("event ids left of {}: {}\n", advice.event_ids, ids);
}

std::string limits_text(const Advice& advice) {
  std::string out;
  for (size_t i = 0; i < std::min<size_t>(advice.limits.size(), 3); ++i)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", short_name(advice.limits[i].pipe),
                       grouped(advice.limits[i].cycles));
  return out.empty() ? "" : fmt::format("cycles if a pipe took no time: {}\n", out);
}

std::string help_text(const Advice& advice) {
  std::string out;
  for (size_t i = 0; i < std::min(advice.help.size(), kHelp); ++i) out += "- " + advice.help[i].text + "\n";
  if (out.empty()) return "nothing found that would help\n";
  if (advice.help.size() > kHelp)
    out += fmt::format("- {} more with fewer cycles\n", advice.help.size() - kHelp);
  return "possible savings:\n" + out;
}

/// "-3,187 (-72 %)", "as it is"
std::string difference(uint64_t before, uint64_t after) {
  if (before == after) return "no change";
  const bool less = after < before;
  const uint64_t by = less ? before - after : after - before;
  return fmt::format("{}{} ({}{})", less ? "-" : "+", grouped(by), less ? "-" : "+", percent(by, before));
}

}  // namespace

std::string what_if_text(const SimResult& result, std::span<const WhatIfAnswer> answers) {
  size_t width = std::string_view("what if").size();
  for (const WhatIfAnswer& answer : answers) width = std::max(width, answer.text.size());
  std::string out = fmt::format("{:<{}} {:>12}\n", "what if", width, "cycles");
  out += fmt::format("{:<{}} {:>12}\n", "as it is", width, grouped(result.total_cycles));
  for (const WhatIfAnswer& answer : answers) {
    out += fmt::format(
        "{:<{}} {:>12}  {}\n", answer.text, width, grouped(answer.cycles),
        answer.ended ? difference(result.total_cycles, answer.cycles) : "does not end: " + answer.why);
  }
  return out;
}

Advice advise(const Run& run) { return Adviser(run).make(); }

std::string advice_text(const Run& run, size_t parts) {
  if (!run.steps->complete())
    return fmt::format(
        "advice: none, the run has more than {} steps: fewer blocks or a shorter loop show the same\n",
        grouped(StepGraph::kMax));
  const Advice advice = advise(run);
  std::string out = path_head(advice.path, advice.total) + sums_text(run, advice.path);
  if (parts != 0) out += "\n" + path_table(run, advice.path, parts) + "\n";
  return out + flags_text(run, advice) + limits_text(advice) + help_text(advice);
}

}  // namespace pto::report
