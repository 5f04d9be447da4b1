#include "report/trace/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/hardware_lanes.hpp"
#include "report/naming.hpp"

namespace pto::report {
namespace {

constexpr size_t kColumns = 100;

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
      return 'm';
    case Stall::wave:
      return 'w';
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

/// A row in which each column shows what filled most of it.
std::string columns_of(const PipeTime& time, const Scale& scale) {
  std::vector<std::array<double, PipeTime::kMarks.size()>> columns(scale.width);
  uint64_t begin = 0;
  for (const PipeTime::Weights& bucket : time.buckets()) {
    const uint64_t end = std::min(begin + time.width(), scale.total);
    const auto cycles = static_cast<double>(end - begin);
    for (uint64_t at = begin; at < end;) {
      const size_t c = scale.column(at);
      const uint64_t next = std::min(end, ((c + 1) * scale.total + scale.width - 1) / scale.width);
      for (size_t mark = 0; mark < bucket.size(); ++mark)
        columns[c][mark] += static_cast<double>(bucket[mark]) * static_cast<double>(next - at) / cycles;
      at = next;
    }
    begin = end;
  }
  std::string out;
  for (const auto& marks : columns)
    out += PipeTime::kMarks[static_cast<size_t>(std::ranges::max_element(marks) - marks.begin())];
  return out;
}

}  // namespace

void PipeTime::add(uint64_t begin, uint64_t end, char mark) {
  while (end > width_ * most_) widen();
  const size_t which = kMarks.find(mark);
  if (end > begin) buckets_.resize(std::max<size_t>(buckets_.size(), (end - 1) / width_ + 1));
  for (size_t at = begin / width_; begin < end; ++at) {
    const uint64_t next = std::min(end, (at + 1) * width_);
    buckets_[at][which] += next - begin;
    begin = next;
  }
}

/// Neighbours become one.
void PipeTime::widen() {
  for (size_t i = 0; i < buckets_.size(); ++i) {
    const Weights bucket = buckets_[i];
    if (i % 2 == 0) buckets_[i / 2] = {};
    for (size_t mark = 0; mark < bucket.size(); ++mark) buckets_[i / 2][mark] += bucket[mark];
  }
  buckets_.resize((buckets_.size() + 1) / 2);
  width_ *= 2;
}

void Timeline::on_start(std::span<const CoreInfo> cores, const Program&) {
  constexpr size_t kAll = size_t{1} << 16;
  constexpr size_t kMin = 512;
  constexpr size_t kMax = 8192;
  cores_ = cores.size();
  const size_t shown = std::clamp<size_t>(cores_, 1, kMaxCores);
  buckets_ = std::clamp(kAll / shown, kMin, kMax);
  rows_.resize(shown * kLanes);
}

auto Timeline::row_of(uint32_t core, Pipe pipe) -> Row* {
  const size_t index = size_t{core} * kLanes + static_cast<size_t>(lane_of(pipe));
  if (index >= rows_.size()) return nullptr;
  if (!rows_[index]) rows_[index] = std::make_unique<Row>(Row{PipeTime(buckets_), false});
  return rows_[index].get();
}

void Timeline::on_instruction(const InstEvent& event) {
  if (++instructions_ <= kFewInstructions) first_.push_back(event);
  Row* const row = row_of(event.core, event.pipe);
  if (row == nullptr) return;
  row->used = true;
  row->time.add(event.start, event.busy_end, '#');
}

void Timeline::on_stall(const StallEvent& event) {
  if (Row* const row = row_of(event.core, event.pipe))
    row->time.add(event.begin, event.end, letter(event.reason));
}

std::string Timeline::by_pipe(const Run& run) const {
  constexpr size_t kIndent = 16;
  const Scale scale{run.result.kernel_cycles(), kColumns - kIndent};
  std::string out = ruler(scale, kIndent);
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i] || !rows_[i]->used) continue;
    const Pipe pipe = pipe_of_lane(static_cast<int>(i % kLanes));
    const std::string name = fmt::format("{} {}", core_name(run.result.cores[i / kLanes]), short_name(pipe));
    out += trimmed(
        fmt::format("{:<{}}{}", name.substr(0, kIndent - 1), kIndent, columns_of(rows_[i]->time, scale)));
  }
  if (cores_ > kMaxCores)
    out += fmt::format("the first {} cores; {} more are not shown\n", kMaxCores, grouped(cores_ - kMaxCores));
  return out +
         "# busy  . not issued  f flag  b barrier  t buffer  x other core  q queue  r port  m memory  w "
         "wave\n";
}

std::string Timeline::by_instruction(const Run& run) const {
  constexpr size_t kIndent = 34;
  const Scale scale{run.result.kernel_cycles(), kColumns - kIndent};
  std::string out = ruler(scale, kIndent);
  std::vector<InstEvent> events = first_;
  std::stable_sort(events.begin(), events.end(),
                   [](const InstEvent& a, const InstEvent& b) { return a.issue < b.issue; });
  for (const InstEvent& event : events) {
    std::string bar(scale.width, ' ');
    const size_t issue = scale.column(event.issue);
    const size_t start = scale.column(event.start);
    for (size_t c = issue; c < start; ++c) bar[c] = '.';
    for (size_t c = start; c <= scale.column(event.end ? event.end - 1 : 0); ++c) bar[c] = '-';
    for (size_t c = start; c <= scale.column(event.busy_end > event.start ? event.busy_end - 1 : event.start);
         ++c)
      bar[c] = '#';
    const std::string core = run.result.cores.size() > 1 ? fmt::format("{}:", event.core) : "";
    const auto label = fmt::format("{:>4} {}{} {}", where(run.program, event.pc).line, core,
                                   short_name(event.pipe), mnemonic(run.program, event.pc));
    out += trimmed(fmt::format("{:<{}}{}", label.substr(0, kIndent - 1), kIndent, bar));
  }
  return out + ". queued   # pipe busy   - result on its way\n";
}

std::string Timeline::text(const Run& run) const {
  if (run.result.kernel_cycles() == 0) return "";
  return instructions_ <= kFewInstructions ? by_instruction(run) : by_pipe(run);
}

}  // namespace pto::report
