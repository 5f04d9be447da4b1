// The iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
#include "ir/dominators.hpp"

#include <algorithm>

namespace pto::legality {

using Graph = std::vector<std::vector<uint32_t>>;

Dominators::Dominators(const Graph& successors)
    : order_(successors.size(), kNowhere), begin_(successors.size()), end_(successors.size()) {
  if (successors.empty()) return;
  number(successors);
  find(successors);
  span_tree();
}

/// Reverse postorder, with a stack of its own.
void Dominators::number(const Graph& successors) {
  struct Visit {
    uint32_t node;
    size_t next = 0;
  };
  std::vector<bool> seen(successors.size(), false);
  std::vector<Visit> open{{0}};
  seen[0] = true;
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next == successors[visit.node].size()) {
      nodes_.push_back(visit.node);
      open.pop_back();
      continue;
    }
    const uint32_t to = successors[visit.node][visit.next++];
    if (seen[to]) continue;
    seen[to] = true;
    open.push_back({to});
  }
  std::reverse(nodes_.begin(), nodes_.end());
  for (uint32_t place = 0; place < nodes_.size(); ++place) order_[nodes_[place]] = place;
}

uint32_t Dominators::common(uint32_t a, uint32_t b) const {
  while (a != b) {
    while (a > b) a = nearest_[a];
    while (b > a) b = nearest_[b];
  }
  return a;
}

void Dominators::find(const Graph& successors) {
  std::vector<std::vector<uint32_t>> before(nodes_.size());
  for (uint32_t place = 0; place < nodes_.size(); ++place) {
    for (const uint32_t to : successors[nodes_[place]]) before[order_[to]].push_back(place);
  }
  nearest_.assign(nodes_.size(), kNowhere);
  nearest_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t place = 1; place < nodes_.size(); ++place) {
      uint32_t found = kNowhere;
      for (const uint32_t from : before[place]) {
        if (nearest_[from] == kNowhere) continue;
        found = found == kNowhere ? from : common(from, found);
      }
      if (found == nearest_[place]) continue;
      nearest_[place] = found;
      changed = true;
    }
  }
}

/// A nearest dominator comes first in reverse postorder: sizes go up the tree from the last place on, numbers
/// down it from the first.
void Dominators::span_tree() {
  std::vector<uint32_t> size(nodes_.size(), 1), next(nodes_.size(), 0);
  for (uint32_t place = static_cast<uint32_t>(nodes_.size()); place-- > 1;)
    size[nearest_[place]] += size[place];
  for (uint32_t place = 0; place < nodes_.size(); ++place) {
    uint32_t begin = 0;
    if (place != 0) {
      begin = next[nearest_[place]];
      next[nearest_[place]] += size[place];
    }
    next[place] = begin + 1;
    begin_[nodes_[place]] = begin;
    end_[nodes_[place]] = begin + size[place];
  }
}

}  // namespace pto::legality
