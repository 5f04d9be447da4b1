#include "report/bottleneck/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "report/naming.hpp"
#include "report/source_statements.hpp"

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

/// Walks from the end to the begin.
class Walk {
 public:
  Walk(const StepGraph& graph, const StepTimes& times) : graph_(graph), nodes_(graph.nodes()), t_(times) {}

  std::vector<PathPart> run() {
    for (std::optional<Place> at = last(); at;) at = before(*at);
    std::ranges::reverse(parts_);
    return std::move(parts_);
  }

 private:
  /// A moment of a node.
  enum class Point : uint8_t {
    issued,   ///< the scalar unit is done with it
    reached,  ///< of the scalar unit: what it waited for is there
    started,
    freed,    ///< its pipe goes on
    visible,  ///< it and all in front of it are complete
  };
  struct Place {
    uint32_t node;
    Point point;
  };

  [[nodiscard]] uint64_t time_of(Place at) const {
    switch (at.point) {
      case Point::issued:
        return t_.issue[at.node];
      case Point::reached:
        return t_.issue[at.node] - nodes_[at.node].cycles;
      case Point::started:
        return t_.start[at.node];
      case Point::freed:
        return graph_.free_after(at.node, t_);
      case Point::visible:
        return t_.end[at.node];
    }
    return 0;
  }

  /// The pipe that is last; only if none is, the scalar unit.
  [[nodiscard]] std::optional<Place> last() const {
    for (const Point point : {Point::visible, Point::freed, Point::issued}) {
      for (uint32_t i = static_cast<uint32_t>(nodes_.size()); i-- > 0;) {
        if (!nodes_[i].meeting && time_of({i, point}) == t_.total) return Place{i, point};
      }
    }
    return std::nullopt;
  }

  std::optional<Place> before(Place at) {
    const StepNode& node = nodes_[at.node];
    if (node.meeting) return meeting(node);
    switch (at.point) {
      case Point::issued:
        add_scalar(node, t_.issue[at.node] - node.cycles, t_.issue[at.node]);
        return Place{at.node, Point::reached};
      case Point::reached:
        return reached(at.node);
      case Point::started:
        return node.lane == kScalarLane ? reached(at.node) : started(at.node);
      case Point::freed:
        add(node, t_.start[at.node], graph_.free_after(at.node, t_));
        return Place{at.node, Point::started};
      case Point::visible:
        return visible(at.node);
    }
    return std::nullopt;
  }

  std::optional<Place> visible(uint32_t index) {
    const StepNode& node = nodes_[index];
    const uint64_t time = t_.end[index];
    if (node.lane == kScalarLane) return Place{index, Point::reached};
    if (node.kind == Kind::instruction &&
        graph_.free_after(index, t_) - node.busy + std::max(node.busy, node.latency) == time) {
      add(node, t_.start[index], time);
      return Place{index, Point::started};
    }
    if (node.front != kNoNode && t_.end[node.front] == time) return Place{node.front, Point::visible};
    return Place{index, Point::started};
  }

  /// Of a meeting: who came last.
  [[nodiscard]] std::optional<Place> meeting(const StepNode& node) const {
    std::optional<Place> latest;
    for (const uint32_t other : graph_.needs(node)) {
      if (!latest || t_.end[other] > t_.end[latest->node]) latest = Place{other, Point::visible};
    }
    return latest;
  }

  std::optional<Place> started(uint32_t index) {
    const StepNode& node = nodes_[index];
    const uint64_t time = t_.start[index] - node.lag;
    add(node, time, t_.start[index]);
    if (node.front != kNoNode) {
      if (const Place front{node.front, Point::freed}; time_of(front) == time) {
        came(After::in_order, node);
        return front;
      }
      if (node.kind == Kind::barrier && t_.end[node.front] == time) {
        came(After::barrier, node);
        return Place{node.front, Point::visible};
      }
    }
    if (t_.issue[index] == time) {
      came(After::issue, node);
      return Place{index, Point::issued};
    }
    return needed(node, time);
  }

