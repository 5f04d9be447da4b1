#include "report/bottleneck/redundant_flags.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace pto::report {
namespace {

using Kind = DependenceEvent::Kind;

constexpr size_t kMaxSteps = size_t{1} << 19, kMaxFlags = 16;

/// How much of each lane is known to be over: instructions, and waits, since who sets a flag again has to
/// know that the wait before has taken it.
using Known = std::array<uint32_t, kLanes>;

void join(Known& into, const Known& other) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}
/// `own`: a lane that is not looked at, as it is in order anyhow.
bool covers(const Known& known, const Known& other, unsigned own) {
  for (unsigned i = 0; i < known.size(); ++i)
    if (i != own && known[i] < other[i]) return false;
  return true;
}

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
    std::array<Known, kLanes> known{};
    Known counts{};
  };

  void issue(uint32_t index, CoreState& core) {
    const StepNode& node = nodes_[index];
    Known& scalar = core.known[kScalarLane];
    if (node.result != kNoNode) {
      uint32_t& complete = scalar[nodes_[node.result].lane];
      complete = std::max(complete, numbers_[node.result]);
    }
    scalar[kScalarLane] = core.counts[kScalarLane];
    if (node.lane == kScalarLane)
      run(index, core, kScalarLane);
    else
      told_[index] = scalar;
  }

  /// In the order of its lane.
  void run(uint32_t index, CoreState& core, unsigned lane) {
    const StepNode& node = nodes_[index];
    Known& known = core.known[lane];
    if (lane != kScalarLane) join(known, told_[index]);
    if (node.kind != Kind::set_flag && node.kind != Kind::rls_buf) ++core.counts[lane];
    numbers_[index] = core.counts[lane];
    switch (node.kind) {
      case Kind::set_flag:
      case Kind::rls_buf:
        take(node, known);  // releases that wait for others
        told_[index] = known;
        told_[index][lane] = numbers_[index];
        break;
      case Kind::wait_flag:
        wait(index, known);
        break;
      case Kind::get_buf:
        take(node, known);
        break;
      case Kind::barrier:
        known[lane] = numbers_[index];
        break;
      case Kind::barrier_all:
        for (const uint32_t last : graph_.needs(node))
          known[nodes_[last].lane] = std::max(known[nodes_[last].lane], numbers_[last]);
        break;
      default:
        break;
    }
  }

  void take(const StepNode& node, Known& known) {
    for (const uint32_t other : graph_.needs(node)) join(known, told_[other]);
  }

  void wait(uint32_t index, Known& known) {
    const StepNode& node = nodes_[index];
    for (const uint32_t set : graph_.needs(node)) {
      const bool overlaps = graph_.machine().vector_overlaps && pipe_of_lane(node.lane) == Pipe::v;
      if (!covers(known, told_[set], overlaps ? kLanes : node.lane)) needed_.insert(groups_.group_of(index));
      if (!without_.contains(groups_.group_of(index))) join(known, told_[set]);
    }
    if (node.need_count == 0) needed_.insert(groups_.group_of(index));
  }

  const StepGraph& graph_;
  const std::vector<StepNode>& nodes_;
  const Groups& groups_;
  const std::set<uint32_t>& without_;
  std::vector<Known> told_;        ///< by node: with its issue; of a set, what it tells
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
