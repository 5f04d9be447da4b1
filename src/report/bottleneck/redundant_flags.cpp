#include "report/bottleneck/redundant_flags.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "order/happens_before.hpp"

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

constexpr size_t kMaxSteps = size_t{1} << 19, kMaxFlags = 16;

/// Epochs of a lane count its instructions and waits: a flag may be set again only behind the wait for the
/// set before.
using LaneClock = order::DenseClock<kLanes>;

/// Sets and waits by their place and pipes, joined where a wait of one place takes a set of the other.
class Groups {
 public:
  explicit Groups(const StepGraph& graph) : of_(graph.nodes().size(), kNoNode) {
    std::map<std::tuple<uint32_t, uint8_t, uint8_t>, uint32_t> places;
    const std::vector<StepNode>& nodes = graph.nodes();
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind != Kind::set_flag && nodes[i].kind != Kind::wait_flag) continue;
      const auto [at, fresh] = places.try_emplace({nodes[i].pc, nodes[i].src, nodes[i].dst}, parents_.size());
      if (fresh) parents_.push_back(at->second);
      of_[i] = at->second;
      if (nodes[i].kind == Kind::wait_flag) {
        for (const uint32_t set : graph.needs(nodes[i])) parents_[root(at->second)] = root(of_[set]);
      }
    }
    for (uint32_t& each : of_) each = each == kNoNode ? kNoNode : root(each);
  }
  [[nodiscard]] uint32_t group_of(uint32_t node) const { return of_[node]; }

 private:
  uint32_t root(uint32_t at) {
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  std::vector<uint32_t> parents_, of_;
};

/// One pass over the run; flags of the groups in `without` are not there.
class Pass {
 public:
  Pass(const StepGraph& graph, const Groups& groups, const std::set<uint32_t>& without)
      : graph_(graph), nodes_(graph.nodes()), groups_(groups), without_(without) {}

  /// The groups one of whose waits tells its pipe something.
  std::set<uint32_t> needed() {
    told_.resize(nodes_.size());
    numbers_.resize(nodes_.size());
    cores_.resize(graph_.cores().size());
    if (graph_.machine().vector_overlaps) {
      for (CoreState& core : cores_) core.order.set_overlapping(static_cast<uint32_t>(lane_of(Pipe::v)));
    }
    for (const uint32_t event : graph_.order()) {
      const uint32_t index = event / 2;
      if (nodes_[index].meeting) continue;
      if (event % 2 != 0)
        run(index, cores_[nodes_[index].core], nodes_[index].lane);
      else
        issue(index, cores_[nodes_[index].core]);
    }
    return std::move(needed_);
  }

 private:
  struct CoreState {
    order::HappensBefore<LaneClock> order{kLanes};
    std::array<uint32_t, kLanes> counts{};
  };

  void issue(uint32_t index, CoreState& core) {
    const StepNode& node = nodes_[index];
    if (node.result != kNoNode) wait_for_entry(core, kScalarLane, node.result);
    core.order.execute(kScalarLane, core.counts[kScalarLane]);
    if (node.lane == kScalarLane)
      run(index, core, kScalarLane);
    else
      told_[index] = core.order.release_store(kScalarLane);
  }

  /// In the order of its lane.
  void run(uint32_t index, CoreState& core, unsigned lane) {
    const StepNode& node = nodes_[index];
    if (lane != kScalarLane) core.order.acquire(lane, told_[index]);
    if (node.kind != Kind::set_flag && node.kind != Kind::rls_buf) ++core.counts[lane];
    numbers_[index] = core.counts[lane];
    core.order.execute(lane, core.counts[lane]);
    switch (node.kind) {
      case Kind::set_flag:
      case Kind::rls_buf:
        take(node, core, lane);  // releases that wait for others
        told_[index] = core.order.release_store(lane);
        break;
      case Kind::wait_flag:
        wait(index, core, lane);
        break;
      case Kind::get_buf:
        take(node, core, lane);
        break;
      case Kind::barrier:
        core.order.complete(lane);
        break;
      case Kind::barrier_all:
        for (const uint32_t last : graph_.needs(node)) wait_for_entry(core, lane, last);
        break;
      default:
        break;
    }
  }

  /// For that entry alone.
  void wait_for_entry(CoreState& core, unsigned lane, uint32_t entry) {
    LaneClock done;
    done.set(nodes_[entry].lane, numbers_[entry]);
    core.order.acquire(lane, done);
  }

  void take(const StepNode& node, CoreState& core, unsigned lane) {
    for (const uint32_t other : graph_.needs(node)) core.order.acquire(lane, told_[other]);
  }

  void wait(uint32_t index, CoreState& core, unsigned lane) {
    const StepNode& node = nodes_[index];
    for (const uint32_t set : graph_.needs(node)) {
      if (!is_known(core, lane, told_[set])) needed_.insert(groups_.group_of(index));
      if (!without_.contains(groups_.group_of(index))) core.order.acquire(lane, told_[set]);
    }
    if (node.need_count == 0) needed_.insert(groups_.group_of(index));
  }

  [[nodiscard]] static bool is_known(const CoreState& core, unsigned lane, const LaneClock& told) {
    for (uint32_t other = 0; other < kLanes; ++other) {
      if (!core.order.is_ordered({other, told[other]}, lane)) return false;
    }
    return true;
  }

  const StepGraph& graph_;
  const std::vector<StepNode>& nodes_;
  const Groups& groups_;
  const std::set<uint32_t>& without_;
  std::vector<LaneClock> told_;    ///< by node: with its issue; of a set, what it tells
  std::vector<uint32_t> numbers_;  ///< by node: its place in its lane, from 1
  std::vector<CoreState> cores_;
  std::set<uint32_t> needed_;
};

std::vector<OrderedFlag> described(const StepGraph& graph, const Groups& groups,
                                   const std::set<uint32_t>& which) {
  std::map<uint32_t, std::pair<OrderedFlag, std::pair<std::set<uint32_t>, std::set<uint32_t>>>> list;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const StepNode& node = graph.nodes()[i];
    if (groups.group_of(i) == kNoNode || !which.contains(groups.group_of(i))) continue;
    auto& [flag, pcs] = list[groups.group_of(i)];
    flag.src = node.src;
    flag.dst = node.dst;
    (node.kind == Kind::set_flag ? pcs.first : pcs.second).insert(node.pc);
  }
  std::vector<OrderedFlag> out;
  for (auto& [group, each] : list) {
    each.first.set_pcs.assign(each.second.first.begin(), each.second.first.end());
    each.first.wait_pcs.assign(each.second.second.begin(), each.second.second.end());
    out.push_back(std::move(each.first));
  }
  std::ranges::sort(out, {}, &OrderedFlag::wait_pcs);
  return out;
}

}  // namespace

std::vector<OrderedFlag> ordered_flags(const StepGraph& graph) {
  if (graph.nodes().size() > kMaxSteps) return {};
  const Groups groups(graph);
  std::set<uint32_t> all, gone;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i)
    if (groups.group_of(i) != kNoNode) all.insert(groups.group_of(i));
  const std::set<uint32_t> needed = Pass(graph, groups, gone).needed();
  size_t tried = 0;
  for (const uint32_t group : all) {
    if (needed.contains(group) || ++tried > kMaxFlags) continue;
    gone.insert(group);
    const std::set<uint32_t> left = Pass(graph, groups, gone).needed();
    const bool all_ordered = std::ranges::none_of(gone, [&](uint32_t each) { return left.contains(each); });
    if (!all_ordered) gone.erase(group);
  }
  return described(graph, groups, gone);
}

}  // namespace pto::report