  /// What a step waited for that was there at `time`.
  std::optional<Place> needed(const StepNode& node, uint64_t time) {
    for (const uint32_t other : graph_.needs(node)) {
      for (const Point point : {Point::visible, Point::freed}) {
        if (time_of({other, point}) != time || (point == Point::freed && node.kind != Kind::barrier_all))
          continue;
        came(after_of(node.kind), node, other);
        return Place{other, point};
      }
    }
    if (node.taken != kNoNode && t_.start[node.taken] == time) {
      came(After::flag_room, node, node.taken);
      return Place{node.taken, Point::started};
    }
    return std::nullopt;
  }
  static After after_of(Kind kind) {
    switch (kind) {
      case Kind::wait_flag:
        return After::flag;
      case Kind::barrier:
      case Kind::barrier_all:
        return After::barrier;
      case Kind::get_buf:
      case Kind::rls_buf:
        return After::buffer;
      case Kind::instruction:
        return After::unit_flag;
      default:
        return After::other_core;
    }
  }

  std::optional<Place> reached(uint32_t index) {
    const StepNode& node = nodes_[index];
    const uint64_t time = time_of({index, Point::reached});
    const uint64_t own = node.before == kNoNode ? 0 : t_.issue[node.before];
    const uint64_t result = node.result == kNoNode ? 0 : t_.end[node.result];
    const uint64_t base = std::max(own, result);
    const uint64_t there = time - (node.lane == kScalarLane ? node.lag : 0);
    if (base + node.work == there) {
      add_scalar(node, base, time);
      if (result > own) {
        came(After::result, nodes_[node.result]);
        return Place{node.result, Point::visible};
      }
      if (node.before == kNoNode) return std::nullopt;
      return Place{node.before, Point::issued};
    }
    add_scalar(node, there, time);
    if (node.room != kNoNode && t_.start[node.room] == there) {
      came(After::queue_room, node);
      return Place{node.room, Point::started};
    }
    return needed(node, there);
  }

  void add(const StepNode& node, uint64_t begin, uint64_t end) {
    if (begin == end) return;
    parts_.push_back({node.pc, node.core, pipe_of_lane(node.lane), begin, end, After::begin, ~0u, ~0u});
    open_ = true;
  }
  /// The scalar unit's steps behind each other are one part.
  void add_scalar(const StepNode& node, uint64_t begin, uint64_t end) {
    if (begin == end) return;
    const bool goes_on = !parts_.empty() && parts_.back().pipe == Pipe::s &&
                         parts_.back().core == node.core && parts_.back().begin == end &&
                         parts_.back().after == After::begin;
    if (goes_on)
      parts_.back().begin = begin;
    else
      parts_.push_back({node.pc, node.core, Pipe::s, begin, end, After::begin, ~0u, ~0u});
    open_ = true;
  }
  /// Why the last part began no earlier. Between two parts may be waits and sets, which take no time: what
  /// another pipe did says more than the order of one.
  void came(After after, const StepNode& node, uint32_t other = kNoNode) {
    if (parts_.empty() || !open_) return;
    PathPart& part = parts_.back();
    const bool weak =
        part.after == After::begin || part.after == After::in_order || part.after == After::issue;
    if (!weak || (part.after != After::begin && after == After::in_order)) return;
    part.after = after;
    part.wait_pc = node.pc;
    if (other != kNoNode && !nodes_[other].meeting) part.set_pc = nodes_[other].pc;
  }

  const StepGraph& graph_;
  const std::vector<StepNode>& nodes_;
  const StepTimes& t_;
  std::vector<PathPart> parts_;
  bool open_ = false;
};

/// "line 41", or "operation 17" when the line is unknown.
std::string line_text(const Program& program, uint32_t pc) {
  const uint32_t line = where(program, pc).line;
  return line != 0 ? fmt::format("line {}", line) : fmt::format("operation {}", pc);
}

std::string share_list(const std::vector<PathPart>& path, uint64_t total) {
  std::map<Pipe, uint64_t> by_pipe;
  for (const PathPart& part : path) by_pipe[part.pipe] += part.end - part.begin;
  std::vector<std::pair<uint64_t, Pipe>> list;
  for (const auto& [pipe, cycles] : by_pipe) list.emplace_back(cycles, pipe);
  std::ranges::stable_sort(list, std::greater{}, &std::pair<uint64_t, Pipe>::first);
  std::string text;
  for (const auto& [cycles, pipe] : list)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", short_name(pipe), percent(cycles, total));
  return text;
}

