// Which blocks of a region have always run when another one does.
#pragma once

#include <cstdint>
#include <vector>

namespace pto::legality {

/// Of a graph whose first node is the entry; `successors` by node.
class Dominators {
 public:
  explicit Dominators(const std::vector<std::vector<uint32_t>>& successors);

  [[nodiscard]] bool reachable(uint32_t node) const { return order_[node] != kNowhere; }
  /// Whether every way from the entry to `second` comes by `first`; both can be reached.
  [[nodiscard]] bool dominates(uint32_t first, uint32_t second) const {
    return begin_[first] <= begin_[second] && end_[second] <= end_[first];
  }

 private:
  static constexpr uint32_t kNowhere = ~0u;

  void number(const std::vector<std::vector<uint32_t>>& successors);
  void find(const std::vector<std::vector<uint32_t>>& successors);
  void span_tree();
  [[nodiscard]] uint32_t common(uint32_t a, uint32_t b) const;

  std::vector<uint32_t> order_;        ///< by node: its place in reverse postorder; kNowhere: not reached
  std::vector<uint32_t> nodes_;        ///< in that order
  std::vector<uint32_t> nearest_;      ///< by place: the place of the nearest dominator
  std::vector<uint32_t> begin_, end_;  ///< by node: what the dominator tree holds below it
};

}  // namespace pto::legality
