#include "ir/call_graph.hpp"

#include <algorithm>

#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

/// Tarjan's strongly connected components with a stack of its own: call chains are as long as the program.
class Components {
 public:
  Components(const CallGraph& graph, size_t functions) : graph_(graph), nodes_(functions) {
    for (uint32_t i = 0; i < functions; ++i) {
      if (!nodes_[i].seen) visit(i);
    }
  }

  std::vector<uint32_t> recursive, callees_first;

 private:
  struct Node {
    uint32_t number = 0, low = 0;
    bool seen = false, open = false;
  };
  struct Visit {
    uint32_t function;
    size_t next;  ///< the call to follow
  };

  void enter(uint32_t function) {
    nodes_[function] = {entered_, entered_, true, true};
    ++entered_;
    component_.push_back(function);
    path_.push_back({function, 0});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Visit& frame = path_.back();
      const std::span<const Call> calls = graph_.calls_of(frame.function);
      if (frame.next < calls.size()) {
        follow(frame.function, calls[frame.next++].callee);
        continue;
      }
      const uint32_t done = frame.function;
      path_.pop_back();
      if (!path_.empty()) lower(path_.back().function, nodes_[done].low);
      if (nodes_[done].low == nodes_[done].number) close(done);
    }
  }

  void follow(uint32_t caller, uint32_t callee) {
    if (caller == callee && (recursive.empty() || recursive.back() != caller)) recursive.push_back(caller);
    if (!nodes_[callee].seen) return enter(callee);
    if (nodes_[callee].open) lower(caller, nodes_[callee].number);
  }

  void lower(uint32_t function, uint32_t low) { nodes_[function].low = std::min(nodes_[function].low, low); }

  /// Everything above `root` on the stack reaches it and is reached from it.
  void close(uint32_t root) {
    const bool alone = component_.back() == root;
    for (bool last = false; !last; component_.pop_back()) {
      const uint32_t function = component_.back();
      last = function == root;
      nodes_[function].open = false;
      callees_first.push_back(function);
      if (!alone) recursive.push_back(function);
    }
  }

  const CallGraph& graph_;
  std::vector<Node> nodes_;
  uint32_t entered_ = 0;
  std::vector<uint32_t> component_;
  std::vector<Visit> path_;
};

}  // namespace

CallGraph::CallGraph(const Program& program, const Functions& functions) {
  static const RowId call = isa::id_of(isa::OpcodeClass::call);
  first_.reserve(functions.all().size() + 1);
  for (uint32_t caller = 0; caller < functions.all().size(); ++caller) {
    const Function& function = functions[caller];
    first_.push_back(static_cast<uint32_t>(calls_.size()));
    for (const uint32_t op : descendants(program, function.info.op)) {
      if (program.ops[op].row != call) continue;
      for (const uint32_t callee : functions.called(OpView(program, op), function))
        calls_.push_back({op, caller, callee});
    }
  }
  first_.push_back(static_cast<uint32_t>(calls_.size()));
  Components components(*this, functions.all().size());
  callees_first_ = std::move(components.callees_first);
  recursive_ = std::move(components.recursive);
  std::ranges::sort(recursive_);
  recursive_.erase(std::unique(recursive_.begin(), recursive_.end()), recursive_.end());
}

}  // namespace pto
