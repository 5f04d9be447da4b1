// The next time of every core, as a tournament tree: the earliest core is its root. The time of a change
// grows with the logarithm of the number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/device_state.hpp"

namespace pto::sim {

class ReadyTree {
 public:
  explicit ReadyTree(size_t cores = 0) {
    while (leaves_ < cores) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
    for (uint32_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i].core = i;
    for (size_t node = leaves_ - 1; node > 0; --node) nodes_[node] = winner(node);
  }

  void set(size_t core, uint64_t time) {
    size_t node = leaves_ + core;
    nodes_[node].time = time;
    for (node /= 2; node > 0; node /= 2) nodes_[node] = winner(node);
  }
  [[nodiscard]] uint64_t time(size_t core) const { return nodes_[leaves_ + core].time; }
  /// The core with the earliest time; ties go to the lower index.
  [[nodiscard]] uint32_t first() const { return nodes_[1].core; }
  /// The same without the first one; the first one itself when there is no other.
  [[nodiscard]] uint32_t second() const {
    if (leaves_ == 1) return first();
    size_t node = leaves_ + first();
    const Node* best = &nodes_[node ^ 1];
    for (node /= 2; node > 1; node /= 2) {
      const Node* const other = &nodes_[node ^ 1];
      const bool earlier =
          (other->time < best->time) | ((other->time == best->time) & (other->core < best->core));
      best = earlier ? other : best;
    }
    return best->core;
  }

 private:
  struct Node {
    uint64_t time = kNever;
    uint32_t core = 0;
  };
  /// The earlier one of the two below, without a branch, which no host can predict. The left one has the
  /// lower index.
  [[nodiscard]] Node winner(size_t node) const {
    const Node* const left = &nodes_[2 * node];
    return left[static_cast<size_t>(left[1].time < left[0].time)];
  }

  size_t leaves_ = 1;
  std::vector<Node> nodes_;  ///< of each pair, pairs below each other as in a heap; [1] of all
};

}  // namespace pto::sim
