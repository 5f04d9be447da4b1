#include "verify/call_graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace pto::legality {
namespace {

/// Tarjan's strongly connected components with a stack of its own: call chains are as long as the program.
class Components {
 public:
  explicit Components(const std::vector<Call>& calls) : calls_(calls) {
    for (const Call& call : calls_) {
      if (call.caller == call.callee) recursive_.push_back(call.caller);
      if (!nodes_.contains(call.caller)) visit(call.caller);
    }
  }

  std::vector<uint32_t> take() {
    std::sort(recursive_.begin(), recursive_.end());
    recursive_.erase(std::unique(recursive_.begin(), recursive_.end()), recursive_.end());
    return std::move(recursive_);
  }

 private:
  struct Node { uint32_t number, low; bool open; };
  struct Frame { uint32_t function; size_t next; };   ///< next: the call to follow

  void enter(uint32_t function) {
    const auto number = static_cast<uint32_t>(nodes_.size());
    nodes_[function] = {number, number, true};
    component_.push_back(function);
    const auto first = std::lower_bound(calls_.begin(), calls_.end(), Call{function, 0});
    path_.push_back({function, static_cast<size_t>(first - calls_.begin())});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      if (frame.next < calls_.size() && calls_[frame.next].caller == frame.function) {
        const uint32_t callee = calls_[frame.next++].callee;
        const auto seen = nodes_.find(callee);
        if (seen == nodes_.end()) enter(callee);
        else if (seen->second.open) lower(frame.function, seen->second.number);
        continue;
      }
      const uint32_t done = frame.function;
      path_.pop_back();
      if (!path_.empty()) lower(path_.back().function, nodes_[done].low);
      if (nodes_[done].low == nodes_[done].number) close(done);
    }
  }

  void lower(uint32_t function, uint32_t low) {
    Node& node = nodes_[function];
    node.low = std::min(node.low, low);
  }

  /// Everything above `root` on the stack reaches it and is reached from it.
  void close(uint32_t root) {
    const bool alone = component_.back() == root;
    for (bool last = false; !last; component_.pop_back()) {
      last = component_.back() == root;
      nodes_[component_.back()].open = false;
      if (!alone) recursive_.push_back(component_.back());
    }
  }

  const std::vector<Call>& calls_;   ///< sorted
  std::unordered_map<uint32_t, Node> nodes_;
  std::vector<uint32_t> component_;
  std::vector<Frame> path_;
  std::vector<uint32_t> recursive_;
};

}  // namespace

std::vector<uint32_t> recursive_functions(std::vector<Call> calls) {
  std::sort(calls.begin(), calls.end());
  return Components(calls).take();
}

}  // namespace pto::legality