std::string row(std::string_view start, uint64_t cycles, std::string_view core, std::string_view pipe,
                std::string_view line, std::string_view what, std::string_view after) {
  return fmt::format("{:>11} {:>10}  {:<8} {:<5} {:>6}  {:<18} {}", start, grouped(cycles), core, pipe, line,
                     what, after);
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

std::string_view to_string(After after) {
  static constexpr std::string_view kNames[] = {"begin",   "in_order",  "issue",      "flag",
                                                "barrier", "buffer",    "other_core", "queue_room",
                                                "result",  "unit_flag", "flag_room"};
  return kNames[static_cast<size_t>(after)];
}

std::vector<PathPart> critical_path(const StepGraph& graph, const StepTimes& times) {
  return Walk(graph, times).run();
}

std::string after_words(const Program& program, const PathPart& part) {
  const auto at = [&] { return part.wait_pc == ~0u ? "" : " at " + line_text(program, part.wait_pc); };
  switch (part.after) {
    case After::begin:
      return "";
    case After::in_order:
      return "earlier work of its pipe";
    case After::issue:
      return "its issue";
    case After::flag: {
      const OpView op(program, part.wait_pc);
      const AttrValue* from = op.attr("src_pipe");
      const AttrValue* id = op.attr("event_id");
      if (from == nullptr || id == nullptr) return "flag" + at();
      return fmt::format("{} EVENT_ID{}{}", short_name(static_cast<Pipe>(from->integer)), id->integer, at());
    }
    case After::barrier:
      return "barrier" + at();
    case After::buffer:
      return "buffer" + at();
    case After::other_core:
      return "other core" + at();
    case After::queue_room:
      return "room in a queue for" + at().substr(3);
    case After::unit_flag:
      return "unit flag";
    case After::result:
      return "result of" + at().substr(3);
    case After::flag_room: {
      const std::string by = part.set_pc == ~0u ? "" : ", taken at " + line_text(program, part.set_pc);
      return "room in the flag set" + at() + by;
    }
  }
  return "";
}

std::vector<PathSum> path_sums(const Program& program, const std::vector<PathPart>& path) {
  std::map<std::pair<Pipe, uint32_t>, PathSum> sums;
  Statements statements(program);
  for (const PathPart& part : path) {
    const uint32_t pc = part.pipe == Pipe::s ? ~0u : statements.statement_of(part.pc);
    PathSum& sum = sums.try_emplace({part.pipe, pc}, PathSum{pc, part.pipe, 0, 0}).first->second;
    sum.cycles += part.end - part.begin;
    ++sum.times;
  }
  std::vector<PathSum> list;
  for (const auto& [key, sum] : sums) list.push_back(sum);
  std::ranges::stable_sort(list, std::greater{}, &PathSum::cycles);
  return list;
}

std::string path_head(const std::vector<PathPart>& path, uint64_t total) {
  return fmt::format("critical path: {} cycle{} in {} part{}: {}\n", grouped(total), total == 1 ? "" : "s",
                     grouped(path.size()), path.size() == 1 ? "" : "s", share_list(path, total));
}

std::string path_table(const Run& run, const std::vector<PathPart>& path, size_t limit) {
  std::vector<uint64_t> lengths;
  for (const PathPart& part : path) lengths.push_back(part.end - part.begin);
  std::vector<size_t> longest(path.size());
  for (size_t i = 0; i < longest.size(); ++i) longest[i] = i;
  std::ranges::stable_sort(longest, std::greater{}, [&](size_t i) { return lengths[i]; });
  longest.resize(std::min(limit, longest.size()));
  std::ranges::sort(longest);
  std::string out = trimmed(fmt::format("{:>11} {:>10}  {:<8} {:<5} {:>6}  {:<18} {}", "start", "cycles",
                                        "core", "pipe", "line", "instruction", "after"));
  size_t shown = 0;
  const auto skip = [&](size_t until) {
    if (shown == until) return;
    uint64_t cycles = 0;
    for (size_t i = shown; i < until; ++i) cycles += lengths[i];
    out += trimmed(
        row("..", cycles, "", "", "",
            fmt::format("{} shorter part{}", grouped(until - shown), until - shown == 1 ? "" : "s"), ""));
    shown = until;
  };
  for (const size_t i : longest) {
    skip(i);
    const PathPart& part = path[i];
    const uint32_t line = where(run.program, part.pc).line;
    const bool scalar = part.pipe == Pipe::s;
    out += trimmed(row(grouped(part.begin), lengths[i],
                       part.core < run.result.cores.size() ? core_name(run.result.cores[part.core]) : "",
                       short_name(part.pipe), line == 0 ? "" : std::to_string(line),
                       scalar ? "up to " + std::string(mnemonic(run.program, part.pc))
                              : std::string(mnemonic(run.program, part.pc)),
                       after_words(run.program, part)));
    shown = i + 1;
  }
  skip(path.size());
  return out;
}

}  // namespace pto::report
