#include "report/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/critical_path.hpp"
#include "report/describe.hpp"
#include "report/step_graph.hpp"

namespace pto::report {
namespace {

constexpr size_t kSums = 6;  // places of the path that are told

std::string sum_line(const Run& run, const PathSum& sum) {
  const std::string share =
      fmt::format("{:>12} {:>7}", grouped(sum.cycles), percent(sum.cycles, run.result.total_cycles));
  const std::string times = fmt::format("{} time{}", grouped(sum.times), sum.times == 1 ? "" : "s");
  if (sum.pipe == Pipe::s) return fmt::format("{}  S     scalar unit, {}\n", share, times);
  return fmt::format("{}  {:<5} {} at {}, {}\n", share, short_name(sum.pipe), mnemonic(run.program, sum.pc),
                     place(run.program, sum.pc), times);
}

}  // namespace

std::string advice_text(const Run& run, size_t parts) {
  if (!run.steps->complete())
    return fmt::format(
        "advice: none, the run has more than {} steps: fewer blocks or a shorter loop show the same\n",
        grouped(StepGraph::kMost));
  const StepTimes times = run.steps->time_again();
  const std::vector<PathPart> path = critical_path(*run.steps, times);
  std::string out = path_head(path, times.total);
  const std::vector<PathSum> sums = path_sums(path);
  for (size_t i = 0; i < std::min(sums.size(), kSums); ++i) out += sum_line(run, sums[i]);
  if (sums.size() > kSums) {
    uint64_t rest = 0;
    for (size_t i = kSums; i < sums.size(); ++i) rest += sums[i].cycles;
    out += fmt::format("{:>12} {:>7}  {} other places\n", grouped(rest),
                       percent(rest, run.result.total_cycles), sums.size() - kSums);
  }
  if (parts != 0) out += "\n" + path_table(run, path, parts);
  return out;
}

}  // namespace pto::report
