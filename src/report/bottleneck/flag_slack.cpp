#include "report/bottleneck/flag_slack.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "report/source_statements.hpp"

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

/// When everything but what it waits for was there.
uint64_t reached(const StepGraph& graph, const StepNode& node, uint32_t index, const StepTimes& times) {
  if (node.lane == kScalarLane) {
    uint64_t at = node.before == kNoNode ? 0 : times.issue[node.before];
    if (node.result != kNoNode) at = std::max(at, times.end[node.result]);
    return at + node.work;
  }
  const uint64_t front = node.front == kNoNode ? 0 : graph.free_after(node.front, times);
  return std::max(times.issue[index], front);
}

}  // namespace

std::vector<FlagUse> flag_uses(const Program& program, const StepGraph& graph, const StepTimes& times) {
  Statements statements(program);
  std::map<std::tuple<uint32_t, uint32_t, uint8_t, uint8_t>, FlagUse> uses;
  const std::vector<StepNode>& nodes = graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const StepNode& wait = nodes[i];
    if (wait.kind != Kind::wait_flag || wait.need_count == 0) continue;
    const uint32_t set = graph.needs(wait).front();
    const uint32_t wait_pc = statements.statement_of(wait.pc);
    const uint32_t set_pc = statements.statement_of(nodes[set].pc);
    FlagUse& use = uses[{wait_pc, set_pc, wait.src, wait.dst}];
    use.src = wait.src;
    use.dst = wait.dst;
    use.set_pc = set_pc;
    use.wait_pc = wait_pc;
    if (const auto at = std::ranges::lower_bound(use.ids, wait.id); at == use.ids.end() || *at != wait.id)
      use.ids.insert(at, wait.id);
    ++use.times;
    const uint64_t ready = reached(graph, wait, i, times);
    const uint64_t visible = times.end[set];
    use.slack = std::min(use.slack, visible < ready ? ready - visible : 0);
    if (visible <= ready) continue;
    ++use.waited_times;
    use.waited += visible - ready;
  }
  std::vector<FlagUse> list;
  for (auto& [key, use] : uses) list.push_back(std::move(use));
  std::ranges::stable_sort(list, [](const FlagUse& a, const FlagUse& b) {
    return std::tuple(b.waited, a.slack) < std::tuple(a.waited, b.slack);
  });
  return list;
}

std::vector<IdUse> id_uses(const StepGraph& graph) {
  std::map<std::tuple<uint8_t, uint8_t, uint32_t>, std::set<int16_t>> ids;  // the last: core
  for (const StepNode& node : graph.nodes()) {
    if (node.kind == Kind::set_flag || node.kind == Kind::wait_flag)
      ids[{node.src, node.dst, node.core}].insert(node.id);
  }
  std::vector<IdUse> list;
  for (const auto& [key, used] : ids) {
    const auto [src, dst, core] = key;
    if (list.empty() || list.back().src != src || list.back().dst != dst) list.push_back({src, dst, 0});
    list.back().used = std::max(list.back().used, static_cast<uint32_t>(used.size()));
  }
  return list;
}

}  // namespace pto::report
