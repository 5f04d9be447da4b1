// The timeline: time from left to right, one row per pipe, or per instruction while there are few.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/describe.hpp"
#include "report/report.hpp"

namespace pto::report {
namespace {

constexpr size_t kColumns = 100, kFewInstructions = 40;

char letter(Stall reason) {
  switch (reason) {
    case Stall::flag:
      return 'f';
    case Stall::barrier:
      return 'b';
    case Stall::buffer:
      return 't';
    case Stall::cross_core:
      return 'x';
    case Stall::queue_full:
      return 'q';
    case Stall::resource:
      return 'r';
    case Stall::not_issued:
      return '.';
    default:
      return ' ';
  }
}

/// Cycles to columns. Every column covers [column, column + 1) * total / width.
struct Scale {
  uint64_t total;
  size_t width;
  [[nodiscard]] size_t column(uint64_t time) const {
    return std::min<size_t>(width - 1, static_cast<size_t>(time * width / total));
  }
};

/// A row in which each column shows what filled most of it.
class Row {
 public:
  explicit Row(const Scale& scale) : scale_(scale), weight_(scale.width) {}
  void add(uint64_t begin, uint64_t end, char mark) {
    for (size_t c = scale_.column(begin); begin < end; ++c) {
      const uint64_t next = std::min(end, ((c + 1) * scale_.total + scale_.width - 1) / scale_.width);
      if (next > begin) weight_[c][mark] += next - begin, begin = next;
    }
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const auto& marks : weight_) {
      const auto most =
          std::max_element(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      out += most == marks.end() ? ' ' : most->first;
    }
    return out;
  }

 private:
  Scale scale_;
  std::vector<std::map<char, uint64_t>> weight_;
};

std::string ruler(const Scale& scale, size_t indent) {
  std::string line(indent + scale.width, ' ');
  line[indent] = '0';
  const std::string end = grouped(scale.total);
  if (end.size() + 2 < scale.width) line.replace(line.size() - end.size(), end.size(), end);
  return line + "\n";
}

std::string trimmed(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

std::string by_pipe(const Run& run) {
  std::map<std::pair<uint32_t, int>, std::pair<std::string, Row>> rows;
  constexpr size_t kIndent = 16;
  const Scale scale{run.result.total_cycles, kColumns - kIndent};
  for (const PipeStats& pipe : run.result.pipes) {
    if (pipe.instructions == 0) continue;
    const auto name = pipe.core < run.result.cores.size() ? core_name(run.result.cores[pipe.core]) : "";
    rows.try_emplace({pipe.core, queue_index(pipe.pipe)}, fmt::format("{} {}", name, short_name(pipe.pipe)), Row(scale));
  }
  const auto put = [&](uint32_t core, Pipe pipe, uint64_t begin, uint64_t end, char mark) {
    if (const auto it = rows.find({core, queue_index(pipe)}); it != rows.end()) it->second.second.add(begin, end, mark);
  };
  std::set<std::pair<uint32_t, Pipe>> used;
  for (const InstEvent& event : run.recorder->instructions) {
    used.emplace(event.core, event.pipe);
    put(event.core, event.pipe, event.start, event.busy_end, '#');
  }
  for (const StallEvent& event : run.recorder->stalls)
    put(event.core, event.pipe, event.begin, event.end, letter(event.reason));
  std::string out = ruler(scale, kIndent);
  for (const auto& [key, row] : rows) {
    if (!used.contains({key.first, key.second < 0 ? Pipe::s : kQueuePipes[static_cast<size_t>(key.second)]})) continue;
    out += trimmed(fmt::format("{:<{}}{}", row.first.substr(0, kIndent - 1), kIndent, row.second.text()));
  }
  return out + "# busy   . not issued   f flag   b barrier   t buffer token   x other core   q queue full   r port\n";
}

std::string by_instruction(const Run& run) {
  constexpr size_t kIndent = 34;
  const Scale scale{run.result.total_cycles, kColumns - kIndent};
  std::string out = ruler(scale, kIndent);
  std::vector<InstEvent> events = run.recorder->instructions;
  std::stable_sort(events.begin(), events.end(), [](const InstEvent& a, const InstEvent& b) { return a.issue < b.issue; });
  for (const InstEvent& event : events) {
    std::string bar(scale.width, ' ');
    const size_t issue = scale.column(event.issue), start = scale.column(event.start);
    for (size_t c = issue; c < start; ++c) bar[c] = '.';
    for (size_t c = start; c <= scale.column(event.end ? event.end - 1 : 0); ++c) bar[c] = '-';
    for (size_t c = start; c <= scale.column(event.busy_end > event.start ? event.busy_end - 1 : event.start); ++c)
      bar[c] = '#';
    const std::string core = run.result.cores.size() > 1 ? fmt::format("{}:", event.core) : "";
    const auto label = fmt::format("{:>4} {}{} {}", where(run.program, event.pc).line, core, short_name(event.pipe),
                                   mnemonic(run.program, event.pc));
    out += trimmed(fmt::format("{:<{}}{}", label.substr(0, kIndent - 1), kIndent, bar));
  }
  return out + ". queued   # pipe busy   - result on its way\n";
}

}  // namespace

std::string timeline(const Run& run) {
  if (run.result.total_cycles == 0 || !run.recorder) return "";
  const uint64_t left_out = run.recorder->left_out;
  const std::string lines = run.recorder->instructions.size() <= kFewInstructions ? by_instruction(run) : by_pipe(run);
  return left_out == 0 ? lines : lines + fmt::format("the first {} events; {} more are not shown\n", grouped(Recorder::kMost), grouped(left_out));
}

}  // namespace pto::report
